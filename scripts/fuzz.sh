#!/usr/bin/env bash
# Fuzzes one target, or all: fuzz.sh TARGET SECONDS. What it learns stays in Fuzz/.build/corpus, what it finds in
# Fuzz/.build/findings, as Fuzz/README.md says.
set -euo pipefail
shopt -s failglob  # Files that are not there are a failure.
cd "$(dirname "$0")/.."

readonly target=${1:-all} seconds=${2:-60}
readonly targets=(graph codable confusion inspection parts recovery series messages set binary names cyclic polymorphic c)
readonly work=Fuzz/.build
swift=${SWIFT:-swift}

if [ "$target" = all ]; then
  status=0
  for each in "${targets[@]}"; do "$0" "$each" "$seconds" || status=1; done
  exit $status
fi
if [[ " ${targets[*]} " != *" $target "* ]]; then
  echo "fuzz: TARGET is one of all ${targets[*]}" >&2
  exit 1
fi

# Swift's own report would come in front of the sanitizer's, and is as slow as a time-out.
export SWIFT_BACKTRACE=enable=no
# A graph may hold itself, and then nobody frees it: that is no leak of the library.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:${ASAN_OPTIONS:-}

corpus=$work/corpus/$target
findings=$work/findings/$target
mkdir -p "$corpus" "$findings" "Fuzz/Cases/$target"

if [ "$target" = c ]; then
  program=$work/fuzzer-c
  read -r -a c_flags <<<"$(printf -- '-I%s ' Sources/C*/include) $(pkg-config --cflags liblz4 libxxhash)"
  read -r -a libraries <<<"$(pkg-config --libs liblz4 libxxhash) -lpthread"
  "${CC:-clang}" -fuse-ld=lld -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    "${c_flags[@]}" Sources/*/*.c Fuzz/C/*.c "${libraries[@]}" -o "$program"
else
  # Testing, because the re-sealing of checksums uses what is internal in the library. Of several `-sanitize`, Swift
  # takes the last one; SwiftPM's own makes it leave `main` to libFuzzer.
  "$swift" build -c release --package-path Fuzz --product fuzzer --sanitize=fuzzer -Xswiftc -enable-testing \
    -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=fuzzer-no-link,address
  program=$work/release/fuzzer
  export GRAPHCODABLE_FUZZ_TARGET=$target
  GRAPHCODABLE_FUZZ_SEEDS=$corpus "$program"
fi

echo "fuzz: $target for $seconds s"
# The time-out is for what never ends: it counts waiting, too. Each input's processor time has a budget of its own.
"$program" -max_total_time="$seconds" -timeout=120 -report_slow_units=120 \
  -rss_limit_mb=1500 -malloc_limit_mb=512 -max_len=4096 -dict=Fuzz/Dictionary.txt -artifact_prefix="$findings/" \
  -print_final_stats=1 -print_funcs=0 -verbosity=1 \
  "$corpus" "Fuzz/Cases/$target"
