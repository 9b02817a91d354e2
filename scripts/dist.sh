#!/usr/bin/env bash
# Builds the page into dist/: the three programs, wasm-opt applied, policy filled in. usage: scripts/dist.sh [trunk build arguments]
# EVALGLASS_LONG_NAMES=1 keeps wasm-bindgen's names, so that target/wasm-bindgen/release/*.wasm, with the names of functions, fit for a profile.
# EVALGLASS_SQL_BUILD=quick takes a larger engine of page SQL, built in a third of the time, unless the small one has been built.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
# No folder of the machine that builds ends up in the page.
registry="${CARGO_HOME:-$HOME/.cargo}/registry/src"
remap=""
for dir in "$registry"/*/; do [ -d "$dir" ] && remap+=" --remap-path-prefix=${dir%/}=crates"; done
sysroot="$(rustc --print sysroot)"
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=$sysroot/lib/rustlib/src/rust=std$remap"
# Exports are packed by zstd's fastest way; the seven slower ones are left out.
slower=""
for way in DFAST GREEDY LAZY LAZY2 BTLAZY2 BTOPT BTULTRA; do slower+=" -DZSTD_EXCLUDE_${way}_BLOCK_COMPRESSOR"; done
export CFLAGS_wasm32_unknown_unknown="${CFLAGS_wasm32_unknown_unknown:-}$slower"
if [ "${EVALGLASS_SQL_BUILD:-small}" = quick ] && [ ! -f "$EVALGLASS_SQL_PAGE/sql_bg.wasm" ]; then
  ./scripts/sql_page.sh quick
  export EVALGLASS_SQL_PAGE="$EVALGLASS_SQL_PAGE-quick"
else
  ./scripts/sql_page.sh
fi
exec trunk build --release "$@"
