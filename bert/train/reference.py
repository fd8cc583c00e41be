#!/usr/bin/env python3
"""Records the logits of a model folder: reference.py FOLDER COUNT OUT.jsonl [STATE]

For COUNT pairs of sentences, the wordpieces of both and the two logits in f32 and f64, computed one pair at a time in
the plainest way, independent of model.py. Package bert's tests compare with them. Without STATE the wordpieces are
random; with it the pairs come from the corpus there, half of them true, and the packed model is compared too.
"""
import json, os, random, sys

import torch
import torch.nn.functional as F

from model import load, read_safetensors

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 62, 63, 64, 65, 80, 100, 125, 126]


def logits(t, c, a, b, dtype, cls=2, sep=3):
    """The logits for wordpieces a and b, by the tensors t and the content c of config.json."""
    t = {k: v.to(dtype) for k, v in t.items()}
    heads, joint = c["num_attention_heads"], c["joint_layers"]
    norm = lambda x, at: F.layer_norm(x, x.shape[-1:], t[at + ".weight"], t[at + ".bias"], c["layer_norm_eps"])
    linear = lambda x, at: F.linear(x, t[at + ".weight"], t[at + ".bias"])

    def layer(x, n):
        at = "bert.encoder.layer.%d." % n
        q, k, v = (linear(x, at + "attention.self." + name).view(len(x), heads, -1).transpose(0, 1) for name in ("query", "key", "value"))
        seen = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ v
        x = norm(x + linear(seen.transpose(0, 1).reshape(len(x), -1), at + "attention.output.dense"), at + "attention.output.LayerNorm")
        return norm(x + linear(F.gelu(linear(x, at + "intermediate.dense")), at + "output.dense"), at + "output.LayerNorm")

    def sentence(ids, side):
        ids = [cls] + ids + [sep]
        assert len(ids) <= c["max_position_embeddings"]
        x = t["bert.embeddings.word_embeddings.weight"][ids] + t["bert.embeddings.position_embeddings.weight"][:len(ids)]
        x = norm(x, "bert.embeddings.LayerNorm")
        for n in range(c["num_hidden_layers"] - joint):
            x = layer(x, n)
        return x + t["bert.embeddings.token_type_embeddings.weight"][side]

    x = torch.cat([sentence(a, 0), sentence(b, 1)])
    for n in range(c["num_hidden_layers"] - joint, c["num_hidden_layers"]):
        x = layer(x, n)
    return linear(torch.tanh(linear(x[0], "bert.pooler.dense")), "cls.seq_relationship")


def shortened(ids, most=126):
    """A sentence that is too long loses its middle."""
    return ids if len(ids) <= most else ids[:most // 2] + ids[len(ids) - most // 2:]


def from_corpus(state, count):
    """Pairs of sentences from the tuning books, and their numbers."""
    import corpus
    from draw import Text
    _, arrays = corpus.prepare(None, state)
    text, rng = Text(arrays, "cpu"), random.Random(3)
    piece = lambda i: shortened(text.pieces[text.starts[i]:text.starts[i] + text.lengths[i]].tolist())
    found = []
    for n in range(count):
        i = text.training + rng.randrange(1000)
        found.append((i, i + 1 if n % 2 == 0 else text.training + rng.randrange(1000)))
    return text, found, [(piece(i), piece(j)) for i, j in found]


def main():
    folder, count, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as f:
        c = json.load(f)
    if len(sys.argv) > 4:
        text, found, pairs = from_corpus(sys.argv[4], count)
    else:
        rng = random.Random(3)
        draw = lambda: [rng.randrange(5, c["vocab_size"]) for _ in range(rng.choice(LENGTHS))]
        found, pairs = None, [(draw(), draw()) for _ in range(count)]
    t, off = read_safetensors(os.path.join(folder, "model.safetensors")), 0.0
    with torch.no_grad(), open(out, "w") as f:
        for a, b in pairs:
            exact, single = logits(t, c, a, b, torch.float64), logits(t, c, a, b, torch.float32)
            off = max(off, float((exact - single).abs().max()))
            f.write(json.dumps({"a": a, "b": b, "f32": single.tolist(), "f64": exact.tolist()}) + "\n")
    print("%d pairs; f32 and f64 differ by at most %.2g" % (count, off))
    if found:
        from evaluate import differences
        d = differences(load(folder, "cpu"), text, torch.tensor(found), torch.tensor([0]), torch.tensor([1]))
        plain = [x["f64"] for x in map(json.loads, open(out))]
        print("packed and plain differ by at most %.2g" % max(abs(float(x) - p[0] + p[1]) for x, p in zip(d[:, 0], plain)))


if __name__ == "__main__":
    main()
