#!/usr/bin/env bash
# Checks the types of the Python reader and runs its tests, in a virtual environment in .build/python.
# Where pip cannot reach an index it says so and succeeds. PYTHON names another interpreter than python3.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly python=${PYTHON:-python3} environment=.build/python project=Tools/Python
readonly stamp=$environment/pyproject.toml log=$environment/pip.log

if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "python-test: skipped, since '$python' is not Python 3.11 or later with venv" >&2
  exit 0
fi
if ! cmp -s "$project/pyproject.toml" "$stamp"; then
  "$python" -m venv --clear "$environment"
  if ! "$environment/bin/pip" --disable-pip-version-check install --quiet --editable "$project[test]" >"$log" 2>&1; then
    # What pip says when no index answers; any other failure is one.
    if grep -qE 'from versions: none|connection broken|ConnectionError|ConnectTimeout|ReadTimeout|ProxyError' "$log"; then
      echo "python-test: skipped, since pip reaches no index to install from" >&2
      exit 0
    fi
    cat "$log" >&2
    exit 1
  fi
  cp "$project/pyproject.toml" "$stamp"
fi
readonly cache=$PWD/$environment
cd "$project"
"$cache/bin/python" -m mypy --cache-dir "$cache/mypy"
"$cache/bin/python" -m pytest --quiet -o cache_dir="$cache/pytest" "$@"
