#!/usr/bin/env bash
# Builds the site of the documentation in build/site.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! python3 -m venv build/python || ! build/python/bin/pip install -q --disable-pip-version-check -r packaging/site/requirements.txt; then
  echo 'note: the site is not built: its generator cannot be installed'
  exit 0
fi
make --silent packaging
NO_MKDOCS_2_WARNING=1 build/python/bin/mkdocs build --quiet
echo 'the site is in build/site: open build/site/index.html'
