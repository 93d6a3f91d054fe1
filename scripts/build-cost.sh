#!/usr/bin/env bash
# Builds the library alone for release, from clean and in a folder of its own, and prints what that costs: processor
# time, its own and that of the targets that it uses, and bytes of object code, those of GraphCodable.
#
#   build-cost.sh                         fail above the default limit of bytes
#   build-cost.sh --bytes N --seconds N   fail above other limits; 0 is none
#
# Bytes are the same on every machine with the same compiler. Processor time is not: it depends on what else runs.
set -euo pipefail
cd "$(dirname "$0")/.."

byte_limit=12000000
second_limit=0
while [ $# -gt 0 ]; do
  case $1 in
    --bytes) byte_limit=$2 ;;
    --seconds) second_limit=$2 ;;
    *) echo "build-cost: unknown argument '$1'" >&2; exit 2 ;;
  esac
  shift 2
done

readonly swift=${SWIFT:-swift}
readonly options=(-c release --scratch-path .build-cost)
rm -rf .build-cost
# Fetching other packages' sources is not part of it.
"$swift" package --scratch-path .build-cost resolve >/dev/null 2>&1

readonly log=.build-cost/log
TIMEFORMAT='%U %S'
{ time "$swift" build "${options[@]}" --target GraphCodable >"$log" 2>&1 || { cat "$log" >&2; exit 1; }; } 2>"$log.time" ||
  { cat "$log.time" >&2; exit 1; }
objects=("$("$swift" build "${options[@]}" --show-bin-path)"/GraphCodable.build/*.o)
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
