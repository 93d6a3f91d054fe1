#!/usr/bin/env bash
# Counts the instructions and allocations of a small fixed part of the benchmark suite with valgrind, and fails
# where there are more than Benchmarks/budget.txt allows. Counts do not depend on what else the machine does.
#
#   perf-check.sh                     compare with the budget
#   perf-check.sh --update            make what is found the new budget
#   perf-check.sh --profile W2.encode list the functions that take most instructions there
set -euo pipefail
cd "$(dirname "$0")/.."

readonly budget=Benchmarks/budget.txt
# Other processors and libraries lead to other versions of memcpy and the like.
readonly tolerance=1.03

command -v valgrind >/dev/null 2>&1 || {
  echo "perf-check: no 'valgrind' here; on Debian: apt-get install valgrind" >&2
  exit 1
}
GRAPHCODABLE_MACRO_PLUGIN=${GRAPHCODABLE_MACRO_PLUGIN:-$(scripts/macro-plugin.sh)}
export GRAPHCODABLE_MACRO_PLUGIN
# The compiler does not always notice that a function has changed which other modules inline: they are compiled anew.
objects=$("${SWIFT:-swift}" build -c release --show-bin-path)
find "$objects" \( -path '*Graph*.build/*' -o -path '*/M*Model*.build/*' -o -path '*/benchmarks.build/*' \) \
  \( -name '*.o' -o -name '*.swiftdeps' -o -name '*.priors' \) -delete 2>/dev/null || true
"${SWIFT:-swift}" build -c release --product benchmarks
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Debian's valgrind cannot read what the compiler says for debuggers; names of functions are enough.
program=$scratch/benchmarks
strip --strip-debug -o "$program" "$("${SWIFT:-swift}" build -c release --show-bin-path)/benchmarks"

# One file of counts for each return from countedRegion, of which every second one is used. Instructions are
# counted only in there, but calls since the file before; between these two there are no allocations. The
# addresses of functions are bound before, so that looking for them is not counted.
region=$(nm "$program" | awk '$3 ~ /13countedRegion/ { print $3 }')
run() {
  LD_BIND_NOW=1 SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind \
    --callgrind-out-file="$scratch/counts" --collect-atstart=no --compress-strings=no \
    --toggle-collect="$region" --dump-after="$region" \
    "$program" count --heap-shift "$1" >"$scratch/regions" 2>"$scratch/log" || {
    cat "$scratch/log" >&2
    exit 1
  }
}

# Prints the functions of a file of counts that take most instructions themselves. (callgrind_annotate takes the
# files after the first one for calls of main.)
profile() {
  awk -v count="$2" '
    /^fn=/ { name = substr($0, 4) }
    /^calls=/ { getline; next }
    /^[-+*0-9]/ && NF == 2 { self[name] += $2 }
    END { for (name in self) printf "%10.1f  %s\n", self[name] / count, name }
  ' "$1" | sort -k 1,1nr | sed -n '1,40p' | "${SWIFT:-swift}" demangle --simplified >&2
}

# Prints "NAME INSTRUCTIONS ALLOCATIONS UNIT MEMORY", the counts per unit; MEMORY are the instructions of malloc and free,
# which depend on what was freed before.
count() {
  number=0
  while read -r name count unit; do
    number=$((number + 2))
    if [ "${1:-}" = --profile ] && [ "${2:-}" = "$name" ]; then
      profile "$scratch/counts.$number" "$count"
    fi
    awk -v name="$name" -v count="$count" -v unit="$unit" '
      /^summary:/ { instructions = $2 }
      /^fn=/ { isMemory = /^fn=(_int_|malloc|free|calloc|realloc|posix_memalign|aligned_alloc|unlink_chunk|sysmalloc)/ }
      /^cfn=/ { callee = substr($0, 5) }
      /^calls=/ {
        if (callee ~ /^(malloc|calloc|realloc|posix_memalign|aligned_alloc)$/) {
          split(substr($0, 7), calls, " ")
          allocations += calls[1]
        }
        getline  # What the call took.
        next
      }
      isMemory && /^[-+*0-9]/ && NF == 2 { memory += $2 }
      END {
        printf "%s %.1f %.3f %s %.1f\n", name, instructions / count, allocations / count, unit, memory / count
      }
    ' "$scratch/counts.$number"
  done <"$scratch/regions"
}

# Tables are filled by addresses, and some of these collide more often than others: of five runs with the heap at other
# addresses, the least counts.
for shift in 0 1 2 3 4; do
  run "$shift"
  count "$@"
done >"$scratch/all"
awk '
  !($1 in least) { order[++names] = $1 }
  !($1 in least) || $2 < least[$1] { least[$1] = $2; line[$1] = $0 }
  END { for (place = 1; place <= names; place++) print line[order[place]] }
' "$scratch/all" >"$scratch/found"

if [ "${1:-}" = --update ]; then
  {
    echo "# What scripts/perf-check.sh allows: instructions and allocations, each per unit of the workload."
    grep -vE '^Macro\.W[1236]\.' "$scratch/found" | cut -d ' ' -f 1-4
  } >"$budget"
fi

awk -v tolerance="$tolerance" '
  BEGIN {
    printf "%-17s %13s %9s %8s %13s %9s\n", "", "instructions", "budget", "", "allocations", "budget"
  }
  /^#/ { next }
  FILENAME == ARGV[1] { instructions[$1] = $2; allocations[$1] = $3; next }
  {
    seen[$1] = 1
    own[$1] = $2 - $5
    allocated[$1] = $3
    verdict = ""
    if ($1 ~ /^Macro\.W[1236]\./) {  # Its budget is what the same model takes by hand: see below.
      printf "%-17s %13.1f %9s %8s %13.3f %9s per %s\n", $1, $2, "", "", $3, "", $4
      next
    }
    if (!($1 in instructions)) verdict = "HAS NO BUDGET"
    else if ($2 > instructions[$1] * tolerance || $3 > allocations[$1] * tolerance + 0.01) verdict = "ABOVE BUDGET"
    if (verdict != "") bad++
    else if ($2 * tolerance < instructions[$1]) verdict = "better: PERF_ARGS=--update keeps it so"
    change = instructions[$1] > 0 ? ($2 / instructions[$1] - 1) * 100 : 0
    printf "%-17s %13.1f %9.1f %+7.1f%% %13.3f %9.3f per %-6s %s\n",
      $1, $2, instructions[$1], change, $3, allocations[$1], $4, verdict
  }
  function compare(name, other, most,   share) {
    share = own[name] / own[other]
    if (share <= most && allocated[name] <= allocated[other] * 1.01 + 0.01) return
    printf "%s takes %.3f times the instructions of %s without malloc (at most %.2f), and %.3f allocations instead of %.3f\n",
      name, share, other, most, allocated[name], allocated[other]
    bad++
  }
  END {
    # What the macro writes is as fast as by hand; a subclass, which writes its own part first, is faster.
    split("W1.encode W1.decode W2.encode W2.decode W6.encode W6.decode", same, " ")
    for (place in same) compare("Macro." same[place], same[place], 1.01)
    compare("Macro.W3.decode", "W3.decode", 0.75)
    for (name in instructions) if (!(name in seen)) { print name " was not counted"; bad++ }
    if (bad) { print "perf-check: " bad " above the budget or without one"; exit 1 }
  }
' "$budget" "$scratch/found"
