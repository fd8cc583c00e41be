package sentence

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Any word list of a user's is read, or each error names its file and line; and
// sentences still are the whole text.
func FuzzLists(f *testing.F) {
	f.Add("titles: Dr. Prof.\nnot: Mr.\nexample: He met Dr. No. | He left.\n", "He met Dr. No. He left.")
	f.Add("\ufeffnever-end: a b\r\n\nnothing\n: x\n", "a. b")
	f.Add("clock: \x00 \xff\nmonths:", "x")
	f.Fuzz(func(t *testing.T, list, text string) {
		rules, err := NewRules(fstest.MapFS{"mine.txt": {Data: []byte(list)}})
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				if !strings.Contains(line, "mine.txt") {
					t.Fatalf("%q: %q names no file", list, line)
				}
			}
			return
		}
		checkPieces(t, text, rules.SplitText(text))
	})
}
