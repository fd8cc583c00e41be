#!/usr/bin/env python3
"""Trains the small next-sentence model.

    train.py DATA STATE OUT --start FOLDER [--fit S] [--seconds S]   train, or resume from STATE

It follows recipe.json. DATA is the folder that prepare.py wrote; STATE holds the corpus as numbers and the state of the
run; OUT receives the model folder, ready to embed, and the figures of the tuning books. The run starts from the weights
in FOLDER, a model whose layers all see the pair, and uses its vocabulary.

The number of steps is fixed before the first step, and what a step draws depends only on the seed and the step number,
so it does not matter where a run stops and resumes. --fit S times some steps first, discards them, and fixes the number
so that the run takes about S seconds, whatever the recipe says. --seconds S stops after at most S seconds.
"""
import argparse, json, math, os, time
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace

import torch
import torch.nn.functional as F

import corpus
import model as bert
from draw import LONGEST, Text, both_sides, draw, pack, sentences, sizes
from evaluate import evaluate
from model import Bert

# The ranking adds two log probabilities, and those cannot exceed 0: without a shift of the logit a neighbour that fits
# perfectly counts hardly more than one that fits well. Training assumes the shift that the export is expected to add.
# The model that the run starts from was exported with the same shift.
EXPECTED_SHIFT = -3


@dataclass
class Recipe:
    """Every group is a sentence between its neighbours and some others that could take its place, as in a ranking."""
    steps: int
    rate: float         # peak, of AdamW ...
    muon_rate: float    # ... and of Muon
    warm_up: int
    seed: int
    layers: int
    joint: int          # how many of the layers see both sentences
    hidden: int
    heads: int
    inner: int
    groups: int         # per step
    candidates: int     # in a group, including the true one
    opening: float      # groups whose false candidates have the same first word (same book)
    near: float         # groups whose false candidates are within 30 sentences
    anywhere: float     # groups whose false candidates come from all books; the rest: same book
    connectors: float   # groups whose true sentence opens with a connector ...
    effect: float       # ... with Thus, Therefore, So ...
    contrast: float     # ... with But or Yet; the rest: any
    w_pair: float       # weights of the losses: follows or not, for each pair
    w_side: float       # the true one among the candidates, by one neighbour
    w_both: float       # the true one among the candidates, by both neighbours, as in the ranking


TINY = dict(groups=2, warm_up=5)


def losses(model, text, recipe, groups, most, generator):
    candidates, holds = draw(text, recipe, groups, generator)
    lower, upper, inside = pack(text, sentences(candidates), *both_sides(recipe.candidates, text.device), most)
    logits = model.follows(model(lower, upper))
    d = (logits[:, 0] - logits[:, 1]).view(groups, 2, -1)
    kept = inside[:, None]
    holds = (holds & kept)[:, None]
    label = torch.zeros_like(d)
    label[..., 0] = 1
    pair = (F.binary_cross_entropy_with_logits(d, label, reduction="none") * holds).sum() / (2 * holds.sum())
    side = among(d, holds, kept) / 2
    both = among(F.logsigmoid(d + EXPECTED_SHIFT).sum(1, keepdim=True), holds, kept)
    total = recipe.w_pair * pair + recipe.w_side * side + recipe.w_both * both
    return total, torch.stack([total, pair, side, both, kept.float().mean()]).detach()


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


def optimisers(model, recipe):
    matrices = ["qkv_w", "out_w", "up_w", "down_w", "pool_w"]
    rest = [p for n, p in model.named_parameters() if n not in matrices]
    more = {"fused": True, "capturable": True} if model.word.is_cuda else {}
    # the rate is stored on the device, so that a recorded step reads the current value
    rate = lambda value: torch.tensor(value, device=model.word.device) if model.word.is_cuda else value
    return [torch.optim.AdamW(rest, lr=rate(recipe.rate), betas=(0.9, 0.98), weight_decay=0.01, **more),
            Muon([getattr(model, n) for n in matrices], lr=rate(recipe.muon_rate))]


class Run:
    """A training run that can stop and resume from the file at path."""

    def __init__(self, text, arrays, vocabulary, recipe, start, path, out):
        torch.manual_seed(recipe.seed)
        self.text, self.arrays, self.vocabulary, self.recipe, self.path, self.out = text, arrays, vocabulary, recipe, path, out
        r = recipe
        self.model = Bert(len(vocabulary), r.layers, r.joint, r.hidden, r.heads, r.inner, LONGEST).to(text.device)
        bert.start_from(self.model, start, EXPECTED_SHIFT)
        self.optimisers, self.step = optimisers(self.model, recipe), 0
        self.generator = torch.Generator(text.device)
        self.measure()
        if os.path.exists(path):
            self.resume()
        if text.device == "cuda":
            self.model.attention = bert.fastest_attention(text.device)
            # not all of forward: compiled with library_attention, it is faster but learns far worse
            self.model.mix = torch.compile(bert.mix, dynamic=False)

    def measure(self):
        """Sets how many tokens of sentences and of pairs a step has, and how many groups are drawn to fill them."""
        r, self.drawn = self.recipe, int(1.02 * self.recipe.groups)
        self.generator.manual_seed(12345)
        n = sizes(self.text, sentences(draw(self.text, r, 4096, self.generator)[0])).double()
        first, second = both_sides(r.candidates, self.text.device)
        means = [float(n.sum(1).mean()), float((n[:, first] + n[:, second]).sum(1).mean())]
        self.most = [math.ceil(r.groups * m / LONGEST) * LONGEST for m in means]
        print("%d groups of %d, %.1f tokens per sentence; a step has %d tokens of sentences and %d of pairs" % (
            r.groups, r.candidates, means[0] / (r.candidates + 2), *self.most), flush=True)

    def save(self):
        torch.save({"recipe": asdict(self.recipe), "step": self.step, "model": self.model.state_dict(),
                    "optimisers": [o.state_dict() for o in self.optimisers]}, self.path + ".new")
        os.replace(self.path + ".new", self.path)

    def resume(self):
        saved = torch.load(self.path, map_location=self.text.device)
        assert saved["recipe"] == asdict(self.recipe), "the state folder contains another run: %s" % saved["recipe"]
        self.model.load_state_dict(saved["model"])
        for o, s in zip(self.optimisers, saved["optimisers"]):
            o.load_state_dict(s)
        self.step = saved["step"]
        print("resuming at step %d" % self.step, flush=True)

    def set_rate(self):
        r = self.recipe
        factor = min(1, (self.step + 1) / r.warm_up) * (1 - self.step / r.steps)
        for o, rate in zip(self.optimisers, (r.rate, r.muon_rate)):
            for group in o.param_groups:
                if torch.is_tensor(group["lr"]):
                    group["lr"].fill_(rate * factor)
                else:
                    group["lr"] = rate * factor

    def learn(self):
        """Draws the groups of a step and learns from them. Returns the losses."""
        for o in self.optimisers:
            o.zero_grad(set_to_none=True)
        with torch.autocast("cuda", torch.bfloat16) if self.text.device == "cuda" else nullcontext():
            total, parts = losses(self.model, self.text, self.recipe, self.drawn, self.most, self.generator)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for o in self.optimisers:
            o.step()
        return parts

    def record(self):
        """Records a step as a CUDA graph: about a thousand small kernels, which take longer to launch than to run."""
        graph = torch.cuda.CUDAGraph()
        graph.register_generator_state(self.generator)
        with torch.cuda.graph(graph):
            parts = self.learn()

        def replay():
            graph.replay()
            return parts
        return replay

    def go(self, seconds=1e9, every=500, look=20000):
        """Learns until the last step, or until the time is over. Looks at the tuning books now and then."""
        start = last = time.time()
        seen, since, learn, plain = 0, self.step, None, 8  # plain: steps before one is recorded
        while self.step < self.recipe.steps and time.time() - start < seconds:
            if self.text.device == "cuda" and not learn and not plain:
                learn = self.record()
            self.set_rate()
            self.generator.manual_seed(self.recipe.seed * 1000003 + self.step)
            seen = seen + (learn() if learn else self.learn())
            plain = max(0, plain - 1)
            self.step += 1
            if self.step % every == 0 or self.step == 1:
                mean, now = [x / (self.step - since) for x in seen.tolist()], time.time()
                print("step %d: loss %.4f, pair %.4f, side %.4f, both %.4f; %.3f of the groups fit; %.2f ms per step" % (
                    self.step, *mean, 1000 * (now - last) / (self.step - since)), flush=True)
                if not all(map(math.isfinite, mean)):
                    raise SystemExit("the loss is not finite: stopped at step %d" % self.step)
                seen, since, last = 0, self.step, now
            if self.step % look == 0 and self.step < self.recipe.steps:
                self.save()
                bert.export(self.model, self.vocabulary, os.path.join(self.out, "between"), EXPECTED_SHIFT)
                evaluate(self.model, self.text, self.arrays)
                last = time.time()
        self.save()
        return self.step >= self.recipe.steps

    def time(self, steps=300):
        """Seconds per step, from steps that are discarded with this run."""
        self.set_rate()
        for _ in range(8):
            self.learn()
        learn = self.record() if self.text.device == "cuda" else self.learn
        for count in (steps // 10, steps):  # the first are not counted
            self.sync()
            start = time.time()
            for i in range(count):
                self.generator.manual_seed(i)
                learn()
            self.sync()
        return (time.time() - start) / steps

    def sync(self):
        if self.text.device == "cuda":
            torch.cuda.synchronize()


def rounded(model):
    """Rounds the weights to f16, so that the figures describe the exported file."""
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(p.half().float())


def finish(run, out):
    """Writes the model folder and the figures of its rounded weights on the tuning books."""
    rounded(run.model)
    figures = evaluate(run.model, run.text, run.arrays)
    bert.export(run.model, run.vocabulary, os.path.join(out, "small"), figures["shift"])
    with open(os.path.join(out, "figures.json"), "w") as f:
        json.dump({"step": run.step, "recipe": asdict(run.recipe), "figures": figures}, f, indent=1)


def fixed_recipe(path, given, state):
    """The recipe, with the number of steps that this run began with or is given."""
    with open(path) as f:
        recipe = Recipe(**json.load(f))
    if given.tiny:
        recipe = replace(recipe, **TINY)
    if given.steps:
        recipe = replace(recipe, steps=given.steps)
    kept = os.path.join(state, "steps")
    if os.path.exists(kept):
        with open(kept) as f:
            return replace(recipe, steps=int(f.read())), kept
    return recipe, kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("state")
    parser.add_argument("out")
    parser.add_argument("--start", required=True, help="the folder of the model to start from")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--fit", type=float, help="fix the number of steps so that the run takes this many seconds")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--tiny", action="store_true", help="few groups per step, to try the program without a GPU")
    given = parser.parse_args()
    started = time.time()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    os.makedirs(given.state, exist_ok=True)
    os.makedirs(given.out, exist_ok=True)
    with open(os.path.join(given.start, "vocab.txt"), encoding="utf-8") as f:
        vocabulary = f.read().split("\n")[:-1]
    vocabulary, arrays = corpus.prepare(given.data, given.state, vocabulary)
    text = Text(arrays, device)
    print("%d training sentences, %d of them targets, %d with connectors, %d with effects, %d with contrasts; ready at %.0f s" % (
        text.training, len(text.any), len(text.connectors), len(text.effect), len(text.contrast), time.time() - started), flush=True)
    recipe, kept = fixed_recipe(os.path.join(os.path.dirname(os.path.abspath(__file__)), "recipe.json"), given, given.state)
    run = lambda: Run(text, arrays, vocabulary, recipe, given.start, os.path.join(given.state, "run.pt"), given.out)
    if given.fit and not os.path.exists(kept):
        each = run().time(5 if given.tiny else 300)
        recipe = replace(recipe, steps=max(1000, int(given.fit / each / 1000) * 1000))
        print("%.2f ms per step: %d steps" % (1000 * each, recipe.steps), flush=True)
    with open(kept, "w") as f:
        f.write(str(recipe.steps))
    begun = time.time()
    running = run()
    done = running.go(given.seconds - (time.time() - started))
    print("%s at step %d of %d, %.0f s of training, %.0f s in all" % (
        "done" if done else "stopped", running.step, recipe.steps, time.time() - begun, time.time() - started), flush=True)
    if done:
        finish(running, given.out)


if __name__ == "__main__":
    main()
