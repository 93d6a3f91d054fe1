#!/usr/bin/env bash
# Makes sure that what a build needs is there: Swift 6.2 or later, pkg-config, liblz4 and libxxhash with
# their headers, and the commands that are given as arguments, whose Debian packages have the same names; with
# `mpirun` comes all that MPI/ is built and run with, and `curl-config` stands for what a static tool is linked with.
# Installs missing Debian packages with apt-get. Where everything is there it only looks.
set -euo pipefail

fail() {
  printf 'setup: %s\n' "$1" >&2
  exit 1
}

require_swift() {
  command -v swift >/dev/null 2>&1 ||
    fail "no 'swift' command found; GraphCodable needs Swift 6.2 or later (see swift.org/install)"
  local line version major minor
  line=$(swift --version 2>/dev/null </dev/null | grep -m 1 'Swift version') ||
    fail "'swift --version' does not work; GraphCodable needs Swift 6.2 or later"
  version=$(printf '%s\n' "$line" | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p')
  major=${version%%.*}
  minor=${version##*.}
  if [ -z "$version" ] || [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
    fail "Swift ${version:-of an unknown version} is too old; GraphCodable needs Swift 6.2 or later"
  fi
}

readonly commands=("$@")

# Prints the names of the Debian packages that are missing, one after the other.
missing_packages() {
  local names=() name
  if command -v pkg-config >/dev/null 2>&1; then
    pkg-config --exists liblz4 || names+=(liblz4-dev)
    pkg-config --exists libxxhash || names+=(libxxhash-dev)
  else
    names+=(pkg-config liblz4-dev libxxhash-dev)
  fi
  for name in "${commands[@]}"; do
    if [ "$name" = mpirun ]; then
      command -v mpirun >/dev/null 2>&1 || names+=(openmpi-bin)
      pkg-config --exists ompi-c 2>/dev/null || names+=(libopenmpi-dev)
    elif [ "$name" = curl-config ]; then
      command -v curl-config >/dev/null 2>&1 || names+=(libcurl4-openssl-dev)
    elif [ "$name" = protoc ]; then
      command -v protoc >/dev/null 2>&1 || names+=(protobuf-compiler)
    else
      command -v "$name" >/dev/null 2>&1 || names+=("$name")
    fi
  done
  printf '%s' "${names[*]:-}"
}

# Set where somebody can type a password for sudo.
terminal=
if [ -t 0 ] && [ -t 2 ]; then terminal=yes; fi

# Runs a command as root: directly, or with sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env "$@"
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo -n env "$@"
  elif command -v sudo >/dev/null 2>&1 && [ -n "$terminal" ]; then
    sudo env "$@"
  else
    return 1
  fi
}

install_packages() {
  local install=(DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@")
  # A fresh system has no package lists, an old one has lists that name files long gone.
  as_root "${install[@]}" </dev/null >"$log" 2>&1 && return
  as_root DEBIAN_FRONTEND=noninteractive apt-get update -q </dev/null >>"$log" 2>&1 || return 1
  as_root "${install[@]}" </dev/null >>"$log" 2>&1
}

require_swift
packages=$(missing_packages)
[ -n "$packages" ] || exit 0

if [ "$(uname -s)" = Darwin ]; then
  fail "not all is here that it takes; please run: brew install pkg-config lz4 xxhash ${commands[*]/mpirun/open-mpi}"
fi
if ! command -v apt-get >/dev/null 2>&1; then
  fail "no apt-get here; please install what Debian calls: $packages"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf 'setup: installing %s\n' "$packages" >&2
# Unquoted on purpose: one word for each package.
# shellcheck disable=SC2086
if ! install_packages $packages || [ -n "$(missing_packages)" ]; then
  tail -n 5 "$log" >&2
  fail "could not install them; please run as root: apt-get install $packages"
fi
