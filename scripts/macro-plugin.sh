#!/usr/bin/env bash
# Builds the plugin that expands the macros, for debugging and once, and prints where it is: for release swift-syntax takes
# beyond ten minutes. The benchmarks are built with it where GRAPHCODABLE_MACRO_PLUGIN names it.
set -euo pipefail
cd "$(dirname "$0")/.."

"${SWIFT:-swift}" build --package-path Macros --target GraphCodableMacros >&2
echo "$("${SWIFT:-swift}" build --package-path Macros --show-bin-path)/GraphCodableMacroPlugin-tool"
