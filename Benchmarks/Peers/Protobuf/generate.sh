#!/usr/bin/env bash
# Makes peers.pb.swift of peers.proto, with protoc (on Debian, the package protobuf-compiler) and the plugin of
# the version of swift-protobuf that the package uses. Run it again when either changes.
set -euo pipefail
cd "$(dirname "$0")"
package=$(git rev-parse --show-toplevel)

command -v protoc >/dev/null 2>&1 || {
  echo "generate: no 'protoc' here; on Debian: apt-get install protobuf-compiler" >&2
  exit 1
}
swift package --package-path "$package" --traits Peers resolve
plugin_build=$package/.build/protoc-gen-swift
swift build -c release --package-path "$package/.build/checkouts/swift-protobuf" \
  --scratch-path "$plugin_build" --product protoc-gen-swift
protoc --plugin="$plugin_build/release/protoc-gen-swift" --swift_out=. peers.proto
# Without the trait Peers there is no SwiftProtobuf.
sed -i 's/^import SwiftProtobuf$/#if Peers\n&/; $a #endif' peers.pb.swift
