#!/usr/bin/env python3
"""Makes the training text: prepare.py VERBATIM CORPUS_FOLDER OUT_FOLDER [PARTS]

Splits every book of the corpus (one paragraph per line, a blank line between) into sentences with our own splitter,
so that sentences end at the same places in training and in use. Drops everything that is not running prose and packs
the rest into OUT_FOLDER/sentences.1.xz ...: one sentence per line, in lower case, and before each book a line with a
form feed and the book's name. The books held out for evaluation come first.
"""
import json, lzma, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HELD_OUT = """eltec-ENG18651 eltec-ENG18954 pg280 pg824 pg1372 pg2372 pg2747 pg2758 pg2792 pg3772 pg10030 pg10611
pg10767 pg10810 pg11090 pg11100 pg11534 pg23067 pg35977 pg42078 pg49590 pg53205 pg58680 pg62516""".split()

SHORT_PARAGRAPH = 90      # title pages and tables of contents have shorter ones
TOO_SHORT, TOO_LONG = 15, 900  # characters: headings and page numbers; tables without line breaks
FEWEST_SENTENCES = 300    # per book


def without_front_matter(text):
    """Drops the short paragraphs before the first three long ones in a row."""
    paragraphs = [p for p in text.split("\n\n") if p.strip()]
    start = 0
    for i in range(min(200, len(paragraphs) - 3)):
        if all(len(p) >= SHORT_PARAGRAPH for p in paragraphs[i:i + 3]):
            start = i
            break
    head = [p for p in paragraphs[:start] if len(p) >= SHORT_PARAGRAPH]
    return "\n\n".join(head + paragraphs[start:]) + "\n"


def sentences(verbatim, path):
    text = without_front_matter(path.read_text(encoding="utf-8"))
    out = subprocess.run([verbatim, "inspect", "sentences", "--clean=off", "--json", "-"],
                         input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    found = (" ".join(json.loads(line)["text"].split()).lower() for line in out.splitlines())
    return [s for s in found if TOO_SHORT < len(s) < TOO_LONG]


def pack(path, books):
    with lzma.open(path, "wt", encoding="utf-8", preset=9) as out:
        for name, found in books:
            out.write("\f%s\n" % name + "".join(s + "\n" for s in found))
    return path.stat().st_size


def main():
    verbatim, corpus, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    parts = int(sys.argv[4]) if len(sys.argv) > 4 else 2
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted(corpus.rglob("*.txt"), key=lambda f: (f.stem not in HELD_OUT, f.stem))
    with ThreadPoolExecutor(2) as pool:
        split = list(pool.map(lambda f: sentences(verbatim, f), files))
        books = [(f.stem, s) for f, s in zip(files, split) if len(s) > FEWEST_SENTENCES]
        missing = set(HELD_OUT) - {name for name, _ in books}
        if missing:
            sys.exit("held-out books missing: %s" % " ".join(sorted(missing)))
        total = sum(len(s) for _, b in books for s in b)
        piles, size = [[]], 0
        for name, found in books:
            if size > total / parts * len(piles):
                piles.append([])
            piles[-1].append((name, found))
            size += sum(map(len, found))
        packed = list(pool.map(lambda i: pack(folder / ("sentences.%d.xz" % (i + 1)), piles[i]), range(len(piles))))
    print("%d books of %d, %d sentences, %.1f MB; packed %s MB" % (
        len(books), len(files), sum(len(b) for _, b in books), total / 1e6, " + ".join("%.1f" % (p / 1e6) for p in packed)))


if __name__ == "__main__":
    main()
