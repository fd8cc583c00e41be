// Package journal extracts items from personal health journals: the writer's
// symptoms, food, emotions and state of mind, each with its evidence.
//
// Every item is a verbatim part of the journal and carries its place. Items are
// in text order and do not overlap. The same cards and the same text give the
// same items. Every item and every rejected piece names the card that decided.
// If no card recognizes a claim, there is no item.
//
// No card names an ailment, a food or a feeling. The cards recognize a claim by
// its wording: verbs of eating, feeling, sleeping and noticing, body parts, meals
// and amounts, labels, lists. The cards are in english/*.txt, with their examples:
//
//	piece-1-edges ... piece-8-weaker  what a piece of a sentence claims, in this order
//	joints, labels                    where to split a sentence, and labels before a colon
//	negation, doubt, time, degree     the cues for polarity and the buckets
//	words                             the closed word classes that the cards use
//
// testdata/CONVENTIONS.md defines what counts as an item.
package journal

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"verbatim"
	"verbatim/cue"
	"verbatim/sentence"
)

// The domains of an item.
const (
	Symptom = "symptom"
	Food    = "food"
	Emotion = "emotion"
	Mind    = "mind"
)

// Unknown is the value of an attribute without a cue.
const Unknown = "unknown"

// An Item is one item of a journal and the card that made it.
type Item struct {
	verbatim.Item
	Card string `json:"card"`
}

// A claim is an item before it becomes a record: its place in the journal, its
// attributes, and the cards that decided them.
type claim struct {
	verbatim.Span // bytes of the journal's text
	domain        string
	polarity      string
	degree        string // arousal of an emotion, intensity of all else
	time          string
	card          *cue.Card // the card that made it a claim
	cards         []string  // the cards of its attributes

	dropsVerb bool
	timed     bool // by its own time word
}

// A rejection is a piece that could have been a claim, and why it is not one.
type rejection struct {
	verbatim.Span
	card   string
	reason string
}

// An Extractor finds items. It reuses its buffers: use one per goroutine.
type Extractor struct {
	names      names
	reader     *cue.Reader
	text       string
	base       int       // where the open sentence begins in the text
	tags       []cue.Tag // of the open sentence
	pieces     []piece
	closes     []int // of the open sentence: see pair
	opens      []int
	claims     []claim
	rejections []rejection
	explain    bool
	used       map[*cue.Card]bool // the piece cards that decided; nil if nobody asks
}

// New returns an Extractor that uses these cards.
func New(cards *cue.Cards) *Extractor {
	return &Extractor{reader: cards.NewReader(), names: nameAll(cards)}
}

// find finds the claims of a journal, in text order and without overlaps. The
// slices are valid until the next call.
func (e *Extractor) find(text string) ([]claim, []rejection) {
	e.text, e.claims, e.rejections = text, e.claims[:0], e.rejections[:0]
	start := 0
	for line := range strings.Lines(text) {
		for s := range sentence.SplitText(line) {
			e.sentence(verbatim.Span{Start: start + s.Start, End: start + s.End})
		}
		start += len(line)
	}
	return e.claims, e.rejections
}

// Items returns the items of a journal, in text order and without overlaps.
func (e *Extractor) Items(text string) []Item {
	claims, _ := e.find(text)
	items := make([]Item, 0, len(claims))
	points, at := 0, 0 // code points before byte `at`
	for _, c := range claims {
		points += utf8.RuneCountInString(text[at:c.Start])
		at = c.Start
		span := text[c.Start:c.End]
		item := Item{verbatim.Item{Domain: c.domain, EvidenceSpan: span, Polarity: c.polarity, Time: c.time,
			Place: &verbatim.Place{ByteStart: c.Start, ByteEnd: c.End, Start: points, End: points + utf8.RuneCountInString(span)},
		}, c.card.Name}
		if c.domain == Emotion {
			item.Arousal = c.degree
		} else {
			item.Intensity = c.degree
		}
		items = append(items, item)
	}
	return items
}

// names holds the lists and givens that the code looks up in the cards.
type names struct {
	given                   map[string]cue.Given
	adjunct, joints, writer cue.List
}

// given lists what the extractor can tell the cards about a piece.
var given = []string{
	"a comma", "semicolon", "dash", "plus", "slash", "and", "but", "or", "so", "then", "plus next", "and next", "comma next",
	"food before", "symptom before", "emotion before", "mind before", "open before", "denied before", "doubt before",
	"condition before", "others before", "food last", "food last in the sentence", "verb left out",
	"food label", "symptom label", "emotion label", "mind label", "sleep label", "time label", "order label", "column",
}

func nameAll(cards *cue.Cards) names {
	n := names{given: map[string]cue.Given{}, adjunct: cards.List("adjunct openers"), joints: cards.List("joint words"), writer: cards.List("i")}
	for _, name := range given {
		n.given[name] = cards.Given(name)
	}
	return n
}

// sentence cuts a sentence into pieces and asks the cards about each.
func (e *Extractor) sentence(span verbatim.Span) {
	e.base = span.Start
	e.tags = e.reader.Open("", e.text[span.Start:span.End])
	e.cut()
	c := state{e: e, first: len(e.claims), last: -1}
	for _, p := range e.pieces {
		c.take(p)
	}
}

// judge asks the cards for a kind of piece and records which card applied.
func (e *Extractor) judge(kind string, start, end int, given cue.Given) *cue.Card {
	card := e.reader.Judge(kind, start, end, given)
	e.note(card)
	return card
}

func (e *Extractor) note(card *cue.Card) {
	if e.used != nil && card != nil {
		e.used[card] = true
	}
}

func (e *Extractor) at(start, end int) verbatim.Span {
	s := e.reader.TokenSpan(start, end)
	return verbatim.Span{Start: e.base + s.Start, End: e.base + s.End}
}

//go:embed english/*.txt
var embedded embed.FS

// Load reads the cards for journals: the user's layers, then the embedded folder,
// then the word lists of package cue. The first layer takes precedence.
func Load(layers ...fs.FS) (*cue.Cards, error) {
	english, err := fs.Sub(embedded, "english")
	if err != nil {
		return nil, err
	}
	return cue.Load(append(layers, english, cue.Words())...)
}

// Cards returns the embedded cards. It reads them once.
var Cards = sync.OnceValue(func() *cue.Cards {
	cards, err := Load()
	if err != nil {
		panic(err) // a test reads them
	}
	return cards
})

// Check tests every card against its examples. In a yes: example of a card for
// pieces, the text in [brackets] must be an item or a rejected piece that this
// card made, extended or cut.
func Check(cards *cue.Cards) []cue.Failure {
	failures := cards.Check()
	e := New(cards)
	for _, card := range cards.All() {
		if !card.IsPiece() {
			continue
		}
		for _, example := range card.Yes {
			if got := e.checkExample(card, example.Text); got != "" {
				failures = append(failures, cue.Failure{Card: card, Example: example, Want: true, Got: got})
			}
		}
		for _, example := range card.No {
			text, _ := cue.Brackets(example.Text)
			e.used = map[*cue.Card]bool{}
			e.find(text)
			if e.used[card] {
				failures = append(failures, cue.Failure{Card: card, Example: example, Got: "the card applied"})
			}
		}
	}
	return failures
}

func (e *Extractor) checkExample(card *cue.Card, marked string) string {
	text, wants := cue.Brackets(marked)
	e.used = map[*cue.Card]bool{}
	claims, rejections := e.find(text)
	used := e.used[card]
	e.used = nil
	var found []string
	without := func(s verbatim.Span) {
		wants = slices.DeleteFunc(wants, func(want verbatim.Span) bool { return want == s })
	}
	for _, c := range claims {
		found = append(found, fmt.Sprintf("%s %q by %s", c.domain, text[c.Start:c.End], c.card.Name))
		without(c.Span)
	}
	for _, r := range rejections {
		found = append(found, fmt.Sprintf("rejected %q by %s", text[r.Start:r.End], r.card))
		if card.Refuse != "" {
			without(r.Span)
		}
	}
	switch {
	case len(wants) > 0:
		return fmt.Sprintf("%q was not found; found: %s", text[wants[0].Start:wants[0].End], strings.Join(found, ", "))
	case !used:
		return "another card decided: " + strings.Join(found, ", ")
	}
	return ""
}
