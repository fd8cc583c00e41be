"""Draws groups of sentences from the corpus and packs them and their pairs."""
import numpy
import torch
import torch.nn.functional as F

from corpus import CLS, PAD, SEP
from model import Batch

LONGEST = 128       # tokens of a sentence, including its two special tokens
ROOM = LONGEST - 2  # a longer sentence keeps as much of its beginning as of its end


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
        self.effect = put(numpy.flatnonzero(inner & arrays["effect"]))
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


def draw(text, recipe, groups, generator):
    """Draws true sentences and their candidates. Returns candidates [groups, k], the true one first, and which are valid."""
    rand = lambda *shape: torch.rand(shape, generator=generator, device=text.device)
    pools = [(text.contrast, recipe.contrast), (text.effect, recipe.effect), (text.connectors, recipe.connectors), (text.any, 1.0)]
    u, true, below = rand(groups), torch.zeros(groups, dtype=torch.long, device=text.device), 0.0
    for pool, share in pools:
        if len(pool):
            some = pool[pick(0, len(pool), rand(groups))]
            true = torch.where((u >= below) & (u < below + share), some, true)
            below += share
    true, others = true[:, None], (groups, recipe.candidates - 1)
    low, high = text.book_start[true], text.book_end[true]
    book = lambda: pick(low, high - low, rand(*others))
    step = 2 + (rand(*others) * 29).long()
    near = true + torch.where(rand(*others) < 0.5, step, -step)
    near = torch.where((near >= low) & (near < high), near, book())
    same = text.same_opening[pick(text.opening_start[true], text.opening_count[true], rand(*others))]
    same = torch.where(text.opening_count[true] > 2 * recipe.candidates, same, book())
    anywhere = pick(0, text.training, rand(*others))
    u, false = rand(groups, 1), book()
    false = torch.where(u < recipe.opening + recipe.near + recipe.anywhere, anywhere, false)
    false = torch.where(u < recipe.opening + recipe.near, near, false)
    false = torch.where(u < recipe.opening, same, false)
    close = lambda c: (c - true).abs() < 2  # the sentence itself and its neighbours are not false
    false = torch.where(close(false), book(), false)
    candidates = torch.cat([true, false], 1)
    holds = torch.cat([torch.ones_like(true, dtype=torch.bool), ~close(false)], 1)
    return candidates, holds


def sentences(candidates):
    """The sentences of a group: the previous one, the next one, the candidates. [groups, 2 + k]"""
    true = candidates[:, :1]
    return torch.cat([true - 1, true + 1, candidates], 1)


def both_sides(k, device):
    """The pairs of a group as numbers of its sentences: previous -> candidate, candidate -> next. [2 * k] each."""
    c = torch.arange(2, 2 + k, device=device)
    return torch.cat([torch.zeros_like(c), c]), torch.cat([c, torch.ones_like(c)])


def sizes(text, found):
    """Tokens of each sentence, with its two special tokens."""
    return text.lengths[found].clamp(max=ROOM) + 2


def pack(text, found, first, second, most=None):
    """Packs groups of sentences [groups, n] and the pairs of each group, given as numbers of its sentences.

    If most is given, to exactly that many tokens of sentences and of pairs: groups that do not fit are left out, and
    filler takes the rest. Returns the Batch of sentences, the Batch of pairs and which groups are in."""
    n = sizes(text, found)
    both = n[:, first] + n[:, second]
    inside = torch.ones_like(n[:, 0], dtype=torch.bool)
    if most:
        inside = (n.sum(1).cumsum(0) <= most[0]) & (both.sum(1).cumsum(0) <= most[1])
        n, both = n * inside[:, None], both * inside[:, None]
    lower = end_to_end(n.flatten(), LONGEST, most and most[0])
    upper = end_to_end(both.flatten(), 2 * LONGEST, most and most[1])
    fill(text, lower, found.flatten(), n.flatten())
    group = torch.arange(len(found), device=text.device)[:, None] * found.shape[1]
    join(lower, upper, (group + first).flatten(), (group + second).flatten(), n.flatten())
    return lower, upper, inside


def end_to_end(lengths, longest, tokens):
    """A Batch of sequences of these lengths and, if tokens is given, of filler up to that many tokens."""
    ends = lengths.cumsum(0)
    if tokens:
        filler = torch.arange(1, tokens // longest + 2, device=lengths.device) * longest
        ends = torch.cat([ends, (ends[-1] + filler).clamp(max=tokens)])
    else:
        tokens, longest = int(ends[-1]), int(lengths.max())
    bounds = F.pad(ends, (1, 0))
    token = torch.arange(tokens, device=lengths.device)
    owners = torch.searchsorted(bounds, token, right=True) - 1
    return Batch(token - bounds[owners], owners, bounds.int(), longest)


def fill(text, batch, found, lengths):
    """Sets the wordpieces of sentences: [CLS] sentence [SEP]. A sentence that is too long loses its middle."""
    owner = batch.owners.clamp(max=len(found) - 1)
    sentence, place = found[owner], batch.places
    skipped = (text.lengths[sentence] - ROOM).clamp(min=0) * (place > ROOM // 2)
    ids = text.pieces[(text.starts[sentence] + place - 1 + skipped).clamp(0, len(text.pieces) - 1)].long()
    ids = torch.where(place == lengths[owner] - 1, SEP, ids)
    ids = torch.where(place == 0, CLS, ids)
    batch.ids = torch.where(batch.owners < len(found), ids, PAD)


def join(lower, upper, first, second, lengths):
    """Sets where the tokens of pairs come from: those of A, then those of B."""
    pair, place = upper.owners.clamp(max=len(first) - 1), upper.places
    start, size = lower.bounds.long(), lengths[first[pair]]
    upper.sides = (place >= size) & (upper.owners < len(first))
    source = torch.where(upper.sides, start[second[pair]] + place - size, start[first[pair]] + place)
    upper.source = torch.where(upper.owners < len(first), source, 0).clamp(max=len(lower.places) - 1)
    upper.first = upper.bounds[:len(first)].long().clamp(max=len(upper.places) - 1)


def pack_whole(text, first, second):
    """Packs pairs for a model whose layers all see the pair: [CLS] A [SEP] B [SEP] of at most 128 tokens. If both are
    long, A keeps its last 62 wordpieces and B its first 63; each may use what the other leaves."""
    room, share = LONGEST - 3, 62
    a, b = text.lengths[first], text.lengths[second]
    a = torch.minimum(a, (room - b).clamp(min=share))
    b = torch.minimum(b, room - a)
    batch = end_to_end(a + b + 3, LONGEST, None)
    p, place = batch.owners, batch.places
    in_b = place - a[p] - 2
    tail = text.starts[first][p] + text.lengths[first][p] - a[p] + place - 1
    where = torch.where(in_b < 0, tail, text.starts[second][p] + in_b).clamp(0, len(text.pieces) - 1)
    ids = torch.where((place == a[p] + 1) | (in_b == b[p]), SEP, text.pieces[where].long())
    batch.ids = torch.where(place == 0, CLS, ids)
    batch.sides, batch.first = in_b >= 0, batch.bounds[:-1].long()
    return batch
