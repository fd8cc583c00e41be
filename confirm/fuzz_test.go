package confirm_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"verbatim/confirm"
)

// Any question of a user's is read, or the error names its file; and one that is
// read shows the sentence and can be answered both ways.
func FuzzQuestions(f *testing.F) {
	f.Add("for: since | as\ntags: causalclause\nanswer: cause = keep = a reason\nanswer: time = drop = a time\nask:\nIs it? {sentence}\n")
	f.Add("ask: {sentence}")
	f.Add("answer: a = keep = b = c\nanswer: \xff = drop =\n#\nask:\n{sentence}{previous}{connector}")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := confirm.Load(fstest.MapFS{"mine.txt": {Data: []byte(text)}}, confirm.Embedded())
		if err != nil {
			if !strings.Contains(err.Error(), "mine.txt") {
				t.Fatalf("%q: %v names no file", text, err)
			}
			return
		}
		for _, q := range all {
			if q.File != "mine.txt" {
				continue
			}
			keep, drop := false, false
			for _, a := range q.Answers {
				keep, drop = keep || a.Keep, drop || !a.Keep
			}
			if !keep || !drop || !strings.Contains(q.Text, "{sentence}") || !utf8.ValidString(q.Text) {
				t.Fatalf("%q was read as %+v", text, q)
			}
		}
		if all.Hash() == "" {
			t.Fatal("no hash")
		}
	})
}
