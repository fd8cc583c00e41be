package cue

import (
	"fmt"
	"iter"
	"math/bits"
	"regexp"
	"slices"
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
	need := p.sign()
	switch {
	case opens && ends:
		return nil, fmt.Errorf("%q: dots on both sides; without dots the words may stand anywhere in the piece", s)
	case opens:
		return func(a at) bool {
			if !a.piece.holds(need) {
				return false
			}
			end, ok := p.end(a.text, a.i)
			return ok && end <= a.i+a.n
		}, nil
	case ends:
		return func(a at) bool { return a.piece.holds(need) && len(p) <= a.n && p.matchBefore(a.text, a.i+a.n) }, nil
	}
	return func(a at) bool { return a.piece.holds(need) && a.find(p, a.i, a.i+a.n) >= 0 }, nil
}

// Most cards speak of words that a piece does not have. Two things spare them:
// each word calls up only the cards that ask for it, and a sign, a small sum of
// a piece's words, tells for most patterns at once that they cannot stand in it.

// calls is a set of piece cards, by number; cards beyond the last number are
// always asked.
type calls [mostCalls / 64]uint64

const mostCalls = 256

func (c *calls) add(n int) { c[n>>6] |= 1 << (n & 63) }

func (c *calls) all(other *calls) {
	for i := range c {
		c[i] |= other[i]
	}
}

// A sign has a bit for each word, several words to a bit.
type sign [4]uint64

func signOf(n int) (s sign) {
	s[n>>6&3] = 1 << (n & 63)
	return s
}

func (s *sign) add(other sign) {
	for i := range s {
		s[i] |= other[i]
	}
}

func (s *sign) holds(need sign) bool {
	return s[0]&need[0] == need[0] && s[1]&need[1] == need[1] && s[2]&need[2] == need[2] && s[3]&need[3] == need[3]
}

// A line of says: may hold hundreds of patterns, and a piece has a handful of
// words. So a line keeps its patterns by the bit of their rarest word, and only
// those are tried whose bit the piece's sign has.

// wordSaid is the bit of a pattern's rarest word, none where it has no word.
func (l *lexicon) wordSaid(key, part string) sign {
	if key != "says" && key != "never" {
		return sign{}
	}
	p, err := l.parsePattern(strings.TrimSuffix(strings.TrimPrefix(part, "..."), "..."))
	if w := p.rarest(); err == nil && w != nil {
		return w.sign
	}
	return sign{}
}

func (c *condition) addWord(bit sign, t test) {
	at := 0
	for w := range bit {
		if bit[w] != 0 {
			at = c.rank(w, bit[w])
		}
	}
	if !c.words.holds(bit) {
		c.words.add(bit)
		c.byWord = slices.Insert(c.byWord, at, nil)
	}
	c.byWord[at] = append(c.byWord[at], t)
}

// rank counts the condition's bits before a bit.
func (c *condition) rank(word int, bit uint64) int {
	n := bits.OnesCount64(c.words[word] & (bit - 1))
	for _, w := range c.words[:word] {
		n += bits.OnesCount64(w)
	}
	return n
}

// holds: does one of the tests?
func (c *condition) holds(a at) bool {
	for _, t := range c.any {
		if t(a) {
			return true
		}
	}
	for w := range c.words {
		for both := c.words[w] & a.piece[w]; both != 0; both &= both - 1 {
			for _, t := range c.byWord[c.rank(w, both&-both)] {
				if t(a) {
					return true
				}
			}
		}
	}
	return false
}

// sign is what a piece must have for the pattern to stand in it.
func (p pattern) sign() (s sign) {
	for _, e := range p {
		if e.entry != nil {
			s.add(e.entry.sign)
		}
	}
	return s
}

// rarest is a pattern's longest word, which is likely its rarest.
func (p pattern) rarest() (w *entry) {
	for _, e := range p {
		if e.entry != nil && (w == nil || len(e.entry.text) > len(w.text)) {
			w = e.entry
		}
	}
	return w
}

// callCards notes, for each word, which piece cards it can bring up: those
// whose first says: line has a pattern with that word, or with a list that holds
// it. A card with a pattern of shapes alone, or with no says:, is always asked.
func (c *Cards) callCards() {
	c.lex.countLists()
	n := 0
	byList := map[int]*calls{}
	for _, kind := range sortedKeys(c.pieces) {
		for _, card := range c.pieces[kind] {
			if card.number > 0 {
				continue // stands on several kinds
			}
			n++
			if card.number = n; n >= mostCalls || len(card.says) == 0 {
				c.always.add(min(n, mostCalls-1))
				continue
			}
			for _, p := range card.says {
				c.callPattern(p, n, byList)
			}
		}
	}
	for _, e := range c.lex.words {
		for list, called := range byList {
			if e.lists.has(list) {
				e.calls.all(called)
			}
		}
	}
}

func (c *Cards) callPattern(p pattern, card int, byList map[int]*calls) {
	if w := p.rarest(); w != nil {
		w.calls.add(card)
		return
	}
	var fewest []int // of several lists the one with the fewest words
	words := 0
	for _, e := range p {
		if e.shape != nil {
			continue
		}
		var lists []int
		n := 0
		for list := range c.lex.order {
			if e.lists.has(list) {
				lists, n = append(lists, list), n+c.lex.sizes[list]
			}
		}
		if fewest == nil || n < words {
			fewest, words = lists, n
		}
	}
	for _, list := range fewest {
		if byList[list] == nil {
			byList[list] = &calls{}
		}
		byList[list].add(card)
	}
	if fewest != nil {
		return
	}
	c.always.add(card)
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
		t := &r.text
		t.given = g
		r.callFor(from, to)
		called := r.called // whoever gets a card may ask about another piece
		a := at{t, from, to - from}
		for _, card := range r.cards.pieces[kind] {
			if n := min(card.number, mostCalls-1); called[n>>6]&(1<<(n&63)) != 0 && card.applies(a) && !yield(card) {
				return
			}
		}
	}
}

// callFor finds the cards that the words from..to call up, and their sign. The
// same piece is asked several times: as an opening, a closing, a piece.
func (r *Reader) callFor(from, to int) {
	t := &r.text
	if t.pieceFrom == from && t.pieceTo == to {
		return
	}
	t.pieceFrom, t.pieceTo, t.piece, r.called = from, to, sign{}, r.cards.always
	for i := from; i < to; i++ {
		if e := t.tokens[i].entry; e != r.cards.lex.none {
			r.called.all(&e.calls)
			t.piece.add(e.sign)
		}
	}
}

// DropFirst is how many tokens a card takes off the beginning of a piece.
func (r *Reader) DropFirst(card *Card, from, to int) int {
	most := 0
	first := r.text.tokens[from].entry
	for _, p := range card.drop {
		if w := p[0].entry; w != nil && w != first { // most begin with another word
			continue
		}
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
