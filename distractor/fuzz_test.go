package distractor

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever a model says, the answer is rejected with a reason, or it has the form of
// the ground truth, and shaping it again changes nothing.
func FuzzShape(f *testing.F) {
	for _, text := range []string{"Negation: \"But it ran.\"", "**Answer:** 'If it ran.'", "Sure! Here is one: But it ran", "…", "«»", "\"\"", "1. But", "if\n\nso", "\"A\"-"} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, answer string, clause bool) {
		if !utf8.ValidString(answer) {
			return // a JSON string is valid
		}
		r := sentenceRequest()
		if clause {
			r = clauseRequest()
		}
		text, rejected := standard.shape(answer, &r)
		if (text == "") != (rejected != "") {
			t.Fatalf("%q became %q, rejected %q", answer, text, rejected)
		}
		if text == "" {
			return
		}
		if clause && strings.HasSuffix(text, ".") || strings.TrimSpace(text) != text {
			t.Fatalf("%q became %q", answer, text)
		}
		if again, rejected := standard.shape(text, &r); again != text && rejected == "" {
			t.Fatalf("%q became %q, and that %q", answer, text, again)
		}
	})
}
