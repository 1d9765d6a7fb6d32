#!/usr/bin/env python3
"""Packs a reader of three layers for the program, with its matrices in 6 bits, and writes what
it says about some pairs, for a test of the program.

    pack.py MINILM READER

READER is what distill.py has written. The result is embed/transformer/reader-l3.mlmq and
embed/transformer/testdata/readings.json.
"""
import json
import struct
import sys

import numpy
import torch
from safetensors.torch import load_file

from distill import KEPT
from train import HIDDEN, MODEL, Reader, Texts, batch

GROUP = 32  # numbers with one scale
PAIRS = [
    ("When does the choir meet?", "The choir meets on Tuesdays at 19:30 in the old school"),
    ("Who conducts the choir?", "The choir meets on Tuesdays at 19:30 in the old school"),
    ("wifi guest?", "wifi guest: maple-otter"),
    ("what should the host not serve me?", "allergic to hazelnuts since 2011"),
    ("Wann ist der Zahnarzttermin?", "dentist moved to Thu 14:30, Dr. Okafor"),
    ("book the table for our anniversary", "Kiln | 1,240 °C | 9 h"),
]


class Packer:
    def __init__(self):
        self.parts, self.matrices, self.vectors = [], b"", b""

    def vector(self, name, numbers):
        src = numbers.detach().numpy().astype("<f4").tobytes()
        self.vectors += name.encode() + b"\x4a" + varint(len(src)) + src

    def module(self, name, module):
        self.vector(name + ".weight", module.weight)
        self.vector(name + ".bias", module.bias)

    def linear(self, name, weight, bias):
        """Packs a matrix, and gives it the values that the program will read."""
        rows, cols = weight.shape
        groups = weight.detach().numpy().astype(numpy.float32).reshape(-1, GROUP)
        scale, codes = quantise(groups)
        four = (codes + 32).astype(numpy.uint32).reshape(-1, 4)
        word = four[:, 0] | four[:, 1] << 6 | four[:, 2] << 12 | four[:, 3] << 18
        self.matrices += scale.astype("<f2").tobytes() + numpy.stack([word & 255, word >> 8 & 255, word >> 16], 1).astype(numpy.uint8).tobytes()
        self.parts.append({"rows": rows, "cols": cols, "bits": 6})
        self.vector(name + ".bias", bias)
        weight.data.copy_(torch.tensor((codes * scale[:, None]).reshape(rows, cols)))

    def file(self):
        header = json.dumps({"group": GROUP, "parts": self.parts + [{"raw": len(self.vectors)}]}).encode()
        return b"MLMQ\0\0\0\1" + struct.pack("<I", len(header)) + header + self.matrices + self.vectors


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def quantise(groups):
    """The scale of each group with the least squared error, and its codes."""
    best = None
    for share in (1, 0.95, 0.9, 0.85, 0.8):
        scale = (numpy.abs(groups).max(1) / 31 * share).astype("<f2").astype(numpy.float32)
        scale[scale == 0] = 1e-6
        codes = numpy.clip(numpy.rint(groups / scale[:, None]), -32, 31)
        away = ((codes * scale[:, None] - groups) ** 2).sum(1)
        if best is None:
            best = [scale, codes, away]
        better = away < best[2]
        for kept, new in zip(best, (scale, codes, away)):
            kept[better] = new[better]
    return best[0], best[1]


def pack(reader):
    p = Packer()
    p.vector("embeddings.token_type_embeddings.weight", reader.kinds)
    p.module("embeddings.LayerNorm", reader.norm)
    for number, layer in enumerate(reader.layers):
        prefix = f"encoder.layer.{number}."
        for part, name in enumerate(("query", "key", "value")):
            own = slice(part * HIDDEN, (part + 1) * HIDDEN)
            p.linear(prefix + "attention.self." + name, layer.qkv.weight[own], layer.qkv.bias[own])
        p.linear(prefix + "attention.output.dense", layer.out.weight, layer.out.bias)
        p.linear(prefix + "intermediate.dense", layer.wide.weight, layer.wide.bias)
        p.linear(prefix + "output.dense", layer.narrow.weight, layer.narrow.bias)
        p.module(prefix + "attention.output.LayerNorm", layer.norm1)
        p.module(prefix + "output.LayerNorm", layer.norm2)
    p.linear("pool", reader.pool.weight, reader.pool.bias)
    p.vector("number.weight", reader.head.weight[0])
    p.vector("number.bias", reader.head.bias)
    return p.file()


@torch.no_grad()
def main():
    minilm, file = sys.argv[1:]
    reader = Reader(load_file(minilm + "/model.safetensors"), KEPT)
    reader.load_state_dict(torch.load(file))
    reader.eval()
    (MODEL.parent / "reader-l3.mlmq").write_bytes(pack(reader))
    texts = Texts(minilm + "/tokenizer.json")
    readings = [{"question": q, "note": n, "odds": reader(*batch([texts.pair(q, n)])).item()} for q, n in PAIRS]
    (MODEL.parent / "testdata/readings.json").write_text(json.dumps(readings, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
