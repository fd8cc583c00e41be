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

// A card with `on:` and `sense:` decides about a piece: a range of tokens that
// the caller cuts out of a sentence. `says:` and `never:` look for patterns in
// it (`felt ...` at its start, `... again` at its end, `had to` anywhere).
// `has:` and `lacks:` look at the text around it and at what the caller knows
// about it (`given food before`).

// parseSays reads one pattern of says: or never:.
func (l *lexicon) parseSays(s string) (test, error) {
	inner, opens := strings.CutSuffix(s, "...")
	inner, ends := strings.CutPrefix(inner, "...")
	p, err := l.parsePattern(inner)
	if err != nil {
		return nil, err
	}
	need := p.signature()
	switch {
	case opens && ends:
		return nil, fmt.Errorf("%q has dots on both sides; without dots the words may be anywhere in the piece", s)
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

// Most cards need words that a piece does not have. Two indexes skip them: each
// word selects only the cards that need it, and the signature of a piece, a
// small bit set of its words, rules out most patterns at once.

// A cardSet is a set of piece cards, by number. Cards beyond the last number
// are always tried.
type cardSet [maxIndexed / 64]uint64

const maxIndexed = 256

func (c *cardSet) add(n int) { c[n>>6] |= 1 << (n & 63) }

func (c *cardSet) addAll(other *cardSet) {
	for i := range c {
		c[i] |= other[i]
	}
}

// A signature has a bit for each word; several words share a bit.
type signature [4]uint64

func signatureOf(n int) (s signature) {
	s[n>>6&3] = 1 << (n & 63)
	return s
}

func (s *signature) add(other signature) {
	for i := range s {
		s[i] |= other[i]
	}
}

func (s *signature) holds(need signature) bool {
	return s[0]&need[0] == need[0] && s[1]&need[1] == need[1] && s[2]&need[2] == need[2] && s[3]&need[3] == need[3]
}

// A says: line may have hundreds of patterns, and a piece only a few words. So
// a condition groups its patterns by the bit of their rarest word, and tries
// only those whose bit is in the signature of the piece.

// rarestWord returns the bit of a pattern's rarest word, or none if it has no
// word.
func (l *lexicon) rarestWord(key, part string) signature {
	if key != "says" && key != "never" {
		return signature{}
	}
	p, err := l.parsePattern(strings.TrimSuffix(strings.TrimPrefix(part, "..."), "..."))
	if w := p.rarest(); err == nil && w != nil {
		return w.signature
	}
	return signature{}
}

func (c *condition) addWord(bit signature, t test) {
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

// rank counts the bits of the condition before a bit.
func (c *condition) rank(word int, bit uint64) int {
	n := bits.OnesCount64(c.words[word] & (bit - 1))
	for _, w := range c.words[:word] {
		n += bits.OnesCount64(w)
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
			for _, t := range c.byWord[c.rank(w, both&-both)] {
				if t(a) {
					return true
				}
			}
		}
	}
	return false
}

// signature returns the bits that a piece needs to match the pattern.
func (p pattern) signature() (s signature) {
	for _, e := range p {
		if e.entry != nil {
			s.add(e.entry.signature)
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
	c.lex.countLists()
	n := 0
	byList := map[int]*cardSet{}
	for _, kind := range sortedKeys(c.pieces) {
		for _, card := range c.pieces[kind] {
			if card.number > 0 {
				continue // it is in several kinds
			}
			n++
			if card.number = n; n >= maxIndexed || len(card.says) == 0 {
				c.always.add(min(n, maxIndexed-1))
				continue
			}
			for _, p := range card.says {
				c.indexPattern(p, n, byList)
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

func (c *Cards) indexPattern(p pattern, card int, byList map[int]*cardSet) {
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
			byList[list] = &cardSet{}
		}
		byList[list].add(card)
	}
	if fewest != nil {
		return
	}
	c.always.add(card)
}

// Open splits a sentence into tokens and returns its reaches. Both are valid
// until the next call of Open, Hits, Tags or Reaches.
func (r *Reader) Open(previous, sentence string) []Tag { return r.Reaches(previous, sentence) }

// Tokens returns the number of tokens of the open sentence.
func (r *Reader) Tokens() int { return len(r.text.tokens) }

// TokenSpan returns the bytes of the tokens [start, end).
func (r *Reader) TokenSpan(start, end int) verbatim.Span {
	return verbatim.Span{Start: int(r.text.tokens[start].start), End: int(r.text.tokens[end-1].end)}
}

// IsWord reports whether token i is a word, not punctuation.
func (r *Reader) IsWord(i int) bool {
	return r.text.kindAt(i) == word && i >= 0 && i < len(r.text.tokens)
}

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

// Given returns the set of the named facts. Names that no card uses are
// ignored.
func (c *Cards) Given(names ...string) Given {
	var g Given
	for _, name := range names {
		g |= c.lex.givens[name]
	}
	return g
}

// Givens returns the names of facts that cards use.
func (c *Cards) Givens() []string { return sortedKeys(c.lex.givens) }

var given = regexp.MustCompile(`^given (.+)$`)

// Judge returns the first card for a kind of piece that applies to the tokens
// [start, end), or nil.
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
			if n := min(card.number, maxIndexed-1); selected[n>>6]&(1<<(n&63)) != 0 && card.applies(a) && !yield(card) {
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
	t.pieceStart, t.pieceEnd, t.piece, r.selected = start, end, signature{}, r.cards.always
	for i := start; i < end; i++ {
		if e := t.tokens[i].entry; e != r.cards.lex.none {
			r.selected.addAll(&e.cards)
			t.piece.add(e.signature)
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
