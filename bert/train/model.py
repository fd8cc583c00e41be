"""The next-sentence model, on sentences and pairs packed end to end without padding; and its files.

The lower layers see one sentence at a time, as [CLS] sentence [SEP], so the vectors of a sentence serve every pair it is
in. The last joint layers see both sentences of a pair: the vectors of A, then those of B, plus a vector for the side.
The answer is read from the first token, so the last layer is needed for that token only.

Weights of equal shape are stacked over the layers, so that the optimiser updates each stack at once.
Class 0 of the head is "B follows A", as in the published files.
"""
import json, math, os, struct

import torch
import torch.nn.functional as F
from torch import nn

EPS = 1e-12


class Bert(nn.Module):
    def __init__(self, vocabulary, layers=7, joint=2, hidden=256, heads=4, inner=1024, places=128):
        super().__init__()
        self.layers, self.joint, self.hidden, self.heads, self.inner, self.places = layers, joint, hidden, heads, inner, places
        weight = lambda *shape: nn.Parameter(torch.randn(shape) * 0.02)
        ones = lambda *shape: nn.Parameter(torch.ones(shape))
        zeros = lambda *shape: nn.Parameter(torch.zeros(shape))
        n, h = layers, hidden
        self.word, self.place, self.side = weight(vocabulary, h), weight(places, h), weight(2, h)
        self.norm0_w, self.norm0_b = ones(h), zeros(h)
        self.qkv_w, self.qkv_b = weight(n, 3, h, h), zeros(n, 3, h)
        self.out_w, self.out_b = weight(n, h, h), zeros(n, h)
        self.norm1_w, self.norm1_b = ones(n, h), zeros(n, h)
        self.up_w, self.up_b = weight(n, inner, h), zeros(n, inner)
        self.down_w, self.down_b = weight(n, h, inner), zeros(n, h)
        self.norm2_w, self.norm2_b = ones(n, h), zeros(n, h)
        self.pool_w, self.pool_b = weight(h, h), zeros(h)
        self.head_w, self.head_b = weight(2, h), zeros(2)
        self.attention, self.mix = padded_attention, mix

    def stacks(self):
        """The weights of each layer: those before attention, and those after it."""
        each = (self.qkv_w.flatten(1, 2), self.qkv_b.flatten(1), self.out_w, self.out_b, self.norm1_w, self.norm1_b,
                self.up_w, self.up_b, self.down_w, self.down_b, self.norm2_w, self.norm2_b)
        return [(w[:2], w[2:]) for w in zip(*(s.unbind(0) for s in each))]

    def attend(self, x, qkv, batch):
        q, k, v = F.linear(x, *qkv).view(len(x), 3, self.heads, -1).unbind(1)
        return self.attention(q, k, v, batch).reshape(len(x), self.hidden)

    def forward(self, sentences, pairs):
        """The first token's last vector of every pair."""
        x = F.embedding(sentences.ids, self.word) + F.embedding(sentences.places, self.place)
        x = F.layer_norm(x, self.norm0_w.shape, self.norm0_w, self.norm0_b, EPS)
        stacks = self.stacks()
        for qkv, rest in stacks[:-self.joint]:
            x = self.mix(x, self.attend(x, qkv, sentences), *rest)
        x = x.index_select(0, pairs.source) + torch.where(pairs.sides[:, None], self.side[1], self.side[0])
        for qkv, rest in stacks[-self.joint:-1]:
            x = self.mix(x, self.attend(x, qkv, pairs), *rest)
        qkv, rest = stacks[-1]
        return mix(x.index_select(0, pairs.first), self.attend(x, qkv, pairs).index_select(0, pairs.first), *rest)

    def whole(self, batch):
        """The same for a model whose layers all see the pair, as in the published models."""
        x = F.embedding(batch.ids, self.word) + F.embedding(batch.places, self.place) + F.embedding(batch.sides.long(), self.side)
        x = F.layer_norm(x, self.norm0_w.shape, self.norm0_w, self.norm0_b, EPS)
        for qkv, rest in self.stacks():
            x = self.mix(x, self.attend(x, qkv, batch), *rest)
        return x.index_select(0, batch.first)

    def follows(self, vectors):
        """The head's two logits for the vectors of first tokens."""
        return F.linear(torch.tanh(F.linear(vectors, self.pool_w, self.pool_b)), self.head_w, self.head_b).float()


def mix(x, attended, out_w, out_b, norm1_w, norm1_b, up_w, up_b, down_w, down_b, norm2_w, norm2_b):
    """The part of a layer after attention."""
    x = F.layer_norm((x + F.linear(attended, out_w, out_b)).float(), norm1_w.shape, norm1_w, norm1_b, EPS)
    y = F.linear(F.gelu(F.linear(x, up_w, up_b)), down_w, down_b)
    return F.layer_norm((x + y).float(), norm2_w.shape, norm2_w, norm2_b, EPS)


# Attention: each sentence, or each pair, sees only itself.

def padded_attention(q, k, v, batch):
    """The simple implementation, for any machine: spread the sequences out, mask, gather."""
    spread, inside = batch.spread()
    q, k, v = (t[spread].transpose(1, 2) for t in (q, k, v))  # [sequences, heads, places, size]
    scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
    scores = scores.float().masked_fill(~inside[:, None, None, :], -1e9)
    return (scores.softmax(-1).to(v.dtype) @ v).transpose(1, 2)[batch.owners, batch.places]


def library_attention(q, k, v, batch):
    from torch.nn.attention.varlen import varlen_attn
    return varlen_attn(q, k, v, batch.bounds, batch.bounds, batch.longest, batch.longest)


def operator_attention(q, k, v, batch):
    return torch.ops.aten._flash_attention_forward(q, k, v, batch.bounds, batch.bounds, batch.longest, batch.longest,
                                                   0.0, False, False)[0]


def plain_attention(q, k, v, batch):
    """Like padded_attention, but fast to differentiate: no place of the spread-out sequences is read twice."""
    size, count = batch.longest, len(batch.bounds) - 1
    at = batch.owners * size + batch.places
    spread = lambda t: t.new_zeros(count * size, *t.shape[1:]).index_copy(0, at, t).view(count, size, *t.shape[1:]).transpose(1, 2)
    q, k, v = spread(q), spread(k), spread(v)
    hidden = ~batch.spread()[1][:, None, None, :]
    scores = (q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])).float().masked_fill(hidden, -1e9)
    return (scores.softmax(-1).to(v.dtype) @ v).transpose(1, 2).flatten(0, 1).index_select(0, at)


def fastest_attention(device):
    """The first attention that runs on this machine and agrees with padded_attention, gradients included."""
    if device != "cuda":
        return padded_attention
    lengths = torch.tensor([7, 128, 0, 33, 2, 90, 256, 124], device=device)
    batch = Batch.of_lengths(lengths, 256)
    torch.manual_seed(5)
    start = torch.randn(int(lengths.sum()), 3, 4, 64, device=device)
    weight = torch.randn(len(start), 4, 64, device=device)

    def trial(attention, kind):
        qkv = start.clone().to(kind).requires_grad_()  # its own leaf: .to() may return start itself
        out = attention(*qkv.unbind(1), batch)
        (out.float() * weight).sum().backward()
        return torch.stack([out.float(), *qkv.grad.float().unbind(1)])

    expected = trial(padded_attention, torch.float32)
    for attention in (library_attention, operator_attention, plain_attention):
        try:
            off = (trial(attention, torch.bfloat16) - expected).abs().max() / expected.abs().max()
            print("%s: off by %.4f" % (attention.__name__, off), flush=True)
            if off < 0.03:
                return attention
        except Exception as e:
            print("%s: %s: %s" % (attention.__name__, type(e).__name__, str(e)[:300]), flush=True)
    return padded_attention


class Batch:
    """Sentences or pairs packed end to end. Each token has its place in the sequence and the sequence that owns it.

    Sentences have ids, the wordpieces. Pairs have, for each token, its source among the tokens of the sentences and its
    side (true for B); and for each pair its first token."""

    def __init__(self, places, owners, bounds, longest, ids=None, source=None, sides=None, first=None):
        self.places, self.owners, self.bounds, self.longest = places, owners, bounds, longest
        self.ids, self.source, self.sides, self.first = ids, source, sides, first

    @staticmethod
    def of_lengths(lengths, longest):
        bounds = F.pad(lengths.cumsum(0), (1, 0)).int()
        token = torch.arange(int(bounds[-1]), device=lengths.device)
        owners = torch.searchsorted(bounds, token.int(), right=True) - 1
        return Batch(token - bounds[owners], owners, bounds, longest)

    def spread(self):
        if not hasattr(self, "_spread"):
            place = torch.arange(self.longest, device=self.bounds.device)
            length = (self.bounds[1:] - self.bounds[:-1])[:, None]
            where = (self.bounds[:-1, None] + place).clamp(max=len(self.places) - 1).long()
            self._spread = where, place < length
        return self._spread


# Files

def named(model):
    """The tensors, with the names of the published models."""
    t = {"bert.embeddings.word_embeddings.weight": model.word,
         "bert.embeddings.position_embeddings.weight": model.place,
         "bert.embeddings.token_type_embeddings.weight": model.side,
         "bert.embeddings.LayerNorm.weight": model.norm0_w, "bert.embeddings.LayerNorm.bias": model.norm0_b}
    for n in range(model.layers):
        at = "bert.encoder.layer.%d." % n
        for i, name in enumerate(("query", "key", "value")):
            t[at + "attention.self.%s.weight" % name] = model.qkv_w[n, i]
            t[at + "attention.self.%s.bias" % name] = model.qkv_b[n, i]
        for name, of in (("attention.output.dense", "out"), ("attention.output.LayerNorm", "norm1"),
                         ("intermediate.dense", "up"), ("output.dense", "down"), ("output.LayerNorm", "norm2")):
            t[at + name + ".weight"] = getattr(model, of + "_w")[n]
            t[at + name + ".bias"] = getattr(model, of + "_b")[n]
    t["bert.pooler.dense.weight"], t["bert.pooler.dense.bias"] = model.pool_w, model.pool_b
    t["cls.seq_relationship.weight"], t["cls.seq_relationship.bias"] = model.head_w, model.head_b
    return t


def save_safetensors(path, tensors, kind):
    """Writes tensors as safetensors in f32, f16 or bf16."""
    name, dtype = {"F32": ("F32", torch.float32), "F16": ("F16", torch.float16), "BF16": ("BF16", torch.bfloat16)}[kind]
    header, blobs, at = {"__metadata__": {"format": "pt"}}, [], 0
    for key, tensor in tensors.items():
        flat = tensor.detach().cpu().contiguous().to(dtype)
        blob = flat.view(torch.int16).numpy().tobytes() if dtype != torch.float32 else flat.numpy().tobytes()
        header[key] = {"dtype": name, "shape": list(tensor.shape), "data_offsets": [at, at + len(blob)]}
        at += len(blob)
        blobs.append(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def config(model, **more):
    return dict({
        "architectures": ["BertForNextSentencePrediction"], "model_type": "bert",
        "hidden_size": model.hidden, "num_hidden_layers": model.layers, "num_attention_heads": model.heads,
        "intermediate_size": model.inner, "hidden_act": "gelu", "layer_norm_eps": EPS,
        "max_position_embeddings": model.places, "type_vocab_size": 2, "vocab_size": len(model.word),
        "pad_token_id": 0, "position_embedding_type": "absolute",
        "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "initializer_range": 0.02,
        "joint_layers": model.joint}, **more)


def export(model, vocabulary, folder, shift=0.0):
    """Writes the folder that package bert/small embeds. Adds the shift to the logit of "follows"."""
    os.makedirs(folder, exist_ok=True)
    tensors = {k: v.detach().clone() for k, v in named(model).items()}
    tensors["cls.seq_relationship.bias"][0] += shift
    save_safetensors(os.path.join(folder, "model.safetensors"), tensors, "F16")
    write = lambda name, text: open(os.path.join(folder, name), "w", encoding="utf-8").write(text)
    write("config.json", json.dumps(config(model, truncation="middle"), indent=2) + "\n")
    write("tokenizer_config.json", json.dumps({"do_lower_case": True, "model_max_length": model.places, "tokenizer_class": "BertTokenizer"}, indent=2) + "\n")
    write("vocab.txt", "".join(v + "\n" for v in vocabulary))


def read_safetensors(path):
    """The tensors of a file in f32, f16 or bf16, as f32."""
    with open(path, "rb") as f:
        header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
        blob = f.read()
    kinds = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    out = {}
    for name, t in header.items():
        if name != "__metadata__":
            low, high = t["data_offsets"]
            out[name] = torch.frombuffer(bytearray(blob[low:high]), dtype=kinds[t["dtype"]]).view(t["shape"]).float()
    return out


def load(folder, device):
    """The model in a folder. One without joint_layers in config.json has only joint layers."""
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as f:
        c = json.load(f)
    model = Bert(c["vocab_size"], c["num_hidden_layers"], c.get("joint_layers", c["num_hidden_layers"]), c["hidden_size"],
                 c["num_attention_heads"], c["intermediate_size"], c["max_position_embeddings"])
    tensors = read_safetensors(os.path.join(folder, "model.safetensors"))
    with torch.no_grad():
        for name, tensor in named(model).items():
            tensor.copy_(tensors.pop(name))
    assert not tensors, "tensors without a place: %s" % sorted(tensors)
    return model.to(device)


def start_from(model, folder, shift):
    """Starts from the weights of a model of the same size.

    If all its layers see the pair, its side vectors went into the first one: their mean moves to the places, what is
    left marks the sides at the joint. The shift that its export added to the logit of "follows" is taken back."""
    old = load(folder, model.word.device)
    with torch.no_grad():
        for (name, ours), theirs in zip(named(model).items(), named(old).values()):
            assert ours.shape == theirs.shape, "%s has another shape" % name
            ours.copy_(theirs)
        if old.joint == old.layers:
            mean = model.side.mean(0)
            model.place += mean
            model.side -= mean
        model.head_b[0] -= shift
