#!/usr/bin/env bash
# Uses this package as other packages do: by a version, a branch, a folder and a mirror, from build folders of other names, with
# manifests of two tools versions, with and without the trait, and in an editor. Fails where one does not resolve or build, or
# where anything is fetched but the library, and swift-syntax for the trait.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf 'client-check: %s\n' "$1" >&2
  exit 1
}

library=$scratch/GraphCodable
if [ "${1:-}" = --tag ]; then
  git clone --quiet --bare . "$library"
else
  # The files as they are here, as a repository with a version and a branch.
  mkdir "$library"
  git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done |
    tar -c --null -T - | tar -x -C "$library"
  git -C "$library" init --quiet
  git -C "$library" add --all
  git -C "$library" -c user.name=check -c user.email=check@example.org commit --quiet --message "Check"
  git -C "$library" tag 1.0.0
  git -C "$library" branch next
fi

readonly by_version=".package(url: \"file://$library\", from: \"1.0.0\")"
readonly by_branch=".package(url: \"file://$library\", branch: \"next\")"
readonly by_folder=".package(path: \"$library\")"
readonly elsewhere=https://example.invalid/GraphCodable.git
readonly by_mirror=".package(url: \"$elsewhere\", from: \"1.0.0\")"

# Makes a package whose program saves something with a product: NAME TOOLS-VERSION DEPENDENCY PRODUCT
client() {
  folder=$scratch/$1
  mkdir -p "$folder/Sources/client"
  cat >"$folder/Package.swift" <<END
// swift-tools-version: $2
import PackageDescription

let package = Package(
  name: "client", platforms: [.macOS(.v13)], dependencies: [$3],
  targets: [
    .executableTarget(name: "client", dependencies: [.product(name: "$4", package: "GraphCodable")])
  ])
END
  case $4 in
    GraphCodable) printf 'import GraphCodable\nprint(try GraphEncoder().encode([1, 2]) as [UInt8])\n' ;;
    *) printf 'import %s\n' "$4" ;;
  esac >"$folder/Sources/client/main.swift"
}

# Runs a SwiftPM command, and prints what it says only where it fails: COMMAND OPTION…
run() {
  "$swift" "$@" --package-path "$folder" </dev/null >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    fail "'swift $*' failed for $(basename "$folder")"
  }
}

# Fails unless these repositories, and no others, were fetched into a build folder: FOLDER NAME…
fetched() {
  local found
  found=$(find "$1/checkouts" -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null | sort | xargs)
  shift
  [ "$found" = "$*" ] || fail "$(basename "$folder") fetches '$found' in place of '$*'"
}

if [ "${1:-}" = --tag ]; then
  client by-tag 6.2 ".package(url: \"file://$library\", exact: \"$2\")" GraphCodable
  run build
  fetched "$folder/.build" GraphCodable
  "$folder/.build/debug/client" >/dev/null || fail "the client's program fails"
  echo "client-check: by the tag $2: fetches the library alone, builds and runs"
  exit
fi

# The whole library is built twice, and once more by the editor; a small product shows that the other forms resolve and build.

client by-version 6.2 "$by_version" GraphCodable
run build
fetched "$folder/.build" GraphCodable
"$folder/.build/debug/client" >/dev/null || fail "the client's program fails"
echo "client-check: by version: fetches the library alone, builds and runs"

client by-folder 6.3 "$by_folder" GraphCodable
run build --scratch-path "$scratch/elsewhere"
fetched "$scratch/elsewhere"
"$scratch/elsewhere/debug/client" >/dev/null || fail "the client's program fails"
echo "client-check: by folder, in a build folder of another name: fetches nothing, builds and runs"

for tools in 6.2 6.3; do
  client "by-version-$tools" "$tools" "$by_version" PolyCodable
  run build
  fetched "$folder/.build" GraphCodable
  client "by-branch-$tools" "$tools" "$by_branch" PolyCodable
  run build
  fetched "$folder/.build" GraphCodable
  client "by-folder-$tools" "$tools" "$by_folder" PolyCodable
  run build
  fetched "$folder/.build"
  echo "client-check: tools version $tools: by version, branch and folder"
done

client other-folders 6.3 "$by_version" PolyCodable
# The second is an editor's.
for build in "$scratch/other" "$folder/.build/index-build"; do
  run build --scratch-path "$build"
  fetched "$build" GraphCodable
done
echo "client-check: build folders of other names"

client by-mirror 6.2 "$by_mirror" PolyCodable
(cd "$folder" && "$swift" package config set-mirror --original "$elsewhere" --mirror "file://$library" >/dev/null 2>&1) ||
  fail "the mirror cannot be set"
run build
fetched "$folder/.build" GraphCodable
echo "client-check: by mirror"

# Building swift-syntax takes minutes: `make macro-test` does.
for name in by-version by-branch by-folder; do
  dependency=${name//-/_}
  client "$name-macros" 6.3 "${!dependency/%)/, traits: [\"Macros\"])}" GraphCodableMacros
  run package resolve
  case $name in
    by-folder) fetched "$folder/.build" swift-syntax ;;
    *) fetched "$folder/.build" GraphCodable swift-syntax ;;
  esac
done
echo "client-check: the trait Macros fetches swift-syntax, too"

client editor 6.2 "$by_version" GraphCodable
server=$(dirname "$(readlink -f "$(command -v "$swift")")")/sourcekit-lsp
if ! command -v python3 >/dev/null 2>&1 || [ ! -x "$server" ]; then
  echo "client-check: skipped in an editor, because python3 or sourcekit-lsp is not here"
else
  printf 'import GraphCodable\n\nlet encoder = GraphEncoder().\n' >"$folder/Sources/client/main.swift"
  python3 scripts/complete.py "$server" "$folder/Sources/client/main.swift" 'GraphEncoder().' encode compression
  fetched "$folder/.build/index-build" GraphCodable
  echo "client-check: in an editor: resolves, and completes members of GraphEncoder"
fi
