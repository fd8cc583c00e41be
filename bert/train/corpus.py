"""The training text as numbers: a vocabulary, and every sentence as wordpieces.

Everything is computed once from the packed sentences of prepare.py and saved in the state folder.
"""
import bz2, glob, os, random, re, time

import numpy

from prepare import HELD_OUT

VOCABULARY = 8192
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PAD, UNK, CLS, SEP, MASK = range(5)

CONTRAST = {"but", "yet"}
EFFECT = {"thus", "therefore", "so", "hence", "accordingly", "consequently"}
CONNECTORS = CONTRAST | EFFECT | set("""however nevertheless nonetheless notwithstanding still though although while
whereas otherwise instead because for since if unless then moreover besides indeed""".split())
TUNING_BOOKS = 20  # not used for training either: settings are chosen on them, never on the held-out ones

first_word = re.compile(r"[a-z]+")


def read(folder):
    """Returns (name, sentences) of every book in the folder."""
    from multiprocessing import get_context
    with get_context("fork").Pool(os.cpu_count()) as pool:
        parts = pool.map(read_part, sorted(glob.glob(os.path.join(folder, "sentences.*.bz2"))), 1)
    return [book for part in parts for book in part]


def read_part(path):
    with bz2.open(path, "rt", encoding="utf-8", newline="\n") as f:
        books = [book.split("\n") for book in f.read().split("\f")[1:]]
    return [(lines[0], lines[1:-1]) for lines in books]


def opening(sentence):
    """The class of a sentence's first word: one class per row of the evaluation table, one for each other word."""
    word = first_word.search(sentence)
    word = word.group() if word else ""
    return "but" if word in CONTRAST else "thus" if word in EFFECT else word


def train_tokenizer(sentences):
    from tokenizers import Tokenizer, models, trainers
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    trainer = trainers.WordPieceTrainer(vocab_size=VOCABULARY, min_frequency=3, limit_alphabet=150,
                                        special_tokens=SPECIAL, continuing_subword_prefix="##", show_progress=False)
    bert_steps(tokenizer)
    tokenizer.train_from_iterator(sentences, trainer)
    ids = tokenizer.get_vocab()
    vocabulary = sorted(ids, key=ids.get)
    assert vocabulary[:5] == SPECIAL and [ids[v] for v in vocabulary] == list(range(len(vocabulary)))
    return vocabulary


def load_tokenizer(vocabulary):
    from tokenizers import Tokenizer, models
    tokenizer = Tokenizer(models.WordPiece({v: i for i, v in enumerate(vocabulary)}, unk_token="[UNK]",
                                           max_input_chars_per_word=100))
    bert_steps(tokenizer)
    return tokenizer


def bert_steps(tokenizer):
    from tokenizers import normalizers, pre_tokenizers
    tokenizer.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True,
                                                      strip_accents=None, lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()


def encode(vocabulary, sentences, size=20000):
    """Returns the wordpieces of all sentences end to end, and the length of each sentence."""
    from multiprocessing import get_context
    parts = (sentences[i:i + size] for i in range(0, len(sentences), size))
    with get_context("fork").Pool(os.cpu_count(), start_encoding, (vocabulary,)) as pool:
        pieces, lengths = zip(*pool.imap(encode_part, parts))
    return numpy.concatenate(pieces), numpy.concatenate(lengths)


def start_encoding(vocabulary):
    global tokenizer
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # one process per core is enough
    tokenizer = load_tokenizer(vocabulary)


def encode_part(sentences):
    coded = [e.ids for e in tokenizer.encode_batch(sentences, add_special_tokens=False)]
    lengths = numpy.fromiter(map(len, coded), numpy.int32, len(coded))
    return numpy.fromiter((p for c in coded for p in c), numpy.int16, int(lengths.sum())), lengths


def prepare(folder, state, vocabulary=None):
    """Returns vocabulary and arrays of the packed sentences, from the state folder if they are already there.

    Without a vocabulary, makes one from the training books."""
    kept, listed = os.path.join(state, "corpus.npz"), os.path.join(state, "vocab.txt")
    if os.path.exists(kept):
        with open(listed, encoding="utf-8") as f:
            return f.read().split("\n")[:-1], dict(numpy.load(kept))
    start = time.time()
    books = read(folder)
    names = [n for n, _ in books]
    training = [n for n in names if n not in HELD_OUT]
    tuning = set(random.Random(1).sample(training, min(TUNING_BOOKS, len(training) // 5)))
    kind = [2 if n in HELD_OUT else 1 if n in tuning else 0 for n in names]
    order = sorted(range(len(books)), key=lambda i: kind[i])  # training books first, then tuning, then held out
    sentences = [s for i in order for s in books[i][1]]
    sizes = [len(books[i][1]) for i in order]
    in_training = sum(sizes[k] for k, i in enumerate(order) if kind[i] == 0)
    print("read %d sentences of %d books in %.0f s" % (len(sentences), len(books), time.time() - start), flush=True)
    vocabulary = vocabulary or train_tokenizer(sentences[:in_training:3])
    print("vocabulary of %d at %.0f s" % (len(vocabulary), time.time() - start), flush=True)
    pieces, lengths = encode(vocabulary, sentences)
    words = [opening(s) for s in sentences]
    ids = {w: i for i, w in enumerate(sorted(set(words)))}
    connectors = CONNECTORS | {"but", "thus"}
    arrays = {
        "pieces": pieces, "lengths": lengths,
        "book": numpy.repeat(numpy.arange(len(sizes), dtype=numpy.int32), sizes),
        "kind": numpy.array([kind[i] for i in order], numpy.int8),
        "opening": numpy.array([ids[w] for w in words], numpy.int32),
        "connector": numpy.array([w in connectors for w in words]),
        # the rows of the table: not after a quotation mark
        "contrast": numpy.array([w == "but" and s[0].isalpha() for w, s in zip(words, sentences)]),
        "effect": numpy.array([w == "thus" and s[0].isalpha() for w, s in zip(words, sentences)]),
    }
    print("%d wordpieces, %.1f per sentence, at %.0f s" % (len(pieces), lengths.mean(), time.time() - start), flush=True)
    os.makedirs(state, exist_ok=True)
    with open(listed, "w", encoding="utf-8") as f:
        f.write("".join(v + "\n" for v in vocabulary))
    numpy.savez(kept, **arrays)
    return vocabulary, arrays
