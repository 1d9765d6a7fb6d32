#!/usr/bin/env bash
# Measures retrieval quality on temporary copies of the workspaces with golden queries.
# It writes the results to eval/*.json, where a change of the ranking shows as a diff.
# usage: eval.sh BINARY
set -euo pipefail
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$tmp"' EXIT
export TZ=UTC
unset OPENCLAW_STATE_DIR MEMORY_CONFIG
# The table gives the same figures with and without vector instructions.
export MEMORY_EMBEDDING_LOCAL_QUALITY=fast

# measure NAME WORKSPACE [TIER]: TIER replaces the tier in the front matter of every
# file.
measure() {
  local name=$1 from=$2 tier=${3:-}
  export MEMORY_STATE_DIR="$tmp/$name.state" MEMORY_WORKSPACE="$tmp/$name"
  cp -R "$from" "$tmp/$name"
  if [ -n "$tier" ]; then
    find "$tmp/$name" -name '*.md' -exec sed -i "s/^tier: .*/tier: $tier/" {} +
  fi
  "$binary" index >/dev/null 2>&1
  report "$name" "$from/golden.jsonl"
}

# measure_all NAME FOLDER: every folder in it is a workspace, and each question names its own.
# Only the service answers for several workspaces.
measure_all() {
  local name=$1 from=$2
  export MEMORY_STATE_DIR="$tmp/$name.state"
  cp -R "$from" "$tmp/$name"
  for folder in "$tmp/$name"/*/; do
    export MEMORY_WORKSPACE=${folder%/}
    "$binary" workspace add "$MEMORY_WORKSPACE" >/dev/null 2>&1
  done
  "$binary" serve >/dev/null 2>&1 &
  server=$!
  until status=$("$binary" status --json) && grep -q '"pid"' <<<"$status"; do sleep 0.2; done
  report "$name" "$from/golden.jsonl"
  kill "$server"
  wait "$server" || true
  server=
}

report() {
  echo
  echo "== $1"
  "$binary" eval "$2"
  "$binary" eval --no-latency --json "$2" >"$here/eval/$1.json"
}

# Every file has a date, in its name or as created:, so that a fresh clone gives the same
# figures.
measure examples "$here/examples-workspace"
measure talk "$here/eval/workspaces/talk"
# Questions for which single rules of the ranking were written, a category each.
measure rules "$here/eval/workspaces/rules"
# Nine in ten relevant memories are COLD, among HOT and WARM memories on the same
# subject.
measure workshop "$here/eval/workspaces/workshop"
measure workshop-one-tier "$here/eval/workspaces/workshop" warm
# Questions with several answers. Tune on the first half alone.
measure several-tune "$here/eval/workspaces/several-tune"
measure several-test "$here/eval/workspaces/several-test"
# The same, of 14 lives in six languages.
measure_all lives-tune "$here/eval/workspaces/lives-tune"
measure_all lives-test "$here/eval/workspaces/lives-test"
