#!/usr/bin/env bash
# Compares what the macro costs a compiler with what Codable costs: 200 structs of 10 properties, in processor time
# and bytes of object code, optimized and not. With --fresh also the time to build swift-syntax and the macros.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

build=("$swift" build --package-path Macros --target GraphCodableMacros)
if [ "${1:-}" = --fresh ]; then
  TIMEFORMAT="swift-syntax and the macros, from clean: %R s, %U s of processor time"
  time "${build[@]}" --scratch-path "$scratch/build" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
fi
"${build[@]}" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
products=$("$swift" build --package-path Macros --show-bin-path)
plugin=$products/GraphCodableMacroPlugin-tool
# What is optimized uses a library that was built for release: the code to be inlined from one for debugging has its assertions.
GRAPHCODABLE_MACRO_PLUGIN=$plugin "$swift" build -c release --target GraphCodableMacros >"$scratch/log" 2>&1 ||
  { cat "$scratch/log" >&2; exit 1; }

# Sets `arguments` for the modules of a folder.
use() {
  arguments=(-swift-version 6 -parse-as-library -wmo -I "$1/Modules" -load-plugin-executable "$plugin#GraphCodableMacroPlugin")
  local module
  for module in CCallStack CGraphArchive; do
    arguments+=(-Xcc "-fmodule-map-file=$1/$module.build/module.modulemap" -Xcc -I -Xcc "Sources/$module/include")
  done
  for module in CLZ4 CXXHash; do
    arguments+=(-Xcc "-fmodule-map-file=Sources/$module/module.modulemap")
  done
}

# Writes 20 files of ten structs: FOLDER IMPORT ATTRIBUTE CONFORMANCE.
sources() {
  mkdir -p "$scratch/$1"
  for file in $(seq 20); do
    {
      echo "import $2"
      for number in $(seq 10); do
        echo "$3 public struct Row${file}_$number$4 {"
        for property in 1 2 3; do
          echo "  public var id$property: Int"
          echo "  public var name$property: String"
          echo "  public var value$property: Double"
        done
        echo "  public var list: [Int]"
        echo "}"
      done
    } >"$scratch/$1/file$file.swift"
  done
}

sources codable GraphCodable "" ": Codable"
sources macro GraphCodableMacros "@GCodable" ""

# Prints "SECONDS BYTES" of a compilation, the faster of two: FOLDER FLAG. The plugin's time is part of it.
measure() {
  local fastest=
  for _ in 1 2; do
    TIMEFORMAT="%U %S"
    local times
    times=$({ time swiftc "${arguments[@]}" "$2" -c -o "$scratch/$1.o" "$scratch/$1"/*.swift >"$scratch/log" 2>&1 ||
      cat "$scratch/log"; } 2>&1 | awk '{ print $1 + $2 }')
    fastest=$(printf '%s\n%s\n' "$fastest" "$times" | awk 'NF' | sort -n | head -n 1)
  done
  echo "$fastest $(size "$scratch/$1.o" | awk 'NR == 2 { print $1 + $2 }')"
}

printf '%-10s %14s %14s %8s %14s %14s %8s\n' "" "Codable, s" "@GCodable, s" "" "Codable, B" "@GCodable, B" ""
for flag in -Onone -O; do
  if [ "$flag" = -O ]; then use "$("$swift" build -c release --show-bin-path)"; else use "$products"; fi
  read -r codable_time codable_size <<<"$(measure codable "$flag")"
  read -r macro_time macro_size <<<"$(measure macro "$flag")"
  awk -v flag="$flag" -v ct="$codable_time" -v mt="$macro_time" -v cs="$codable_size" -v ms="$macro_size" '
    BEGIN {
      printf "%-10s %14.2f %14.2f %7.2fx %14d %14d %7.2fx\n", flag, ct, mt, mt / ct, cs, ms, ms / cs
      exit mt > 1.2 * ct || ms > 1.2 * cs
    }' || { echo "macro-cost: above 1.2 times what Codable takes" >&2; exit 1; }
done
