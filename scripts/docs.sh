#!/usr/bin/env bash
# Writes the documentation of the libraries into a folder: docs.sh FOLDER. Warnings are errors.
#
# The pages of Documentation/ become articles of GraphCodable (scripts/catalog.py), and the three libraries one archive, which is a site:
#   python3 -m http.server --directory FOLDER     and http://localhost:8000/documentation
set -euo pipefail
cd "$(dirname "$0")/.."

readonly output=$1 swift=${SWIFT:-swift}
readonly toolchain=$(dirname "$(command -v "$swift")")
graphs=$(mktemp -d)
mkdir -p "$(dirname "$output")"
trap 'rm -rf "$graphs"' EXIT

SWIFT="$swift" scripts/symbols.sh "$graphs"

for module in GraphCodable CyclicCoding PolyCodable; do
  catalog=Sources/$module/$module.docc
  if [ "$module" = GraphCodable ]; then
    catalog=$graphs/$module.docc
    python3 scripts/catalog.py "$catalog"
  fi
  "$toolchain/docc" convert "$catalog" --warnings-as-errors --transform-for-static-hosting \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --additional-symbol-graph-dir "$graphs/$module" --output-path "$graphs/$module.doccarchive"
done
rm -rf "$output"
"$toolchain/docc" merge "$graphs"/*.doccarchive --synthesized-landing-page-name GraphCodable \
  --synthesized-landing-page-kind Package --output-path "$output"
echo "docs: $output; see it by python3 -m http.server --directory $output"
