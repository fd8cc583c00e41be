package journal

import (
	"strings"

	"verbatim/cue"
)

// A state is what the sentence has said so far.
type state struct {
	e        *Extractor
	first    int       // the first claim of this sentence
	last     int       // the claim of the piece before, or -1
	open     int       // the token at which a piece without a claim began, +1
	given    cue.Given // about the piece before
	label    cue.Given
	keep     int // the token at which a label that belongs to the span begins, +1
	time     string
	timeCard string // the card of that time
}

// take asks the cards about one piece and records their decision.
func (c *state) take(p piece) {
	e := c.e
	if (p.next == ":" || p.next == "=" || p.next == "dash" && c.label == 0 && c.last < 0) && c.takeLabel(p) {
		return
	}
	c.takeStamp(&p)
	start, end := e.trim(p.start, p.end)
	if start >= end {
		c.noteTime(p)
		return
	}
	card := e.judge("piece", start, end, c.known(p))
	switch {
	case card == nil:
		c.noteTime(p)
		if e.explain {
			e.reject(start, end, "", "no card knows what it claims")
		}
		c.last, c.open, c.given = -1, start+1, e.names.given["open before"]
	case card.Refuse != "":
		if card.Subtype == "circumstance" { // when I was young
			c.noteTime(p)
		}
		e.reject(start, end, card.Name, card.Refuse)
		c.last, c.open, c.given = -1, 0, e.names.given[card.Subtype+" before"]
	case card.Sense == "more":
		c.more(p, start, end)
		c.doubt(card)
	case card.Sense == "joined-food":
		c.verbAtEnd(card, p, start, end)
	default:
		c.claim(card, p, start, end)
		c.open = 0
	}
}

// takeStamp removes the time at the start of a log line: 0930 tea.
func (c *state) takeStamp(p *piece) {
	if p.start > 0 || c.label != 0 || !isDigit(c.e.text, c.e.base) {
		return
	}
	if card := c.e.judge("stamp", p.start, p.end, 0); card != nil {
		p.start += c.e.reader.DropFirst(card, p.start, p.end)
		c.label = c.e.names.given["time label"]
	}
}

// known returns what the cards can ask about a piece besides its words.
func (c *state) known(p piece) cue.Given {
	e := c.e
	given := p.joints | c.given | c.label
	if len(e.claims) > 0 && e.claims[len(e.claims)-1].domain == Food {
		given |= e.names.given["food last"]
		if len(e.claims) > c.first {
			given |= e.names.given["food last in the sentence"]
		}
	}
	switch p.next {
	case "plus":
		given |= e.names.given["plus next"]
	case "and":
		given |= e.names.given["and next"]
	case "a comma":
		given |= e.names.given["comma next"]
	}
	return given
}

func (e *Extractor) reject(start, end int, card, reason string) {
	e.rejections = append(e.rejections, rejection{e.at(start, end), card, reason})
}

// takeLabel reports whether the piece is a label before a colon, and records it.
func (c *state) takeLabel(p piece) bool {
	start, end := c.e.trimMarks(p.start, p.end)
	if start >= end {
		return false
	}
	card := c.e.judge("label", start, end, 0)
	if card == nil {
		return false
	}
	c.keep, c.open, c.given, c.last = 0, 0, 0, -1
	c.label = c.e.names.given[strings.ReplaceAll(card.Sense, "-", " ")]
	if card.Subtype == "keep" {
		c.keep = start + 1
	}
	c.noteTime(p)
	return true
}

// claim records a new claim.
func (c *state) claim(card *cue.Card, p piece, start, end int) {
	e := c.e
	first := e.skipMarks(e.reader.Start(card, start, end), end)
	switch {
	case c.keep > 0:
		first = c.keep - 1
	case first > start:
		first = e.withHedge(start, first)
		end = e.close(first, end, e.names.given["verb left out"])
	}
	found := claim{Span: e.at(first, end), domain: card.Sense, card: card, dropsVerb: first > start && c.keep == 0}
	if n := len(e.claims); n > 0 && e.claims[n-1].End > found.Start {
		return // two claims overlap: the first one counts
	}
	c.attributes(&found, p, first, end)
	c.keep = 0
	if c.label == e.names.given["column"] {
		c.label = 0
	}
	c.put(found)
}

func (c *state) put(claim claim) {
	c.e.claims = append(c.e.claims, claim)
	c.last = len(c.e.claims) - 1
	c.remember(claim)
}

// remember records the claim for the next piece.
func (c *state) remember(claim claim) {
	c.given = c.e.names.given[claim.domain+" before"]
	if claim.polarity == Absent {
		c.given |= c.e.names.given["denied before"]
	}
	if claim.card.Sense == Mind && claim.polarity == Uncertain {
		c.given |= c.e.names.given["doubt before"]
	}
}

// more extends the claim before, which may get its time only now: dal and rice
// last night.
func (c *state) more(p piece, start, end int) {
	if c.last < 0 {
		return
	}
	claim := &c.e.claims[c.last]
	if claim.domain == Food && claim.dropsVerb {
		end = c.e.close(start, end, c.e.names.given["verb left out"])
	}
	claim.End = c.e.at(start, end).End
	if claim.polarity == Present {
		c.degree(claim)
	}
	if at := c.timeIn(p); at != nil && !claim.timed && claim.polarity != Uncertain {
		claim.tellTime(at)
	}
	c.remember(*claim)
}

// doubt makes the claim before uncertain if the card says so: I had a fever, maybe.
func (c *state) doubt(card *cue.Card) {
	if c.last < 0 || card.Polarity != Uncertain {
		return
	}
	claim := &c.e.claims[c.last]
	claim.polarity, claim.degree, claim.time = Uncertain, Unknown, Unknown
	claim.cards = append(claim.cards, card.Name)
	c.remember(*claim)
}

// verbAtEnd joins two pieces into one claim if the verb is in the second: rice
// aur kadhi khayi.
func (c *state) verbAtEnd(card *cue.Card, p piece, start, end int) {
	if c.open == 0 {
		c.more(p, start, end)
		return
	}
	first := c.open - 1
	found := claim{Span: c.e.at(first, end), domain: Food, card: card}
	if n := len(c.e.rejections); n > 0 && found.Contains(c.e.rejections[n-1].Span) {
		c.e.rejections = c.e.rejections[:n-1] // it only lacked its verb
	}
	c.attributes(&found, p, first, end)
	c.open = 0
	c.put(found)
}
