#!/usr/bin/env bash
# Uses the wheel of the Python package where nothing else is: wheel-check.sh PYTHON WHEEL
#
# First in a new virtual environment whose PATH has no compiler, then on a Debian of its own, without compilers and without the
# system's LZ4 and xxHash, which debootstrap fetches from DEBIAN_MIRROR. Each reads and writes every kind of file of the corpus.
# Where nobody may make a file system (not root), or no mirror answers, the second part is skipped, and says so.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$1 wheel=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The wheel and what it depends on, as anybody gets it.
"$python" -m pip --disable-pip-version-check download --quiet --only-binary :all: --dest "$scratch/wheels" "$wheel"
install=(-m pip --disable-pip-version-check install --quiet --no-index --find-links "$scratch/wheels" graphcodable)

echo "wheel-check: $(basename "$wheel") in a new environment"
"$python" -m venv "$scratch/environment"
env -i PATH=/nonexistent "$scratch/environment/bin/python" "${install[@]}"
env -i PATH=/nonexistent "$scratch/environment/bin/python" -P Tools/Python/scripts/read_corpus.py Tests/Corpus

if [ "$(id -u)" -ne 0 ]; then
  echo "wheel-check: the bare Debian is skipped, because only root may change its root" >&2
  exit 0
fi
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
if ! "$python" -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=20)' \
  "$mirror/dists/$release/Release" 2>/dev/null; then
  echo "wheel-check: the bare Debian is skipped, because $mirror has no $release or does not answer" >&2
  exit 0
fi
scripts/setup.sh debootstrap
root=$scratch/debian
echo "wheel-check: $(basename "$wheel") on Debian $release with nothing but Python"
if ! debootstrap --variant=minbase --include=python3,python3-venv "$release" "$root" "$mirror" >"$scratch/log" 2>&1; then
  tail -n 20 "$scratch/log" >&2
  exit 1
fi
# apt takes them, and nothing else here.
find "$root/usr/lib" \( -name 'liblz4.so*' -o -name 'libxxhash.so*' \) -delete
mkdir "$root/check"
cp -r "$scratch/wheels" Tests/Corpus Tools/Python/scripts/read_corpus.py "$root/check"
chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -euc '
  for name in cc gcc clang tcc; do ! command -v "$name" || exit 1; done
  ldconfig
  ! ldconfig -p | grep -E "liblz4|libxxhash" || exit 1
  python3 -m venv /check/environment
  /check/environment/bin/python -m pip --disable-pip-version-check install --quiet --no-index \
    --find-links /check/wheels graphcodable
  /check/environment/bin/python -P /check/read_corpus.py /check/Corpus'
