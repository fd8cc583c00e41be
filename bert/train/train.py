#!/usr/bin/env python3
"""Trains the small next-sentence model.

    train.py DATA STATE OUT [--seconds S]   train, or resume from STATE; stop after at most S seconds

Without flags it follows the recipe of the model card. DATA is the folder that prepare.py wrote; STATE holds the corpus
as numbers and the state of the run; OUT receives the model folder, ready to embed, and the figures. The number of steps
and the rates are fixed in advance, and what a step draws depends only on the seed and the step number, so it does not
matter where a run stops and resumes. The held-out books are measured once, after the last step.
"""
import argparse, json, math, os, random, time
from contextlib import nullcontext
from dataclasses import asdict, dataclass

import numpy
import torch
import torch.nn.functional as F

import corpus
import model as bert
from corpus import CLS, MASK, PAD, SEP
from model import Batch, Bert

LONGEST = 128                 # wordpieces of a pair, including its three special tokens
ROOM, SHARE_A = LONGEST - 3, 62  # if both are long, A keeps its last 62 and B its first 63


@dataclass
class Phase:
    """The pairs and the losses of one part of the run.

    Every group is a sentence between its neighbours and some others that could take its place, as in a ranking.
    """
    share: float        # of the steps
    candidates: int     # in a group, including the true one
    masked: float       # share of wordpieces to predict
    opening: float      # groups whose false candidates have the same first word (same book)
    near: float         # groups whose false candidates are within 30 sentences
    anywhere: float     # groups whose false candidates come from all books; the rest: same book
    connectors: float   # groups whose true sentence opens with a connector ...
    contrast: float     # ... with But or Yet; the rest: any
    w_guess: float      # weights of the losses: masked words
    w_pair: float       # follows or not, for each pair
    w_side: float       # the true one among the candidates, by one neighbour
    w_both: float       # the true one among the candidates, by both neighbours, as in the ranking


PHASES = [Phase(0.35, 2, 0.15, 0.30, 0.10, 0.20, 0.00, 0.00, 1.0, 1.0, 0.0, 0.0),
          Phase(0.65, 8, 0.00, 0.55, 0.10, 0.05, 0.15, 0.10, 0.0, 1.0, 0.5, 1.0)]
# The ranking adds two log probabilities, and those cannot exceed 0: without a shift of the logit a neighbour that fits
# perfectly counts hardly more than one that fits well. Training assumes the shift that the export is expected to add.
SHIFTS, EXPECTED_SHIFT = (0, -1, -2, -3, -4, -5, -6), -3


@dataclass
class Settings:
    steps: int = 62000
    rate: float = 1e-3
    muon_rate: float = 1e-3
    warm_up: int = 500
    tokens: int = 73728   # per step: about 1,200 pairs
    seed: int = 1
    layers: int = 7
    hidden: int = 256
    heads: int = 4
    inner: int = 1024


TINY = dict(layers=2, hidden=64, heads=2, inner=128, tokens=4096, warm_up=50)


class Text:
    """The corpus on the device, with the tables needed to draw from it there."""

    def __init__(self, arrays, device):
        put = lambda a: torch.as_tensor(a, device=device)
        self.device = device
        self.pieces, self.lengths = put(arrays["pieces"]), put(arrays["lengths"]).long()
        self.starts = self.lengths.cumsum(0) - self.lengths
        book, kind = arrays["book"].astype(numpy.int64), arrays["kind"]
        sizes = numpy.bincount(book)
        ends = sizes.cumsum()
        self.book_start, self.book_end = put((ends - sizes)[book]), put(ends[book])
        training = int((kind[book] == 0).sum())
        self.training = training
        number = numpy.arange(len(book))
        inner = (number > (ends - sizes)[book]) & (number < ends[book] - 1)
        inner[training:] = False
        self.any = put(numpy.flatnonzero(inner))
        self.connectors = put(numpy.flatnonzero(inner & arrays["connector"]))
        self.contrast = put(numpy.flatnonzero(inner & arrays["contrast"]))
        key = book * (int(arrays["opening"].max()) + 1) + arrays["opening"]
        order = numpy.argsort(key, kind="stable")
        _, where, count = numpy.unique(key, return_inverse=True, return_counts=True)
        first = count.cumsum() - count
        self.same_opening = put(order)
        self.opening_start, self.opening_count = put(first[where]), put(count[where])


def pick(low, count, u):
    """One of the count numbers that start at low; u is random in [0, 1)."""
    n = (u * count).long()
    return low + (n.clamp(max=count - 1) if isinstance(count, int) else torch.minimum(n, count - 1))


def draw(text, phase, groups, generator):
    """Draws true sentences and their candidates. Returns candidates [groups, k], the true one first, and which are valid."""
    rand = lambda *shape: torch.rand(shape, generator=generator, device=text.device)
    pools = [(text.contrast, phase.contrast), (text.connectors, phase.connectors), (text.any, 1.0)]
    u, true, below = rand(groups), torch.zeros(groups, dtype=torch.long, device=text.device), 0.0
    for pool, share in pools:
        if len(pool):
            some = pool[pick(0, len(pool), rand(groups))]
            true = torch.where((u >= below) & (u < below + share), some, true)
            below += share
    true, others = true[:, None], (groups, phase.candidates - 1)
    low, high = text.book_start[true], text.book_end[true]
    book = lambda: pick(low, high - low, rand(*others))
    step = 2 + (rand(*others) * 29).long()
    near = true + torch.where(rand(*others) < 0.5, step, -step)
    near = torch.where((near >= low) & (near < high), near, book())
    same = text.same_opening[pick(text.opening_start[true], text.opening_count[true], rand(*others))]
    same = torch.where(text.opening_count[true] > 2 * phase.candidates, same, book())
    anywhere = pick(0, text.training, rand(*others))
    u, false = rand(groups, 1), book()
    false = torch.where(u < phase.opening + phase.near + phase.anywhere, anywhere, false)
    false = torch.where(u < phase.opening + phase.near, near, false)
    false = torch.where(u < phase.opening, same, false)
    close = lambda c: (c - true).abs() < 2  # the sentence itself and its neighbours are not false
    false = torch.where(close(false), book(), false)
    candidates = torch.cat([true, false], 1)
    holds = torch.cat([torch.ones_like(true, dtype=torch.bool), ~close(false)], 1)
    return candidates, holds


def both_sides(candidates):
    """The pairs of a group: previous sentence -> candidate, candidate -> next sentence. [groups, 2, k] each."""
    true = candidates[:, :1].expand_as(candidates)
    return torch.stack([true - 1, candidates], 1), torch.stack([candidates, true + 1], 1)


def cut(a, b):
    """How many wordpieces of A (its tail) and of B (its head) are kept."""
    a = torch.minimum(a, (ROOM - b).clamp(min=SHARE_A))
    return a, torch.minimum(b, ROOM - a)


def pack(text, first, second, tokens=None, per_group=1):
    """Packs pairs end to end. If tokens is given, to exactly that size: groups that do not fit are left out, and empty
    pairs fill the rest. Returns the Batch and which pairs are in it."""
    a, b = cut(text.lengths[first], text.lengths[second])
    lengths = a + b + 3
    inside = torch.ones_like(lengths, dtype=torch.bool)
    if tokens:
        fits = lengths.cumsum(0).view(-1, per_group)[:, -1:] <= tokens
        inside = fits.expand(-1, per_group).reshape(-1)
        lengths = lengths * inside
    ends = lengths.cumsum(0)
    if tokens:
        fill = torch.arange(1, tokens // LONGEST + 2, device=text.device) * LONGEST
        ends = torch.cat([ends, (ends[-1] + fill).clamp(max=tokens)])
    bounds = F.pad(ends, (1, 0))
    token = torch.arange(tokens or int(bounds[-1]), device=text.device)
    pair = torch.searchsorted(bounds, token, right=True) - 1
    place = token - bounds[pair]
    real = pair < len(first)
    p = pair.clamp(max=len(first) - 1)
    a, b, in_b = a[p], b[p], place - a[p] - 2
    tail = text.starts[first][p] + text.lengths[first][p] - a + place - 1
    head = text.starts[second][p] + in_b
    where = torch.where(in_b < 0, tail, head).clamp(0, len(text.pieces) - 1)
    ids = text.pieces[where].long()
    ids = torch.where((place == a + 1) | (in_b == b), SEP, ids)
    ids = torch.where(place == 0, CLS, ids)
    ids = torch.where(real, ids, PAD)
    return Batch(ids, place, ((in_b >= 0) & real).long(), pair, bounds.int(), LONGEST), inside


def hide(batch, share, vocabulary, generator):
    """Masks wordpieces for the model to predict. Returns their places and their values."""
    rand = lambda n: torch.rand(n, generator=generator, device=batch.ids.device)
    n = int(share * 0.95 * len(batch.ids))
    places = (rand(len(batch.ids)) * (batch.ids > MASK)).topk(n).indices
    was, u = batch.ids[places], rand(n)
    other = 5 + (rand(n) * (vocabulary - 5)).long()
    batch.ids[places] = torch.where(u < 0.8, MASK, torch.where(u < 0.9, other, was))
    return places, was


def losses(model, text, phase, groups, settings, generator):
    candidates, holds = draw(text, phase, groups, generator)
    first, second = both_sides(candidates)
    batch, inside = pack(text, first.flatten(), second.flatten(), settings.tokens, 2 * phase.candidates)
    if phase.masked:
        places, was = hide(batch, phase.masked, len(model.word), generator)
    vectors = model(batch)
    logits = model.follows(vectors.index_select(0, batch.bounds[:first.numel()].clamp(max=settings.tokens - 1).long()))
    d = (logits[:, 0] - logits[:, 1]).view(groups, 2, -1)
    kept = inside.view(groups, 2, -1)[:, 0, :1]      # a group is in or out as a whole
    holds = (holds & kept)[:, None]
    label = torch.zeros_like(d)
    label[..., 0] = 1
    pair = (F.binary_cross_entropy_with_logits(d, label, reduction="none") * holds).sum() / (2 * holds.sum())
    side = among(d, holds, kept) / 2
    both = among(F.logsigmoid(d + EXPECTED_SHIFT).sum(1, keepdim=True), holds, kept)
    guess = F.cross_entropy(model.guess(vectors.index_select(0, places)), was) if phase.masked else d.new_zeros(())
    total = phase.w_pair * pair + phase.w_side * side + phase.w_both * both + phase.w_guess * guess
    return total, torch.stack([total, guess, pair, side, both]).detach()


def among(scores, holds, kept):
    """The surprise of the true candidate, which is the first, among the valid ones."""
    return ((scores.masked_fill(~holds, -1e4).logsumexp(-1) - scores[..., 0]) * kept).sum() / kept.sum()


class Muon(torch.optim.Optimizer):
    """Orthogonalised momentum, for matrices; scaled so that learning rates are comparable with AdamW's."""

    def __init__(self, parameters, lr, momentum=0.95, weight_decay=0.05):
        super().__init__(parameters, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["m"] = torch.zeros_like(p)
                state["m"].lerp_(p.grad, 1 - group["momentum"])
                update = orthogonal(p.grad.lerp(state["m"], group["momentum"]))
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.sub_(update.to(p.dtype) * (group["lr"] * 0.2 * math.sqrt(max(p.shape[-2:]))))


def orthogonal(g, rounds=5):
    """Approximates the nearest orthogonal matrix (Newton-Schulz), for a stack of matrices."""
    x = g.bfloat16() if g.is_cuda else g
    wide = x.shape[-2] > x.shape[-1]
    x = x.transpose(-1, -2) if wide else x
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(rounds):
        y = x @ x.transpose(-1, -2)
        x = 3.4445 * x + (-4.7750 * y + 2.0315 * (y @ y)) @ x
    return x.transpose(-1, -2) if wide else x


def optimisers(model, settings):
    matrices = ["qkv_w", "out_w", "up_w", "down_w", "pool_w", "guess_w"]
    rest = [p for n, p in model.named_parameters() if n not in matrices]
    more = {"fused": True, "capturable": True} if model.word.is_cuda else {}
    # the rate is stored on the device, so that a recorded step reads the current value
    rate = lambda value: torch.tensor(value, device=model.word.device) if model.word.is_cuda else value
    return [torch.optim.AdamW(rest, lr=rate(settings.rate), betas=(0.9, 0.98), weight_decay=0.01, **more),
            Muon([getattr(model, n) for n in matrices], lr=rate(settings.muon_rate))]


def new_model(vocabulary, settings, device):
    return Bert(len(vocabulary), settings.layers, settings.hidden, settings.heads, settings.inner, LONGEST).to(device)


class Run:
    """A training run that can stop and resume from the file at path."""

    def __init__(self, text, vocabulary, settings, path):
        torch.manual_seed(settings.seed)
        self.text, self.settings, self.path = text, settings, path
        self.model = new_model(vocabulary, settings, text.device)
        self.optimisers, self.step = optimisers(self.model, settings), 0
        if os.path.exists(self.path):
            saved = torch.load(self.path, map_location=text.device)
            assert saved["settings"] == asdict(settings), "the state folder contains another run: %s" % saved["settings"]
            self.model.load_state_dict(saved["model"])
            for o, s in zip(self.optimisers, saved["optimisers"]):
                o.load_state_dict(s)
            self.step = saved["step"]
            print("resuming at step %d" % self.step, flush=True)
        self.generator = torch.Generator(text.device)
        self.groups = {}  # per step, by phase

    def save(self):
        torch.save({"settings": asdict(self.settings), "step": self.step, "model": self.model.state_dict(),
                    "optimisers": [o.state_dict() for o in self.optimisers]}, self.path + ".new")
        os.replace(self.path + ".new", self.path)

    def phase(self):
        done = self.step / self.settings.steps
        for number, phase in enumerate(PHASES):
            done -= phase.share
            if done < 0:
                break
        if number not in self.groups:  # the number of groups that fill a step
            self.generator.manual_seed(12345)
            first, second = both_sides(draw(self.text, phase, 4096, self.generator)[0])
            a, b = cut(self.text.lengths[first], self.text.lengths[second])
            size = float((a + b + 3).float().mean()) * 2 * phase.candidates
            self.groups[number] = int(1.02 * self.settings.tokens / size)
            print("phase %d: %d groups of %d, %.1f wordpieces per pair" % (
                number + 1, self.groups[number], phase.candidates, size / 2 / phase.candidates), flush=True)
        return number, phase

    def set_rate(self):
        s = self.settings
        factor = min(1, (self.step + 1) / s.warm_up) * (1 - self.step / s.steps)
        for o, rate in zip(self.optimisers, (s.rate, s.muon_rate)):
            for group in o.param_groups:
                if torch.is_tensor(group["lr"]):
                    group["lr"].fill_(rate * factor)
                else:
                    group["lr"] = rate * factor

    def learn(self, number, phase):
        """Draws the groups of a step and learns from them. Returns the losses."""
        for o in self.optimisers:
            o.zero_grad(set_to_none=True)
        with torch.autocast("cuda", torch.bfloat16) if self.text.device == "cuda" else nullcontext():
            total, parts = losses(self.model, self.text, phase, self.groups[number], self.settings, self.generator)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for o in self.optimisers:
            o.step()
        return parts

    def record(self, number, phase):
        """Records a step of the phase as a CUDA graph: about a thousand small kernels, which take longer to launch than
        to run."""
        graph = torch.cuda.CUDAGraph()
        graph.register_generator_state(self.generator)
        with torch.cuda.graph(graph):
            parts = self.learn(number, phase)

        def replay():
            graph.replay()
            return parts
        return replay

    def go(self, seconds=1e9, every=500):
        cuda = self.text.device == "cuda"
        if cuda:
            self.model.attention = bert.fastest_attention(self.text.device)
            # not all of forward: compiled with library_attention, it is faster but learns far worse
            self.model.mix = torch.compile(bert.mix, dynamic=False)
        start = last = time.time()
        seen, since, before, learn = 0, self.step, None, None
        while self.step < self.settings.steps and time.time() - start < seconds:
            number, phase = self.phase()
            if number != before:
                before, learn, plain = number, None, 8  # warm-up steps before a phase is recorded
            if cuda and not learn and not plain:
                learn = self.record(number, phase)
            self.set_rate()
            self.generator.manual_seed(self.settings.seed * 1000003 + self.step)
            seen = seen + (learn() if learn else self.learn(number, phase))
            plain = max(0, plain - 1)
            self.step += 1
            if self.step % every == 0 or self.step == 1:
                mean = [x / (self.step - since) for x in seen.tolist()]
                now = time.time()
                print("step %d phase %d: loss %.4f, words %.4f, pair %.4f, side %.4f, both %.4f; %.2f ms per step" % (
                    self.step, number + 1, *mean, 1000 * (now - last) / (self.step - since)), flush=True)
                if not all(map(math.isfinite, mean)):
                    raise SystemExit("the loss is not finite: stopped at step %d" % self.step)
                seen, since, last = 0, self.step, now
            if self.step % 10000 == 0:
                self.save()
        self.save()
        return self.step >= self.settings.steps


# The table of the model card

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


def rounded(model):
    """Rounds the weights to f16, so that the figures describe the exported file."""
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(p.half().float())


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


def finish(run, vocabulary, arrays, out, done):
    """Writes the model folder and the figures of its rounded weights."""
    rounded(run.model)
    figures = evaluate(run.model, run.text, arrays, done)
    folder = os.path.join(out, "small")
    bert.export(run.model, vocabulary, folder, figures["shift"])
    with open(os.path.join(out, "figures.json"), "w") as f:
        json.dump({"step": run.step, "settings": asdict(run.settings), "phases": [asdict(p) for p in PHASES],
                   "figures": figures}, f, indent=1)
    try:
        check_export(folder, run.model, run.text, figures["shift"])
    except Exception as e:  # the folder is complete; this was only a check
        print("the exported folder was not compared: %s: %s" % (type(e).__name__, e), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("state")
    parser.add_argument("out")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--steps", type=int, default=Settings.steps)
    parser.add_argument("--tiny", action="store_true", help="a small model, to try the program without a GPU")
    given = parser.parse_args()
    started = time.time()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    os.makedirs(given.state, exist_ok=True)
    os.makedirs(given.out, exist_ok=True)
    vocabulary, arrays = corpus.prepare(given.data, given.state)
    text = Text(arrays, device)
    print("%d training sentences, %d of them targets, %d with connectors, %d with contrasts; ready at %.0f s" % (
        text.training, len(text.any), len(text.connectors), len(text.contrast), time.time() - started), flush=True)
    run = Run(text, vocabulary, Settings(given.steps, **(TINY if given.tiny else {})), os.path.join(given.state, "run.pt"))
    done = run.go(given.seconds - (time.time() - started))
    print("%s at step %d of %d, %.0f s" % ("done" if done else "stopped", run.step, run.settings.steps, time.time() - started), flush=True)
    finish(run, vocabulary, arrays, given.out, done)


if __name__ == "__main__":
    main()
