// Package cue finds connectors and other cue words in a sentence, decides in
// which sense each is used and which part of the sentence it governs, and names
// the card that decided.
//
// Every decision comes from a card, a paragraph of a text file with its own
// examples. The same cards and the same sentence always give the same answer.
// Every span is in bytes of the sentence.
//
// Go code implements the tests that cards use (tests.go, verbs.go); the cards
// hold the knowledge (english/). The same engine finds connectors in books, and
// negations, hedges and time words in journals.
package cue

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"verbatim"
)

//go:embed english/*.txt english/connectors/*.txt
var embedded embed.FS

// Words is the embedded folder of word lists that all cards build on.
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

// Connectors returns the embedded cards for connectors. They are read once.
var Connectors = sync.OnceValue(func() *Cards {
	cards, err := Load(ConnectorCards(), Words())
	if err != nil {
		panic(err) // a test reads the embedded cards
	}
	return cards
})

// Cards is a set of cards, ready for use. It never changes.
type Cards struct {
	lex      *lexicon
	grammar  *grammar
	closed   set
	cards    []*Card
	anyFirst []*Card            // cards for the first word of any sentence
	scopes   map[string][]*Card // by kind of cue
	pieces   map[string][]*Card // by kind of piece
	always   bits               // piece cards that every piece is checked against
	hash     string
	off      []string
}

// Off are the names of the cards that the uppermost layer turned off.
func (c *Cards) Off() []string { return c.off }

// A phrase is the words of one alternative of match:, and its cards.
type phrase struct {
	words []*entry
	text  string
	cards []*Card
}

// A Hit is one occurrence with its sense. Its span is in bytes of the sentence.
type Hit struct {
	verbatim.Span
	Connector string // in lower case, as in the card; "why" for the answer to a why-question
	Word      int    // index of the white-space word where it starts
	Sense     string
	Subtype   string
	Kind      string // the kind of cue, which selects the scope cards
	Card      string // the sense card that decided
	Sure      bool   // false: ambiguous; a language model may be asked

	token, tokens int
}

// All returns the cards in the order in which they are tried.
func (c *Cards) All() []*Card { return c.cards }

// Hash changes if a card or a word list changes. Comments and the lines does:
// and why: do not affect it.
func (c *Cards) Hash() string { return c.hash }

// anyWord matches the first word of any sentence.
const anyWord = "{any word}"

// compile indexes the cards by the first word of each match.
func compile(lex *lexicon, g *grammar, cards []*Card, layers [][]block) *Cards {
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
	// Piece cards read notes and letters, not scanned books: there a hyphen is
	// a hyphen (sugar-free, late-night) and never a printed dash.
	lex.wholeHyphens = len(c.pieces) > 0
	c.indexPieceCards()
	return c
}

// scopeCards returns the cards for a kind of cue, in order.
func scopeCards(cards []*Card, kind string) []*Card {
	return slices.DeleteFunc(slices.Clone(cards), func(card *Card) bool {
		return !slices.Contains(card.On, kind) && !slices.Contains(card.On, "any joint")
	})
}

func hashOf(layers [][]block) string {
	sum := sha256.New()
	for _, layer := range layers {
		for _, b := range layer {
			for _, f := range b.lines {
				if f.key != "does" && f.key != "why" {
					fmt.Fprintf(sum, "%s: %s\n", f.key, f.value)
				}
			}
			fmt.Fprintln(sum)
		}
		fmt.Fprintln(sum, "--")
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// A Reader applies the cards to sentences. Each goroutine needs its own.
type Reader struct {
	cards    *Cards
	text     text
	hits     []Hit
	tags     []Tag
	selected bits // piece cards for the current piece
}

// NewReader returns a Reader for the cards.
func (c *Cards) NewReader() *Reader {
	return &Reader{cards: c, text: text{lex: c.lex, grammar: c.grammar, closed: c.closed}}
}

// Hits returns every occurrence in a sentence with its sense, in order,
// including those with the sense none. The first word can have two: one as the
// opening of any sentence, then its own. The slice is valid until the next call.
func (r *Reader) Hits(previous, sentence string) []Hit {
	t := &r.text
	t.previous = previous
	t.tokenize(sentence, r.cards.lex)
	r.hits = r.hits[:0]
	first := t.firstWord(0)
	for i := 0; i < len(t.tokens); {
		if t.tokens[i].kind != word {
			i++
			continue
		}
		if i == first {
			r.decideBy(r.cards.anyFirst, i, 1, "")
		}
		i += max(1, r.decide(i))
	}
	return r.hits
}

// decide tries the longest phrases at token i first; it returns the tokens matched.
func (r *Reader) decide(i int) int {
	for _, p := range r.text.tokens[i].entry.starts {
		if n := r.text.phraseAt(p, i); n > 0 && r.decideBy(p.cards, i, n, p.text) > 0 {
			return n
		}
	}
	return 0
}

// phraseAt returns how many tokens the phrase covers at i, or 0.
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
		if connector = cmp.Or(card.connector, connector); connector == "" {
			connector = r.text.lower(i)
		}
		r.hits = append(r.hits, Hit{
			Span: r.text.bytes(i, i+n), Connector: connector, Word: int(r.text.tokens[i].place),
			Sense: card.Sense, Subtype: card.Subtype, Kind: card.Kind, Card: card.Name, Sure: card.Sure, token: i, tokens: n,
		})
		return n
	}
	return 0
}

// applies reports whether a card matches at a position.
func (c *Card) applies(a at) bool {
	if a.given&c.forbids != 0 {
		return false
	}
	for _, facts := range c.needs {
		if a.given&facts == 0 {
			return false
		}
	}
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

// A query is one sentence of another program.
type query struct{ ID, Previous, Sentence string }

// UnmarshalJSON rejects a record without id or sentence. The reader adds the
// file and line to the error.
func (q *query) UnmarshalJSON(data []byte) error {
	var fields struct {
		ID       *string `json:"id"`
		Previous string  `json:"previous"`
		Sentence *string `json:"sentence"`
	}
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	if fields.ID == nil || fields.Sentence == nil {
		return errors.New(`"id" or "sentence" is missing; write {"id": "...", "previous": "...", "sentence": "..."}`)
	}
	*q = query{*fields.ID, fields.Previous, *fields.Sentence}
	return nil
}

// A HitLine is one occurrence of a connector in JSON.
type HitLine struct {
	ID        string `json:"id"`
	Connector string `json:"connector"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Sense     string `json:"sense"`
	Subtype   string `json:"subtype,omitempty"`
	Card      string `json:"card"`
	Sure      bool   `json:"sure"`
}

// Line is the hit in JSON, under the id of its sentence.
func (h Hit) Line(id string) HitLine {
	return HitLine{id, h.Connector, h.Start, h.End, h.Sense, h.Subtype, h.Card, h.Sure}
}

// Answer reads sentences, one {"id","previous","sentence"} per line, and writes
// every occurrence of a connector. A bad line is reported and skipped; done is the
// number of the others.
func (c *Cards) Answer(in io.Reader, file string, out io.Writer, report func(error)) (done int, err error) {
	r := c.NewReader()
	err = verbatim.Write(out, func(yield func(HitLine, error) bool) {
		for q, err := range verbatim.Read[query](in, file) {
			if line := (*verbatim.LineError)(nil); errors.As(err, &line) {
				report(err)
				continue
			}
			if err != nil {
				yield(HitLine{}, err)
				return
			}
			done++
			for _, h := range r.Hits(q.Previous, q.Sentence) {
				if !yield(h.Line(q.ID), nil) {
					return
				}
			}
		}
	})
	return done, err
}
