# Gets Trunk and wasm-bindgen the quickest way there is. Sourced by setup.sh (bash), which has `say`, `die` and `have`.
# In this order: the right version on PATH; what was installed before; `cargo binstall`, where it is installed; the official
# release archive, when its hash is in pins.txt; compiled. What a way leaves unfinished is gone before the next one begins.
PINS="${EVALGLASS_PINS:-scripts/pins.txt}"
RELEASES="${EVALGLASS_RELEASES:-https://github.com}"
unfinished=""
trap '[ -z "$unfinished" ] || rm -rf "$unfinished"' EXIT

# The target whose archives run here: on Linux those without a C library of their own needs.
release_target() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) echo x86_64-unknown-linux-musl ;;
    Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-musl ;;
    Darwin-x86_64) echo x86_64-apple-darwin ;;
    Darwin-arm64) echo aarch64-apple-darwin ;;
    *) echo none ;;
  esac
}

release_archive() { # NAME VERSION TARGET
  case "$1" in
    trunk) echo "$RELEASES/trunk-rs/trunk/releases/download/v$2/trunk-$3.tar.gz" ;;
    wasm-bindgen) echo "$RELEASES/wasm-bindgen/wasm-bindgen/releases/download/$2/wasm-bindgen-$2-$3.tar.gz" ;;
  esac
}

# Whether every PROGRAM says that it is VERSION; each may be a path. A program for another machine says nothing.
says_version() { # VERSION PROGRAM…
  local version="$1" program; shift
  for program in "$@"; do
    [ "$("$program" --version 2>/dev/null)" = "${program##*/} $version" ] || return 1
  done
}

sha256() { node -e 'process.stdout.write(require("node:crypto").createHash("sha256").update(require("node:fs").readFileSync(process.argv[1])).digest("hex"))' "$1"; }

# At most SECONDS, where there is a `timeout`.
at_most() { if have timeout; then timeout "$@"; else shift; "$@"; fi; }

by_binstall() { # INTO NAME VERSION CRATE
  have cargo-binstall || return 1
  say "$2 $3 by cargo binstall"
  BINSTALL_DISABLE_TELEMETRY=true at_most 180 cargo binstall --no-confirm --disable-strategies compile --no-track --root "$1" --version "$3" "$4" >&2 </dev/null
}

by_archive() { # INTO NAME VERSION
  local into="$1" target want got address
  target="$(release_target)"
  want="$(awk -v tool="$2" -v version="$3" -v target="$target" '$1 == tool && $2 == version && $3 == target { print $4 }' "$PINS")"
  [ -n "$want" ] || { say "$2 $3: no archive with a known hash for this machine"; return 1; }
  have curl || { say "$2 $3: no curl to fetch its archive"; return 1; }
  address="$(release_archive "$2" "$3" "$target")"
  say "$2 $3 from $address"
  mkdir -p "$into/unpacked" "$into/bin"
  curl --fail --silent --show-error --location --connect-timeout 5 --max-time 120 --output "$into/archive" "$address" >&2 || return 1
  got="$(sha256 "$into/archive")"
  [ "$got" = "$want" ] || { say "$2 $3: the archive has SHA-256 $got, not $want; it is not used"; return 1; }
  tar -xzf "$into/archive" -C "$into/unpacked" >&2 || return 1
  # The programs lie at the top, or in a folder of the archive's name.
  find "$into/unpacked" -type f -perm -100 -exec mv {} "$into/bin/" \; || return 1
  rm -rf "$into/unpacked" "$into/archive"
}

# Compiled for a short build, not for speed: with the fat LTO of its own profile Trunk takes twice as long. OPT_LEVEL is 1 unless it is set.
by_compiler() { # INTO VERSION [arguments of cargo install]
  local into="$1" version="$2"; shift 2
  CARGO_PROFILE_RELEASE_OPT_LEVEL="${OPT_LEVEL:-1}" CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 \
    CARGO_TARGET_DIR="$into/target" cargo install --quiet --root "$into" --version "$version" "$@" >&2 || return 1
  rm -rf "$into/target"
}

# Sees to it that every PROGRAM of NAME is on PATH, in just this VERSION, all of them in one folder $TOOLS/NAME-VERSION/bin
# unless they are elsewhere on PATH already. What follows `--` is for `cargo install`; its last word is the crate.
tool() { # NAME VERSION PROGRAM… -- [arguments of cargo install] CRATE
  local name="$1" version="$2" programs=() paths=() way program old; shift 2
  while [ "$1" != -- ]; do programs+=("$1"); shift; done
  shift
  local dir="$TOOLS/$name-$version" crate="${!#}"
  says_version "$version" "${programs[@]}" && return
  mkdir -p "$TOOLS"
  # Left by a run that was killed.
  for old in "$dir".new.*; do
    [ ! -d "$old" ] || kill -0 "${old##*.}" 2>/dev/null || rm -rf "$old"
  done
  local new="$dir.new.$$"
  for way in binstall archive compiler; do
    rm -rf "$new"
    unfinished="$new"
    case "$way" in
      binstall) by_binstall "$new" "$name" "$version" "$crate" || continue ;;
      archive) by_archive "$new" "$name" "$version" || continue ;;
      compiler)
        say "$name $version is compiled, once, into $TOOLS; this takes minutes"
        by_compiler "$new" "$version" "$@" || continue ;;
    esac
    paths=()
    for program in "${programs[@]}"; do paths+=("$new/bin/$program"); done
    says_version "$version" "${paths[@]}" || { say "$name $version: what came by $way does not run here"; continue; }
    rm -rf "$dir"
    mv "$new" "$dir"
    unfinished=""
    # The shell remembers where it found a program before.
    hash -r
    return
  done
  rm -rf "$new"
  unfinished=""
  die "$name $version could not be installed. Try:  cargo install --root \"$dir\" --version $version $*"
}
