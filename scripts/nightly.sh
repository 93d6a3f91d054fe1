#!/usr/bin/env bash
# Runs what .ci/run has no time for: each target of the Makefile and each script that is not in there. A step that fails does
# not keep the others from being run; the last lines name what failed.
#
#   nightly.sh              all of it, which takes hours
#   nightly.sh --short      each step on as little as shows that it works
#   nightly.sh [--short] NAME…   these steps alone; --list prints the names
set -uo pipefail
cd "$(dirname "$0")/.."

short=
wanted=()
for argument in "$@"; do
  case $argument in
    --short) short=yes ;;
    --list | [a-z]*) wanted+=("$argument") ;;
    *) echo "nightly: unknown argument '$argument'" >&2; exit 64 ;;
  esac
done

output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
exec </dev/null

# Prints the second word for a short run, and the first otherwise.
choose() { if [ -n "$short" ]; then printf '%s' "$2"; else printf '%s' "$1"; fi; }

# Fails where a step has changed what is in the repository: PATH
unchanged() {
  git diff --exit-code --stat -- "$1" && [ -z "$(git ls-files --others --exclude-standard -- "$1")" ]
}

# Python with packages of PyPI that only comparisons need: PACKAGE… -- ARGUMENT…
python_with() {
  local environment=.build/comparisons packages=()
  while [ "$1" != -- ]; do packages+=("$1"); shift; done
  shift
  python3 -m venv "$environment" && "$environment/bin/pip" --disable-pip-version-check install --quiet "${packages[@]}" &&
    "$environment/bin/python" "$@"
}

# MARK: Steps, the short ones first

step_scaling() { python3 scripts/scaling.py --ranks "$(choose 10000 1000)"; }
step_release() {
  git clone --quiet . "$output/release" &&
    (cd "$output/release" && git config user.name check && git config user.email check@example.org &&
      RELEASE_CHECKS=none make release VERSION=0.1.0-rc.1)
}
step_python() { make python; }
step_wheel_check() { make wheel-check; }
step_install() {
  make install DESTDIR="$output/installed" PREFIX=/usr && "$output/installed/usr/bin/graphcodable" --help >/dev/null &&
    bash -n "$output/installed/usr/share/bash-completion/completions/graphcodable" &&
    [ -s "$output/installed/usr/share/man/man1/graphcodable.1" ]
}
step_manual() { make manual && unchanged Tools/graphcodable.1; }
step_page() { make page-test PAGE_TESTS="$(choose large '')"; }
step_gallery() { make gallery PICTURES="$output/pictures" && [ -s "$output/pictures/particles.png" ]; }
step_corpus() { make corpus && unchanged Tests/Corpus; }
step_data() { make data; }
step_molecule() { make data && scripts/nested.sh Examples run -c release molecule; }
step_crash() { make crash CRASHES="$(choose 500 5)"; }
step_demo_mpi() { make demo-mpi; }
step_mpi_test() { make mpi-test; }
step_build_cost() { make build-cost BUILD_COST_ARGS="$(choose --peer '')"; }
step_macro_cost() { make macro-cost MACRO_ARGS="$(choose --fresh '')"; }
step_python_fuzz() { scripts/python.sh run fuzz --seconds "$(choose 600 5)"; }
step_python_agree() { make tool && scripts/python.sh run agree --tool Tools/.build/release/graphcodable --count "$(choose 200000 400)"; }
step_python_reduce() { scripts/python.sh run reduce --bytes "$(choose 1000000000 1000000)"; }
step_python_speed() { scripts/python.sh run speed --bytes "$(choose 176000000 1000000)" --rounds "$(choose 7 1)"; }
step_bench() { make bench BENCH_ARGS="--results $output/results $(choose '' '--quick --filter W1')"; }
step_choices() { "${SWIFT:-swift}" run -c release benchmarks choices --size "$(choose 64 1)"; }
step_compare_blosc2() { make_benchmarks && python_with blosc2 -- Benchmarks/compare_blosc2.py; }
step_compare_numbers() {
  make_benchmarks && python_with numpy pcodec iris-sample-data netCDF4 MDAnalysis MDAnalysisTests nibabel dipy obspy -- Benchmarks/compare_numbers.py
}
step_compare_trajectory() {
  make data && make_benchmarks && python_with MDAnalysis MDAnalysisTests blosc2 pysz zfpy zstandard -- Benchmarks/compare_trajectory.py data
}
step_compare_files() { make_benchmarks && python_with h5py safetensors -- Benchmarks/compare_files.py --rounds "$(choose 20 2)"; }
# Generates the messages of the peer anew, and fails where they differ.
step_protobuf() { scripts/setup.sh protoc && Benchmarks/Peers/Protobuf/generate.sh && unchanged Benchmarks/Peers; }
step_fuzz() { make fuzz SECONDS="$(choose 600 5)"; }
step_sanitize_swift() {
  if [ -z "$short" ]; then make sanitize-swift; else make sanitize-swift FILTER=ContentsTests; fi
}
step_soak() {
  if [ -z "$short" ]; then
    make soak
  else
    make soak SOAK_FILTER=RoundTripTests SOAK_CHAIN=10000 SOAK_GRAPHS=10 SOAK_PROCESSES=2 SOAK_NUMBERS=1000 SOAK_STEPS=10 \
      SOAK_DAMAGES=10 SOAK_LOSSES=20 SOAK_PROTECTED=1 SOAK_SIZE=0.01 SOAK_OBJECTS=1 SOAK_PYTHON="-k series"
  fi
}

make_benchmarks() { "${SWIFT:-swift}" build -c release --product benchmarks; }

# MARK: Running them

readonly steps=(
  scaling release python wheel_check install manual page gallery corpus data molecule crash demo_mpi mpi_test build_cost macro_cost python_fuzz
  python_agree python_reduce python_speed bench choices compare_blosc2 compare_numbers compare_trajectory compare_files protobuf fuzz sanitize_swift soak
)
if [ "${wanted[*]:-}" = --list ]; then
  printf '%s\n' "${steps[@]}"
  exit
fi
[ ${#wanted[@]} -gt 0 ] || wanted=("${steps[@]}")

failed=()
for step in "${wanted[@]}"; do
  declare -F "step_$step" >/dev/null || { echo "nightly: there is no step '$step'; --list prints all" >&2; exit 64; }
done
for step in "${wanted[@]}"; do
  printf '\n=== %s\n' "$step"
  started=$SECONDS
  if "step_$step"; then result=passed; else result=FAILED failed+=("$step"); fi
  printf '=== %s: %s in %d s\n' "$step" "$result" $((SECONDS - started))
done
if [ ${#failed[@]} -gt 0 ]; then
  printf '\nnightly: failed: %s\n' "${failed[*]}" >&2
  exit 1
fi
printf '\nnightly: %d passed\n' ${#wanted[@]}
