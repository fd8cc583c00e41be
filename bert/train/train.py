#!/usr/bin/env python3
"""Trains the small next-sentence model.

    train.py DATA STATE OUT [--seconds S]   train, or resume from STATE; stop after at most S seconds

Without flags it follows the recipe of the model card. DATA is the folder that prepare.py wrote; STATE holds the corpus
as numbers and the state of the run; OUT receives the model folder, ready to embed, and the figures. The number of steps
and the rates are fixed in advance, and what a step draws depends only on the seed and the step number, so it does not
matter where a run stops and resumes. The held-out books are measured once, after the last step.
"""
import argparse, json, math, os, time
from contextlib import nullcontext
from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F

import corpus
import model as bert
from draw import LONGEST, Text, both_sides, cut, draw, hide, pack
from evaluate import check_export, evaluate
from model import Bert


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
EXPECTED_SHIFT = -3


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


def rounded(model):
    """Rounds the weights to f16, so that the figures describe the exported file."""
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(p.half().float())


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
