package clean

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"verbatim"
	"verbatim/sentence"
)

// From clean editions, Read removes only the header, the footer and note marks.
// Every word stays, in order.
func TestEditions(t *testing.T) {
	for _, name := range []string{"pg10060", "pg10378", "pg10710", "pg133"} {
		t.Run(name, func(t *testing.T) {
			doc := readBook(t, name+".txt")
			r := Read(doc)
			body := verbatim.Span{End: len(doc.Text)}
			removed := 0
			for p := range r.Places(20) {
				switch {
				case p.Kind == Header:
					body.Start = p.End
				case p.Kind == Footer:
					body.End = p.Start
				case p.Kind == BOM, p.Kind == NoteMark && len(p.Source) <= 5:
				case strings.Trim(p.Source, " \r\n-") != "":
					removed++
					t.Errorf("removed as %s: %q in %q", p.Kind, p.Source, p.Before+p.Source+p.After)
				}
			}
			if body.Start == 0 || body.End == len(doc.Text) {
				t.Error("the header or the footer was not removed")
			}
			before, after := words(doc.Quote(body)), words(r.Copy.Text)
			if strings.Join(before, "") != strings.Join(after, "") {
				t.Error("letters of the text are missing or out of order")
			}
			joined := len(before) - len(after)
			if joined > 5 {
				t.Errorf("%d of the author's hyphens at line ends were removed", joined)
			}
			t.Logf("%d words, %d repairs, %d headings, %d line-end hyphens removed", len(after), len(r.Repairs), len(r.Headings), joined)
		})
	}
}

// words returns the words of a text. Numbers are left out because they may be
// note marks.
func words(text string) []string {
	var out []string
	for _, t := range tokens(text) {
		if strings.Trim(t.word, "0123456789") != "" {
			out = append(out, t.word)
		}
	}
	return out
}

// In a scan without page marks, most heads are still found.
func TestLostPages(t *testing.T) {
	heads := func(text string) (n int) {
		_, r := read(t, text)
		for _, c := range r.Counts() {
			if c.Kind == RunningHead || c.Kind == PageNumber {
				n += c.Repairs
			}
		}
		return n
	}
	for _, name := range []string{"hvd.hxvp5b", "uc2.ark+13960+t4qj7df3t", "uc2.ark+13960+t7zk5647t"} {
		text := readBook(t, name+".txt").Text
		var lost strings.Builder
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "<page ") {
				lost.WriteString(line)
			}
		}
		with, without := heads(text), heads(lost.String())
		t.Logf("%s: %d heads and numbers with page marks, %d without", name, with, without)
		if without*4 < with*3 {
			t.Errorf("%s: %d heads and numbers with page marks, only %d without", name, with, without)
		}
	}
}

// Every sentence and heading of the scans can be proved against its source.
func TestBooksProve(t *testing.T) {
	for _, name := range []string{"hvd.hxvp5b", "nla.obj-24508990", "nla.obj-435185495", "nla.obj-52868491", "uc2.ark+13960+t4qj7df3t", "uc2.ark+13960+t7zk5647t"} {
		t.Run(name, func(t *testing.T) {
			doc := readBook(t, name+".txt")
			r := Read(doc)
			for _, h := range r.Headings {
				checkSpan(t, r, doc, h)
			}
			for s := range sentence.Split(r.Copy) {
				checkSpan(t, r, doc, s.Span)
			}
		})
	}
}

// Sentences of a noisy text, found in the copy and mapped back to the source,
// compared with gold: F1 at least 97.5 where no blank line helps, 98.3 in
// total.
func TestNoisySentences(t *testing.T) {
	const base = "../../shared/data/sentences/doyle_ocr"
	data, err := os.ReadFile(base + ".txt")
	if os.IsNotExist(err) {
		t.Skipf("no %s.txt: the gold is in the shared data folder, which is not here", base)
	}
	doc, err := verbatim.NewDocument("doyle_ocr", string(data))
	if err != nil {
		t.Fatal(err)
	}
	gold, docs := readSpans(t, base+".offsets"), readSpans(t, base+".docs")
	whole := func() (found []verbatim.Span) {
		r := Read(doc)
		for s := range sentence.Split(r.Copy) {
			sel := r.Source(s.Span)
			found = append(found, verbatim.Span{Start: sel.ByteStart, End: sel.ByteEnd})
		}
		return found
	}
	apart := func() (found []verbatim.Span) { // each story as its own text of about nine pages
		for _, d := range docs {
			part, err := verbatim.NewDocument("story", doc.Quote(d))
			if err != nil {
				t.Fatal(err)
			}
			r := Read(part)
			for s := range sentence.Split(r.Copy) {
				sel := r.Source(s.Span)
				found = append(found, verbatim.Span{Start: d.Start + sel.ByteStart, End: d.Start + sel.ByteEnd})
			}
		}
		return found
	}
	for name, found := range map[string][]verbatim.Span{"as one text": whole(), "story by story": apart()} {
		all, inner := score(doc.Text, gold, found, docs)
		t.Logf("%s: F1 %.2f, without blank lines %.2f", name, all, inner)
		if all < 98.3 || inner < 97.5 {
			t.Errorf("%s: F1 %.2f, without blank lines %.2f: want 98.3 and 97.5", name, all, inner)
		}
	}
}

func readSpans(t *testing.T, file string) (spans []verbatim.Span) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var s verbatim.Span
		if _, err := fmt.Sscan(in.Text(), &s.Start, &s.End); err != nil {
			t.Fatal(err)
		}
		spans = append(spans, s)
	}
	return spans
}

// score is F1 in percent for sentence ends, as positions in the text without
// white space. The last end of each document is not counted.
func score(text string, gold, found, docs []verbatim.Span) (all, inner float64) {
	solid := make([]int, len(text)+1)
	for i := range len(text) {
		solid[i+1] = solid[i]
		if !isSpace(text[i]) {
			solid[i+1]++
		}
	}
	free, blank := map[int]bool{}, map[int]bool{}
	for _, d := range docs {
		free[solid[d.End]] = true
	}
	for i := 1; i < len(text); i++ {
		if text[i] == '\n' && text[i-1] == '\n' {
			blank[solid[i]] = true
		}
	}
	f1 := func(skip func(int) bool) float64 {
		ends := func(spans []verbatim.Span) map[int]bool {
			set := map[int]bool{}
			for _, s := range spans {
				if at := solid[s.End]; !free[at] && !skip(at) {
					set[at] = true
				}
			}
			return set
		}
		g, p := ends(gold), ends(found)
		both := 0
		for at := range p {
			if g[at] {
				both++
			}
		}
		return 200 * float64(both) / float64(len(g)+len(p))
	}
	return f1(func(int) bool { return false }), f1(func(at int) bool { return blank[at] })
}
