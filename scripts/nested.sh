#!/usr/bin/env bash
# Runs a SwiftPM command for a package inside this one, in this one's build folder, where the library is built already:
#
#   nested.sh Tools test [ARGUMENTS]
set -euo pipefail
cd "$(dirname "$0")/.."

package=$1 command=$2
shift 2

# SwiftPM would take the plan of one package for that of another one.
forget_plans() { rm -f .build/debug.yaml .build/release.yaml; }
trap forget_plans EXIT
forget_plans
"${SWIFT:-swift}" "$command" --scratch-path .build --package-path "$package" "$@"
