#!/usr/bin/env bash
# Writes the documentation of the libraries into a folder: docs.sh FOLDER. Warnings are errors.
#
# The pages of Documentation/ become articles of GraphCodable (scripts/catalog.py), and the three libraries one archive, which is a site:
#   python3 -m http.server --directory FOLDER     and http://localhost:8000/documentation
#
# What users import as GraphCodable lives in modules beneath it, so its symbols are extracted with those of the modules that it
# exports.
set -euo pipefail
cd "$(dirname "$0")/.."
shopt -s failglob

readonly output=$1 swift=${SWIFT:-swift}
readonly toolchain=$(dirname "$(command -v "$swift")")
"$swift" build --target GraphCodable
"$swift" build --target CyclicCoding
"$swift" build --target PolyCodable
build=$("$swift" build --show-bin-path)
graphs=$(mktemp -d)
mkdir -p "$(dirname "$output")"
trap 'rm -rf "$graphs"' EXIT

exported=(Sources/_Graph*)
exported=("${exported[@]#Sources/}")
options=(-Xcc -ISources/CGraphArchive/include -Xcc -ISources/CCallStack/include -I "$build/Modules" -minimum-access-level public -pretty-print -skip-inherited-docs)
for map in Sources/CLZ4/module.modulemap Sources/CXXHash/module.modulemap "$build"/C*.build/module.modulemap; do
  options+=(-Xcc "-fmodule-map-file=$map")
done
target=$("$swift" -print-target-info | awk -F '"' '/"triple"/ { print $4; exit }')

for module in GraphCodable CyclicCoding PolyCodable; do
  mkdir -p "$graphs/$module"
  "$toolchain/swift-symbolgraph-extract" -module-name "$module" -target "$target" "${options[@]}" \
    -experimental-allowed-reexported-modules="$(IFS=,; echo "${exported[*]}")" -output-dir "$graphs/$module"
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
