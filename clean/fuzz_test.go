package clean

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
)

// Every span of a copy has a source and can be proved there.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "a", "\x00", "\r", "\uFEFF", "The mist-\r\nes rose , slowly .\r\n\r\n“ Ah ! ” he said .* Then\fhe went .",
		"<page 1>\nTHE MOOR. 1\nwe went in-\n<page 2>\n2 THE MOOR.\ndeed to\n<page 3>\nTHE MOOR. 3\nthe house. &amp;quot; No ! &quot; 1 she\n1 A note.\n<page 4>\n4 THE MOOR.\nsaid.",
		"one\u00adtwo three\u00ad\nfour ¬\n five¬\nsix -\n-\n--\n\u00a0 \u2028 \u0085 x",
		"&amp;amp;amp;amp;lt;&nbsp;&#0;&#10;&#x2019;&;&amp;", " . . . \" ; \" [1] [Pg 3] a[1]\n\n[1] note",
		"CHAPTER I\n\nTHE WELL\n\nIt was night\n\n12\n\nand cold.",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 2000 {
			t.Skip("not UTF-8, or too long")
		}
		checkReading(t, text)
	})
}

// TestShuffledPieces combines typical parts of scans at random, which finds
// mistakes faster than the fuzzer.
func TestShuffledPieces(t *testing.T) {
	pieces := []string{"a", "The ", "moor", " ", "\n", "\n\n", "\r", "\r\n", "\f", "-", "--", "—", "“", "”", "\"", " ;", " .", "*", "†", "[1]", "\n[1] N",
		"12", "<page 3>\n", "\n<page 4>\n", "&amp;", "&quot;", "&lt", "\u00a0", "\u00ad", "¬", "CHAPTER I\n", "THE MOOR 4\n", "5 THE MOOR\n", "1 Note.\n", "[Pg 3]", "é", "\x00"}
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 0))
		var text strings.Builder
		for range random.IntN(50) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		checkReading(t, text.String())
	}
}

// checkReading reads a text and proves spans of its copy.
func checkReading(t *testing.T, text string) *Reading {
	t.Helper()
	doc, r := read(t, text)
	if rebuilt := rebuild(text, r.Repairs); rebuilt != r.Copy.Text {
		t.Fatalf("the repairs produce %q, the copy is %q", rebuilt, r.Copy.Text)
	}
	starts := runeStarts(r.Copy.Text)
	step := max(1, len(starts)/25) // all spans of a short text, a sample of a long one
	for i := 0; i < len(starts); i += step {
		for j := i; j < len(starts); j += step {
			checkSpan(t, r, doc, verbatim.Span{Start: starts[i], End: starts[j]})
		}
	}
	for _, h := range r.Headings {
		if h.Start >= h.End || !r.Heading(h) {
			t.Errorf("heading %v is empty or Heading does not report it", h)
		}
		checkSpan(t, r, doc, h)
	}
	return r
}

func checkSpan(t *testing.T, r *Reading, doc *verbatim.Document, s verbatim.Span) {
	t.Helper()
	quote := r.Copy.Quote(s)
	sel := r.Source(s)
	if err := r.Prove(&sel, quote); err != nil {
		t.Fatalf("span %v %.200q of copy %.500q of %.500q: %v", s, quote, r.Copy.Text, doc.Text, err)
	}
	if same := sel.Exact == quote; same != (sel.Status == verbatim.Exact) {
		t.Fatalf("span %q has source %q and status %s", quote, sel.Exact, sel.Status)
	}
}

func rebuild(text string, repairs []Repair) string {
	var out strings.Builder
	done := 0
	for _, rep := range repairs {
		out.WriteString(text[done:rep.Start])
		out.WriteString(rep.Text)
		done = rep.End
	}
	return out.String() + text[done:]
}

func runeStarts(text string) []int {
	var starts []int
	for i := range text {
		starts = append(starts, i)
	}
	return append(starts, len(text))
}
