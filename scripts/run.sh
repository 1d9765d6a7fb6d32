#!/usr/bin/env bash
# Shows the main use end to end: serve a temporary copy of examples-workspace, search,
# recall, edit a file, find the edit, stop. usage: run.sh BINARY
set -euo pipefail
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
export MEMORY_STATE_DIR="$tmp/state" MEMORY_WORKSPACE="$tmp/workspace"
unset OPENCLAW_STATE_DIR MEMORY_CONFIG
daemon=
trap '[ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true; rm -rf "$tmp"' EXIT

step() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
memory() { "$binary" "$@"; }
fail() { echo "FAILED: $*" >&2; exit 1; }

mkdir -p "$tmp/workspace"
(cd "$here/examples-workspace" && find . -name '*.md' -print0 | cpio -0pdm --quiet "$tmp/workspace" 2>/dev/null) ||
  cp -R "$here/examples-workspace/." "$tmp/workspace/"

step 'memory serve &'
"$binary" serve 2>"$tmp/log" & daemon=$!
# Both loops have long limits, so that a slow machine passes.
for _ in $(seq 1200); do grep -q '"fresh": true' <<<"$(memory status --json 2>/dev/null)" && break; sleep 0.1; done
memory status || { cat "$tmp/log"; fail 'the service does not answer'; }

step 'memory search "what does E_SENSOR_ICE mean"'
memory search --limit 3 "what does E_SENSOR_ICE mean"

step 'memory recall "How do we restore a harbour from the backup?"'
memory recall --no-record --max-items 5 "How do we restore a harbour from the backup?"

step "echo '- The spare key hangs behind the blue barn owl' >> memory/notes-of-today.md"
printf -- '- The spare key hangs behind the blue barn owl\n' >>"$tmp/workspace/memory/notes-of-today.md"
found=
for _ in $(seq 1200); do
  found=$(memory search --limit 1 "where is the spare key" 2>/dev/null | grep 'barn owl') && break
  sleep 0.1
done
[ -n "$found" ] || { cat "$tmp/log"; fail 'the edit was not found'; }
step 'memory search "where is the spare key"'
memory search --limit 1 "where is the spare key"

step 'stop the service'
kill -TERM "$daemon"
wait "$daemon" || fail 'the service did not stop cleanly'
daemon=
echo 'the service stopped cleanly'
