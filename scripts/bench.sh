#!/usr/bin/env bash
# Runs the benchmarks of the whole binary, with a real socket and a real disk. Each
# figure is compared with a baseline of the same run. The result is
# docs/performance.md.
# usage: bench.sh BINARY [go test -run pattern]
set -euo pipefail
MEMORY_BIN=$(realpath "$1")
export MEMORY_BIN
cd "$(dirname "$0")/.."
export BENCH_OUT=${BENCH_OUT:-$PWD/.cache/bench}
mkdir -p "$BENCH_OUT"
# Filling the transformer's vectors in the background would disturb every figure.
export MEMORY_EMBEDDING_LOCAL_QUALITY=${MEMORY_EMBEDDING_LOCAL_QUALITY:-fast}
quiet() { grep --line-buffered -vE '^(=== RUN|PASS|---|note: registered|time=|index:|embed:)'; }
pattern=${2:-TestBench(Requests|Deciding|Indexing|Edits|Idle)}
if [ "$pattern" = lanes ]; then
  LANES_SIZES=${LANES_SIZES:-100000,1000000} go test -tags bench -count=1 -timeout 0 -v -run TestBenchLanes ./index/search 2>&1 | quiet
else
  go test -tags bench -count=1 -timeout 0 -v -run "$pattern" ./cmd/memory 2>&1 | quiet
fi
go test -tags bench -count=1 -run TestBenchReport ./cmd/memory
