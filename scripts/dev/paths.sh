# shellcheck shell=bash
# What every script of the project begins with: its root as the folder, and Swift on PATH.
# Sourced, not run.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
if ! command -v swift > /dev/null && [ -x /opt/swift/usr/bin/swift ]; then
  PATH="/opt/swift/usr/bin:$PATH"
fi
