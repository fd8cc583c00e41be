package distractor

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever a model says: an answer is refused with a reason, or it has the form
// of the right one, and to shape it again changes nothing.
func FuzzShape(f *testing.F) {
	for _, text := range []string{"Negation: \"But it ran.\"", "**Answer:** 'If it ran.'", "Sure! Here is one: But it ran", "…", "«»", "\"\"", "1. But", "if\n\nso"} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, came string, clause bool) {
		if !utf8.ValidString(came) {
			return // a JSON string is valid
		}
		r := sentenceRequest()
		if clause {
			r = clauseRequest()
		}
		text, refused := standard.shape(came, &r)
		if (text == "") != (refused != "") {
			t.Fatalf("%q became %q, refused %q", came, text, refused)
		}
		if text == "" {
			return
		}
		if clause && strings.HasSuffix(text, ".") || strings.TrimSpace(text) != text {
			t.Fatalf("%q became %q", came, text)
		}
		if again, refused := standard.shape(text, &r); again != text && refused == "" {
			t.Fatalf("%q became %q, and that %q", came, text, again)
		}
	})
}
