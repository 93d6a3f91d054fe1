#!/usr/bin/env bash
# Tests the pages of `graphcodable view` and `serve`: scripts/page.sh TOOL [MODULE…]
# Modules are further ones of Tools/Page/tests, such as large, which takes minutes. GRAPHCODABLE_PICTURES names a folder for pictures.
# Its reader over the corpus, with Node, and its pages in a headless Chromium, with Playwright and axe in a virtual environment in
# .build/page. Where Node, Chromium or an index of packages is missing, it says what is skipped and goes on.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly tool=$1 tests=Tools/Page/tests python=$PWD/.build/page/bin/python

if command -v node >/dev/null; then
  node --test --test-reporter=dot "$tests"
else
  echo "page: the reader is not tested, since Node is not installed" >&2
fi

status=0
scripts/page-environment.sh || status=$?
if [ $status -eq 2 ]; then
  echo "page: pages are not tested" >&2
  exit 0
fi
[ $status -eq 0 ] || exit $status
cd "$tests"
GRAPHCODABLE_TOOL=$tool "$python" -m unittest -q viewed dropped odd served "${@:2}"
