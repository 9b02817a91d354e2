#!/usr/bin/env bash
# Builds the engine of the SQL page (crates/sql) into $EVALGLASS_SQL_PAGE, unless it lies there: sql.js and sql_bg.wasm. What cargo makes
# stays in the folder for tools: DataFusion is compiled once for each lock file, whatever clone asks.
# usage: scripts/sql_page.sh [small|quick]     small (default): what is published; quick: the same code, built in a
# third of the time, larger and slower, into $EVALGLASS_SQL_PAGE-quick
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
case "${1:-small}" in
  small) into="$EVALGLASS_SQL_PAGE" profile=wasm ;;
  quick) into="$EVALGLASS_SQL_PAGE-quick" profile=wasm-quick ;;
  *) echo "scripts/sql_page.sh: small or quick, not $1" >&2; exit 2 ;;
esac
[ -f "$into/sql_bg.wasm" ] && exit 0
echo "building the engine of the SQL page, the ${1:-small} one (DataFusion: minutes the first time) …" >&2
target="$TOOLS/sql-page-target-$(cksum <crates/sql/Cargo.lock | cut -d' ' -f1)"
registry="${CARGO_HOME:-$HOME/.cargo}/registry/src"
# The same flags whatever folder the clone lies in, and no folder of the machine in the program.
remap="--remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=std"
for dir in "$registry"/*/; do [ -d "$dir" ] && remap+=" --remap-path-prefix=${dir%/}=crates"; done
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$remap"
# Clones share the folder, and Cargo takes what another one has built for fresh where the sources here are older than that.
touch crates/sql/src/lib.rs crates/sql/src/page/main.rs
cargo build --locked --profile "$profile" --target wasm32-unknown-unknown --bin sql-page --manifest-path crates/sql/Cargo.toml --target-dir "$target"
made="$(mktemp -d)"
trap 'rm -rf "$made"' EXIT
wasm-bindgen --target no-modules --no-typescript --remove-name-section --remove-producers-section --out-dir "$made" --out-name sql "$target/wasm32-unknown-unknown/$profile/sql-page.wasm"
# Its best level takes ten minutes for a seventh less.
[ "$profile" = wasm-quick ] ||
  wasm-opt -O1 --strip-debug --strip-producers --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals --enable-reference-types --enable-multivalue \
    -o "$made/sql_bg.wasm" "$made/sql_bg.wasm"
mkdir -p "$(dirname "$into")"
chmod 755 "$made"
rm -rf "$into.new" && cp -r "$made" "$into.new" && mv "$into.new" "$into"
