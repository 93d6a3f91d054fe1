#!/usr/bin/env bash
# Fails where the API of a product has broken since the last release: the last tag that is a version and no candidate.
#
# SwiftPM compares what stands in the modules of the products. What users import as GraphCodable lives in modules beneath it, and
# `package` declarations count as API there, so the public symbols of both versions are compared as well: one that is gone, or has
# another type, fails. Names that begin with an underscore are no API.
set -euo pipefail
cd "$(dirname "$0")/.."

last=$(git describe --tags --abbrev=0 --match '[1-9]*.[0-9]*.[0-9]*' --exclude '*-*' HEAD 2>/dev/null || true)
if [ -z "$last" ]; then
  echo "api changes: skipped, since there is no release, or no tag of one here"
  exit 0
fi
echo "api changes: since $last"
"${SWIFT:-swift}" package diagnose-api-breaking-changes "$last" --products GraphCodable CyclicCoding PolyCodable

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git -c advice.detachedHead=false clone --quiet --branch "$last" . "$scratch/clone"
"$scratch/clone/scripts/symbols.sh" "$scratch/then" >/dev/null
scripts/symbols.sh "$scratch/now" >/dev/null
python3 scripts/symbols.py "$scratch/then" "$scratch/now"
