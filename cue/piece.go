package cue

import (
	"fmt"
	"iter"
	"regexp"
	"strings"

	"verbatim"
)

// Pieces. A card with `on:` and `sense:` decides about a stretch of tokens that
// the caller has cut out of a sentence, a piece. `says:` and `never:` look for
// patterns in it (`felt ...` opens the piece, `... again` ends it, `had to`
// stands anywhere), has: and lacks: look at what stands beside it and at what
// the caller knows of it (`given food before`).

// parseSays reads one pattern of says: or never:.
func (l *lexicon) parseSays(s string) (test, error) {
	inner, opens := strings.CutSuffix(s, "...")
	inner, ends := strings.CutPrefix(inner, "...")
	p, err := l.parsePattern(inner)
	if err != nil {
		return nil, err
	}
	switch {
	case opens && ends:
		return nil, fmt.Errorf("%q: dots on both sides; without dots the words may stand anywhere in the piece", s)
	case opens:
		return func(a at) bool { end, ok := p.end(a.text, a.i); return ok && end <= a.i+a.n }, nil
	case ends:
		return func(a at) bool { return len(p) <= a.n && p.matchBefore(a.text, a.i+a.n) }, nil
	}
	return func(a at) bool { return a.find(p, a.i, a.i+a.n) >= 0 }, nil
}

// Open cuts a sentence into tokens and decides its hits. Tokens and reaches are
// good until the next call of Open, Hits, Tags or Reaches.
func (r *Reader) Open(previous, sentence string) []Tag { return r.Reaches(previous, sentence) }

// Tokens is the number of tokens of the sentence that is open.
func (r *Reader) Tokens() int { return len(r.text.tokens) }

// TokenSpan gives the bytes of the tokens from..to, half-open.
func (r *Reader) TokenSpan(from, to int) verbatim.Span {
	return verbatim.Span{Start: int(r.text.tokens[from].start), End: int(r.text.tokens[to-1].end)}
}

// IsWord: is the token a word, not a mark?
func (r *Reader) IsWord(i int) bool {
	return r.text.kindAt(i) == word && i >= 0 && i < len(r.text.tokens)
}

// Mark is the mark that a token is, as written; empty for a word.
func (r *Reader) Mark(i int) string {
	if r.IsWord(i) {
		return ""
	}
	tok := r.text.tokens[i]
	return r.text.sentence[tok.start:tok.end]
}

// In says whether a token stands in a word list.
func (r *Reader) In(i int, list List) bool {
	return list > 0 && i >= 0 && i < len(r.text.tokens) && r.text.tokens[i].entry.lists.has(int(list-1))
}

// Token places of a tag.
func (t Tag) Tokens() (from, to int) { return t.token, t.token + t.tokens }

// A List is the number of a word list; 0 is none.
type List int

// List finds a word list by its name.
func (c *Cards) List(name string) List { return List(c.lex.list(name) + 1) }

// Given is what a caller knows of a piece, a set of names.
type Given uint64

// Given makes a set of the names; a name that no card asks for adds nothing.
func (c *Cards) Given(names ...string) Given {
	var g Given
	for _, name := range names {
		g |= c.lex.givens[name]
	}
	return g
}

// Givens are the names that cards ask for.
func (c *Cards) Givens() []string { return sortedKeys(c.lex.givens) }

var given = regexp.MustCompile(`^given (.+)$`)

// Judge asks the cards on a kind of piece about the tokens from..to and gives
// the first that applies, or nil.
func (r *Reader) Judge(kind string, from, to int, g Given) *Card {
	for card := range r.Judges(kind, from, to, g) {
		return card
	}
	return nil
}

// Judges gives all cards on a kind of piece that apply, in their order.
func (r *Reader) Judges(kind string, from, to int, g Given) iter.Seq[*Card] {
	return func(yield func(*Card) bool) {
		r.text.given = g
		a := at{&r.text, from, to - from}
		for _, card := range r.cards.pieces[kind] {
			if card.applies(a) && !yield(card) {
				return
			}
		}
	}
}

// DropFirst is how many tokens a card takes off the beginning of a piece.
func (r *Reader) DropFirst(card *Card, from, to int) int {
	most := 0
	for _, p := range card.drop {
		if end, ok := p.end(&r.text, from); ok && end <= to {
			most = max(most, end-from)
		}
	}
	return most
}

// DropLast is how many tokens a card takes off the end of a piece.
func (r *Reader) DropLast(card *Card, from, to int) int {
	most := 0
	for _, p := range card.drop {
		if to-len(p) >= from && p.matchAt(&r.text, to-len(p)) {
			most = max(most, len(p))
		}
	}
	return most
}

// Start is the token at which the evidence of a piece begins: at the first of
// a card's `from first:` patterns that stands in it, else after the first of
// its `after first:` ones that leaves a word behind it, else at its beginning.
func (r *Reader) Start(card *Card, from, to int) int {
	a := at{&r.text, from, to - from}
	for _, p := range card.startAt {
		if i := a.find(p, from, to); i >= 0 {
			return i
		}
	}
	for _, p := range card.startAfter {
		if i := a.find(p, from, to); i >= 0 {
			if end, _ := p.end(&r.text, i); a.countWords(end, to, 1) > 0 {
				return end
			}
		}
	}
	return from
}
