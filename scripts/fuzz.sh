#!/usr/bin/env bash
# Runs every fuzz target for FUZZTIME (default 30s), the property tests with
# RAPID_CHECKS checks (default 5000), and the tests that need a real disk.
set -euo pipefail
export PROPERTY_SEED=random
cd "$(dirname "$0")/.."
grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do
  pkg=./$(dirname "${file#./}")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | cut -d' ' -f2 | while read -r target; do
    echo "== $pkg $target"
    # minimising interesting inputs would take the whole time
    go test "$pkg" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-30s}" -fuzzminimizetime 1x
  done
done
# Histories use real folders, databases and repositories, which takes long: HISTORIES of
# each kind (default 1000). They print what they covered.
campaigns="./engine ./ingest"
grep -rlE 'property\.Check' --include='*_test.go' . | xargs -n1 dirname | sort -u | while read -r dir; do
  case " $campaigns " in *" $dir "*) continue ;; esac
  echo "== $dir, property tests"
  go test "$dir" -count=1 -timeout 0 -rapid.checks="${RAPID_CHECKS:-5000}"
done
for dir in $campaigns; do
  echo "== $dir, histories"
  go test "$dir" -count=1 -timeout 0 -v -run Histories -rapid.checks="${HISTORIES:-1000}" | grep -vE '^(=== |--- PASS|PASS|    --- )'
done
echo "== a crash and a failing disk at every system call of a decision; 10,000 decisions and appended lines; damage, full disks, checkouts and hidden texts"
go test ./engine -count=1 -timeout 0 -v -long -run 'Killed|EveryFailingCall|DecisionsAndAppends|Damage|ZeroedPages|FullDisk|Checkouts|ProtectingLine|Wording|HiddenText' | grep -vE '^(=== |PASS)'
echo "== a hundred checkouts in parts; thirty kills during a first index"
go test ./ingest -count=1 -timeout 0 -v -long -run 'CheckoutsSeenInParts|FirstIndexKilled' | grep -vE '^(=== |PASS|    --- PASS)'
go test ./service -count=1 -timeout 0 -v -long -run 'YearLeaksNothing' | grep -vE '^(=== |PASS)'
