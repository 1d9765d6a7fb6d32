#!/usr/bin/env bash
# Sets this memory up in six real clients of agents, one after the other, offline, and looks
# at what their models receive.
# usage: e2e-agents.sh [BINARY] [CLIENT…]
#
# It fetches the clients by npm once into AGENT_CLIENTS, else into the temporary folder (300
# MB, 1.4 GB unpacked, without install scripts). It skips what it cannot fetch. KEEP=1 keeps
# the home folders.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(realpath "${1:-bin/memory}")
for program in node npm; do
  command -v "$program" >/dev/null || { echo "e2e-agents: skipped: $program is not installed"; exit 0; }
done
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { echo "e2e-agents: skipped: it needs Node 20"; exit 0; }
exec node scripts/agents/e2e.mjs "$binary" "${@:2}"
