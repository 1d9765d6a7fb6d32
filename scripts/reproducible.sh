#!/usr/bin/env bash
# Builds the last commit twice, in folders, caches and years of their own, and compares the
# programs. GOOS and GOARCH choose another platform. Each build compiles everything.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
git clone --quiet . "$work/commit" # it stays the same if someone commits
sums=
for place in first a/second/place; do
  mkdir -p "$work/$place"
  git clone --quiet "$work/commit" "$work/$place/memory"
  find "$work/$place" -type f -not -path '*/.git/*' -exec touch -d "$((2000 + ${#place}))-01-01" {} +
  GOCACHE=$work/$place/cache make --silent -C "$work/$place/memory" build
  rm -rf "$work/$place/cache"
  sum=$(sha256sum <"$work/$place/memory/bin/memory")
  echo "${sum%% *}  $place"
  [ -z "$sums" ] || [ "$sums" = "$sum" ] || { echo 'the two builds differ' >&2; exit 1; }
  sums=$sum
done
