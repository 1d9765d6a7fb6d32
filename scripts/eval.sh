#!/usr/bin/env bash
# Retrieval quality on throw-away copies of the workspaces whose answers are
# known. The figures are kept in eval/*.json, so that a change of the ranking
# shows as a diff, and docs/recall.svg draws those of examples-workspace.
# usage: eval.sh BINARY
set -euo pipefail
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export TZ=UTC
unset OPENCLAW_STATE_DIR MEMORY_CONFIG

# measure NAME WORKSPACE [TIER]: with TIER, the memories of every file are in that
# tier, and not in the one that its front matter names.
measure() {
  local name=$1 from=$2 tier=${3:-}
  export MEMORY_STATE_DIR="$tmp/$name.state" MEMORY_WORKSPACE="$tmp/$name"
  cp -R "$from" "$tmp/$name"
  if [ -n "$tier" ]; then
    find "$tmp/$name" -name '*.md' -exec sed -i "s/^tier: .*/tier: $tier/" {} +
  fi
  # Undated files count as written when they were last changed: before anybody
  # asked, not at the checkout, and at a time of day, as files are.
  find "$tmp/$name" -name '*.md' -exec touch -d '2026-11-01T12:00:00Z' {} +
  "$binary" index >/dev/null 2>&1
  echo
  echo "== $name"
  "$binary" eval "$from/golden.jsonl"
  "$binary" eval --no-latency --json "$from/golden.jsonl" >"$here/eval/$name.json"
}

measure examples "$here/examples-workspace"
measure talk "$here/eval/workspaces/talk"
# Nine in ten right answers are COLD, among HOT and WARM memories about the same.
measure workshop "$here/eval/workspaces/workshop"
measure workshop-one-tier "$here/eval/workspaces/workshop" warm

cd "$here"
go run ./eval/plot <eval/examples.json >"$tmp/recall.svg"
cp "$tmp/recall.svg" docs/recall.svg
