#!/usr/bin/env python3
"""Converts the weights of a BERT sentence transformer to ONNX.

    export-model.py SOURCE DEST [--vectors FILE]

SOURCE contains config.json, tokenizer.json and model.safetensors. DEST gets
config.json, tokenizer.json and model.onnx, whose inputs are token ids and a mask and
whose output is one vector per token. `memory model pull --from` accepts DEST.
--vectors embeds the texts of a JSON file with numpy, without ONNX, and writes the
vectors to that file as references for the tests.

Needs numpy, onnx, safetensors and tokenizers; no torch.
"""
import argparse
import json
import math
import pathlib
import shutil

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer

# The maximum number of tokens in the training of the model.
MAX_TOKENS = 256
# Added to the scores of padding, so that it gets no attention: far below any score,
# and far above the smallest float32.
MASKED = -1e9


class Graph:
    """The nodes and weights of a model. A value has the name of its node."""

    def __init__(self, weights):
        self.nodes, self.inits, self.seen, self.weights, self.count = [], [], set(), weights, 0

    def const(self, name, value):
        if name not in self.seen:
            self.seen.add(name)
            self.inits.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name, transposed=False):
        value = self.weights[name]
        return self.const(name + (".T" if transposed else ""), value.T if transposed else value)

    def add(self, op, *inputs, **attributes):
        self.count += 1
        out = f"{op}_{self.count}"
        self.nodes.append(helper.make_node(op, inputs, [out], out, **attributes))
        return out

    def linear(self, x, name):
        return self.add("Add", self.add("MatMul", x, self.weight(name + ".weight", True)), self.weight(name + ".bias"))

    def norm(self, x, name, eps):
        centred = self.add("Sub", x, self.add("ReduceMean", x, axes=[-1], keepdims=1))
        squared = self.add("Mul", centred, centred)
        spread = self.add("Sqrt", self.add("Add", self.add("ReduceMean", squared, axes=[-1], keepdims=1),
                                           self.const("eps", np.float32(eps))))
        scaled = self.add("Mul", self.add("Div", centred, spread), self.weight(name + ".weight"))
        return self.add("Add", scaled, self.weight(name + ".bias"))

    def gelu(self, x):
        erf = self.add("Erf", self.add("Div", x, self.const("root2", np.float32(math.sqrt(2)))))
        half = self.add("Mul", x, self.const("half", np.float32(0.5)))
        return self.add("Mul", half, self.add("Add", erf, self.const("one", np.float32(1))))


def heads(g, x, c, transposed):
    shape = g.const("heads", np.array([0, 0, c["num_attention_heads"], c["hidden_size"] // c["num_attention_heads"]], np.int64))
    return g.add("Transpose", g.add("Reshape", x, shape), perm=[0, 2, 3, 1] if transposed else [0, 2, 1, 3])


def layer(g, x, mask, c, n):
    prefix = f"encoder.layer.{n}."
    q = heads(g, g.linear(x, prefix + "attention.self.query"), c, False)
    k = heads(g, g.linear(x, prefix + "attention.self.key"), c, True)
    v = heads(g, g.linear(x, prefix + "attention.self.value"), c, False)
    root = g.const("root", np.float32(math.sqrt(c["hidden_size"] / c["num_attention_heads"])))
    scores = g.add("Add", g.add("Div", g.add("MatMul", q, k), root), mask)
    attended = g.add("Transpose", g.add("MatMul", g.add("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
    attended = g.add("Reshape", attended, g.const("joined", np.array([0, 0, c["hidden_size"]], np.int64)))
    eps = c["layer_norm_eps"]
    x = g.norm(g.add("Add", x, g.linear(attended, prefix + "attention.output.dense")), prefix + "attention.output.LayerNorm", eps)
    inner = g.gelu(g.linear(x, prefix + "intermediate.dense"))
    return g.norm(g.add("Add", x, g.linear(inner, prefix + "output.dense")), prefix + "output.LayerNorm", eps)


def build(c, weights):
    g = Graph(weights)
    e = "embeddings."
    words = g.add("Gather", g.weight(e + "word_embeddings.weight"), "input_ids")
    types = g.add("Gather", g.weight(e + "token_type_embeddings.weight"), "token_type_ids")
    length = g.add("Slice", g.add("Shape", "input_ids"), g.const("from1", np.array([1], np.int64)),
                   g.const("to2", np.array([2], np.int64)))
    positions = g.add("Slice", g.weight(e + "position_embeddings.weight"), g.const("from0", np.array([0], np.int64)),
                   length, g.const("rows", np.array([0], np.int64)))
    x = g.norm(g.add("Add", g.add("Add", words, types), positions), e + "LayerNorm", c["layer_norm_eps"])
    # The scores get (1 - mask) * MASKED, for every head and position.
    mask = g.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    bias = g.add("Mul", g.add("Sub", g.const("one", np.float32(1)), mask), g.const("closed", np.float32(MASKED)))
    mask = g.add("Unsqueeze", bias, g.const("inside", np.array([1, 2], np.int64)))
    for n in range(c["num_hidden_layers"]):
        x = layer(g, x, mask, c, n)
    g.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"], "out"))
    ids = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "length"])
           for n in ("input_ids", "attention_mask", "token_type_ids")]
    out = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", c["hidden_size"]])
    model = helper.make_model(helper.make_graph(g.nodes, "bert", ids, [out], g.inits),
                              opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def embed(c, w, ids):
    """Embeds one text with numpy: a second implementation of the model, as a reference."""
    erf = np.vectorize(math.erf)

    def linear(x, name):
        return x @ w[name + ".weight"].T.astype(np.float64) + w[name + ".bias"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + c["layer_norm_eps"]) * w[name + ".weight"] + w[name + ".bias"]

    e = "embeddings."
    x = (w[e + "word_embeddings.weight"][ids].astype(np.float64) + w[e + "position_embeddings.weight"][: len(ids)]
         + w[e + "token_type_embeddings.weight"][0])
    x = norm(x, e + "LayerNorm")
    n, size = c["num_attention_heads"], c["hidden_size"] // c["num_attention_heads"]
    for i in range(c["num_hidden_layers"]):
        prefix = f"encoder.layer.{i}."
        q, k, v = (linear(x, prefix + "attention.self." + s).reshape(len(ids), n, size).transpose(1, 0, 2)
                   for s in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(size)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        attended = (scores / scores.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(x + linear(attended, prefix + "attention.output.dense"), prefix + "attention.output.LayerNorm")
        h = linear(x, prefix + "intermediate.dense")
        x = norm(x + linear(h * 0.5 * (1 + erf(h / math.sqrt(2))), prefix + "output.dense"), prefix + "output.LayerNorm")
    v = x.mean(0)
    return v / np.linalg.norm(v)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("source", type=pathlib.Path)
    p.add_argument("dest", type=pathlib.Path)
    p.add_argument("--vectors", type=pathlib.Path, help="a JSON list of {text}; each gets its number of tokens and its vector")
    a = p.parse_args()
    c = json.loads((a.source / "config.json").read_text())
    weights = load_file(a.source / "model.safetensors")
    a.dest.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(a.source / name, a.dest / name)
    if a.vectors:
        tokenizer = Tokenizer.from_file(str(a.source / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        texts = json.loads(a.vectors.read_text())
        for t in texts:
            ids = tokenizer.encode(t["text"]).ids
            t["tokens"], t["vector"] = len(ids), [round(float(x), 6) for x in embed(c, weights, ids)[:16]]
        lines = ",\n ".join(json.dumps(t, ensure_ascii=True) for t in texts)
        a.vectors.write_text(f"[{lines}]\n")
    partial = a.dest / "model.onnx.part"
    onnx.save(build(c, weights), partial)
    partial.rename(a.dest / "model.onnx")


if __name__ == "__main__":
    main()
