#!/usr/bin/env bash
# Makes what a release packs beside the binaries, in build/. goreleaser calls it.
# usage: prepare-release.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1
rm -rf build
mkdir -p build

# A version that is released is the one of the plugins too.
case $version in
*-snapshot) ;;
*)
  for file in plugin/openclaw/package.json plugin/agents/plugin.json plugin/agents/.claude-plugin/plugin.json plugin/codex/.codex-plugin/plugin.json; do
    grep -q "\"version\": \"$version\"" "$file" || { echo "$file has another version than $version" >&2; exit 1; }
  done
  ;;
esac

export SOURCE_DATE_EPOCH # the date of the manual pages
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
make --silent build "VERSION=$version"
make --silent packaging "VERSION=$version"

if command -v npm >/dev/null; then
  npm pack ./plugin/openclaw --pack-destination build --loglevel=error
else
  echo 'note: the package of the OpenClaw plugin is left out: npm is not installed' >&2
fi
