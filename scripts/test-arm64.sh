#!/usr/bin/env bash
# Compiles the C targets and their C tests for arm64, where the filter's vectors are NEON, and runs them in QEMU.
# Needs clang with lld, and fetches Debian's packages of the emulator and of the libraries without installing them.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly target=aarch64-linux-gnu
readonly folder=$PWD/.build/arm64
readonly root=$folder/root
if [ ! -d "$root" ]; then
  mkdir -p "$folder/packages" "$folder/lists/partial"
  (
    cd "$folder/packages"
    apt-get download qemu-user-static libc6-dev-arm64-cross libc6-arm64-cross linux-libc-dev-arm64-cross \
      libgcc-12-dev-arm64-cross
    foreign=(-oAPT::Architecture=arm64 -oAPT::Architectures=arm64 "-oDir::State::Lists=$folder/lists")
    apt-get "${foreign[@]}" update
    apt-get "${foreign[@]}" download liblz4-dev libxxhash-dev
  )
  for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$root.new"; done
  mv "$root.new" "$root"
fi

readonly libc=$root/usr/$target
readonly libgcc=$root/usr/lib/gcc-cross/$target/12
headers=(-nostdinc -isystem "$(clang -print-resource-dir)/include" -isystem "$libc/include" -isystem "$root/usr/include")
libraries=(
  -nostdlib "-L$libc/lib" "-L$libgcc" "-L$root/usr/lib/$target"
  "$libc/lib/crt1.o" "$libc/lib/crti.o" "$libgcc/crtbeginT.o"
  -llz4 -lxxhash -Wl,--start-group -lc -lgcc -lgcc_eh -Wl,--end-group "$libgcc/crtend.o" "$libc/lib/crtn.o"
)
clang --target=$target -O2 -static -fuse-ld=lld -Wall -Wextra -Werror "${headers[@]}" -ISources/CGraphArchive/include \
  -ISources/CCallStack/include -ITests/CGraphArchiveCases/include Sources/*/*.c \
  Tests/CGraphArchiveCases/*.c "${libraries[@]}" -o "$folder/tests"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'arm64: '
"$root/usr/bin/qemu-aarch64-static" "$folder/tests" "$scratch"
