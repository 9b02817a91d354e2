# Versions of the tools and where they live. Sourced by the other scripts (bash), from the top of the project.
TRUNK_VERSION=0.21.14
TOOLS="${EVALGLASS_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/evalglass}"
# wasm-bindgen's program and library must be the very same version: Cargo.lock decides.
WASM_BINDGEN_VERSION="$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/version = |"/, ""); print; exit }' Cargo.lock)"
TOOLCHAIN="$(sed -n 's/^channel = "\(.*\)"$/\1/p' rust-toolchain.toml)"
CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || echo /usr/bin/chromium)}"
CHROMEDRIVER="${CHROMEDRIVER:-$(command -v chromedriver || echo /usr/bin/chromedriver)}"
# Python with the readers that open our exports; without them, whatever Python there is.
READERS="pyarrow==26.0.1 duckdb==2.0.0 jsonschema==4.26.0"
# What recomputes our comparisons; where it is missing, plain Python does.
STATISTICS="scipy==1.17.1 statsmodels==0.15.0"
READERS_HOME="$TOOLS/python-$(cksum <<<"$READERS $STATISTICS" | cut -d' ' -f1)"
PYTHON="$READERS_HOME/bin/python3"
[ -x "$PYTHON" ] || PYTHON=python3
# DataFusion is compiled once for each lock file of crates/sql, whatever clone asks.
EVALGLASS_SQL_TARGET="${EVALGLASS_SQL_TARGET:-$TOOLS/sql-$(cksum <crates/sql/Cargo.lock | cut -d' ' -f1)}"

# The engine of the SQL page, built once for each state of its sources (scripts/sql_page.sh).
EVALGLASS_SQL_PAGE="${EVALGLASS_SQL_PAGE:-$TOOLS/sql-page-$(find crates/sql/Cargo.lock crates/sql/Cargo.toml crates/sql/src sql/views sql/queries sql/engines scripts/sql_page.sh -type f | LC_ALL=C sort | xargs cat | cksum | cut -d' ' -f1)}"

PATH="$PWD/node_modules/.bin:$TOOLS/trunk-$TRUNK_VERSION/bin:$TOOLS/wasm-bindgen-$WASM_BINDGEN_VERSION/bin:${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
# Read by Trunk, where a plain NO_COLOR=1 of the caller is not understood.
if [ -n "${NO_COLOR:-}" ]; then NO_COLOR=true; export NO_COLOR; fi
export EVALGLASS_SQL_PAGE EVALGLASS_SQL_TARGET PYTHON PATH TOOLS TRUNK_VERSION WASM_BINDGEN_VERSION TOOLCHAIN CHROMIUM CHROMEDRIVER
