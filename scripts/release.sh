#!/usr/bin/env bash
# Makes a release out of a clean clone: release.sh VERSION, such as 1.0.0-rc.1 or 1.0.0. It pushes nothing.
#
#   checks     lint, tests, and what clients see; RELEASE_CHECKS=none leaves them out, for those that have run .ci/run on this commit
#   changelog  'Unreleased' becomes the version with its date, with all that its candidates said, in a commit
#   corpus     frozen as Tests/Corpus/1.0 by 1.0.0, not by its candidates: what is written from then on is read for ever; each later
#              minor version adds a folder of its own
#   tag        annotated, with the notes
#   output     the wheel, the documentation and the notes, in .build/release-VERSION
#   client     another package asks for this version by its tag, builds and runs
#
# Whatever can be missing is looked for before the first change. Where a step fails later, it says how to go back.
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

# Says, after a step has failed, what it leaves and how to take that away: the clone was clean, so nothing of anybody is lost.
go_back() {
  local status=$?
  [ "$status" -ne 0 ] || return 0
  printf 'release: it failed, and nothing was pushed. To go back to where it began:\n' >&2
  if git rev-parse --quiet --verify "refs/tags/$version" >/dev/null; then printf '  git tag -d %s\n' "$version" >&2; fi
  printf '  git reset --hard %s\n' "$began" >&2
  if [ -n "$(git ls-files --others --exclude-standard Tests/Corpus)" ]; then printf '  git clean -fd Tests/Corpus\n' >&2; fi
}

step "is everything committed?"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed: release from a clean clone"
if git rev-parse --quiet --verify "refs/tags/$version" >/dev/null; then fail "the tag $version is there already"; fi
grep -qx '## Unreleased' CHANGELOG.md || fail "CHANGELOG.md has no heading '## Unreleased'"
git var GIT_COMMITTER_IDENT >/dev/null 2>&1 || fail "git does not know who you are: git config user.name NAME, and user.email ADDRESS"
"${PYTHON:-python3}" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
  fail "the wheel and the documentation take Python 3.11 or later with venv: apt-get install python3-venv"

if [ "${RELEASE_CHECKS:-all}" != none ]; then
  step "checks"
  make lint
  make macro-test
  make test
  make python-test
  make client-check
fi

step "changelog and versions"
mkdir -p "$output"
date=$(date -u +%Y-%m-%d)
# What the candidates of this version said becomes a part of it; a text that says nothing goes.
awk -v version="$version" -v date="$date" '
  $0 == "## Unreleased" { print; print "\nNothing yet.\n\n## " version ", " date; next }
  index($0, "## " version "-") == 1 || $0 == "Nothing yet." { next }
  { print }' CHANGELOG.md | cat -s >"$output.changelog"
# What stands between the heading of this version and the next one. Links to files lead to those of this version, wherever it is shown.
awk -v heading="## $version, " 'index($0, "## ") == 1 { inside = index($0, heading) == 1; next } inside' "$output.changelog" |
  sed -E "s#\]\(([A-Za-z][^):]*)\)#](https://github.com/GraphCodable/GraphCodable/blob/$version/\1)#g; 1{/^\$/d;}" >"$output/notes.md"
grep -q '[^[:space:]]' "$output/notes.md" || fail "the changelog says nothing of $version: write it below '## Unreleased'"
began=$(git rev-parse HEAD)
trap go_back EXIT
mv "$output.changelog" CHANGELOG.md
sed -i.orig -E "s/^version = \"[^\"]*\"/version = \"$python_version\"/" Tools/Python/pyproject.toml
sed -i.orig -E "s/^let toolVersion = \"[^\"]*\"/let toolVersion = \"$version\"/" Tools/Command/Commands/ToolVersion.swift
rm -f Tools/Python/pyproject.toml.orig Tools/Command/Commands/ToolVersion.swift.orig
if [ "$version" = 1.0.0 ] || { [[ $version =~ ^[0-9]+\.[0-9]+\.0$ ]] && [ -d Tests/Corpus/1.0 ]; }; then
  step "the corpus is frozen"
  scripts/freeze-corpus.sh "${version%.0}"
  scripts/freeze-corpus.sh --check
fi
git add --all
git commit --quiet --message "Release $version"

step "documentation"
SWIFT="$swift" scripts/docs.sh "$output/documentation"

step "wheel"
scripts/python.sh wheel
cp .build/python/dist/graphcodable-"$python_version"-*.whl "$output/" || fail "no wheel of version $python_version was built"

step "tag"
git tag --annotate "$version" --cleanup=verbatim --file "$output/notes.md"

step "a client by the tag"
SWIFT="$swift" scripts/client-check.sh --tag "$version"

step "$version is ready in $output"
cat <<END
What is left is yours:
  git push origin HEAD "$version"
  upload $output/*.whl, and $output/documentation
END
