package clean

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"unicode"

	"verbatim"
)

const booksFolder = "../../shared/data/books"

// readBook reads a book of the data folder, or skips the test if the folder is
// not there.
func readBook(t testing.TB, name string) *verbatim.Document {
	t.Helper()
	f, err := os.Open(filepath.Join(booksFolder, name))
	if os.IsNotExist(err) {
		t.Skipf("no %s: the books are in the shared data folder, which is not here", filepath.Join(booksFolder, name))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := verbatim.ReadDocument(f, name)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestTwins compares the cleaning of three scans with clean editions of the
// same books. The editions, not the cleaner, decide what is counted:
//
//   - furniture: the first and last lines of a page, at most three at each edge,
//     if less than a third of their words are in the edition at that place:
//     heads, numbers, signature marks. Page marks count too. Lines of specks (no
//     digit, fewer than four letters) do not, nor do pages that are not in the
//     edition (fewer than twenty of its words).
//   - notes: lines of the scan that are not in the edition's text at that place,
//     if at least half of their word pairs are in the edition's notes (editions
//     collect these elsewhere).
//   - lost words: words of the edition that the scan has and the copy has not;
//     words of the edition's notes are not counted.
//   - hyphens: words broken at a line end that the edition has whole.
func TestTwins(t *testing.T) {
	for _, name := range []string{"hvd.hxvp5b", "uc2.ark+13960+t4qj7df3t", "uc2.ark+13960+t7zk5647t"} {
		t.Run(name, func(t *testing.T) {
			scan, twin := readBook(t, name+".txt"), readBook(t, "twins/"+name+".txt")
			c := compare(scan, twin)
			t.Log(c)
			for what, cases := range c.wrong {
				for i, s := range cases {
					if testing.Verbose() && i < 40 {
						t.Logf("%s: %q", what, s)
					}
				}
			}
			if c.furnitureGone*100 < c.furniture*95 {
				t.Errorf("%d of %d heads, numbers and marks were removed: less than 95%%", c.furnitureGone, c.furniture)
			}
			if c.notesGone*100 < c.notes*95 {
				t.Errorf("%d of %d lines of notes were removed: less than 95%%", c.notesGone, c.notes)
			}
			if c.lost*10000 > c.words*5 {
				t.Errorf("%d of %d words were lost: more than 5 in 10,000", c.lost, c.words)
			}
			if c.hyphensRight*100 < c.hyphens*95 {
				t.Errorf("%d of %d line-end hyphens are right: less than 95%%", c.hyphensRight, c.hyphens)
			}
		})
	}
}

// A comparison holds the counts for one book.
type comparison struct {
	furniture, furnitureGone int
	notes, notesGone         int
	words, lost              int
	hyphens, hyphensRight    int
	breaks, breaksJoined     int                // broken without a hyphen
	falseJoins               int                // joined, but the edition has two words
	noted                    map[[2]string]bool // pairs of words in the edition's notes
	wrong                    map[string][]string
}

func (c comparison) String() string {
	share := func(a, b int) string {
		return fmt.Sprintf("%d of %d (%.2f%%)", a, b, 100*float64(a)/float64(max(b, 1)))
	}
	return fmt.Sprintf("heads, numbers, marks removed: %s; note lines removed: %s; words lost: %d of %d (%.1f in 10,000); hyphens right: %s; breaks without hyphen joined: %s, wrongly %d",
		share(c.furnitureGone, c.furniture), share(c.notesGone, c.notes), c.lost, c.words, 10000*float64(c.lost)/float64(c.words),
		share(c.hyphensRight, c.hyphens), share(c.breaksJoined, c.breaks), c.falseJoins)
}

func compare(scan, twin *verbatim.Document) comparison {
	c := comparison{wrong: map[string][]string{}}
	r := Read(scan)
	scanWords, twinWords, copyWords := tokens(scan.Text), tokens(twin.Text), tokens(r.Copy.Text)
	before, after := align(scanWords, twinWords), align(copyWords, twinWords)
	inNote := twinNotes(twin.Text, twinWords, noteInText[scan.ID])
	c.noted = map[[2]string]bool{}
	for i := 1; i < len(twinWords); i++ {
		if inNote[i] && inNote[i-1] {
			c.noted[[2]string{twinWords[i-1].word, twinWords[i].word}] = true
		}
	}

	kept := make([]bool, len(twinWords)) // by the copy
	for _, j := range after {
		if j >= 0 {
			kept[j] = true
		}
	}
	for i, j := range before {
		if j < 0 {
			continue
		}
		c.words++
		if !kept[j] && !inNote[j] {
			c.lost++
			c.note("lost word", scan.Text[max(0, scanWords[i].start-40):min(len(scan.Text), scanWords[i].end+20)])
		}
	}
	c.countLines(scan, r, scanWords, before, inNote)
	c.countHyphens(scan, r, scanWords, before, twinWords)
	return c
}

func (c *comparison) note(what, where string) { c.wrong[what] = append(c.wrong[what], where) }

// noteInText is the line of an edition where a footnote of the printed book is
// a paragraph of the text.
var noteInText = map[string]int{"uc2.ark+13960+t4qj7df3t.txt": 2541}

// twinNotes reports which words of an edition are in notes: in paragraphs that
// start with [Footnote, [3] or Note 3, and in the one at a given line.
func twinNotes(text string, words []token, line int) []bool {
	in := make([]bool, len(words))
	i, blank := 0, "\n\n"
	if strings.Contains(text, "\r\n") {
		blank = "\r\n\r\n"
	}
	for start := 0; start < len(text); {
		end := len(text)
		if k := strings.Index(text[start:], blank); k >= 0 {
			end = start + k + len(blank)
		}
		p := strings.TrimSpace(text[start:end])
		note := strings.HasPrefix(p, "[Footnote") || strings.HasPrefix(p, "Note ") && len(p) > 6 && isDigit(p[5]) ||
			len(p) > 3 && p[0] == '[' && (p[2] == ']' || p[3] == ']')
		note = note || line > 0 && strings.Count(text[:start], "\n") <= line-1 && strings.Count(text[:end], "\n") >= line
		for ; i < len(words) && words[i].start < end; i++ {
			in[i] = note
		}
		start = end
	}
	return in
}

type scanLine struct{ start, end int }

// countLines counts the lines of the scan, page by page.
func (c *comparison) countLines(scan *verbatim.Document, r *Reading, words []token, pairs []int, inNote []bool) {
	var pageLines []scanLine
	flush := func() {
		c.countPage(scan, r, pageLines, words, pairs, inNote)
		pageLines = pageLines[:0]
	}
	start := 0
	for line := range strings.Lines(scan.Text) {
		l := scanLine{start, start + len(line)}
		start = l.end
		if strings.HasPrefix(line, "<page ") {
			flush()
			c.furniture++
			if gone(r, l.start, l.start+len(strings.TrimSpace(line))) {
				c.furnitureGone++
			}
		} else if strings.TrimSpace(line) != "" {
			pageLines = append(pageLines, l)
		}
	}
	flush()
}

func (c *comparison) countPage(scan *verbatim.Document, r *Reading, lines []scanLine, words []token, pairs []int, inNote []bool) {
	type verdict struct {
		aligned, noted, all int
		note                bool
	}
	verdicts := make([]verdict, len(lines))
	page := 0
	for i, l := range lines {
		v := &verdicts[i]
		k := sort.Search(len(words), func(k int) bool { return words[k].start >= l.start })
		for ; k < len(words) && words[k].start < l.end; k++ {
			v.all++
			if pairs[k] >= 0 {
				v.aligned++
				page++
				if inNote[pairs[k]] {
					v.aligned--
				}
			}
			if k > 0 && words[k-1].start >= l.start && c.noted[[2]string{words[k-1].word, words[k].word}] {
				v.noted++
			}
		}
		if v.note = v.noted*2 >= v.all-1 && v.all > 2 && v.aligned*3 < v.all; v.note {
			c.notes++
			if text := trimmed(scan, l); gone(r, l.start+strings.Index(scan.Text[l.start:l.end], text), l.start+strings.Index(scan.Text[l.start:l.end], text)+len(text)) {
				c.notesGone++
			} else {
				c.note("note not removed", text)
			}
		}
	}
	if page < 20 {
		return
	}
	edge := func(i int) bool {
		v := verdicts[i]
		if v.aligned*3 >= v.all && v.all > 0 || v.note {
			return false
		}
		text := trimmed(scan, lines[i])
		if hasDigit(text) || len(letters(text)) >= 4 {
			c.furniture++
			start := lines[i].start + strings.Index(scan.Text[lines[i].start:lines[i].end], text)
			if gone(r, start, start+len(text)) {
				c.furnitureGone++
			} else {
				c.note("head not removed", text)
			}
		}
		return true
	}
	top := 0
	for top < min(3, len(lines)) && edge(top) {
		top++
	}
	for i := len(lines) - 1; i >= max(top, len(lines)-3) && edge(i); i-- {
	}
}

func trimmed(doc *verbatim.Document, l scanLine) string {
	return strings.TrimSpace(doc.Text[l.start:l.end])
}

// gone reports whether no source byte of the span is in the copy.
func gone(r *Reading, start, end int) bool {
	for i := sort.Search(len(r.Repairs), func(i int) bool { return r.Repairs[i].End > start }); start < end; i++ {
		if i >= len(r.Repairs) || r.Repairs[i].Start > start || r.Repairs[i].Text != "" {
			return false
		}
		start = r.Repairs[i].End
	}
	return true
}

// countHyphens compares words broken at line ends with the edition. It counts a
// break if the words around it are next to each other in the edition, with one
// or two words between them.
func (c *comparison) countHyphens(scan *verbatim.Document, r *Reading, words []token, pairs []int, twin []token) {
	text := scan.Text
	for i := 1; i+2 < len(words); i++ {
		between := text[words[i].end:words[i+1].start]
		if !strings.Contains(between, "\n") || strings.Contains(strings.TrimSpace(between), "\n") {
			continue
		}
		mark := strings.TrimSpace(between)
		if mark != "-" && mark != "" || !unicode.IsLower(firstRune(text[words[i+1].start:])) || pairs[i-1] < 0 || pairs[i+2] < 0 {
			continue
		}
		a, b := words[i].word, words[i+1].word
		at := pairs[i-1] + 1
		one := at+1 == pairs[i+2] && twin[at].word == a+b
		two := at+2 == pairs[i+2] && twin[at].word == a && twin[at+1].word == b
		if !one && !two {
			continue
		}
		joined := r.place(words[i+1].start)-r.place(words[i].end-1) == 1
		switch {
		case mark == "-":
			c.hyphens++
			if joined == one {
				c.hyphensRight++
			} else {
				c.note(fmt.Sprintf("hyphen, joined %v", joined), a+"-"+b)
			}
		case one:
			c.breaks++
			if joined {
				c.breaksJoined++
			} else {
				c.note("break not joined", a+" "+b)
			}
		case joined:
			c.falseJoins++
			c.note("wrongly joined", a+" "+b)
		}
	}
}
