#!/usr/bin/env bash
# Prints the Swift sources of the repository, each path ended by a zero byte: what git tracks and what it
# would track; outside a git checkout, everything but build folders. Generated sources (*.pb.swift) are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  git ls-files -z --cached --others --exclude-standard -- '*.swift' ':!*.pb.swift' |
    while IFS= read -r -d '' path; do
      # A file deleted but not yet committed is still listed.
      if [ -f "$path" ]; then printf '%s\0' "$path"; fi
    done
else
  find . -name '.build*' -prune -o -name '*.swift' ! -name '*.pb.swift' -type f -print0
fi
