#!/usr/bin/env bash
# Makes a release out of a clean clone: release.sh VERSION, such as 1.0.0-rc.1 or 1.0.0. It pushes nothing.
#
#   checks     lint, tests, and what clients see; RELEASE_CHECKS=none leaves them out, for those that have run .ci/run on this commit
#   changelog  'Unreleased' becomes the version with its date, in a commit
#   corpus     frozen as Tests/Corpus/1.0, for 1.0.0 alone: what is written from then on is read for ever
#   tag        annotated, with the notes
#   output     the wheel, the documentation and the notes, in .build/release-VERSION
#   client     another package asks for this version by its tag, builds and runs
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
version=${1:-}

fail() {
  printf 'release: %s\n' "$1" >&2
  exit 1
}

step() { printf '\n=== release: %s\n' "$1"; }

if ! [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-(alpha|beta|rc)\.[0-9]+)?$ ]]; then
  echo "release: '$version' is no version such as 1.0.0 or 1.0.0-rc.1: make release VERSION=1.0.0" >&2
  exit 64
fi
# As Python writes it: 1.0.0rc1.
python_version=$(sed -E 's/-alpha\./a/; s/-beta\./b/; s/-rc\./rc/' <<<"$version")
readonly version python_version output=.build/release-$version

step "is everything committed?"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed: release from a clean clone"
if git rev-parse --quiet --verify "refs/tags/$version" >/dev/null; then fail "the tag $version is there already"; fi
grep -qx '## Unreleased' CHANGELOG.md || fail "CHANGELOG.md has no heading '## Unreleased'"

if [ "${RELEASE_CHECKS:-all}" != none ]; then
  step "checks"
  make lint
  make macro-test
  make test
  make python-test
  make client-check
fi

step "changelog and versions"
date=$(date -u +%Y-%m-%d)
sed -i.orig -E "s/^## Unreleased\$/## Unreleased\n\nNothing yet.\n\n## $version, $date/" CHANGELOG.md
sed -i.orig -E "s/^version = \"[^\"]*\"/version = \"$python_version\"/" Tools/Python/pyproject.toml
sed -i.orig -E "s/^let toolVersion = \"[^\"]*\"/let toolVersion = \"$version\"/" Tools/Command/Commands/ToolVersion.swift
rm -f CHANGELOG.md.orig Tools/Python/pyproject.toml.orig Tools/Command/Commands/ToolVersion.swift.orig
if [ "$version" = 1.0.0 ]; then
  step "the corpus is frozen"
  scripts/freeze-corpus.sh 1.0
fi
git add --all
git commit --quiet --message "Release $version"

step "notes and tag"
mkdir -p "$output"
# What stands between the heading of this version and the next one.
awk -v heading="## $version, " 'index($0, "## ") == 1 { inside = index($0, heading) == 1; next } inside' CHANGELOG.md >"$output/notes.md"
[ -s "$output/notes.md" ] || fail "the changelog says nothing of $version"
git tag --annotate "$version" --cleanup=verbatim --file "$output/notes.md"

step "documentation"
SWIFT="$swift" scripts/docs.sh "$output/documentation"

step "wheel"
scripts/python.sh wheel
cp .build/python/dist/*"$python_version"*.whl "$output/" || fail "the wheel is not of version $python_version"

step "a client by the tag"
SWIFT="$swift" scripts/client-check.sh --tag "$version"

step "$version is ready in $output"
cat <<END
What is left is yours:
  git push origin HEAD "$version"
  upload $output/*.whl, and $output/documentation
END
