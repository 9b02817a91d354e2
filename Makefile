# make run    build the page and serve it on this machine        make dist   release build into dist/
# make test   every check, as CI runs it                         make bench  measure the page in a real browser
# make fuzz   fuzz every target for TIME seconds (60)           ONLY="filter gate" for some of them
# make tools  only install what is missing                    make site DIR=results [OUT=site] [TITLE=…]  page and results, to publish
SHELL := /bin/bash
.DEFAULT_GOAL := run
.PHONY: run test dist site bench fuzz tools

run:
	@./scripts/setup.sh build
	@EVALGLASS_SQL_BUILD=quick ./scripts/dist.sh
	@node scripts/serve.mjs

test:
	@command -v node >/dev/null || ./scripts/setup.sh test
	@node scripts/test.mjs $(ONLY)

dist:
	@./scripts/setup.sh build
	@./scripts/dist.sh
	@. scripts/env.sh && node scripts/sizes.mjs dist

site: dist
	@node scripts/site.mjs --results "$(DIR)" --out "$(or $(OUT),site)" --title "$(TITLE)"

bench:
	@./scripts/setup.sh test
	@./scripts/dist.sh
	@. scripts/env.sh && node bench/load.mjs && node bench/reading.mjs && node bench/run.mjs $(ARGS)

fuzz:
	@node scripts/fuzz.mjs $(if $(TIME),--seconds $(TIME)) $(ONLY)

tools:
	@./scripts/setup.sh test
