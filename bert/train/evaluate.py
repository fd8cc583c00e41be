#!/usr/bin/env python3
"""Measures a model folder: evaluate.py STATE FOLDER FIGURES.json

The table of the model card, for the tuning books and the held-out books of the corpus in STATE. Measure the held-out
books once, after the last step. A folder whose layers all see the pair can be measured too.
"""
import json, random, sys

import numpy
import torch
import torch.nn.functional as F

import corpus
import model as bert
from draw import Text, both_sides, pack, pack_whole, sentences

SHIFTS = (0, -1, -2, -3, -4, -5, -6)  # of the logit; the best on the tuning books is exported
ROWS = ("any", "But, Yet", "Thus, Therefore, So, Hence ...")


def questions(arrays, kind, per_book=40, others=19):
    """For each row: true sentences from the books of a kind, each with others from the same book and row."""
    rng, found = random.Random(7), {row: [] for row in ROWS}
    book = arrays["book"]
    for b in numpy.flatnonzero(arrays["kind"] == kind):
        low, high = numpy.searchsorted(book, b), numpy.searchsorted(book, b, "right")
        inner = numpy.arange(low + 1, high - 1)
        for row, pool in zip(ROWS, (inner, inner[arrays["contrast"][inner]], inner[arrays["effect"][inner]])):
            pool = pool.tolist()
            if len(pool) > others:
                for i in rng.sample(pool, min(per_book, len(pool))):
                    found[row].append([i] + rng.sample([j for j in pool if j != i], others))
    return found


@torch.no_grad()
def differences(model, text, found, first, second, size=64):
    """For groups of sentences and the pairs of each: the logit of "follows" minus the logit of "does not", in f32."""
    kept, (model.attention, model.mix) = (model.attention, model.mix), (bert.padded_attention, bert.mix)
    out = []
    for part in found.split(size):
        if model.joint == model.layers:
            vectors = model.whole(pack_whole(text, part[:, first].flatten(), part[:, second].flatten()))
        else:
            vectors = model(*pack(text, part, first, second)[:2])
        logits = model.follows(vectors)
        out.append((logits[:, 0] - logits[:, 1]).view(len(part), -1))
    model.attention, model.mix = kept
    return torch.cat(out)


def ranks(scores):
    """The rank of the true candidate, which is the first; ties count against it."""
    return (scores >= scores[:, :1]).sum(1).float()


def table(scored, shift=0.0):
    """For each row: n, top-1, mean reciprocal rank, and top-1 by the previous sentence only."""
    rows = {}
    for row, d in scored.items():
        logp = F.logsigmoid(d + shift)
        both, previous = ranks(logp.sum(1)), ranks(d[:, 0])
        rows[row] = [len(d), float((both == 1).float().mean()), float((1 / both).mean()), float((previous == 1).float().mean())]
    return rows


def score(model, text, asked):
    scored = {}
    for row, found in asked.items():
        if found:
            candidates = torch.tensor(found, device=text.device)
            d = differences(model, text, sentences(candidates), *both_sides(candidates.shape[1], text.device))
            scored[row] = d.view(len(found), 2, -1).double()
    return scored


def accuracy(model, text, arrays, kind, threshold=None, per_book=200):
    """Accuracy on true and random pairs from the same book. Without a threshold, returns the best one."""
    rng, found = random.Random(8), []
    for b in numpy.flatnonzero(arrays["kind"] == kind):
        low, high = int(numpy.searchsorted(arrays["book"], b)), int(numpy.searchsorted(arrays["book"], b, "right"))
        for i in (rng.randrange(low, high - 1) for _ in range(per_book)):
            j = rng.randrange(low, high)
            found.append([i, i + 1, j if j != i + 1 else low])
    put = lambda a: torch.tensor(a, device=text.device)
    d = differences(model, text, put(found), put([0, 0]), put([1, 2]), 1024)
    if threshold is None:
        return max((float(((d[:, 0] > t).float().mean() + (d[:, 1] <= t).float().mean()) / 2), t) for t in [x / 10 for x in range(-100, 61)])[1]
    return float(((d[:, 0] > threshold).float().mean() + (d[:, 1] <= threshold).float().mean()) / 2)


def evaluate(model, text, arrays, shifts=SHIFTS):
    """The table for the tuning books, with the best of the shifts."""
    tuning = score(model, text, questions(arrays, 1))
    gain = lambda shift: sum(r[2] for r in table(tuning, shift).values())
    shifts = {s: round(gain(s) / len(tuning), 4) for s in shifts}
    best = max(shifts, key=shifts.get)
    figures = {"shift": best, "tuning MRR by shift": shifts, "tuning": table(tuning, best)}
    show("tuning", figures["tuning"])
    print("shift %g (MRR by shift, tuning books: %s)" % (best, shifts), flush=True)
    return figures


def show(name, rows):
    for row, (n, top, mrr, previous) in rows.items():
        print("%-10s %-32s n %4d  top-1 %.3f  MRR %.3f  previous only %.3f" % (name, row, n, top, mrr, previous), flush=True)


def main():
    state, folder, out = sys.argv[1:]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    _, arrays = corpus.prepare(None, state)
    text, model = Text(arrays, device), bert.load(folder, device)
    figures = evaluate(model, text, arrays, (0,))  # the folder's weights already contain the shift
    figures["held out"] = table(score(model, text, questions(arrays, 2)))
    figures["pair accuracy"] = accuracy(model, text, arrays, 2, accuracy(model, text, arrays, 1))
    show("held out", figures["held out"])
    print("pair accuracy %.3f" % figures["pair accuracy"])
    with open(out, "w") as f:
        json.dump(figures, f, indent=1)


if __name__ == "__main__":
    main()
