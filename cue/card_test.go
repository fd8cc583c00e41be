package cue

import (
	"fmt"
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

// A reader finds the joints of a sentence and what each governs.
func ExampleReader_Tags() {
	r := Connectors().NewReader()
	sentence := "But nobody would row them over, for the boat was old."
	tags, _ := r.Tags("", sentence)
	for _, tag := range tags {
		fmt.Printf("%s (%s): [%s] by %s\n", tag.Name, tag.Tier, sentence[tag.Scope.Start:tag.Scope.End], tag.Card)
	}
	// Output:
	// contrastsentence (sure): [But nobody would row them over, for the boat was old.] by but/contrast
	// causalclause (sure): [for the boat was old] by for/clause-with-verb
}

// A scholar's folder lies over ours: a card of the same name takes the place
// of ours, a new one is asked first, and a list can grow.
func ExampleLoad() {
	mine := files("mine.txt", `
more:  degree adjectives
words: puissant

rule:  mine/howbeit
match: howbeit
place: after ,
sense: concessive
kind:  subordinator
yes:   He stayed, [howbeit] he was asked to go.
`)
	cards, err := Load(mine, ConnectorCards(), Words())
	if err != nil {
		fmt.Println(err)
		return
	}
	r := cards.NewReader()
	for _, hit := range r.Hits("", "No king, however puissant, stayed, howbeit they were asked to.") {
		fmt.Println(hit.Connector, hit.Sense, hit.Card)
	}
	// Output:
	// however concessive however/degree
	// howbeit concessive mine/howbeit
}

// The engine serves other words than connectors: here negations, with scopes
// that end at a comma or at `but`.
func ExampleLoad_negation() {
	cards, err := Load(files("negation.txt", `
list:  senses
words: absent none

rule:  negation/no-doubt
match: no doubt
sense: none
yes:   There was [no doubt] of it.

rule:  negation/no
match: no | not | never
sense: absent
kind:  negator
yes:   I had [no] fever.

rule:  negation/scope-comma
on:    negator
has:   , but in the rest
scope: to the next comma
tier:  sure
yes:   I had [no fever], but my head ached.

rule:  negation/scope
on:    negator
scope: to the end of the clause
tier:  sure
yes:   I had [no fever at all].
`), Words())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, failure := range cards.Check() {
		fmt.Println(failure.Error())
	}
	r := cards.NewReader()
	sentence := "No doubt I slept, but I had no cramps, but some pain."
	tags, _ := r.Tags("", sentence)
	for _, tag := range tags {
		fmt.Printf("%s: [%s]\n", tag.Sense, sentence[tag.Scope.Start:tag.Scope.End])
	}
	// Output:
	// absent: [no cramps]
}

// Every mistake has its place and the way to mend it.
func TestMistakesInCards(t *testing.T) {
	whole := "rule: a/b\nmatch: howbeit\nsense: contrast\nyes: [Howbeit], they stayed.\n"
	for _, c := range []struct{ name, text, want string }{
		{"no colon", "rule: a/b\nmatch howbeit\n", `x.txt:2: "match howbeit" has no colon; write`},
		{"no such line", whole + "plaice: first word\n", `x.txt:5: a card has no line "plaice:"; its lines are rule, match`},
		{"no name", "rule:\nmatch: howbeit\nsense: contrast\nyes: [Howbeit].\n", "x.txt:1: the card has no name; write for example"},
		{"no such place", whole + "place: at the end\n", `x.txt:5: place: "at the end" is no place; write first word`},
		{"no such mark", whole + "place: after ~\n", `x.txt:5: place: "~" is no mark; the marks are`},
		{"no such test", whole + "has: comma nxt\n", `x.txt:5: has: there is no test "comma nxt"; do you mean "comma next"?`},
		{"no such list", whole + "after: {kings}\n", "x.txt:5: after: there is no list and no shape called {kings}"},
		{"open brace", whole + "after: {-ing\n", `x.txt:5: after: the brace of "{-ing" is not closed`},
		{"no such sense", "rule: a/b\nmatch: howbeit\nsense: sad\nyes: [Howbeit].\n", `x.txt:3: sense: "sad" is not one of causal, `},
		{"no sense", "rule: a/b\nmatch: howbeit\nyes: [Howbeit].\n", "x.txt:1: the card a/b decides nothing; add `sense:`"},
		{"no match", "rule: a/b\nsense: contrast\nyes: [Howbeit].\n", "x.txt:1: the card a/b matches nothing; add `match:`"},
		{"no example", "rule: a/b\nmatch: howbeit\nsense: contrast\n", "x.txt:1: the card a/b has no example; add a line `yes:`"},
		{"no brackets", "rule: a/b\nmatch: howbeit\nsense: contrast\nyes: Howbeit.\n", "x.txt:4: the example has no [brackets]"},
		{"two sorts", whole + "on: adverb\n", "has both match: and on:"},
		{"scope and refuse", "rule: a/b\non: adverb\nyes: [However], no.\n", "must either give a scope or refuse"},
		{"no tier", "rule: a/b\non: adverb\nscope: the sentence\nyes: [However, no.]\n", "gives a scope without a tier; add `tier: sure`"},
		{"no such kind", whole + "kind: advreb\n", `no scope card stands on the kind "advreb" of the card a/b; write a kind that a scope card names after on:; do you mean "adverb"?`},
		{"a loose line", "match: howbeit\n", `x.txt:1: a paragraph begins with "match:"; a card begins with`},
		{"twins", whole + "\n" + whole, "x.txt:6: the card a/b stands already in x.txt:1; give one of them another name"},
		{"more of nothing", "more: kings\nwords: alfred\n", `x.txt:1: there is no list "kings" to add to; begin a new list`},
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

// The hash changes with what the cards say, not with how they are laid out.
func TestHashFollowsTheCards(t *testing.T) {
	hash := func(text string) string {
		cards, err := Load(files("x.txt", text), ConnectorCards(), Words())
		if err != nil {
			t.Fatal(err)
		}
		return cards.Hash()
	}
	card := "rule: a/b\nmatch: howbeit\nsense: contrast\nyes: [Howbeit], they stayed.\n"
	if hash(card) != hash("# a remark\n\nrule:   a/b\nmatch:  howbeit\nsense:  contrast\nyes:    [Howbeit], they stayed.\n") {
		t.Error("spaces and remarks changed the hash")
	}
	if hash(card) == hash(strings.ReplaceAll(card, "contrast", "concessive")) {
		t.Error("another sense left the hash as it was")
	}
}
