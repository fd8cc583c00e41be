"""Measures a model: the table of the model card, and whether the exported folder equals the model."""
import random

import numpy
import torch
import torch.nn.functional as F

import model as bert
from draw import both_sides, pack

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
def differences(model, text, first, second, size=1024):
    """The logit of "follows" minus the logit of "does not", in f32."""
    kept, (model.attention, model.mix) = (model.attention, model.mix), (bert.padded_attention, bert.mix)
    out = []
    for i in range(0, len(first), size):
        batch, _ = pack(text, first[i:i + size], second[i:i + size])
        logits = model.follows(model(batch)[batch.bounds[:-1].long()])
        out.append(logits[:, 0] - logits[:, 1])
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
            first, second = both_sides(torch.tensor(found, device=text.device))
            scored[row] = differences(model, text, first.flatten(), second.flatten()).view(len(found), 2, -1).double()
    return scored


def accuracy(model, text, arrays, kind, threshold=None, per_book=200):
    """Accuracy on true and random pairs from the same book. Without a threshold, returns the best one."""
    rng, first, second = random.Random(8), [], []
    for b in numpy.flatnonzero(arrays["kind"] == kind):
        low, high = int(numpy.searchsorted(arrays["book"], b)), int(numpy.searchsorted(arrays["book"], b, "right"))
        for i in (rng.randrange(low, high - 1) for _ in range(per_book)):
            j = rng.randrange(low, high)
            first += [i, i]
            second += [i + 1, j if j != i + 1 else low]
    d = differences(model, text, torch.tensor(first, device=text.device), torch.tensor(second, device=text.device)).view(-1, 2)
    if threshold is None:
        return max((float(((d[:, 0] > t).float().mean() + (d[:, 1] <= t).float().mean()) / 2), t) for t in [x / 10 for x in range(-60, 61)])[1]
    return float(((d[:, 0] > threshold).float().mean() + (d[:, 1] <= threshold).float().mean()) / 2)


def evaluate(model, text, arrays, last):
    """The table for the tuning books, where the shift is chosen; after the last step also for the held-out books."""
    tuning = score(model, text, questions(arrays, 1))
    gain = lambda shift: sum(r[2] for r in table(tuning, shift).values())
    shifts = {s: round(gain(s) / len(tuning), 4) for s in SHIFTS}
    best = max(shifts, key=shifts.get)
    figures = {"shift": best, "tuning MRR by shift": shifts, "tuning": table(tuning, best)}
    if last:
        figures["held out"] = table(score(model, text, questions(arrays, 2)), best)
        figures["pair accuracy"] = accuracy(model, text, arrays, 2, accuracy(model, text, arrays, 1))
    for name in ("tuning", "held out"):
        for row, (n, top, mrr, previous) in figures.get(name, {}).items():
            print("%-10s %-32s n %4d  top-1 %.3f  MRR %.3f  previous only %.3f" % (name, row, n, top, mrr, previous))
    print("shift %g (MRR by shift, tuning books: %s); pair accuracy %s" % (best, shifts, figures.get("pair accuracy")), flush=True)
    return figures


def check_export(folder, model, text, shift):
    """Compares the exported folder, read by Hugging Face's library, with the model itself."""
    try:
        from transformers import BertForNextSentencePrediction
    except ImportError:
        print("transformers is not installed: the exported folder was not compared")
        return
    theirs = BertForNextSentencePrediction.from_pretrained(folder).float().to(text.device).eval()
    first = torch.arange(0, 64, device=text.device) * 7
    second = torch.where(first % 2 == 0, first + 1, first + 3)
    batch, _ = pack(text, first, second)
    ours = differences(model, text, first, second) + shift
    off = 0.0
    for i in range(len(first)):
        part = slice(int(batch.bounds[i]), int(batch.bounds[i + 1]))
        with torch.no_grad():
            logits = theirs(input_ids=batch.ids[None, part], token_type_ids=batch.sides[None, part]).logits[0]
        off = max(off, abs(float(logits[0] - logits[1] - ours[i])))
    print("exported folder and model: logit differences deviate by at most %.2g" % off, flush=True)
