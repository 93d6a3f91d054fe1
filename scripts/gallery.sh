#!/usr/bin/env bash
# Makes the pictures of the documents anew, from the examples: scripts/gallery.sh TOOL SERIES [FOLDER]
# SERIES is one of the particle simulation, FOLDER by default Documentation/Pictures. Pages are drawn in a headless Chromium; where that
# is missing, it says so, and these pictures stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly tool=$1 series=$2 folder=${3:-Documentation/Pictures}
# Larger pictures would make the clone slow.
readonly most_bytes=200000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"
folder_path=$(cd "$folder" && pwd)

chromium=
for name in chromium chromium-browser google-chrome; do
  if [ -z "$chromium" ]; then chromium=$(command -v "$name" || true); fi
done

# Takes the picture of a page: FILE NAME WIDTH HEIGHT
draw() {
  timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --user-data-dir="$work/profile" --virtual-time-budget=5000 --window-size="$3,$4" \
    --screenshot="$folder_path/$2" "file://$1" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
}

MPLBACKEND=Agg scripts/python.sh run plot "$series" --output "$folder_path/particles.png"
if [ -n "$chromium" ]; then
  # Where the series is, so that the page has its name alone.
  (cd "$(dirname "$series")" && "$tool" view "$(basename "$series")" -o "$work/page.html" >/dev/null)
  draw "$work/page.html" page.png 1000 760
  scripts/python.sh run notebook "$series" --output "$work/notebook.html"
  draw "$work/notebook.html" notebook.png 900 760
else
  echo "gallery: pages are not drawn, since Chromium is not installed: apt-get install chromium" >&2
fi

for picture in "$folder_path"/*.png; do
  bytes=$(wc -c <"$picture")
  if [ "$bytes" -gt "$most_bytes" ]; then
    echo "gallery: $picture has $bytes bytes, which is more than $most_bytes" >&2
    exit 1
  fi
done
ls "$folder_path"/*.png
