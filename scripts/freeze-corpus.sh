#!/usr/bin/env bash
# Keeps the corpus of each release as it was: scripts/freeze-corpus.sh VERSION | --check
#   VERSION   copies Tests/Corpus into Tests/Corpus/VERSION, such as 1.0, and writes the hashes of its files into VERSION.sha256
#   --check   compares the folders of all releases with their hashes: no file may change, come or go
set -euo pipefail
cd "$(dirname "$0")/.."

readonly corpus=Tests/Corpus parts=(README.md valid invalid streams folders python swift)

if command -v sha256sum >/dev/null; then hash_of=(sha256sum); else hash_of=(shasum -a 256); fi

# The hashes of all files of a release, in one order wherever it runs.
hashes() {
  (cd "$corpus/$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 "${hash_of[@]}")
}

freeze() {
  if ! [[ $1 =~ ^[0-9]+(\.[0-9]+)+$ ]]; then
    echo "freeze-corpus: '$1' is no version such as 1.0" >&2
    exit 64
  fi
  if [ -e "$corpus/$1" ] || [ -e "$corpus/$1.sha256" ]; then
    echo "freeze-corpus: $corpus/$1 is frozen already" >&2
    exit 1
  fi
  mkdir "$corpus/$1"
  for part in "${parts[@]}"; do cp -R "$corpus/$part" "$corpus/$1/"; done
  hashes "$1" >"$corpus/$1.sha256"
  echo "freeze-corpus: $(wc -l <"$corpus/$1.sha256" | tr -d ' ') files in $corpus/$1"
}

check() {
  local count=0 release
  for release in "$corpus"/[0-9]*; do
    [ -e "$release" ] || continue
    release=$(basename "$release" .sha256)
    if [ ! -d "$corpus/$release" ] || [ ! -f "$corpus/$release.sha256" ]; then
      echo "freeze-corpus: $corpus/$release and $release.sha256 belong together, and one is missing" >&2
      exit 1
    fi
    if ! hashes "$release" | diff -u "$corpus/$release.sha256" - >&2; then
      echo "freeze-corpus: $corpus/$release is not as it was released: restore it" >&2
      exit 1
    fi
    count=$((count + 1))
  done
  # Each release is there twice: as a folder and as a list.
  echo "freeze-corpus: as they were released: $((count / 2))"
}

case ${1:-} in
  --check) check ;;
  "" | -*)
    sed -n '2,4s/^# //p' "$0" >&2
    exit 64
    ;;
  *) freeze "$1" ;;
esac
