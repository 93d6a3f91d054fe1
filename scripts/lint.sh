#!/usr/bin/env bash
# Checks the form of all sources: Swift by `swift format`, C by the warnings of every compiler that is
# here, that each symbol the C targets export has the package's prefix, and that manifests, targets and scripts name what is there.
set -euo pipefail
shopt -s failglob  # Files that are not there are a failure.
cd "$(dirname "$0")/.."

readonly prefix=gca_
read -r -a c_flags <<<"$(printf -- '-I%s ' Sources/C*/include Tests/C*/include) $(pkg-config --cflags liblz4 libxxhash)"
readonly warnings=(-Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "lint: swift format"
scripts/swift-sources.sh | xargs -0 swift format lint --strict --parallel

echo "lint: manifests, targets and scripts"
if command -v python3 >/dev/null 2>&1 && git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  python3 scripts/check-commands.py
  python3 scripts/words.py
else
  echo "lint: skipped, because python3 or git is not here" >&2
fi

echo "lint: words"
# The environment of the Python package has codespell and check-jsonschema, as far as it could be installed.
PATH=$PATH:$PWD/.build/python/bin
if command -v codespell >/dev/null 2>&1; then
  git ls-files -z --cached --others --exclude-standard -- '*.md' '*.swift' '*.c' '*.h' '*.py' '*.sh' '*.js' '*.yml' '*.cff' Makefile |
    xargs -0 codespell --config .codespellrc
else
  echo "lint: spelling skipped, because codespell is not here: make python-test installs it" >&2
fi

echo "lint: files for the host"
if command -v check-jsonschema >/dev/null 2>&1; then
  check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
  check-jsonschema --quiet --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/{fault,wish}.yml
  check-jsonschema --quiet --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
  check-jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff
else
  echo "lint: schemas skipped, because check-jsonschema is not here: make python-test installs it" >&2
fi
if command -v actionlint >/dev/null 2>&1; then actionlint; fi

echo "lint: subjects of commits"
scripts/subjects.sh

echo "lint: corpora of releases"
scripts/freeze-corpus.sh --check

echo "lint: C warnings"
header_alone=$scratch/header.c
printf '#include "CGraphArchive.h"\n' >"$header_alone"
c_files=("$header_alone" Sources/*/*.c Tests/CGraphArchiveCases/*.c Fuzz/C/*.c)
c_targets=(Sources/*/*.c)
# What wraps MPI cannot be compiled where there is none.
if pkg-config --exists ompi-c; then
  read -r -a mpi_flags <<<"-IMPI/Sources/CGraphCodableMPI/include $(pkg-config --cflags ompi-c | sed 's/-I/-isystem /g')"
  c_flags+=("${mpi_flags[@]}")
  c_files+=(MPI/Sources/*/*.c)
  c_targets+=(MPI/Sources/*/*.c)
fi
# Likewise the module of the Python package.
if python_include=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))') && [ -f "$python_include/Python.h" ]; then
  c_flags+=(-DPy_LIMITED_API=0x030B0000 -isystem "$python_include")
  c_files+=(Tools/Python/native/*.c)
fi
compiler=
for candidate in clang gcc cc; do
  command -v "$candidate" >/dev/null 2>&1 || continue
  # `cc` is only for a system that names neither of the others.
  if [ "$candidate" = cc ] && [ -n "$compiler" ]; then continue; fi
  compiler=$candidate
  for file in "${c_files[@]}"; do
    "$compiler" "${warnings[@]}" "${c_flags[@]}" -fsyntax-only "$file"
  done
done
[ -n "$compiler" ] || { echo "lint: no C compiler found" >&2; exit 1; }

echo "lint: exported C symbols begin with $prefix"
for file in "${c_targets[@]}"; do
  object=$scratch/$(basename "$file").o
  "$compiler" "${c_flags[@]}" -O2 -c "$file" -o "$object"
  nm -g "$object" | awk -v file="$file" -v prefix="$prefix" '
    # "ADDRESS TYPE NAME"; an undefined symbol has no address. Darwin puts an underscore in front.
    NF == 3 && $2 ~ /^[A-TV-Z]$/ {
      name = $3
      if (name !~ "^_?" prefix) { print file ": exports " name " without the prefix " prefix; bad = 1 }
    }
    END { exit bad }' >&2
done
