package clean

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"verbatim"
)

// Texts that nobody prints still come back, soon, and right.
func TestHostile(t *testing.T) {
	const million = 1_000_000
	for _, c := range []struct{ name, text, copy string }{
		{"form feeds", strings.Repeat("\f", million), strings.Repeat("\f", million)},
		{"line feeds", strings.Repeat("\n", million), strings.Repeat("\n", million)},
		{"lone carriage returns", "one\rtwo\r\rthree\r", "one two\n\nthree\r"},
		{"NUL", strings.Repeat("\x00", million), strings.Repeat("\x00", million)},
		{"entities", strings.Repeat("&amp;", million), strings.Repeat("&", million)},
		{"escaped escapes", "&" + strings.Repeat("amp;", million) + "quot;", ""},
		{"hyphens", strings.Repeat("on-\n", million), strings.Repeat("on", million) + "-\n"},
		{"page marks", strings.Repeat("<page 1>\n", million), "\n"},
		{"quotation marks", strings.Repeat("\" ", million), ""},
		{"brackets", strings.Repeat("[", million), strings.Repeat("[", million)},
		{"one-letter pages", strings.Repeat("<page 1>\nA\n", million/4), ""},
		{"numbered pages", strings.Repeat("<page 1>\n12 THE SAME OLD HEAD\nand so on\n", million/10), ""},
		{"one letter", strings.Repeat("a", million), strings.Repeat("a", million)},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := verbatim.NewDocument(c.name, c.text)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			r := Read(doc)
			// A second or two; time that grew with the square would be hours.
			if took := time.Since(start); took > 2*time.Minute {
				t.Errorf("reading took %v", took)
			}
			if rebuild(c.text, r.Repairs) != r.Copy.Text {
				t.Error("the repairs do not make the copy")
			}
			if c.copy != "" && r.Copy.Text != c.copy {
				t.Errorf("the copy is %.60q, not %.60q", r.Copy.Text, c.copy)
			}
			n := len(r.Copy.Text)
			checkSpan(t, r, doc, verbatim.Span{Start: n / 3, End: n / 2})
			checkSpan(t, r, doc, verbatim.Span{End: n})
		})
	}
}

// A book in one line needs little more than itself: nothing is kept per byte.
func TestMemoryOfOneLine(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a text of 50 MB")
	}
	text := strings.Repeat("The wheel went round ; the water fell, and nobody came to mill that day or the next. ", 600_000)
	doc, err := verbatim.NewDocument("line", text)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := Read(doc)
	runtime.ReadMemStats(&after)
	taken := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text))
	t.Logf("%d repairs, %.1f times the text allocated in all", len(r.Repairs), taken)
	if taken > 5 {
		t.Errorf("reading allocated %.1f times the text; with the text itself more than six", taken)
	}
}
