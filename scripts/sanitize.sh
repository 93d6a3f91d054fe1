#!/usr/bin/env bash
# Compiles the C target and its C tests with AddressSanitizer and UndefinedBehaviorSanitizer and runs them.
# Takes the first compiler that can build such a program: clang, then gcc. CC names another one.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly c_dir=Sources/CGraphArchive
readonly test_dir=Tests/CGraphArchiveSanitized
readonly build_dir=.build/sanitized
readonly sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
read -r -a c_flags <<<"-I$c_dir/include $(pkg-config --cflags liblz4 libxxhash)"
read -r -a libraries <<<"$(pkg-config --libs liblz4 libxxhash) -lpthread"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'int main(void) { return 0; }\n' >"$scratch/probe.c"

compiler=
for candidate in ${CC:-clang gcc}; do
  if "$candidate" "${sanitizers[@]}" "$scratch/probe.c" -o "$scratch/probe" 2>/dev/null &&
    "$scratch/probe" >/dev/null 2>&1; then
    compiler=$candidate
    break
  fi
done
[ -n "$compiler" ] || { echo "sanitize: neither clang nor gcc can build with sanitizers" >&2; exit 1; }

mkdir -p "$build_dir"
for level in -O0 -O2; do
  program=$build_dir/tests$level
  "$compiler" "${sanitizers[@]}" "$level" -Wall -Wextra -Werror "${c_flags[@]}" \
    "$c_dir"/*.c "$test_dir"/*.c "${libraries[@]}" -o "$program"
  printf 'sanitize (%s %s): ' "$compiler" "$level"
  ASAN_OPTIONS=detect_leaks=${DETECT_LEAKS:-1}:strict_string_checks=1:allocator_may_return_null=1 \
    UBSAN_OPTIONS=print_stacktrace=1 "$program" "$scratch"
done
