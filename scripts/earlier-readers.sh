#!/usr/bin/env bash
# Verifies what the library writes now with the Python packages of earlier releases, which know no new bits.
#
# The files are those of Tests/Corpus that the library has written (valid/swift-* and swift), as far as a release has them under the same
# names: what later releases write with new bits gets a new name. PYTHON names an interpreter with lz4, NumPy and xxhash.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-$PWD/.build/python/bin/python}
# Not candidates, whose files may have to be written again.
tags=$(git tag --list '[1-9]*.[0-9]*' --sort=version:refname 2>/dev/null | grep -v -e - || true)
if [ -z "$tags" ]; then
  echo "earlier readers: skipped, since there is no release, or no tag of one here"
  exit 0
fi
if ! "$python" -c 'import lz4.block, numpy, xxhash' 2>/dev/null; then
  echo "earlier readers: skipped, since '$python' has not lz4, NumPy and xxhash"
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for tag in $tags; do
  release=$scratch/$tag
  mkdir -p "$release/then" "$release/now"
  git archive "$tag" Tools/Python/graphcodable Tests/Corpus/valid Tests/Corpus/swift | tar -x -C "$release/then"
  (cd "$release/then/Tests/Corpus" && find valid/swift-* swift -type f) | LC_ALL=C sort >"$release/names"
  while read -r name; do
    if [ ! -f "Tests/Corpus/$name" ]; then
      echo "earlier readers: the library does not write Tests/Corpus/$name any more, which release $tag has written" >&2
      exit 1
    fi
    mkdir -p "$(dirname "$release/now/$name")"
    cp "Tests/Corpus/$name" "$release/now/$name"
  done <"$release/names"
  # Each archive and series by itself, and folders of them as what they are.
  mapfile -t found < <(cd "$release/now" && find . -name '*.gcodable' -o -name '*.gcseries' | LC_ALL=C sort)
  mapfile -t folders < <(cd "$release/now" && find . -name set.gcodable -o -name index.gcodable | xargs -n 1 dirname)
  (cd "$release/now" && PYTHONPATH=$release/then/Tools/Python "$python" -m graphcodable verify "${found[@]}" "${folders[@]}" >&2)
  echo "earlier readers: release $tag reads ${#found[@]} files that are written now"
done
