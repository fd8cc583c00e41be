package cue

import (
	"strings"
	"testing"
	"testing/fstest"
)

func files(pairs ...string) fstest.MapFS {
	folder := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		folder[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return folder
}

// Every mistake is reported with its line and how to fix it.
func TestMistakesInCards(t *testing.T) {
	whole := "rule: a/b\nmatch: howbeit\nsense: contrast\nyes: [Howbeit], they stayed.\n"
	for _, c := range []struct{ name, text, want string }{
		{"no colon", "rule: a/b\nmatch howbeit\n", `x.txt:2: "match howbeit" has no colon; write`},
		{"no such line", whole + "plaice: first word\n", `x.txt:5: a card has no line "plaice:"; its lines are rule, match`},
		{"no name", "rule:\nmatch: howbeit\nsense: contrast\nyes: [Howbeit].\n", "x.txt:1: the card has no name; add one"},
		{"no such place", whole + "place: at the end\n", "x.txt:5: place: \"at the end\" is not a place; use `first word`"},
		{"no such mark", whole + "place: after ~\n", `x.txt:5: place: "~" is not a mark; use , ;`},
		{"no such test", whole + "has: comma nxt\n", `x.txt:5: has: there is no test "comma nxt"; did you mean "comma next"?`},
		{"no such list", whole + "after: {kings}\n", "x.txt:5: after: there is no list or shape {kings}"},
		{"open brace", whole + "after: {-ing\n", `x.txt:5: after: "{-ing" has no closing brace`},
		{"no such sense", "rule: a/b\nmatch: howbeit\nsense: sad\nyes: [Howbeit].\n", `x.txt:3: sense: "sad" is not one of causal, `},
		{"no sense", "rule: a/b\nmatch: howbeit\nyes: [Howbeit].\n", "x.txt:1: the card a/b has no sense; add `sense:`"},
		{"no match", "rule: a/b\nsense: contrast\nyes: [Howbeit].\n", "x.txt:1: the card a/b matches nothing; add `match:`"},
		{"no example", "rule: a/b\nmatch: howbeit\nsense: contrast\n", "x.txt:1: the card a/b has no example; add a `yes:` line"},
		{"no brackets", "rule: a/b\nmatch: howbeit\nsense: contrast\nyes: Howbeit.\n", "x.txt:4: the example has no [brackets]"},
		{"sense and scope card", whole + "on: adverb\n", "has both match: and on:"},
		{"no scope", "rule: a/b\non: adverb\nyes: [However], no.\n", "needs either scope: or refuse:"},
		{"no tier", "rule: a/b\non: adverb\nscope: the sentence\nyes: [However, no.]\n", "has a scope but no tier; add `tier: sure`"},
		{"no such kind", whole + "kind: advreb\n", "no scope card has `on: advreb`, the kind of the card a/b; use the kind of a scope card; did you mean \"adverb\"?"},
		{"no rule line", "match: howbeit\n", "x.txt:1: a paragraph starts with \"match:\"; start a card with `rule:`"},
		{"same name twice", whole + "\n" + whole, "x.txt:6: the card a/b is already in x.txt:1; give one of them another name"},
		{"no such list to add to", "more: kings\nwords: alfred\n", `x.txt:1: there is no list "kings" to add to; start a new list`},
		{"no such line in a list", "list: kings\nword: alfred\n", `x.txt:2: a word list has no line "word:"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load(files("x.txt", c.text), ConnectorCards(), Words())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// The hash depends on what the cards say, not on their layout.
func TestHashFollowsTheCards(t *testing.T) {
	hash := func(text string) string {
		cards, err := Load(files("x.txt", text), ConnectorCards(), Words())
		if err != nil {
			t.Fatal(err)
		}
		return cards.Hash()
	}
	card := "rule: a/b\nmatch: howbeit\nsense: contrast\nyes: [Howbeit], they stayed.\n"
	if hash(card) != hash("# a comment\n\nrule:   a/b\nwhy:    It is old.\nmatch:  howbeit\nsense:  contrast\nyes:    [Howbeit], they stayed.\n") {
		t.Error("spaces or comments changed the hash")
	}
	if hash(card) == hash(strings.ReplaceAll(card, "contrast", "concessive")) {
		t.Error("another sense did not change the hash")
	}
}
