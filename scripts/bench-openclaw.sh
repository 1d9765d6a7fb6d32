#!/usr/bin/env bash
# Measures this memory beside OpenClaw's own memory-core, in the real OpenClaw and in one
# run. The table and the figures go to .cache/bench-openclaw, or the folder BENCH_OUT.
# usage: bench-openclaw.sh [BINARY]
# BENCH_SIZES: numbers of memories (default 1000,10000); BENCH_LAYOUT: bullets (default)
# or paragraphs, of which each is about one chunk of memory-core; BENCH_ROUNDS (default 3)
#
# Where OpenClaw cannot be installed, it prints the reason and does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(realpath "${1:-bin/memory}")
plugin=$PWD/plugin/openclaw
out=${BENCH_OUT:-$PWD/.cache/bench-openclaw}
. scripts/openclaw-host.sh
install_host || { echo "bench-openclaw: skipped: $HOST_REASON"; exit 0; }
mkdir -p "$out"
out=$(realpath "$out")
go -C tools build -o "$out/vectors" ./vectors
HOST=$HOST_DIR/openclaw/openclaw.mjs MEMORY=$binary PLUGIN=$plugin VECTORS=$out/vectors "$HOST_NODE" eval/openclaw/bench.js "$out"
