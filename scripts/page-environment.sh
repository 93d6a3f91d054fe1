#!/usr/bin/env bash
# Makes the virtual environment in which pages are drawn and tested, with Playwright and axe: .build/page. PYTHON names another interpreter
# than python3. Says so, and ends with 2, where Chromium or an index of packages is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly python=${PYTHON:-python3} environment=$PWD/.build/page
readonly requirements=(playwright==1.* axe-playwright-python==0.*) log=$environment.log

if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; then
  echo "Chromium is not installed: apt-get install chromium" >&2
  exit 2
fi
if ! [ -e "$environment/complete" ]; then
  mkdir -p .build
  "$python" -m venv --clear "$environment"
  if ! "$environment/bin/pip" --disable-pip-version-check install --quiet "${requirements[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    echo "Playwright and axe cannot be installed" >&2
    exit 2
  fi
  touch "$environment/complete"
fi
