package cue

import (
	"strings"
	"testing"
	"testing/fstest"
)

// reachCards have one negation, one ending and two kinds of pieces.
const reachCards = `list:  senses
words: absent gone food more none

list:  eating
words: ate drank

rule:  no
match: no | not
sense: absent
kind:  denial
yes:   There is [no] rain.

rule:  gone
match: is gone
sense: gone
kind:  after
yes:   The rain [is gone].

rule:  reach/denial
on:    denial
scope: ahead
most:  4
ends:  but | , {subject pronouns}
yes:   There is [no rain] but snow.
yes:   There is [no rain on the hills] today.

rule:  reach/after
on:    after
scope: behind
ends:  but
yes:   It was wet but [the rain is gone].

rule:  piece/ate
on:    piece
says:  {eating} ... | i {eating}
never: ate crow
lacks: given a dream
sense: food
after first: {eating}
no:    I slept.

rule:  piece/again
on:    piece
says:  ... again
sense: more

rule:  edge/then
on:    edge
drop:  then | and then
`

func loadReach(t *testing.T, text string) *Cards {
	t.Helper()
	cards, err := Load(fstest.MapFS{"r.txt": {Data: []byte(text)}}, Words())
	if err != nil {
		t.Fatal(err)
	}
	return cards
}

func TestReaches(t *testing.T) {
	cards := loadReach(t, reachCards)
	for _, failure := range cards.Check() {
		t.Error(failure)
	}
	r := cards.NewReader()
	for _, marked := range []string{
		"I saw [no ships], they had sailed.", // up to a comma and a subject
		"The mist was thick but [the frost is gone].",
		"[Not a word was said] of it at dinner.", // most: 4
	} {
		text, spans := Brackets(marked)
		tags := r.Reaches("", text)
		if len(tags) != 1 || strings.TrimRight(text[tags[0].Scope.Start:tags[0].Scope.End], ",.") != text[spans[0].Start:spans[0].End] {
			t.Errorf("%s: got %+v", marked, tags)
		}
	}
}

func TestJudge(t *testing.T) {
	cards := loadReach(t, reachCards)
	r := cards.NewReader()
	for _, c := range []struct{ piece, given, want, rest string }{
		{"ate soup", "", "piece/ate", "soup"},
		{"I drank tea", "", "piece/ate", "tea"},
		{"they all ate", "", "", ""}, // `{eating} ...` must be at the start
		{"I ate crow", "", "", ""},
		{"ate soup", "a dream", "", ""},
		{"soup again", "", "piece/again", "soup again"},
	} {
		r.Open("", c.piece)
		got, rest := "", ""
		if card := r.Judge("piece", 0, r.Tokens(), cards.Given(c.given)); card != nil {
			got = card.Name
			s := r.TokenSpan(r.Start(card, 0, r.Tokens()), r.Tokens())
			rest = c.piece[s.Start:s.End]
		}
		if got != c.want || rest != c.rest {
			t.Errorf("%q given %q: got %q and %q, want %q and %q", c.piece, c.given, got, rest, c.want, c.rest)
		}
	}
	r.Open("", "and then soup")
	if n := r.DropFirst(r.Judge("edge", 0, 3, 0), 0, 3); n != 2 {
		t.Errorf("%d words were removed, want 2 for the longer pattern", n)
	}
	if givens := cards.Givens(); len(givens) != 1 || givens[0] != "a dream" {
		t.Errorf("Givens returned %q", givens)
	}
}

// Each word selects the cards that need it. No card may be lost, however many
// there are.
func TestManyCards(t *testing.T) {
	var many strings.Builder
	many.WriteString(reachCards)
	for i := range 400 {
		many.WriteString("\nrule:  many/" + word3(i) + "\non:    piece\nsays:  " + word3(i) + "\nsense: food\n")
	}
	r := loadReach(t, many.String()).NewReader()
	for i := range 400 {
		r.Open("", "some "+word3(i)+" here")
		if card := r.Judge("piece", 0, 3, 0); card == nil || card.Name != "many/"+word3(i) {
			t.Errorf("the card for %s was not tried", word3(i))
		}
	}
}

func word3(i int) string {
	return "q" + string(rune('a'+i/26%26)) + string(rune('a'+i%26))
}

func TestMistakesInReaches(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"most:  4", "most:  few", "is not a number of words"},
		{"scope: ahead\nmost:  4\n", "scope: the sentence\ntier:  sure\nmost:  4\n", "has ends: or most: but no reach"},
		{"says:  ... again", "says:  ... again ...", "dots on both sides"},
		{"ends:  but\n", "ends:  {nonsense}\n", "no list or shape"},
	} {
		_, err := Load(fstest.MapFS{"r.txt": {Data: []byte(strings.Replace(reachCards, c.old, c.new, 1))}}, Words())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.new, err, c.want)
		}
	}
}
