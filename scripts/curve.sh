#!/usr/bin/env bash
# Draws docs/silence.svg: answers and silence for each floor, with the table and with the
# transformer, over the notebooks of tools/reader, to which nothing in the program is tuned.
# usage: curve.sh BINARY
set -euo pipefail
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$tmp"' EXIT
export TZ=UTC
unset OPENCLAW_STATE_DIR MEMORY_CONFIG MEMORY_WORKSPACE
# Below this floor, a similarity tells nothing.
export MEMORY_INJECTION_FLOOR=0.02

go -C "$here/tools" run ./curve notebooks reader/notebooks "$tmp/books"
for quality in fast best; do
  export MEMORY_STATE_DIR="$tmp/$quality.state" MEMORY_EMBEDDING_LOCAL_QUALITY=$quality
  for book in "$tmp/books"/*/; do
    "$binary" workspace add "$book" >/dev/null 2>&1
  done
  "$binary" serve >/dev/null 2>&1 &
  server=$!
  # until the service answers, and every memory has its vector
  until status=$("$binary" status --json) && grep -q '"pid"' <<<"$status" &&
    ! grep -qE '"(pending": [1-9]|next"|loaded": false)' <<<"$status"; do sleep 1; done
  "$binary" eval --json -w "$(basename "$book")" "$tmp/books/golden.jsonl" >"$tmp/$quality.json"
  kill "$server"
  wait "$server" || true
  server=
done
go -C "$here/tools" run ./curve draw "$here/docs/silence.svg" "table=$tmp/fast.json" "transformer=$tmp/best.json"
