#!/usr/bin/env bash
# Compiles the C targets and their C tests for arm64, where the filter's vectors are NEON, and runs them in QEMU.
# Needs clang with lld, and fetches Debian's packages of the emulator and of the libraries without installing them. Where one
# of these cannot be had, it says so and succeeds.
set -euo pipefail
shopt -s failglob  # Files that are not there are a failure.
cd "$(dirname "$0")/.."

readonly target=aarch64-linux-gnu
readonly folder=$PWD/.build/arm64
readonly root=$folder/root

skip() {
  printf 'arm64: skipped, since %s\n' "$1" >&2
  exit 0
}

# What is fetched is only unpacked, into this folder: apt needs no other user for it.
apt() { apt-get -q -oAPT::Sandbox::User=root "$@"; }
# Debian's package lists of arm64 are kept apart from the system's.
foreign() { apt -oAPT::Architecture=arm64 -oAPT::Architectures=arm64 "-oDir::State::Lists=$folder/lists" "$@"; }

fetch() {
  local native=(qemu-user-static libc6-dev-arm64-cross libc6-arm64-cross linux-libc-dev-arm64-cross libgcc-12-dev-arm64-cross)
  rm -rf "$folder/packages"
  mkdir -p "$folder/packages" "$folder/lists/partial"
  cd "$folder/packages" || return
  # A fresh system has no package lists.
  { apt download "${native[@]}" || { apt update && apt download "${native[@]}"; }; } &&
    foreign update && foreign download liblz4-dev libxxhash-dev
}

command -v clang >/dev/null 2>&1 || skip "there is no clang"
printf 'int main(void) { return 0; }\n' |
  clang --target=$target -fuse-ld=lld -nostdlib -Wl,-e,main -x c - -o /dev/null 2>/dev/null ||
  skip "clang cannot link for $target with lld"
if [ ! -d "$root" ]; then
  command -v dpkg >/dev/null 2>&1 || skip "this is no Debian"
  mkdir -p "$folder"
  (fetch) >"$folder/log" 2>&1 || { tail -n 3 "$folder/log" >&2; skip "apt-get cannot fetch what it takes"; }
  rm -rf "$root.new"
  for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$root.new"; done
  mv "$root.new" "$root"
fi

readonly libc=$root/usr/$target
readonly libgcc=$root/usr/lib/gcc-cross/$target/12
headers=(-nostdinc -isystem "$(clang -print-resource-dir)/include" -isystem "$libc/include" -isystem "$root/usr/include")
libraries=(
  -nostdlib "-L$libc/lib" "-L$libgcc" "-L$root/usr/lib/$target"
  "$libc/lib/crt1.o" "$libc/lib/crti.o" "$libgcc/crtbeginT.o"
  -llz4 -lxxhash -Wl,--start-group -lm -lc -lgcc -lgcc_eh -Wl,--end-group "$libgcc/crtend.o" "$libc/lib/crtn.o"
)
clang --target=$target -O2 -static -fuse-ld=lld -Wall -Wextra -Werror "${headers[@]}" -ISources/CGraphArchive/include \
  -ISources/CCallStack/include -ITests/CGraphArchiveCases/include Sources/*/*.c \
  Tests/CGraphArchiveCases/*.c "${libraries[@]}" -o "$folder/tests"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'arm64: '
"$root/usr/bin/qemu-aarch64-static" "$folder/tests" "$scratch"
