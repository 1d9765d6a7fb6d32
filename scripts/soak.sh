#!/usr/bin/env bash
# Runs the service under load from many clients, suspends it for a minute in the middle, and
# prints what it holds over time. usage: soak.sh BINARY [MINUTES] [CLIENTS]
set -euo pipefail
binary=$(realpath "$1")
minutes=${2:-60} clients=${3:-12}
tmp=$(mktemp -d)
export MEMORY_STATE_DIR="$tmp/state" MEMORY_WORKSPACE="$tmp/workspace" HOME="$tmp"
unset OPENCLAW_STATE_DIR MEMORY_CONFIG
[ -r /proc/self/stat ] || { echo 'skipped: only Linux tells what a process holds'; exit 0; }
mkdir -p "$tmp/workspace/memory"
daemon=
trap '[ -z "$daemon" ] || { kill -CONT "$daemon"; kill "$daemon"; } 2>/dev/null || true; wait; rm -rf "$tmp"' EXIT

start() {
  "$binary" serve 2>>"$tmp/log" & daemon=$!
  for _ in $(seq 1200); do "$binary" status >/dev/null 2>&1 && return; sleep 0.1; done
  cat "$tmp/log"; exit 1
}

# One client: a note, an edit, questions, a decision and its undo, a request that ends early.
client() {
  local n=0 file="$tmp/workspace/memory/client-$1.md"
  while [ ! -e "$tmp/stop" ]; do
    n=$((n + 1))
    printf -- '- Client %s moors boat %s at pier %s\n- The tide table of client %s has number %s\n' "$1" "$((n % 200))" "$((n % 9))" "$1" "$n" >"$file"
    "$binary" recall "Where does client $1 moor boat $((n % 200))?" || true
    "$binary" search "tide table of client $1" || true
    "$binary" store "Berth $n of client $1 is painted green" || true
    "$binary" pin --path "memory/client-$1.md" || true
    "$binary" undo || true
    timeout 0.02 "$binary" search "a client that does not wait" || true
    echo >>"$tmp/rounds"
  done >/dev/null 2>&1
}

held() {
  local rss threads
  rss=$(awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$daemon/status")
  threads=$(awk '/^Threads/ { print $2 }' "/proc/$daemon/status")
  printf '%6d s  %6d rounds  %4d handles  %3d threads  %5d MiB resident  %7d KiB write-ahead log  %7d KiB state\n' \
    "$SECONDS" "$(wc -l <"$tmp/rounds")" "$(find "/proc/$daemon/fd" -mindepth 1 | wc -l)" "$threads" "$rss" \
    "$(find "$tmp/state" -name '*-wal' -printf '%k\n' | awk '{ n += $1 } END { print n + 0 }')" "$(du -sk "$tmp/state" | cut -f1)"
}

# count_goroutines ends the service, which then writes every goroutine into its log.
count_goroutines() {
  : >"$tmp/log"
  kill -QUIT "$daemon"; wait "$daemon" || true
  daemon=
  echo "$(grep -c '^goroutine ' "$tmp/log") goroutines $1"
}

: >"$tmp/rounds"
start; sleep 5
count_goroutines 'of a service that nobody has asked'
start
SECONDS=0
held
for c in $(seq "$clients"); do client "$c" & done
suspended=
while [ "$SECONDS" -lt $((60 * minutes)) ]; do
  sleep "$((minutes < 10 ? 15 : 120))"
  held
  if [ -z "$suspended" ] && [ "$SECONDS" -ge $((30 * minutes)) ]; then
    suspended=yes
    kill -STOP "$daemon"; sleep 60; kill -CONT "$daemon"
    echo 'it was suspended for a minute'
  fi
done
touch "$tmp/stop"
sleep 90 # clients end, idle connections are closed
held
grep -E 'level=(WARN|ERROR)' "$tmp/log" | sed -E 's/^time=[^ ]+ //' | sort | uniq -c | sort -rn | sed -n 1,10p || true
count_goroutines 'after the clients have ended'
