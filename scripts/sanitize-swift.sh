#!/usr/bin/env bash
# Runs the Swift tests under a sanitizer: sanitize-swift.sh address|thread [FILTER]. Each has its own build folder.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly sanitizer=$1 filter=${2:-}
readonly build_dir=.build-${sanitizer:0:1}san
swift=${SWIFT:-swift}

# Suites and tests that cannot run, or say nothing here:
skipped=(
  # The programs that they compile link this build's library, and would have to be built for its sanitizer.
  'GuideExamplesTests\.' 'DocumentProgramTests' 'CrashTests\.'
  # They limit memory, of which a sanitizer takes more: terabytes of the address space.
  'MemoryLimitTests' 'PeakMemoryTests' 'RepeatedUseTests' 'savingAndLoadingTakeLittleMemoryBesideTheModel'
  # A hundred thousand names for Swift's runtime, which has no sanitizer.
  'MangledNameFuzzTests'
)
if [ "$sanitizer" = thread ]; then
  skipped+=(
    # Deep values go on on one thread after the other, whose stacks are small, and a frame is larger here.
    'DepthTests' 'NestingTests' 'CodingThreadTests' 'PrebuildTests' 'CodableLinearityTests' 'CodableClassTests'
    # ThreadSanitizer keeps 65,536 calls of a thread, and ends with a fault where there are more. The corpus has values as
    # deep as the format allows, which the plain reader reads by recursion.
    'CorpusTests\.' 'DepthLimitTests' 'aLongWayThroughValuesIsShortened' 'ReleaseTests/temporaries'
    'descentAlongACycleComesToAnEnd'
    # They are of one thread, and many minutes of it.
    'RandomDamageTests' 'RandomGraphTests'
  )
fi
arguments=()
for name in "${skipped[@]}"; do arguments+=(--skip "$name"); done

"$swift" build --product GraphCodablePackageTests --sanitize="$sanitizer" --scratch-path "$build_dir"

# A frame is several times as large with a sanitizer.
ulimit -s 65536 2>/dev/null || true
export SWIFT_BACKTRACE=enable=no
# Some tests make graphs that hold themselves, which nobody frees.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:${ASAN_OPTIONS:-}
export TSAN_OPTIONS=exitcode=66:allocator_may_return_null=1:${TSAN_OPTIONS:-}
# One test after the other: of hundreds at once, with their threads, ThreadSanitizer itself ends with a fault. What a test
# does on several threads, it still does.
program=$build_dir/debug/GraphCodablePackageTests.xctest
run() { "$program" --testing-library swift-testing --no-parallel "${arguments[@]}" --filter "$1"; }
if [ -n "$filter" ]; then
  run "$filter"
  exit
fi
# A process for each suite: a fault does not keep the others from being run, and ThreadSanitizer is slow for long where
# many deep calls have been.
readonly no_tests=69
failed=()
# On a line of its own, where a failure ends the script.
suites=$("$program" --testing-library swift-testing --list-tests | sed 's|/.*||' | sort -u)
[ -n "$suites" ] || { echo "sanitize-swift: no tests" >&2; exit 1; }
for suite in $suites; do
  status=0
  run "^$suite/" || status=$?
  if [ $status -ne 0 ] && [ $status -ne $no_tests ]; then failed+=("$suite"); fi
done
if [ ${#failed[@]} -ne 0 ]; then
  echo "sanitize-swift: $sanitizer: ${failed[*]}" >&2
  exit 1
fi
