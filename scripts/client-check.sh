#!/usr/bin/env bash
# Builds a package that uses GraphCodable by URL and without traits, and fails if swift-syntax is fetched or compiled
# for it; and looks that the trait fetches it.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The sources as they are here, as a repository with a version.
library=$scratch/GraphCodable
git ls-files -z --cached --others --exclude-standard -- Package.swift Sources |
  while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done |
  xargs -0 cp --parents -t "$(mkdir -p "$library" && echo "$library")"
git -C "$library" init --quiet
git -C "$library" add --all
git -C "$library" -c user.name=check -c user.email=check@example.org commit --quiet --message "Check"
git -C "$library" tag 1.0.0

# Makes a package in a folder: PRODUCT TRAITS.
client() {
  local folder=$scratch/$1-client
  mkdir -p "$folder/Sources/client"
  cat >"$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "client", platforms: [.macOS(.v13)],
  dependencies: [.package(url: "file://$library", from: "1.0.0"$2)],
  targets: [
    .executableTarget(name: "client", dependencies: [.product(name: "$1", package: "GraphCodable")])
  ])
END
  printf 'import %s\nprint(try GraphEncoder().encode([1, 2]) as [UInt8])\n' "$1" >"$folder/Sources/client/main.swift"
  echo "$folder"
}

plain=$(client GraphCodable "")
"$swift" build -c release --package-path "$plain"
found=$(find "$plain/.build" "$plain/Package.resolved" -iname '*swift*syntax*' -print -quit 2>/dev/null)
if [ -n "$found" ] || grep -qi swift-syntax "$plain/Package.resolved" 2>/dev/null; then
  echo "client-check: swift-syntax is there for a client that does not use the macros: $found" >&2
  exit 1
fi
echo "client-check: GraphCodable alone fetches $(find "$plain/.build/checkouts" -mindepth 1 -maxdepth 1 2>/dev/null |
  xargs -r -n 1 basename | tr '\n' ' ')and compiles no swift-syntax"

macros=$(client GraphCodableMacros ', traits: ["Macros"]')
"$swift" package --package-path "$macros" resolve
grep -q swift-syntax "$macros/Package.resolved" || {
  echo "client-check: the trait Macros fetches no swift-syntax" >&2
  exit 1
}
echo "client-check: the trait Macros fetches swift-syntax"
