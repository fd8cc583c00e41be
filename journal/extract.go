package journal

import (
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/cue"
	"verbatim/sentence"
)

// The four domains.
const (
	Symptom = "symptom"
	Food    = "food"
	Emotion = "emotion"
	Mind    = "mind"
)

// Unknown is the value of an attribute without a cue.
const Unknown = "unknown"

// A Claim is one item before it becomes a record: its place in the journal, its
// attributes, and the cards that decided them.
type Claim struct {
	verbatim.Span // bytes of the journal's text
	Domain        string
	Polarity      string
	Degree        string // arousal of an emotion, intensity of all else
	Time          string
	Card          string   // the card that made it a claim
	Cards         []string // the cards of its attributes

	card      *cue.Card
	dropsVerb bool
	timed     bool // by a word of time of its own
}

// A Refusal is a piece that could have been a claim and was let go, and why.
type Refusal struct {
	verbatim.Span
	Card   string
	Reason string
}

// An Extractor finds claims. It keeps its buffers: each goroutine has one.
type Extractor struct {
	names    names
	reader   *cue.Reader
	text     string
	base     int       // where the open sentence begins in the text
	tags     []cue.Tag // of the open sentence
	pieces   []piece
	closes   []int // of the open sentence: see pair
	opens    []int
	claims   []Claim
	refusals []Refusal
	explain  bool
	used     map[*cue.Card]bool // the piece cards that decided, where somebody asks
}

// New gives an Extractor by these cards.
func New(cards *cue.Cards) *Extractor {
	return &Extractor{reader: cards.NewReader(), names: nameAll(cards)}
}

// Claims finds the claims of a journal, in the order of its text; none overlaps
// another. The slices are good until the next call.
func (e *Extractor) Claims(text string) ([]Claim, []Refusal) {
	e.text, e.claims, e.refusals = text, e.claims[:0], e.refusals[:0]
	start := 0
	for line := range strings.Lines(text) {
		for s := range sentence.SplitText(line) {
			e.sentence(verbatim.Span{Start: start + s.Start, End: start + s.End})
		}
		start += len(line)
	}
	return e.claims, e.refusals
}

// Items are the claims as records.
func (e *Extractor) Items(text string) []verbatim.Item {
	claims, _ := e.Claims(text)
	items := make([]verbatim.Item, 0, len(claims))
	points, at := 0, 0 // code points before byte `at`
	for _, c := range claims {
		points += utf8.RuneCountInString(text[at:c.Start])
		at = c.Start
		span := text[c.Start:c.End]
		item := verbatim.Item{Domain: c.Domain, EvidenceSpan: span, Polarity: c.Polarity, Time: c.Time,
			Place: &verbatim.Place{ByteStart: c.Start, ByteEnd: c.End, Start: points, End: points + utf8.RuneCountInString(span)},
			More:  cardField(c.Card)}
		if c.Domain == Emotion {
			item.Arousal = c.Degree
		} else {
			item.Intensity = c.Degree
		}
		items = append(items, item)
	}
	return items
}

func cardField(card string) []verbatim.Field {
	return []verbatim.Field{{Name: "card", Value: []byte(`"` + card + `"`)}}
}

// names are the lists and givens that the code asks the cards for.
type names struct {
	given                   map[string]cue.Given
	adjunct, joints, writer cue.List
}

// given names what the extractor tells the cards of a piece.
var given = []string{
	"a comma", "semicolon", "dash", "plus", "slash", "and", "but", "or", "so", "then", "plus next",
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
	c := context{e: e, first: len(e.claims), last: -1}
	for _, p := range e.pieces {
		c.take(p)
	}
}

// judge asks the cards on a kind of piece and keeps in mind which one spoke.
func (e *Extractor) judge(kind string, from, to int, given cue.Given) *cue.Card {
	card := e.reader.Judge(kind, from, to, given)
	e.note(card)
	return card
}

func (e *Extractor) note(card *cue.Card) {
	if e.used != nil && card != nil {
		e.used[card] = true
	}
}

func (e *Extractor) at(from, to int) verbatim.Span {
	s := e.reader.TokenSpan(from, to)
	return verbatim.Span{Start: e.base + s.Start, End: e.base + s.End}
}
