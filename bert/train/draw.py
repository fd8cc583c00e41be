"""Draws groups of sentences from the corpus and packs their pairs."""
import numpy
import torch
import torch.nn.functional as F

from corpus import CLS, MASK, PAD, SEP
from model import Batch

LONGEST = 128                 # wordpieces of a pair, including its three special tokens
ROOM, SHARE_A = LONGEST - 3, 62  # if both are long, A keeps its last 62 and B its first 63


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
