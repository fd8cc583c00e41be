// Package cue finds words that carry an argument, says in which sense each is
// used and which stretch of its sentence it governs, and names the card that
// decided. What to count on: every decision comes from a rule card, a plain
// text file with its own examples; the same cards and the same sentence give
// the same answer; and every place is a span of the sentence that was given.
//
// Code knows how to look (tests.go, verbs.go); cards hold what is known
// (english/*.txt). The same engine serves connectors and, in journals,
// negations, hedges and words of time.
package cue

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"verbatim"
)

//go:embed english/*.txt english/connectors/*.txt
var embedded embed.FS

// Words is the embedded folder of word lists that every set of cards builds on.
func Words() fs.FS { return folder("english") }

// ConnectorCards is the embedded folder of cards for connectors.
func ConnectorCards() fs.FS { return folder("english/connectors") }

func folder(name string) fs.FS {
	sub, err := fs.Sub(embedded, name)
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

// Connectors gives the embedded cards for connectors, read once.
var Connectors = sync.OnceValue(func() *Cards {
	cards, err := Load(ConnectorCards(), Words())
	if err != nil {
		panic(err) // a test reads them
	}
	return cards
})

// Cards is a set of rule cards, ready to be asked. It never changes.
type Cards struct {
	lex      *lexicon
	grammar  *grammar
	closed   set
	cards    []*Card
	anyFirst []*Card            // cards for the first word of any sentence
	scopes   map[string][]*Card // by kind of joint
	pieces   map[string][]*Card // by kind of piece
	always   calls              // piece cards that are always asked
	hash     string
}

// A phrase is the words of one match: and the cards that it brings up.
type phrase struct {
	words []*entry
	text  string
	cards []*Card
}

// A Hit is one decided occurrence. Its span is the matched words, in bytes of
// the sentence.
type Hit struct {
	verbatim.Span
	Connector string // in lower case, as the card writes it
	Word      int    // the white-space word in which it begins, from 0
	Sense     string
	Subtype   string
	Kind      string // the kind of joint, for scope cards
	Card      string
	Sure      bool

	token, tokens int
}

// All gives the cards in the order in which they are asked.
func (c *Cards) All() []*Card { return c.cards }

// Hash changes whenever a card or a word list does.
func (c *Cards) Hash() string { return c.hash }

var anyWord = "{any word}"

// compile indexes the cards by the first word of what they match.
func compile(lex *lexicon, g *grammar, cards []*Card, layers [][]block) (*Cards, error) {
	c := &Cards{lex: lex, grammar: g, cards: cards, scopes: map[string][]*Card{}, pieces: map[string][]*Card{}, hash: hashOf(layers)}
	for _, n := range []int{g.auxiliaries, g.modals, g.subjects, g.objects, g.determiners, g.prepositions, g.adverbs, g.relatives, g.coordinators, g.subordinators} {
		c.closed.add(n)
	}
	phrases := map[string]*phrase{}
	for _, card := range cards {
		if card.IsPiece() {
			for _, kind := range card.On {
				c.pieces[kind] = append(c.pieces[kind], card)
			}
			continue
		}
		if card.Kind != "" && c.scopes[card.Kind] == nil {
			c.scopes[card.Kind] = scopeCards(cards, card.Kind)
		}
		for _, match := range card.Match {
			if match == anyWord {
				c.anyFirst = append(c.anyFirst, card)
				continue
			}
			match = strings.ToLower(strings.Join(strings.Fields(match), " "))
			p := phrases[match]
			if p == nil {
				p = &phrase{text: match}
				for w := range strings.FieldsSeq(match) {
					p.words = append(p.words, lex.entry(w))
				}
				phrases[match] = p
				first := p.words[0]
				first.starts = append(first.starts, p)
				slices.SortFunc(first.starts, func(a, b *phrase) int {
					return cmp.Or(cmp.Compare(len(b.words), len(a.words)), cmp.Compare(a.text, b.text))
				})
			}
			p.cards = append(p.cards, card)
		}
	}
	// Cards on pieces read notes and letters, not scanned books: there a hyphen
	// is a hyphen (sugar-free, late-night) and never a printer's dash.
	lex.wholeHyphens = len(c.pieces) > 0
	c.callCards()
	return c, nil
}

// scopeCards are the cards that speak of a kind of joint, in order.
func scopeCards(cards []*Card, kind string) []*Card {
	var on []*Card
	for _, card := range cards {
		if slices.Contains(card.On, kind) || slices.Contains(card.On, "any joint") {
			on = append(on, card)
		}
	}
	return on
}

func hashOf(layers [][]block) string {
	sum := sha256.New()
	for _, layer := range layers {
		for _, b := range layer {
			for _, f := range b.lines {
				fmt.Fprintf(sum, "%s: %s\n", f.key, f.value)
			}
			fmt.Fprintln(sum)
		}
		fmt.Fprintln(sum, "--")
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// A Reader runs the cards over sentences, one after the other; it keeps its
// buffers, so each goroutine has one of its own.
type Reader struct {
	cards  *Cards
	text   text
	hits   []Hit
	tags   []Tag
	called calls // by the piece that text.piece is of
}

// NewReader gives a Reader.
func (c *Cards) NewReader() *Reader {
	return &Reader{cards: c, text: text{lex: c.lex, grammar: c.grammar, closed: c.closed}}
}

// Hits decides every occurrence in a sentence, in order; occurrences that mean
// nothing (sense none) are among them. The slice is good until the next call.
func (r *Reader) Hits(previous, sentence string) []Hit {
	t := &r.text
	t.previous = previous
	t.tokenise(sentence, r.cards.lex)
	r.hits = r.hits[:0]
	first := t.firstWord(0)
	for i := 0; i < len(t.tokens); {
		if t.tokens[i].kind != word {
			i++
			continue
		}
		n := r.decide(i)
		if n == 0 && i == first {
			n = r.decideBy(r.cards.anyFirst, i, 1, "")
		}
		i += max(1, n)
	}
	return r.hits
}

// decide asks the cards about token i, longer phrases first, and gives the
// number of tokens that the decision takes up.
func (r *Reader) decide(i int) int {
	for _, p := range r.text.tokens[i].entry.starts {
		if n := r.text.phraseAt(p, i); n > 0 && r.decideBy(p.cards, i, n, p.text) > 0 {
			return n
		}
	}
	return 0
}

// phraseAt: how many tokens the phrase takes up at i, or 0.
func (t *text) phraseAt(p *phrase, i int) int {
	if i+len(p.words) > len(t.tokens) {
		return 0
	}
	for k, w := range p.words {
		if t.tokens[i+k].entry != w {
			return 0
		}
	}
	return len(p.words)
}

func (r *Reader) decideBy(cards []*Card, i, n int, connector string) int {
	a := at{&r.text, i, n}
	for _, card := range cards {
		if !card.applies(a) {
			continue
		}
		tokens := r.text.tokens
		if connector == "" {
			connector = r.text.lower(i)
		}
		r.hits = append(r.hits, Hit{
			Span:      verbatim.Span{Start: int(tokens[i].start), End: int(tokens[i+n-1].end)},
			Connector: connector, Word: int(tokens[i].place), Sense: card.Sense, Subtype: card.Subtype, Kind: card.Kind,
			Card: card.Name, Sure: card.Sure, token: i, tokens: n,
		})
		return n
	}
	return 0
}

// applies holds a card against a place.
func (c *Card) applies(a at) bool {
	if len(c.places) > 0 && !slices.ContainsFunc(c.places, func(p place) bool { return p.holds(a) }) {
		return false
	}
	for i := range c.conditions {
		cond := &c.conditions[i]
		if cond.holds(a) != cond.want {
			return false
		}
	}
	return true
}

func (p place) holds(a at) bool {
	if p.first > 0 {
		return a.wordsBefore(a.i, p.first) < p.first
	}
	if p.word {
		return a.kindAt(a.i-1) == word
	}
	return len(p.marks) == 0 || slices.Contains(p.marks, a.markBefore()) && a.wordsBefore(a.i, 1) > 0
}
