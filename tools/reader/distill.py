#!/usr/bin/env python3
"""Teaches a reader of three layers what a reader of six knows: the states of its layers, its
number for each pair, and the labels of the notebooks. Prints figures as train.py does.

    distill.py MINILM TEACHER OUT [--epochs 3] [--rate 1.5e-4] [--threads 1]

TEACHER is what train.py has written. OUT gets the weights, for pack.py.
"""
import argparse
import pathlib
import random

import torch
import torch.nn.functional as F
from safetensors.torch import load_file

from train import Reader, Texts, halves, label_loss, mean, train

KEPT = [0, 2, 4]  # of the teacher's layers; the states of the layer behind each are learned
OTHERS = 2  # further notes of the notebook that are read for a question


def states(reader, ids, kinds, mask):
    """The states after each layer, and the numbers."""
    x = F.dropout(reader.norm(reader.tokens[ids] + reader.positions[:ids.shape[1]] + reader.kinds[kinds]), 0.1, reader.training)
    each = []
    for layer in reader.layers:
        x = layer(x, mask[:, None, None, :])
        each.append(x)
    both = torch.cat([x[:, 0], mean(x, mask)], 1)
    return each, reader.head(F.dropout(torch.tanh(reader.pool(both)), 0.1, reader.training))[:, 0]


def student_of(teacher, weights):
    student, known = Reader(weights, KEPT), teacher.state_dict()
    for own, number in zip(student.layers, KEPT):
        own.load_state_dict({k.removeprefix(f"layers.{number}."): v for k, v in known.items() if k.startswith(f"layers.{number}.")})
    for part in ("norm", "pool", "head"):
        getattr(student, part).load_state_dict({k.removeprefix(part + "."): v for k, v in known.items() if k.startswith(part + ".")})
    student.kinds.data = known["kinds"].clone()
    return student


def main():
    parser = argparse.ArgumentParser(description="Teaches a reader of three layers what one of six knows.")
    parser.add_argument("minilm", type=pathlib.Path)
    parser.add_argument("teacher", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(2)
    random.seed(2)
    texts = Texts(args.minilm / "tokenizer.json")
    learned, held = halves(Reader(load_file(args.minilm / "model.safetensors"), range(6)).eval(), texts)
    teacher = Reader(load_file(args.minilm / "model.safetensors"), range(6))
    teacher.load_state_dict(torch.load(args.teacher))
    teacher.eval()
    student = student_of(teacher, load_file(args.minilm / "model.safetensors"))
    pairs = [pair for q in learned for pair in zip(q["pairs"], q["right"])]
    for q in learned:
        pairs += [(pair, False) for pair in random.sample(q["others"], min(OTHERS, len(q["others"])))]
    print(f"{len(learned)} questions to learn from, {len(pairs)} pairs", flush=True)

    def loss(inputs, right, done):
        mask = inputs[2][..., None].float()
        with torch.no_grad():
            wanted, number = states(teacher, *inputs)
        got, odds = states(student, *inputs)
        away = sum((((a - wanted[n + 1]) ** 2) * mask).mean(2).sum() / mask.sum() for a, n in zip(got, KEPT))
        return 2 * (1 - done) * away + F.smooth_l1_loss(odds, number) + 0.5 * label_loss(odds, right)

    train(student, pairs, args.epochs, args.rate, held, loss)
    torch.save(student.state_dict(), args.out)


if __name__ == "__main__":
    main()
