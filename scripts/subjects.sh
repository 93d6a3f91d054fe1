#!/usr/bin/env bash
# Fails where the subject of a commit since the last tag has more than 72 characters. Where there is no tag, nothing is checked.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! last=$(git describe --tags --abbrev=0 2>/dev/null); then
  echo "subjects: skipped, since there is no tag"
  exit 0
fi
git log --no-merges --format=%s "$last"..HEAD | LC_ALL=C.UTF-8 awk -v last="$last" '
  length($0) > 72 { print "subjects: " length($0) " characters in place of 72: " $0; bad = 1 }
  END { if (!bad) print "subjects: " NR " since " last " are short"; exit bad }'
