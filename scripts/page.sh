#!/usr/bin/env bash
# Tests the pages of `graphcodable view` and `serve`: scripts/page.sh TOOL [MODULE…]
# Modules are further ones of Tools/Page/tests, such as large, which takes minutes. GRAPHCODABLE_PICTURES names a folder for pictures.
# Its reader over the corpus, with Node, and its pages in a headless Chromium, with Playwright and axe in a virtual environment in
# .build/page. Where Node, Chromium or an index of packages is missing, it says what is skipped and goes on. PYTHON names another
# interpreter than python3.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly tool=$1 python=${PYTHON:-python3} environment=$PWD/.build/page tests=Tools/Page/tests
readonly requirements=(playwright==1.* axe-playwright-python==0.*) log=$environment.log

if command -v node >/dev/null; then
  node --test --test-reporter=dot "$tests"
else
  echo "page: the reader is not tested, since Node is not installed" >&2
fi

if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; then
  echo "page: pages are not tested, since Chromium is not installed: apt-get install chromium" >&2
  exit 0
fi
if ! [ -e "$environment/complete" ]; then
  mkdir -p .build
  "$python" -m venv --clear "$environment"
  if ! "$environment/bin/pip" --disable-pip-version-check install --quiet "${requirements[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    echo "page: pages are not tested, since Playwright and axe cannot be installed" >&2
    exit 0
  fi
  touch "$environment/complete"
fi
cd "$tests"
GRAPHCODABLE_TOOL=$tool "$environment/bin/python" -m unittest -q viewed dropped odd served "${@:2}"
