#!/usr/bin/env python3
"""Records the expected results of package bert's tests: fixtures.py OUT.tar.gz [NAME...]

Small random models in the published layout, with the logits that Hugging Face's library computes on PyTorch for 24
pairs in f32 and f64; and generated strings with the ids from Hugging Face's tokenizer. The models split, deep and late,
whose lower layers see one sentence at a time, are not known to that library: reference.py computes their logits.
Everything is generated from a seed. With names, only those.
"""
import gzip, io, json, os, random, sys, tarfile, tempfile

import torch

import model as bert
import reference
from model import save_safetensors

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# name: layers, hidden, heads, inner, stored type, unusual tensor names
MODELS = {"plain": (2, 32, 2, 64, "F32", ""), "gamma": (2, 32, 2, 64, "F16", "gamma"), "bare": (2, 32, 2, 64, "BF16", "bare"),
          "half": (2, 32, 2, 64, "F16", ""), "odd": (3, 36, 3, 50, "F16", "")}
# name: layers, joint layers, hidden, heads, inner
SPLIT = {"split": (3, 2, 32, 2, 64), "deep": (4, 1, 36, 3, 50), "late": (4, 3, 32, 2, 64)}
LENGTHS = [2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 80, 96, 100, 123, 124]


def settings(layers, hidden, heads, inner):
    return {"architectures": ["BertForNextSentencePrediction"], "model_type": "bert", "hidden_size": hidden,
            "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": inner, "hidden_act": "gelu",
            "layer_norm_eps": 1e-12, "max_position_embeddings": 128, "type_vocab_size": 2, "vocab_size": 200,
            "pad_token_id": 0, "position_embedding_type": "absolute",
            "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def random_weights(model, seed, dtype):
    """Values large enough to reveal a mistake, rounded to the type of the file."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            noise = torch.randn(p.shape, generator=draw)
            if name.endswith("LayerNorm.weight"):
                value = 1 + 0.1 * noise
            elif name.endswith("bias"):
                value = 0.05 * noise
            elif "embeddings" in name:
                value = noise
            else:
                value = 1.2 / p.shape[-1] ** 0.5 * noise
            p.copy_(value.to(dtype).float())


def record_model(folder, name, seed):
    from transformers import BertConfig, BertForNextSentencePrediction
    *sizes, kind, unusual = MODELS[name]
    model = BertForNextSentencePrediction(BertConfig(**{**settings(*sizes), "attn_implementation": "eager"})).eval()
    random_weights(model, seed, {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}[kind])
    rng, cases = random.Random(seed), []
    for length in LENGTHS:
        ids = [rng.randrange(200) for _ in range(length)]
        border = rng.randrange(1, length)
        cases.append({"ids": ids, "second": border})  # token type 1 from here on
    for dtype, key in ((torch.float32, "f32"), (torch.float64, "f64")):
        model = model.to(dtype)
        for c in cases:
            sides = torch.tensor([[int(i >= c["second"]) for i in range(len(c["ids"]))]])
            with torch.no_grad():
                c[key] = model(input_ids=torch.tensor([c["ids"]]), token_type_ids=sides, attention_mask=torch.ones_like(sides)).logits[0].tolist()
    model = model.float()
    tensors = dict(model.named_parameters())
    if unusual == "gamma":
        tensors = {k.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): v for k, v in tensors.items()}
    if unusual == "bare":
        tensors = {k.removeprefix("bert."): v for k, v in tensors.items()}
    at = os.path.join(folder, name)
    os.makedirs(at)
    save_safetensors(os.path.join(at, "model.safetensors"), tensors, kind)
    json.dump(settings(*sizes), open(os.path.join(at, "config.json"), "w"), indent=1)
    with open(os.path.join(at, "vocab.txt"), "w") as f:
        f.write("".join(v + "\n" for v in SPECIAL + ["w%d" % i for i in range(195)]))
    with open(os.path.join(at, "logits.jsonl"), "w") as f:
        f.write("".join(json.dumps(c) + "\n" for c in cases))
    off = max(abs(a - b) for c in cases for a, b in zip(c["f32"], c["f64"]))
    spread = max(c["f64"][0] - c["f64"][1] for c in cases) - min(c["f64"][0] - c["f64"][1] for c in cases)
    print("%s: f32 and f64 differ by %.2g; logit differences range over %.2f" % (name, off, spread), flush=True)


def record_split(folder, name, seed, count=24):
    layers, joint, *sizes = SPLIT[name]
    model = bert.Bert(200, layers, joint, *sizes)
    draw, rng = torch.Generator().manual_seed(seed), random.Random(seed)
    with torch.no_grad():
        for key, p in bert.named(model).items():
            noise = torch.randn(p.shape, generator=draw)
            p.copy_(1 + 0.1 * noise if key.endswith("LayerNorm.weight") else 0.05 * noise if key.endswith("bias") else
                    noise if "embeddings" in key else 1.2 / p.shape[-1] ** 0.5 * noise)
    at = os.path.join(folder, name)
    bert.export(model, SPECIAL + ["w%d" % i for i in range(195)], at)
    with open(os.path.join(at, "config.json")) as f:
        c = json.load(f)
    t = bert.read_safetensors(os.path.join(at, "model.safetensors"))
    ids = lambda: [rng.randrange(5, 200) for _ in range(rng.choice(reference.LENGTHS))]
    with torch.no_grad(), open(os.path.join(at, "logits.jsonl"), "w") as f:
        for _ in range(count):
            a, b = ids(), ids()
            f32, f64 = (reference.logits(t, c, a, b, kind).tolist() for kind in (torch.float32, torch.float64))
            f.write(json.dumps({"a": a, "b": b, "f32": f32, "f64": f64}) + "\n")


# Hostile strings

LETTERS = list("abcdefghijklmnopqrstuvwxyz")
STEMS = """the of and to in that he was it his is with as had you not be her on at by which have or from this him but all she they were
my are me one their so an said them we who would been will no when there if more out up into do any your what has man could other
than our some very time upon about may its only now like little then can made should did us such great before must two these see
know over much down after first mr good men own never most old shall day where those came come himself way work life without go make
well through being long say might how am too even def again many back here think every people went same last thought away under take
found hand eye still place while just also young yet though against things get ever give god years off face nothing right once another
left part saw house world head three took new love always mrs put night each king between tell mind heart few because thing whom far
seemed looked called whole de set both got find done heard look name days told let lord country asked going seen better p having home
knew side something moment father among course hands woman enough words mother soon full end gave room almost small cannot water want
however light quite brought nor word whose given door best turned taken does use morning myself""".split()
PARTS = "s ed ing er ly est ness ment tion able ful less ism ist ize al ous ive ity es en th nd rd un re dis".split()
OTHER = list("0123456789.,;:!?'\"()[]{}<>-_/\\|@#$%^&*+=~`") + list("—–‘’“”…«»¡¿§¶†•£€°½×") + list("éàüßøœæçñłđþðı") + \
    list("αβγδεςσωабвгдеийюя") + list("中国人日本語한국아") + list("אבגءبتा१๑")
RANGES = [(0x20, 0x7E)] * 6 + [(0xA0, 0x17F), (0x180, 0x24F), (0x250, 0x36F), (0x370, 0x3FF), (0x400, 0x52F), (0x530, 0x5FF), (0x600, 0x6FF),
          (0x900, 0x97F), (0xE00, 0xE7F), (0x1100, 0x11FF), (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x218F), (0x2190, 0x2BFF), (0x2E00, 0x2E7F),
          (0x3000, 0x30FF), (0x3400, 0x3500), (0x4E00, 0x4F00), (0xAC00, 0xAD00), (0xE000, 0xE010), (0xF900, 0xFAFF), (0xFB00, 0xFB4F), (0xFE00, 0xFE6F),
          (0xFF00, 0xFFEF), (0xFFF0, 0xFFFF), (0x10000, 0x100FF), (0x1D400, 0x1D4FF), (0x1F300, 0x1F64F), (0x20000, 0x20050), (0x2F800, 0x2F850), (0xE0000, 0xE007F)]
SPACES = [" ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u2003", "\u3000", "\u2028", "\u2029", "\u200b", "\u200d", "\ufeff", "\u00ad", "\x0b", "\x0c", "\x85", "\x1c", "\x00", "\ufffd", "\x07", "\x7f"]
ODD = ["İstanbul", "ſtraſſe", "Straße", "ﬁne ﬂow", "Ångström", "A\u030angstro\u0308m", "e\u0301\u0302\u0303", "\u0301alone", "ΑΣΣ ΣΑΣ", "ΌΔΟΣ", "Ǆǅǆ", "한국어", "각", "१२३",
       "O'Brien's", "can't", "co-operate", "—dash—", "U.S.A.", "£1,000", "a" * 99, "a" * 100, "a" * 101, "é" * 100, "é" * 101, "e\u0301" * 60, "[masked clause]", "##ing", "##", "¹²³", "Ⅷ", "ℌ",
       "x\u0345y", "क्षि", "ก็", "👨‍👩‍👧", "🇬🇧", "𝔄𝔟", "𝐀", "“Quoted,” he said.", "...", "?!?!", "$^`~|<=>+", "_under_score_", "a\u0000b", "a\ufffdb", "a\u200bb", "a\u00adb", "中文mixed英文"]


def hostile(rng):
    """One generated string: whole and broken words, all kinds of spaces, characters from many blocks."""
    out = []
    for _ in range(rng.randrange(1, 14)):
        kind = rng.random()
        if kind < 0.35:
            word = rng.choice(STEMS) + "".join(rng.choice(PARTS) for _ in range(rng.choice((0, 0, 1, 2))))
            out.append(rng.choice((word, word.capitalize(), word.upper())))
        elif kind < 0.5:
            out.append("".join(rng.choice(LETTERS) for _ in range(rng.randrange(1, 12))))
        elif kind < 0.6:
            out.append(rng.choice(ODD))
        elif kind < 0.75:
            out.append("".join(rng.choice(OTHER) for _ in range(rng.randrange(1, 5))))
        else:
            low, high = rng.choice(RANGES)
            out.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randrange(1, 5))))
        if rng.random() < 0.8:
            out.append(" " if rng.random() < 0.6 else rng.choice(SPACES))
    return "".join(out)


def vocabulary():
    words = SPECIAL + LETTERS + ["##" + c for c in LETTERS] + STEMS + [s.capitalize() for s in STEMS[:80]] + [c.upper() for c in LETTERS]
    words += ["##" + p for p in PARTS] + PARTS + OTHER + ["##" + c for c in OTHER if c.isalnum()] + ["\u0301", "##\u0301", "ᄒ", "##ᅡ", "##ᆫ"]
    return list(dict.fromkeys(words))


def tokenizer(words, lower, strip):
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    t = Tokenizer(models.WordPiece({w: i for i, w in enumerate(words)}, unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=strip, lowercase=lower)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return t


def record_tokens(folder, count=3200):
    import tokenizers
    words, rng = vocabulary(), random.Random(11)
    texts = ODD + [hostile(rng) for _ in range(count)]
    kinds = {"uncased": tokenizer(words, True, None), "cased": tokenizer(words, False, None), "accents": tokenizer(words, True, False)}
    at = os.path.join(folder, "tokens")
    os.makedirs(at)
    with open(os.path.join(at, "vocab.txt"), "w", encoding="utf-8") as f:
        f.write("".join(w + "\n" for w in words))
    with gzip.GzipFile(os.path.join(at, "strings.jsonl.gz"), "wb", 9, mtime=0) as f:
        for text in texts:
            f.write((json.dumps({"text": text, **{k: t.encode(text, add_special_tokens=False).ids for k, t in kinds.items()}}) + "\n").encode())
    cases, t = [], kinds["uncased"]
    for limit in (5, 12, 13, 16):
        t.enable_truncation(max_length=limit, strategy="longest_first")
        for a in range(0, 15):
            for b in range(0, 15):
                e = t.encode(" ".join(LETTERS[:a]), " ".join(LETTERS[11:11 + b]))
                cases.append({"limit": limit, "a": a, "b": b, "ids": e.ids, "sides": e.type_ids})
    with gzip.GzipFile(os.path.join(at, "pairs.jsonl.gz"), "wb", 9, mtime=0) as f:
        f.write("".join(json.dumps(c) + "\n" for c in cases).encode())
    print("%d strings, %d wordpieces, %d pairs; tokenizers %s" % (len(texts), len(words), len(cases), tokenizers.__version__), flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        jobs = {n: lambda n=n, i=i: record_model(folder, n, 100 + i) for i, n in enumerate(MODELS)}
        jobs.update({n: lambda n=n, i=i: record_split(folder, n, 200 + i) for i, n in enumerate(SPLIT)})
        jobs["tokens"] = lambda: record_tokens(folder)
        for name in sys.argv[2:] or jobs:
            try:
                jobs[name]()
            except Exception as e:  # keep the results of the others
                print("FAILED: %s: %s" % (type(e).__name__, e), flush=True)
        with tarfile.open(sys.argv[1], "w:gz") as out:
            out.add(folder, "fixtures")
    print("%d bytes" % os.path.getsize(sys.argv[1]))


if __name__ == "__main__":
    main()
