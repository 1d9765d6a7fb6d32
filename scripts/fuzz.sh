#!/usr/bin/env bash
# Every fuzz target for FUZZTIME each (default 30s), then the property tests with
# RAPID_CHECKS checks (default 5000), then what takes a real disk.
set -euo pipefail
cd "$(dirname "$0")/.."
grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do
  pkg=./$(dirname "${file#./}")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | cut -d' ' -f2 | while read -r target; do
    echo "== $pkg $target"
    # minimising an input that is merely interesting would eat the whole time
    go test "$pkg" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-30s}" -fuzzminimizetime 1x
  done
done
# Histories over real folders, databases and repositories take their time: HISTORIES
# of each kind (default 1000; twice as many where no git is needed). They say
# what they have seen.
campaigns="./engine ./ingest"
grep -rlE 'rapid\.Check' --include='*_test.go' . | xargs -n1 dirname | sort -u | while read -r dir; do
  case " $campaigns " in *" $dir "*) continue ;; esac
  echo "== $dir, property tests"
  go test "$dir" -count=1 -timeout 60m -rapid.checks="${RAPID_CHECKS:-5000}"
done
for dir in $campaigns; do
  echo "== $dir, histories"
  go test "$dir" -count=1 -timeout 3h -v -run Histories -rapid.checks="${HISTORIES:-1000}" | grep -vE '^(=== |--- PASS|PASS|    --- )'
done
echo "== every system call of a decision, and ten thousand decisions and appended lines"
go test ./engine -count=1 -timeout 1h -v -long -run 'Killed|DecisionsAndAppends' | grep -vE '^(=== |PASS)'
