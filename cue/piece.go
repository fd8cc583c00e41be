package cue

import (
	"fmt"
	"iter"
	mathbits "math/bits"
	"slices"
	"strings"

	"verbatim"
)

// A card with `on:` and `sense:` decides about a piece: a range of tokens that
// the caller cuts out of a sentence. `says:` and `never:` look for patterns in
// it (`felt ...` at its start, `... again` at its end, `had to` anywhere).
// `has:` and `lacks:` look at the text around it and at what the caller knows
// about it (`given food before`).

// parseSays reads one pattern of says: or never:, and finds its rarest word.
func (l *lexicon) parseSays(s string) (t test, rarest *entry, err error) {
	inner, opens := strings.CutSuffix(s, "...")
	inner, ends := strings.CutPrefix(inner, "...")
	p, err := l.parsePattern(inner)
	if err == nil && opens && ends {
		err = fmt.Errorf("%q has dots on both sides; without dots the words may be anywhere in the piece", s)
	}
	need := p.signature()
	t = func(a at) bool { return a.piece.holds(need) && a.find(p, a.i, a.i+a.n) >= 0 }
	if opens {
		t = func(a at) bool {
			if !a.piece.holds(need) {
				return false
			}
			end, ok := p.end(a.text, a.i)
			return ok && end <= a.i+a.n
		}
	} else if ends {
		t = func(a at) bool { return a.piece.holds(need) && len(p) <= a.n && p.matchBefore(a.text, a.i+a.n) }
	}
	return t, p.rarest(), err
}

// Most cards need words that a piece does not have. Two indexes skip them: each
// word selects only the cards that need it, and the signature of a piece, a
// small bit set of its words, rules out most patterns at once.

// bits are a set of piece cards, by number, or a signature: a bit for each
// word, which several words share. Cards beyond the last bit are always tried.
type bits [5]uint64

const maxBits = 320

func (s *bits) add(n int)      { s[n>>6] |= 1 << (n & 63) }
func (s *bits) has(n int) bool { return s[n>>6]&(1<<(n&63)) != 0 }

func (s *bits) addAll(other *bits) {
	for i := range s {
		s[i] |= other[i]
	}
}

func (s *bits) holds(need bits) bool {
	return s[0]&need[0] == need[0] && s[1]&need[1] == need[1] && s[2]&need[2] == need[2] && s[3]&need[3] == need[3] && s[4]&need[4] == need[4]
}

// A says: line may have hundreds of patterns, and a piece only a few words. So
// a condition groups its patterns by the bit of their rarest word, and tries
// only those whose bit is in the signature of the piece.

func (c *condition) addWord(bit int, t test) {
	at := c.rank(bit)
	if !c.words.has(bit) {
		c.words.add(bit)
		c.byWord = slices.Insert(c.byWord, at, nil)
	}
	c.byWord[at] = append(c.byWord[at], t)
}

// rank counts the bits of the condition before a bit.
func (c *condition) rank(bit int) int {
	n := mathbits.OnesCount64(c.words[bit>>6] & (1<<(bit&63) - 1))
	for _, w := range c.words[:bit>>6] {
		n += mathbits.OnesCount64(w)
	}
	return n
}

// holds reports whether one of the tests does.
func (c *condition) holds(a at) bool {
	for _, t := range c.any {
		if t(a) {
			return true
		}
	}
	for w := range c.words {
		for both := c.words[w] & a.piece[w]; both != 0; both &= both - 1 {
			for _, t := range c.byWord[c.rank(w<<6+mathbits.TrailingZeros64(both))] {
				if t(a) {
					return true
				}
			}
		}
	}
	return false
}

// signature returns the bits that a piece needs to match the pattern.
func (p pattern) signature() (s bits) {
	for _, e := range p {
		if e.entry != nil {
			s.add(e.entry.bit)
		}
	}
	return s
}

// rarest returns the longest word of a pattern, which is probably its rarest.
func (p pattern) rarest() (w *entry) {
	for _, e := range p {
		if e.entry != nil && (w == nil || len(e.entry.text) > len(w.text)) {
			w = e.entry
		}
	}
	return w
}

// indexPieceCards records, for each word, the piece cards that need it: those
// whose first says: line has a pattern with that word, or with a list that
// contains it. A card with a pattern of shapes alone, or without says:, is
// always tried.
func (c *Cards) indexPieceCards() {
	sizes := c.lex.sizes()
	n := 0
	byList := map[int]*bits{}
	for _, kind := range sortedKeys(c.pieces) {
		for _, card := range c.pieces[kind] {
			if card.number > 0 {
				continue // it is in several kinds
			}
			n++
			card.number = min(n, maxBits-1)
			if n >= maxBits || len(card.says) == 0 {
				c.always.add(card.number)
				continue
			}
			for _, p := range card.says {
				c.indexPattern(p, n, sizes, byList)
			}
		}
	}
	for _, e := range c.lex.words {
		for list, selected := range byList {
			if e.lists.has(list) {
				e.cards.addAll(selected)
			}
		}
	}
}

func (c *Cards) indexPattern(p pattern, card int, sizes []int, byList map[int]*bits) {
	if w := p.rarest(); w != nil {
		w.cards.add(card)
		return
	}
	var fewest []int // the lists of the element with the fewest words
	words := 0
	for _, e := range p {
		if e.shape != nil {
			continue
		}
		var lists []int
		n := 0
		for list, size := range sizes {
			if e.lists.has(list) {
				lists, n = append(lists, list), n+size
			}
		}
		if fewest == nil || n < words {
			fewest, words = lists, n
		}
	}
	for _, list := range fewest {
		if byList[list] == nil {
			byList[list] = &bits{}
		}
		byList[list].add(card)
	}
	if fewest == nil {
		c.always.add(card)
	}
}

// Open splits a sentence into tokens and returns its reaches. Both are valid
// until the next call of Open, Hits, Tags or Reaches.
func (r *Reader) Open(previous, sentence string) []Tag { return r.Reaches(previous, sentence) }

// Tokens returns the number of tokens of the open sentence.
func (r *Reader) Tokens() int { return len(r.text.tokens) }

// TokenSpan returns the bytes of the tokens [start, end).
func (r *Reader) TokenSpan(start, end int) verbatim.Span { return r.text.bytes(start, end) }

// IsWord reports whether token i is a word, not punctuation.
func (r *Reader) IsWord(i int) bool { return r.text.kindAt(i) == word }

// Mark returns a punctuation token as written, or "" for a word.
func (r *Reader) Mark(i int) string {
	if r.IsWord(i) {
		return ""
	}
	tok := r.text.tokens[i]
	return r.text.sentence[tok.start:tok.end]
}

// In reports whether a token is in a word list.
func (r *Reader) In(i int, list List) bool {
	return list > 0 && i >= 0 && i < len(r.text.tokens) && r.text.tokens[i].entry.lists.has(int(list-1))
}

// Tokens returns the range of tokens of the match, half-open.
func (t Tag) Tokens() (start, end int) { return t.token, t.token + t.tokens }

// A List identifies a word list; 0 is none.
type List int

// List returns the word list with a name.
func (c *Cards) List(name string) List { return List(c.lex.list(name) + 1) }

// Given is a set of facts that the caller knows about a piece.
type Given uint64

// Given returns the set of the named facts; it ignores names that no card uses.
func (c *Cards) Given(names ...string) Given {
	var g Given
	for _, name := range names {
		g |= c.lex.givens[name]
	}
	return g
}

// Givens returns the names of facts that cards use.
func (c *Cards) Givens() []string { return sortedKeys(c.lex.givens) }

// Judge returns the first card that applies to the tokens [start, end), or nil.
func (r *Reader) Judge(kind string, start, end int, g Given) *Card {
	for card := range r.Judges(kind, start, end, g) {
		return card
	}
	return nil
}

// Judges returns all cards for a kind of piece that apply, in order.
func (r *Reader) Judges(kind string, start, end int, g Given) iter.Seq[*Card] {
	return func(yield func(*Card) bool) {
		t := &r.text
		t.given = g
		r.selectCards(start, end)
		selected := r.selected // the caller may judge another piece meanwhile
		a := at{t, start, end - start}
		for _, card := range r.cards.pieces[kind] {
			if selected.has(card.number) && card.applies(a) && !yield(card) {
				return
			}
		}
	}
}

// selectCards finds the cards that the words of a piece select, and its
// signature. The same piece is often judged several times.
func (r *Reader) selectCards(start, end int) {
	t := &r.text
	if t.pieceStart == start && t.pieceEnd == end {
		return
	}
	t.pieceStart, t.pieceEnd, t.piece, r.selected = start, end, bits{}, r.cards.always
	for i := start; i < end; i++ {
		if e := t.tokens[i].entry; e != r.cards.lex.none {
			r.selected.addAll(&e.cards)
			t.piece.add(e.bit)
		}
	}
}

// DropFirst returns how many tokens a card removes from the start of a piece.
func (r *Reader) DropFirst(card *Card, start, end int) int {
	longest := 0
	first := r.text.tokens[start].entry
	for _, p := range card.drop {
		if w := p[0].entry; w != nil && w != first { // most start with another word
			continue
		}
		if after, ok := p.end(&r.text, start); ok && after <= end {
			longest = max(longest, after-start)
		}
	}
	return longest
}

// DropLast returns how many tokens a card removes from the end of a piece.
func (r *Reader) DropLast(card *Card, start, end int) int {
	longest := 0
	for _, p := range card.drop {
		if end-len(p) >= start && p.matchAt(&r.text, end-len(p)) {
			longest = max(longest, len(p))
		}
	}
	return longest
}

// Start returns the token where the evidence of a piece starts: at the first
// `from first:` pattern of the card that occurs in it, else after the first
// `after first:` pattern that leaves a word, else at its start.
func (r *Reader) Start(card *Card, start, end int) int {
	a := at{&r.text, start, end - start}
	for _, p := range card.startAt {
		if i := a.find(p, start, end); i >= 0 {
			return i
		}
	}
	for _, p := range card.startAfter {
		if i := a.find(p, start, end); i >= 0 {
			if after, _ := p.end(&r.text, i); a.countWords(after, end, 1) > 0 {
				return after
			}
		}
	}
	return start
}
