#!/usr/bin/env bash
# Tests the plugin in the real OpenClaw, with the real service and a mock model.
# usage: e2e-openclaw.sh [BINARY]
#
# It installs OpenClaw once (openclaw-host.sh). Where it cannot, it prints the reason and
# does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(realpath "${1:-bin/memory}")
plugin=$PWD/plugin/openclaw
. scripts/openclaw-host.sh
install_host || { echo "e2e-openclaw: the tests in the real OpenClaw are skipped: $HOST_REASON"; exit 0; }

echo "== types, against openclaw@$HOST_VERSION"
[ -e "$plugin/node_modules" ] || ln -s "$HOST_DIR" "$plugin/node_modules"
"$HOST_NODE" "$HOST_DIR/typescript/bin/tsc" -p "$plugin/check"

echo "== turns in openclaw@$HOST_VERSION"
HOST=$HOST_DIR/openclaw/openclaw.mjs MEMORY=$binary PLUGIN=$plugin "$HOST_NODE" --test --test-concurrency=1 --test-reporter=spec "$plugin/e2e/"*.test.js
