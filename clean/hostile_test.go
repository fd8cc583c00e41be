package clean

import (
	"runtime"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/growth"
)

// Unusual texts are read correctly, in time that grows linearly.
func TestHostile(t *testing.T) {
	same := func(piece string) func(int) string {
		return func(n int) string { return strings.Repeat(piece, n) }
	}
	repeat := func(piece string, n int) func(int) string {
		return func(int) string { return strings.Repeat(piece, n) }
	}
	const size = 20_000
	for _, c := range []struct {
		name       string
		text, copy func(n int) string // copy may be nil: only the repairs are checked
	}{
		{"form feeds", same("\f"), same("\f")},
		{"line feeds", same("\n"), same("\n")},
		{"carriage returns", repeat("one\rtwo\r\rthree\r", 1), repeat("one two\n\nthree\r", 1)},
		{"NUL", same("\x00"), same("\x00")},
		{"entities", same("&amp;"), same("&")},
		{"escaped escapes", func(n int) string { return "&" + strings.Repeat("amp;", n) + "quot;" }, nil},
		{"hyphens", same("on-\n"), func(n int) string { return strings.Repeat("on", n) + "-\n" }},
		{"page marks", same("<page 1>\n"), repeat("\n", 1)},
		{"quotation marks", same("\" "), nil},
		{"brackets", same("["), same("[")},
		{"one-letter pages", same("<page 1>\nA\n"), nil},
		{"numbered pages", same("<page 1>\n12 THE SAME OLD HEAD\nand so on\n"), nil},
		{"pages that end in wide spaces", same("<page 1>\nAnd so on.\n\u2003\n"), nil},
		{"one letter", same("a"), same("a")},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.text(size)
			doc, r := read(t, text)
			if rebuild(text, r.Repairs) != r.Copy.Text {
				t.Error("the repairs do not produce the copy")
			}
			if c.copy != nil && r.Copy.Text != c.copy(size) {
				t.Errorf("the copy is %.60q, want %.60q", r.Copy.Text, c.copy(size))
			}
			n := len(r.Copy.Text)
			checkSpan(t, r, doc, verbatim.Span{Start: n / 3, End: n / 2})
			checkSpan(t, r, doc, verbatim.Span{End: n})
			growth.Linear(t, c.name, size/4, func(n int) { read(t, c.text(n)) })
		})
	}
}

func read(t *testing.T, text string) (*verbatim.Document, *Reading) {
	t.Helper()
	doc, err := verbatim.NewDocument("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return doc, Read(doc)
}

// A book in one line needs little memory beyond its text: nothing is kept per
// byte.
func TestMemoryOfOneLine(t *testing.T) {
	text := strings.Repeat("The wheel went round ; the water fell, and nobody came to mill that day or the next. ", 60_000)
	doc, err := verbatim.NewDocument("line", text)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := Read(doc)
	runtime.ReadMemStats(&after)
	allocated := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text))
	t.Logf("%d repairs, %.1f times the text allocated in total", len(r.Repairs), allocated)
	if allocated > 5 {
		t.Errorf("Read allocated %.1f times the text, want at most 5", allocated)
	}
}
