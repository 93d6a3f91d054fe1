#!/usr/bin/env bash
# Extracts the public symbols of the libraries, each with those of the modules that it exports: symbols.sh FOLDER
#
# What users import as GraphCodable lives in modules beneath it. FOLDER gets a folder for each library, with its symbol graphs.
set -euo pipefail
cd "$(dirname "$0")/.."
shopt -s failglob

readonly graphs=$1 swift=${SWIFT:-swift}
readonly toolchain=$(dirname "$(command -v "$swift")")
"$swift" build --target GraphCodable
"$swift" build --target CyclicCoding
"$swift" build --target PolyCodable
build=$("$swift" build --show-bin-path)

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
done
