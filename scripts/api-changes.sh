#!/usr/bin/env bash
# Fails where the API of a product has broken since the last release: the last tag that is a version and no candidate.
set -euo pipefail
cd "$(dirname "$0")/.."

last=$(git describe --tags --abbrev=0 --match '[1-9]*.[0-9]*.[0-9]*' --exclude '*-*' HEAD 2>/dev/null || true)
if [ -z "$last" ]; then
  echo "api changes: skipped, since there is no release, or no tag of one here"
  exit 0
fi
echo "api changes: since $last"
"${SWIFT:-swift}" package diagnose-api-breaking-changes "$last" --products GraphCodable CyclicCoding PolyCodable
