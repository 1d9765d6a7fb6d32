#!/usr/bin/env bash
# Retrieval quality on a throw-away copy of examples-workspace. The figures are
# kept in eval/examples.json, so that a change of the ranking shows as a diff.
# usage: eval.sh BINARY
set -euo pipefail
binary=$(realpath "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export MEMORY_STATE_DIR="$tmp/state" MEMORY_WORKSPACE="$tmp/workspace" TZ=UTC
unset OPENCLAW_STATE_DIR MEMORY_CONFIG
cp -R "$here/examples-workspace" "$tmp/workspace"
# Undated files count as written when they were last changed: before anybody
# asked, and not at the checkout.
find "$tmp/workspace" -name '*.md' -exec touch -d '2026-11-01T00:00:00Z' {} +
"$binary" index >/dev/null
"$binary" eval "$here/examples-workspace/golden.jsonl"
"$binary" eval --no-latency --json "$here/examples-workspace/golden.jsonl" >"$here/eval/examples.json"
