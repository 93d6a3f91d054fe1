#!/usr/bin/env bash
# Compiles the C targets and their C tests with AddressSanitizer and UndefinedBehaviorSanitizer and runs them.
# Takes the first compiler that can build such a program: clang, then gcc. CC names another one.
set -euo pipefail
shopt -s failglob  # Files that are not there are a failure.
cd "$(dirname "$0")/.."

readonly test_dir=Tests/CGraphArchiveCases
readonly build_dir=.build/sanitized
readonly sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
read -r -a c_flags <<<"$(printf -- '-I%s ' Sources/C*/include Tests/C*/include) $(pkg-config --cflags liblz4 libxxhash)"
read -r -a libraries <<<"$(pkg-config --libs liblz4 libxxhash) -lpthread -lm"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'int main(void) { return 0; }\n' >"$scratch/probe.c"

# Clang's run-time libraries make the gold linker print pages of warnings, so lld is asked for first.
compiler=()
for candidate in "${CC:-clang} -fuse-ld=lld" "${CC:-clang}" "${CC:-gcc}"; do
  read -r -a compiler <<<"$candidate"
  if "${compiler[@]}" "${sanitizers[@]}" "$scratch/probe.c" -o "$scratch/probe" 2>/dev/null &&
    "$scratch/probe" >/dev/null 2>&1; then
    break
  fi
  compiler=()
done
if [ ${#compiler[@]} -eq 0 ]; then
  echo "sanitize: neither clang nor gcc can build a program with sanitizers" >&2
  exit 1
fi

mkdir -p "$build_dir"
for level in -O0 -O2; do
  program=$build_dir/tests$level
  "${compiler[@]}" "${sanitizers[@]}" "$level" -Wall -Wextra -Werror "${c_flags[@]}" \
    Sources/*/*.c "$test_dir"/*.c "${libraries[@]}" -o "$program"
  printf 'sanitize (%s %s): ' "${compiler[0]}" "$level"
  mkdir "$scratch/files$level"
  ASAN_OPTIONS=strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 "$program" "$scratch/files$level"
done
