package journal

import (
	"strings"

	"verbatim/cue"
)

// A context is what has been said so far in a sentence.
type context struct {
	e        *Extractor
	first    int       // the first claim of this sentence
	last     int       // the claim of the piece before, or -1
	open     int       // the token at which a piece without a claim began, +1
	given    cue.Given // what the piece before was
	label    cue.Given
	keep     int // the token at which a label that belongs to the span begins, +1
	time     string
	timeCard string // of a time that an opening piece told
}

// take asks the cards about one piece and puts down what they decide.
func (c *context) take(p piece) {
	e := c.e
	if (p.next == ":" || p.next == "=" || p.next == "dash" && c.label == 0 && c.last < 0) && c.takeLabel(p) {
		return
	}
	c.takeStamp(&p)
	from, to := e.trim(p.from, p.to)
	if from >= to {
		c.noteTime(p)
		return
	}
	card := e.judge("piece", from, to, c.known(p))
	switch {
	case card == nil:
		c.noteTime(p)
		if e.explain {
			e.refuse(from, to, "", "no card knows what it claims")
		}
		c.last, c.open, c.given = -1, from+1, e.names.given["open before"]
	case card.Refuse != "":
		e.refuse(from, to, card.Name, card.Refuse)
		c.last, c.open, c.given = -1, 0, e.names.given[card.Subtype+" before"]
	case card.Sense == "more":
		c.more(p, from, to)
	case card.Sense == "joined-food":
		c.verbAtEnd(card, p, from, to)
	default:
		c.claim(card, p, from, to)
		c.open = 0
	}
}

// takeStamp takes the hour off that a line of a log begins with: 0930 tea.
func (c *context) takeStamp(p *piece) {
	if p.from > 0 || c.label != 0 || !c.e.startsWithDigit() {
		return
	}
	if card := c.e.judge("stamp", p.from, p.to, 0); card != nil {
		p.from += c.e.reader.DropFirst(card, p.from, p.to)
		c.label = c.e.names.given["time label"]
	}
}

// known is what the cards may ask about a piece besides its words.
func (c *context) known(p piece) cue.Given {
	e := c.e
	given := p.joints | c.given | c.label
	if len(e.claims) > 0 && e.claims[len(e.claims)-1].Domain == Food {
		given |= e.names.given["food last"]
		if len(e.claims) > c.first {
			given |= e.names.given["food last in the sentence"]
		}
	}
	if p.next == "plus" {
		given |= e.names.given["plus next"]
	}
	return given
}

func (e *Extractor) refuse(from, to int, card, reason string) {
	e.refusals = append(e.refusals, Refusal{e.at(from, to), card, reason})
}

// takeLabel: does the piece stand before a colon as a label?
func (c *context) takeLabel(p piece) bool {
	from, to := c.e.trimMarks(p.from, p.to)
	if from >= to {
		return false
	}
	card := c.e.judge("label", from, to, 0)
	if card == nil {
		return false
	}
	c.keep, c.open, c.given, c.last = 0, 0, 0, -1
	c.label = c.e.names.given[strings.ReplaceAll(card.Sense, "-", " ")]
	if card.Subtype == "keep" {
		c.keep = from + 1
	}
	c.noteTime(p)
	return true
}

// claim puts down a new claim.
func (c *context) claim(card *cue.Card, p piece, from, to int) {
	e := c.e
	start := e.skipMarks(e.reader.Start(card, from, to), to)
	switch {
	case c.keep > 0:
		start = c.keep - 1
	case start > from:
		start = e.withHedge(from, start)
		to = e.close(start, to, e.names.given["verb left out"])
	}
	claim := Claim{Span: e.at(start, to), Domain: card.Sense, Card: card.Name, card: card, dropsVerb: start > from && c.keep == 0}
	if n := len(e.claims); n > 0 && e.claims[n-1].End > claim.Start {
		return // a card with two minds; the first stands
	}
	c.attributes(&claim, p, start, to)
	c.keep = 0
	if c.label == e.names.given["column"] {
		c.label = 0
	}
	c.put(claim)
}

func (c *context) put(claim Claim) {
	c.e.claims = append(c.e.claims, claim)
	c.last = len(c.e.claims) - 1
	c.remember(claim)
}

// remember tells the next piece what this one was.
func (c *context) remember(claim Claim) {
	c.given = c.e.names.given[claim.Domain+" before"]
	if claim.Polarity == Absent {
		c.given |= c.e.names.given["denied before"]
	}
	if claim.card.Sense == Mind && claim.Polarity == Uncertain {
		c.given |= c.e.names.given["doubt before"]
	}
}

// more lengthens the claim before, which may learn its time only now: dal and
// rice last night.
func (c *context) more(p piece, from, to int) {
	if c.last < 0 {
		return
	}
	claim := &c.e.claims[c.last]
	if claim.Domain == Food && claim.dropsVerb {
		to = c.e.close(from, to, c.e.names.given["verb left out"])
	}
	claim.End = c.e.at(from, to).End
	if claim.Polarity == Present {
		c.degree(claim)
	}
	if at := c.timeIn(p); at != nil && !claim.timed && claim.Polarity != Uncertain {
		claim.tellTime(at)
	}
	c.remember(*claim)
}

// verbAtEnd makes one claim of two pieces where the verb comes with the second:
// rice aur kadhi khayi.
func (c *context) verbAtEnd(card *cue.Card, p piece, from, to int) {
	if c.open == 0 {
		c.more(p, from, to)
		return
	}
	start := c.open - 1
	claim := Claim{Span: c.e.at(start, to), Domain: Food, Card: card.Name, card: card}
	if n := len(c.e.refusals); n > 0 && claim.Contains(c.e.refusals[n-1].Span) {
		c.e.refusals = c.e.refusals[:n-1] // it was only waiting for its verb
	}
	c.attributes(&claim, p, start, to)
	c.open = 0
	c.put(claim)
}
