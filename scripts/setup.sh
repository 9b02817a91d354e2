#!/usr/bin/env bash
# Installs what is missing, and only that: the Rust toolchain, Debian packages, Trunk, wasm-bindgen (see tools.sh), the node tools.
# usage: scripts/setup.sh [build|test]     build (default): to build and serve the page; test: browsers too
# Tools go to $EVALGLASS_TOOLS (default: evalglass in the user's cache folder) and are reused while their version fits.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
what="${1:-build}"

say() { printf 'setup: %s\n' "$*" >&2; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
. scripts/tools.sh

have rustup || die "rustup is missing. Install it with the command on https://rustup.rs, then run this again."
have node || die "node is missing. Run:  sudo apt-get install -y nodejs npm"
have npm || die "npm is missing. Run:  sudo apt-get install -y npm"
node -e 'process.exit(+process.versions.node.split(".")[0] >= 20 ? 0 : 1)' || die "node $(node -v) is too old: 20 or newer is needed."
[ -n "$WASM_BINDGEN_VERSION" ] || die "no wasm-bindgen in Cargo.lock"

# Rust: the toolchain that rust-toolchain.toml names. rustup does not fetch it by itself when RUSTUP_AUTO_INSTALL=0.
if ! rustup toolchain list | grep -q "^$TOOLCHAIN"; then
  say "Rust $TOOLCHAIN"
  rustup toolchain install "$TOOLCHAIN" --profile minimal --component rustfmt --component clippy --target wasm32-unknown-unknown >&2
fi
installed="$(rustup component list --toolchain "$TOOLCHAIN" --installed)"
for part in rustfmt clippy; do
  grep -q "^$part" <<<"$installed" || { say "$part"; rustup component add --toolchain "$TOOLCHAIN" "$part" >&2; }
done
grep -q '^rust-std-wasm32-unknown-unknown' <<<"$installed" ||
  { say "the wasm32 target"; rustup target add --toolchain "$TOOLCHAIN" wasm32-unknown-unknown >&2; }

# Debian packages: clang and llvm-ar compile the C part of zstd for wasm32; cc links host programs.
packages=()
have cc || packages+=(gcc libc6-dev)
have make || packages+=(make)
have clang || packages+=(clang)
have llvm-ar || packages+=(llvm)
have wasm-ld || have lld || packages+=(lld)
if [ "$what" = test ]; then
  [ -x "$CHROMIUM" ] || packages+=(chromium)
  [ -x "$CHROMEDRIVER" ] || packages+=(chromium-driver)
  python3 -c 'import ensurepip' 2>/dev/null || packages+=(python3 python3-venv)
  # Reads our XML besides Python; where it takes another account to install it, Python is enough.
  have xmllint || [ "$(id -u)" != 0 ] || packages+=(libxml2-utils)
fi
if [ "${#packages[@]}" -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && have apt-get; then
    say "Debian packages: ${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends "${packages[@]}" >&2
  else
    die "missing: ${packages[*]}. Run:  sudo apt-get update && sudo apt-get install -y ${packages[*]}"
  fi
fi

# Programs of this machine's PATH in the right version are used as they are.
# Where one is compiled, it is without TLS: neither goes to the network here. Trunk has little to do but to start others.
OPT_LEVEL=0 tool trunk "$TRUNK_VERSION" trunk -- --locked --no-default-features trunk
tool wasm-bindgen "$WASM_BINDGEN_VERSION" wasm-bindgen wasm-bindgen-test-runner -- --no-default-features wasm-bindgen-cli

# Node tools: wasm-opt (binaryen), playwright-core and axe, readers of Parquet to measure beside ours; exactly as package-lock.json says. No install script runs.
if ! cmp -s package-lock.json node_modules/.evalglass-lock; then
  say "node tools"
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2 ||
    die "the node tools could not be installed. Try:  npm ci --ignore-scripts"
  cp package-lock.json node_modules/.evalglass-lock
fi

# Readers of other makers for our exports. They are large and not for every machine: without them the tests that need them
# are skipped, and say so.
if [ "$what" = test ] && [ "$PYTHON" = python3 ]; then
  say "$READERS $STATISTICS"
  new="$READERS_HOME.new.$$"
  # shellcheck disable=SC2086
  if python3 -m venv "$new" >&2 &&
    "$new/bin/python3" -m pip install --quiet --disable-pip-version-check --only-binary=:all: $READERS >&2; then
    # Beside them and not with them: on a Python that these do not know, the readers still come.
    # shellcheck disable=SC2086
    "$new/bin/python3" -m pip install --quiet --disable-pip-version-check --only-binary=:all: $STATISTICS >&2 ||
      say "not installed: $STATISTICS; comparisons are recomputed in plain Python"
    # The folder may move: programs in it are called by their path, never by what was written into them.
    rm -rf "$READERS_HOME"
    mv "$new" "$READERS_HOME"
  else
    rm -rf "$new"
    say "not installed: $READERS; exports to Parquet are tested without them"
  fi
fi

# Trunk builds offline, so what Cargo.lock names must be here.
cargo fetch --locked --quiet || cargo fetch --locked >&2 || die "the crates of Cargo.lock could not be fetched. Try:  cargo fetch --locked"
if [ "$what" = test ] && [ -z "${EVALGLASS_SQL:-}" ]; then
  cargo fetch --locked --quiet --manifest-path crates/sql/Cargo.toml ||
    die "the crates of crates/sql could not be fetched. Try:  cargo fetch --locked --manifest-path crates/sql/Cargo.toml"
fi
