#!/usr/bin/env bash
# The product's own benchmarks: whole binary, real socket, real disk, each figure
# beside its baseline of the same run. usage: bench.sh BINARY [go test -run pattern]
set -euo pipefail
MEMORY_BIN=$(realpath "$1")
export MEMORY_BIN
cd "$(dirname "$0")/.."
go test -tags bench -count=1 -timeout 60m -v -run "${2:-TestBench}" ./cmd/memory 2>&1 | grep --line-buffered -vE '^(=== RUN|PASS|---)'
