#!/usr/bin/env python3
"""The same work in PyTorch, for bench/model.sh.

pytorch.py write FOLDER LAYERS HIDDEN HEADS INNER   writes a model with random weights
pytorch.py time FOLDER BATCH PAIRS THREADS          prints pairs per second of processor time and of wall time, and MB of memory

A pair has 96 wordpieces. The model is implemented here in a few lines, so that only PyTorch is needed.
"""
import json, os, resource, struct, sys, time


def shapes(c):
    h, i = c["hidden_size"], c["intermediate_size"]
    linear = lambda name, out, into: {name + ".weight": [out, into], name + ".bias": [out]}
    norm = lambda name: {name + ".LayerNorm.weight": [h], name + ".LayerNorm.bias": [h]}
    t = {"bert.embeddings.word_embeddings.weight": [c["vocab_size"], h], "bert.embeddings.position_embeddings.weight": [c["max_position_embeddings"], h],
         "bert.embeddings.token_type_embeddings.weight": [2, h], **norm("bert.embeddings")}
    for n in range(c["num_hidden_layers"]):
        at = "bert.encoder.layer.%d." % n
        for part in ("query", "key", "value"):
            t.update(linear(at + "attention.self." + part, h, h))
        t.update(linear(at + "attention.output.dense", h, h))
        t.update(norm(at + "attention.output"))
        t.update(linear(at + "intermediate.dense", i, h))
        t.update(linear(at + "output.dense", h, i))
        t.update(norm(at + "output"))
    t.update(linear("bert.pooler.dense", h, h))
    t.update(linear("cls.seq_relationship", 2, h))
    return t


def write(folder, layers, hidden, heads, inner):
    import torch
    os.makedirs(folder, exist_ok=True)
    c = {"model_type": "bert", "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": inner,
         "hidden_act": "gelu", "layer_norm_eps": 1e-12, "max_position_embeddings": 512, "type_vocab_size": 2, "vocab_size": 30522}
    json.dump(c, open(os.path.join(folder, "config.json"), "w"))
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + ["w%d" % n for n in range(30517)]
    open(os.path.join(folder, "vocab.txt"), "w").write("".join(w + "\n" for w in words))
    torch.manual_seed(1)
    header, at = {}, 0
    for name, shape in shapes(c).items():
        size = 4
        for n in shape:
            size *= n
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    with open(os.path.join(folder, "model.safetensors"), "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for name, shape in shapes(c).items():
            v = torch.randn(shape) * (1 if "embeddings" in name else 1.2 / shape[-1] ** 0.5)
            if name.endswith("LayerNorm.weight"):
                v = 1 + 0.1 * torch.randn(shape)
            if name.endswith("bias"):
                v = 0.05 * torch.randn(shape)
            f.write(v.numpy().tobytes())


def read(folder):
    import torch
    c = json.load(open(os.path.join(folder, "config.json")))
    t = {}
    with open(os.path.join(folder, "model.safetensors"), "rb") as f:
        header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
        for name, e in header.items():
            t[name] = torch.frombuffer(bytearray(f.read(e["data_offsets"][1] - e["data_offsets"][0])), dtype=torch.float32).view(e["shape"])
    return c, t


def forward(c, t, ids, sides):
    import torch
    from torch.nn import functional as F
    h, heads = c["hidden_size"], c["num_attention_heads"]
    linear = lambda name, x: F.linear(x, t[name + ".weight"], t[name + ".bias"])
    norm = lambda name, x: F.layer_norm(x, (h,), t[name + ".LayerNorm.weight"], t[name + ".LayerNorm.bias"], 1e-12)
    b, n = ids.shape
    e = "bert.embeddings."
    x = norm("bert.embeddings", t[e + "word_embeddings.weight"][ids] + t[e + "token_type_embeddings.weight"][sides] + t[e + "position_embeddings.weight"][:n])
    for layer in range(c["num_hidden_layers"]):
        at = "bert.encoder.layer.%d." % layer
        q, k, v = (linear(at + "attention.self." + p, x).view(b, n, heads, -1).transpose(1, 2) for p in ("query", "key", "value"))
        seen = torch.softmax(q @ k.transpose(-1, -2) / (h // heads) ** 0.5, -1) @ v
        x = norm(at + "attention.output", linear(at + "attention.output.dense", seen.transpose(1, 2).reshape(b, n, h)) + x)
        x = norm(at + "output", linear(at + "output.dense", F.gelu(linear(at + "intermediate.dense", x))) + x)
    return linear("cls.seq_relationship", torch.tanh(linear("bert.pooler.dense", x[:, 0])))


def measure(folder, batch, pairs, threads):
    import torch
    torch.set_num_threads(threads)
    c, t = read(folder)
    ids = torch.randint(5, 30000, (batch, 96))
    sides = (torch.arange(96) > 47).long().expand(batch, 96)
    with torch.no_grad():
        forward(c, t, ids, sides)
        cpu, wall = time.process_time(), time.time()
        for _ in range(pairs // batch):
            forward(c, t, ids, sides)
        cpu, wall = time.process_time() - cpu, time.time() - wall
    done = pairs // batch * batch
    print("%.2f %.2f %d" % (done / cpu, done / wall, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], *map(int, sys.argv[3:]))
    else:
        measure(sys.argv[2], *map(int, sys.argv[3:]))
