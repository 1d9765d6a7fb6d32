#!/usr/bin/env bash
# Checks the OpenClaw plugin: its tests with the machine's Node, and its types with tsc.
# usage: check-plugin.sh
#
# tsc comes from npm, once, into .cache/tsc. What cannot run is skipped with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=$PWD/.cache/tsc
typescript=5.9.3 node_types=26

node=$(command -v node || true)
if [ -z "$node" ] || ! "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 3) ? 0 : 1)'; then
  echo 'note: the tests of the OpenClaw plugin are skipped: there is no node 20.3 or later'
  exit 0
fi

tests=$(cd plugin/openclaw && "$node" --test --test-reporter=spec test/*.test.js 2>&1) || { echo "$tests"; exit 1; }
echo "$tests" | grep -E '^(ℹ|#) (tests|pass|fail) ' | sed 's/^[^a-z]*/plugin: /'

install_tsc() {
  [ -f "$cache/node_modules/typescript/bin/tsc" ] && [ -d "$cache/node_modules/@types/node" ] && return
  command -v npm >/dev/null || { echo 'note: the types of the plugin are not checked: npm is not installed'; return 1; }
  mkdir -p "$cache"
  echo '{"private":true}' >"$cache/package.json"
  (cd "$cache" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=0 \
    "typescript@$typescript" "@types/node@$node_types") >"$cache/install.log" 2>&1 ||
    { echo "note: the types of the plugin are not checked: tsc cannot be installed: $(grep -m1 'npm error' "$cache/install.log" || tail -n 1 "$cache/install.log")"; return 1; }
}

if install_tsc; then
  "$node" "$cache/node_modules/typescript/bin/tsc" -p plugin/openclaw --typeRoots "$cache/node_modules/@types"
  echo 'plugin: types are correct'
fi
