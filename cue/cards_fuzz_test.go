package cue

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Any card of a user's is read, or each error names its file and line; and what
// the cards then find is in the sentence.
func FuzzCards(f *testing.F) {
	f.Add("rule: mine\nwords: but\nsense: contrast\nyes: It was, [but] no.\n", "It was, but no.")
	f.Add("list: mine\nwords: a b c\n\nmore: senses\nwords: x\n", "a b")
	f.Add("rule: x\nwords: but\nsense: contrast\n\nrule: x\noff: yes\n", "But no.")
	f.Add("rule: x\nsays: (a|b\nscope: ahead\nmost: -1\n\xff", "a")
	words := Words() // without the English cards: to read them takes a fifth of a second
	f.Fuzz(func(t *testing.T, card, sentence string) {
		cards, err := Load(fstest.MapFS{"mine.txt": {Data: []byte(card)}}, words)
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				if !strings.Contains(line, ".txt:") {
					t.Fatalf("%q: %q names no line", card, line)
				}
			}
			return
		}
		r := cards.NewReader()
		tags, rejected := r.Tags("", sentence)
		for _, tag := range append(tags, rejected...) {
			if tag.Start < 0 || tag.End > len(sentence) || tag.Start > tag.End {
				t.Fatalf("%q: %v is outside %q", card, tag.Span, sentence)
			}
		}
		if cards.Hash() == "" {
			t.Fatal("no hash")
		}
	})
}
