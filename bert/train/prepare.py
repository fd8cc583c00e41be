#!/usr/bin/env python3
"""Makes the training text: prepare.py VERBATIM CORPUS_FOLDER OUT_FOLDER

Splits every book of the corpus (one paragraph per line, a blank line between) into sentences with our own splitter,
so that sentences end at the same places in training and in use. Drops everything that is not running prose and packs
the rest into OUT_FOLDER/sentences.00.bz2 ...: one sentence per line, in lower case, and before each book a line with a
form feed and the book's name. The books held out for evaluation come first.
"""
import bz2, json, os, subprocess, sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

HELD_OUT = """eltec-ENG18651 eltec-ENG18954 pg280 pg824 pg1372 pg2372 pg2747 pg2758 pg2792 pg3772 pg10030 pg10611
pg10767 pg10810 pg11090 pg11100 pg11534 pg23067 pg35977 pg42078 pg49590 pg53205 pg58680 pg62516""".split()

SHORT_PARAGRAPH = 90      # title pages and tables of contents have shorter ones
TOO_SHORT, TOO_LONG = 15, 900  # characters: headings and page numbers; tables without line breaks
FEWEST_SENTENCES = 300    # per book
PARTS = 48                # made and read in parallel


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


def pack(verbatim, files, path):
    """Splits and packs some books. Returns the names of those that are kept, and the numbers of sentences and bytes."""
    names, count = [], 0
    with bz2.open(path, "wt", encoding="utf-8", newline="\n") as out:
        for f in files:
            found = sentences(verbatim, f)
            if len(found) > FEWEST_SENTENCES:
                out.write("\f%s\n" % f.stem + "".join(s + "\n" for s in found))
                names.append(f.stem)
                count += len(found)
    return names, count, path.stat().st_size


def piles(files, parts):
    """Cuts the list of files into parts of about the same size."""
    total, size, out = sum(f.stat().st_size for f in files), 0, [[] for _ in range(parts)]
    for f in files:
        out[size * parts // total].append(f)
        size += f.stat().st_size
    return out


def main():
    verbatim, corpus, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted(corpus.rglob("*.txt"), key=lambda f: (f.stem not in HELD_OUT, f.stem))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        parts = piles(files, PARTS)
        made = list(pool.map(pack, [verbatim] * PARTS, parts, [folder / ("sentences.%02d.bz2" % i) for i in range(PARTS)]))
    names = [n for m in made for n in m[0]]
    missing = set(HELD_OUT) - set(names)
    if missing:
        sys.exit("held-out books missing: %s" % " ".join(sorted(missing)))
    print("%d books of %d, %d sentences; packed %.1f MB" % (
        len(names), len(files), sum(m[1] for m in made), sum(m[2] for m in made) / 1e6))


if __name__ == "__main__":
    main()
