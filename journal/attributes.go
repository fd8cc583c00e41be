package journal

import (
	"sort"

	"verbatim"
	"verbatim/cue"
)

// attributes decides polarity, degree and time from the tags that stand in the
// piece.
func (c *context) attributes(claim *Claim, p piece, start, to int) {
	c.polarity(claim, p, start, to)
	c.degree(claim)
	c.timeOf(claim, p)
	if claim.Polarity == Uncertain {
		claim.Degree, claim.Time = Unknown, Unknown
	}
}

// polarity: a denial or a doubt counts where it stands in the main part of the
// piece, before the circumstances; two denials cancel each other.
func (c *context) polarity(claim *Claim, p piece, start, to int) {
	if claim.card.Polarity != "" {
		claim.Polarity = claim.card.Polarity
		return
	}
	e := c.e
	main := start + 1
	for main < to && !e.reader.In(main, e.names.adjunct) && e.reader.Mark(main) != "(" {
		main++
	}
	denials, doubts, first := 0, 0, start
	for _, tag := range e.tagsIn(p.from, to) {
		at, _ := tag.Tokens()
		if tag.Kind == "without" && claim.Domain == Food {
			continue // tea without sugar is tea
		}
		switch {
		case tag.Sense == Absent && (tag.Kind != "denial again" || at == p.from) && (at < main || tag.Kind == "behind" || tag.Kind == "column"):
			denials++
			first = min(first, at)
			claim.Cards = append(claim.Cards, tag.Card)
		case tag.Sense == Uncertain && tag.Subtype == "" && at < main:
			doubts++
			claim.Cards = append(claim.Cards, tag.Card)
		}
	}
	switch {
	case doubts > 0:
		claim.Polarity = Uncertain
	case denials%2 == 1:
		claim.Polarity = Absent
		claim.Start = e.at(first, to).Start // the evidence holds what denies it
	case claim.card.Subtype == "list" && c.given&e.names.given["denied before"] != 0 && p.listed:
		claim.Polarity = Absent // one denial over a list: no a, b or c
	default:
		claim.Polarity = Present
	}
}

// degree takes the first word of measure in the span that speaks for the domain.
func (c *context) degree(claim *Claim) {
	claim.Degree = Unknown
	if claim.Domain == Food || claim.Polarity != Present {
		return
	}
	first := sort.Search(len(c.e.tags), func(i int) bool { return c.e.tags[i].Start+c.e.base >= claim.Start })
	for _, tag := range c.e.tags[first:] {
		s := verbatim.Span{Start: tag.Start + c.e.base, End: tag.End + c.e.base}
		if s.End > claim.End {
			return
		}
		if tag.Kind != "degree" {
			continue
		}
		if tag.Subtype == "measure" && claim.Domain == Emotion || tag.Subtype == "activation" && claim.Domain != Emotion {
			continue
		}
		claim.Degree = tag.Sense
		claim.Cards = append(claim.Cards, tag.Card)
		return
	}
}

// timeOf: a word of time in the piece, one that opened the sentence, the time
// of what went before (`after that`), what the card says, or today.
func (c *context) timeOf(claim *Claim, p piece) {
	if at := c.timeIn(p); at != nil {
		claim.tellTime(at)
		return
	}
	before := c.e.judge("time", p.from, p.to, 0)
	switch {
	case before != nil && len(c.e.claims) > 0 && c.e.claims[len(c.e.claims)-1].Polarity != Uncertain:
		claim.Time = c.e.claims[len(c.e.claims)-1].Time // an uncertain claim has none to give
		claim.Cards = append(claim.Cards, before.Name)
	case claim.card.Time != "":
		claim.Time = claim.card.Time
	case c.time != "":
		claim.Time = c.time
		claim.Cards = append(claim.Cards, c.timeCard)
	default:
		claim.Time = "today"
	}
}

// tellTime takes the time from a word of time that stands with the claim.
func (claim *Claim) tellTime(at *cue.Tag) {
	claim.Time, claim.timed = at.Sense, true
	claim.Cards = append(claim.Cards, at.Card)
}

func (c *context) timeIn(p piece) *cue.Tag {
	tags := c.e.tagsIn(p.from, p.to)
	for i := range tags {
		if tags[i].Kind == "time" {
			return &tags[i]
		}
	}
	return nil
}

// tagsIn are the tags that begin in the tokens from..to.
func (e *Extractor) tagsIn(from, to int) []cue.Tag {
	token := func(i int) int { at, _ := e.tags[i].Tokens(); return at }
	first := sort.Search(len(e.tags), func(i int) bool { return token(i) >= from })
	last := first
	for last < len(e.tags) && token(last) < to {
		last++
	}
	return e.tags[first:last]
}

// noteTime keeps the time that an opening such as `Last night,` tells.
func (c *context) noteTime(p piece) {
	if at := c.timeIn(p); at != nil {
		c.time, c.timeCard = at.Sense, at.Card
	}
}

// withHedge moves the start of the evidence back to a doubt that stands directly
// before it: it belongs to the claim. (So does a denial; polarity sees to it.)
func (e *Extractor) withHedge(from, start int) int {
	for _, tag := range e.tagsIn(from, start) {
		if at, end := tag.Tokens(); end == start && tag.Sense == Uncertain && tag.Subtype == "" {
			if at-1 == from && e.reader.In(from, e.names.writer) {
				return from // I think I'm ...
			}
			return at
		}
	}
	return start
}
