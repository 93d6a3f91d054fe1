#!/usr/bin/env bash
# Simulates particles in one process, and on 4 of which one is killed in the middle of a save; goes on with 3, and
# compares the last states bit by bit. The last line is IDENTICAL if all went well.
set -euo pipefail
cd "$(dirname "$0")/.."

mpirun=${MPIRUN:-mpirun}
time_limit=${MPI_TIME_LIMIT:-300}

fail() {
  printf 'demo-mpi: %s\n' "$1" >&2
  exit 1
}

command -v "$mpirun" >/dev/null 2>&1 ||
  fail "no '$mpirun' command found; 'make setup-mpi' installs OpenMPI, or MPIRUN names another one"

build=(scripts/nested.sh MPI build --product mpi-particles)
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/mpi-particles

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Runs the simulation on as many ranks; more of them than processors is fine.
ranks() {
  local count=$1
  shift
  timeout -k 10 "$time_limit" "$mpirun" --allow-run-as-root --oversubscribe -n "$count" "$program" run "$@" </dev/null
}

printf '\none process, 60 steps\n'
timeout "$time_limit" "$program" run "$folder/one"

printf '\n4 ranks, of which rank 2 is killed while it saves step 40\n'
status=0
ranks 4 "$folder/many" --kill 2:40 2>"$folder/errors" || status=$?
[ "$status" -ne 0 ] || fail "nobody was killed"
[ "$status" -ne 124 ] || fail "the other ranks waited for ever"
grep -q 'signal 9' "$folder/errors" || { cat "$folder/errors" >&2; fail "the ranks failed otherwise"; }

left=$(find "$folder/many" -name '.part-*-tmp' | wc -l)
[ "$left" -gt 0 ] || fail "the rank was not killed in the middle of a save"
printf '  killed, with %d unfinished file(s) in the folder; the set of before is there:\n  ' "$left"
"$program" info "$folder/many"

printf '\n3 ranks go on\n'
ranks 3 "$folder/many"

printf '\nthe last states of one process and of 3, number by number\n'
"$program" compare "$folder/one" "$folder/many"
