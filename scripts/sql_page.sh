#!/usr/bin/env bash
# Builds the engine of the SQL page (crates/sql) into $EVALGLASS_SQL_PAGE, unless it lies there: sql.js and sql_bg.wasm. What cargo makes
# stays in the folder for tools: DataFusion is compiled once for each lock file, whatever clone asks.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
[ -f "$EVALGLASS_SQL_PAGE/sql_bg.wasm" ] && exit 0
echo "building the engine of the SQL page (DataFusion: some ten minutes the first time) …" >&2
target="$TOOLS/sql-page-target-$(cksum <crates/sql/Cargo.lock | cut -d' ' -f1)"
registry="${CARGO_HOME:-$HOME/.cargo}/registry/src"
# The same flags whatever folder the clone lies in, and no folder of the machine in the program.
remap="--remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=std"
for dir in "$registry"/*/; do [ -d "$dir" ] && remap+=" --remap-path-prefix=${dir%/}=crates"; done
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$remap"
cargo build --locked --profile wasm --target wasm32-unknown-unknown --bin sql-page --manifest-path crates/sql/Cargo.toml --target-dir "$target"
made="$(mktemp -d)"
trap 'rm -rf "$made"' EXIT
wasm-bindgen --target no-modules --no-typescript --out-dir "$made" --out-name sql "$target/wasm32-unknown-unknown/wasm/sql-page.wasm"
# Its best level takes ten minutes for a seventh less.
wasm-opt -O1 --strip-debug --strip-producers --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals --enable-reference-types --enable-multivalue \
  -o "$made/sql_bg.wasm" "$made/sql_bg.wasm"
mkdir -p "$(dirname "$EVALGLASS_SQL_PAGE")"
chmod 755 "$made"
rm -rf "$EVALGLASS_SQL_PAGE.new" && cp -r "$made" "$EVALGLASS_SQL_PAGE.new" && mv "$EVALGLASS_SQL_PAGE.new" "$EVALGLASS_SQL_PAGE"
