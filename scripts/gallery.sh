#!/usr/bin/env bash
# Makes the pictures of the documents anew, from the examples: scripts/gallery.sh TOOL SERIES MOLECULE [FOLDER]
# SERIES is one of the particle simulation, MOLECULE the archive of that example, and FOLDER by default Documentation/Pictures. Pages are
# drawn in a headless Chromium; where that or the molecule is missing, it says so, and these pictures stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly tool=$1 series=$2 molecule=$3 folder=${4:-Documentation/Pictures}
# Larger pictures would make the clone slow.
readonly most_bytes=200000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"

MPLBACKEND=Agg scripts/python.sh run plot "$series" --output "$folder/particles.png"
if scripts/page-environment.sh; then
  scripts/python.sh run notebook "$series" --output "$work/notebook.html"
  .build/page/bin/python scripts/gallery.py "$tool" "$series" "$molecule" "$work/notebook.html" "$folder"
else
  echo "gallery: pages are not drawn" >&2
fi

for picture in "$folder"/*.png; do
  bytes=$(wc -c <"$picture")
  if [ "$bytes" -gt "$most_bytes" ]; then
    echo "gallery: $picture has $bytes bytes, which is more than $most_bytes" >&2
    exit 1
  fi
done
ls "$folder"/*.png
