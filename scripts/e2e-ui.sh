#!/usr/bin/env bash
# Tests the inspector in a real headless browser, with a real service on a copy of
# examples-workspace: every page and every action, with script and without.
# usage: e2e-ui.sh [BINARY]
#
# It installs playwright-core once, below .cache. Where it or Chromium is missing, it prints
# the reason and does nothing. SHOTS=DIR also saves pictures of the pages there.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(realpath "${1:-bin/memory}")
skip() { echo "e2e-ui: the tests in a browser are skipped: $1"; exit 0; }

browser=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome; do
  [ -n "$browser" ] || browser=$(command -v "$name" || true)
done
[ -n "$browser" ] || skip "no Chromium is installed (CHROMIUM names one)"
command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
tools=$PWD/.cache/e2e-ui
if [ ! -d "$tools/node_modules/playwright-core" ]; then
  mkdir -p "$tools"
  (cd "$tools" && npm install --silent --no-audit --no-fund --no-save playwright-core@1.56) >/dev/null 2>&1 || skip "playwright-core cannot be installed from npm"
fi

work=$(mktemp -d)
service=
stop() {
  [ -z "$service" ] || { kill "$service" 2>/dev/null && wait "$service" || true; }
  rm -rf "$work"
}
trap stop EXIT
cp -r examples-workspace "$work/notes"
rm -f "$work/notes/"*.go
export MEMORY_STATE_DIR=$work/state
"$binary" serve -w "$work/notes" 2>"$work/log" &
service=$!
for _ in $(seq 100); do
  if "$binary" status >/dev/null 2>&1; then break; fi
  sleep 0.1
done
MEMORY=$binary CHROMIUM=$browser TOOLS=$tools NOTES=$work/notes SOCKET=$work/state/tiered.sock node --test --test-reporter=spec scripts/e2e-ui.mjs || { cat "$work/log"; exit 1; }
