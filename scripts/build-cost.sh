#!/usr/bin/env bash
# Builds the library alone for release, from clean and in a folder of its own, and prints what that costs: processor
# time, its own and that of the targets that it uses, and bytes of object code, those of GraphCodable.
#
#   build-cost.sh                         fail above the default limit of bytes
#   build-cost.sh --bytes N --seconds N   fail above other limits; 0 is none
#   build-cost.sh --peer                  build swift-protobuf, too, and print what 1,000 lines of either cost
#
# Bytes are the same on every machine with the same compiler. Processor time is not: it depends on the machine, and on what
# else runs there.
set -euo pipefail
shopt -s failglob  # Files that are not there are a failure.
cd "$(dirname "$0")/.."

byte_limit=12000000
second_limit=0
peer=
while [ $# -gt 0 ]; do
  case $1 in
    --bytes) byte_limit=$2; shift ;;
    --seconds) second_limit=$2; shift ;;
    --peer) peer=yes ;;
    *) echo "build-cost: unknown argument '$1'" >&2; exit 2 ;;
  esac
  shift
done

readonly swift=${SWIFT:-swift}
readonly scratch=$PWD/.build-cost
readonly options=(-c release --scratch-path "$scratch")
rm -rf .build-cost
# Fetching other packages' sources is not part of it.
"$swift" package --scratch-path .build-cost resolve >/dev/null 2>&1

TIMEFORMAT='%U %S'
# Builds a target of the package in a folder, with options, and writes the seconds to a log: LOG FOLDER TARGET OPTION…
build() {
  local output=$1 folder=$2 target=$3
  shift 3
  { time "$swift" build --package-path "$folder" "$@" --target "$target" >"$output" 2>&1 || { cat "$output" >&2; exit 1; }; } \
    2>"$output.time" || { cat "$output.time" >&2; exit 1; }
}

readonly log=$scratch/log
build "$log" . GraphCodable "${options[@]}"
objects=("$("$swift" build "${options[@]}" --show-bin-path)"/{GraphCodable,_Graph*}.build/*.o)
bytes=$(cat "${objects[@]}" | wc -c)

awk -v bytes="$bytes" -v files="${#objects[@]}" -v byte_limit="$byte_limit" -v second_limit="$second_limit" '
  function limit(text) { return text > 0 ? ", at most " text : "" }
  {
    seconds = $1 + $2
    printf "processor time: %.1f s%s\n", seconds, limit(second_limit)
    printf "object code: %d bytes in %d files%s\n", bytes, files, limit(byte_limit)
    if (second_limit > 0 && seconds > second_limit || byte_limit > 0 && bytes > byte_limit) {
      print "build-cost: above the limit"
      exit 1
    }
  }' <(tail -n 1 "$log.time")

[ -n "$peer" ] || exit 0
"$swift" package --scratch-path "$scratch/packages" --traits Peers resolve >/dev/null 2>&1
readonly peer_sources=$scratch/packages/checkouts/swift-protobuf
build "$log.peer" "$peer_sources" SwiftProtobuf -c release --scratch-path "$scratch/peer"
# Prints the seconds that 1,000 lines take, without blank ones and comments: NAME LOG FOLDER…
report() {
  find "${@:3}" -name '*.swift' -exec cat {} + | awk -v name="$1" -v times="$(tail -n 1 "$2.time")" '
    !/^[ \t]*(\/\/.*)?$/ { lines++ }
    END {
      split(times, t, " ")
      printf "%s: %.1f s for %d lines of code, %.2f s for 1,000\n", name, t[1] + t[2], lines, 1000 * (t[1] + t[2]) / lines
    }'
}
report GraphCodable "$log" Sources/GraphCodable Sources/_Graph*
report swift-protobuf "$log.peer" "$peer_sources/Sources/SwiftProtobuf"
