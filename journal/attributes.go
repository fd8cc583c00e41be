package journal

import (
	"sort"
	"strings"

	"verbatim/cue"
)

// attributes decides polarity, degree and time from the tags in the piece.
func (c *state) attributes(claim *claim, p piece, start, end int) {
	c.polarity(claim, p, start, end)
	c.degree(claim)
	c.timeOf(claim, p)
	if claim.polarity == Uncertain {
		claim.degree, claim.time = Unknown, Unknown
	}
}

// polarity counts the negations and doubts in the main part of the piece, before
// the circumstances. Two negations cancel each other.
func (c *state) polarity(claim *claim, p piece, start, end int) {
	if claim.card.Polarity != "" {
		claim.polarity = claim.card.Polarity
		return
	}
	e := c.e
	main := start + 1
	for main < end && !e.reader.In(main, e.names.adjunct) && e.reader.Mark(main) != "(" {
		main++
	}
	negations, doubts, first := 0, 0, start
	for _, tag := range e.tagsIn(p.start, e.clauseIn(start, end)) {
		at, _ := tag.Tokens()
		switch {
		case tag.Kind == "without" && claim.domain == Food: // tea without sugar is tea
		case strings.HasPrefix(tag.Kind, "denied end") && claim.domain != Food: // what has not ended is there
		case tag.Sense == Absent && (tag.Kind != "denial again" || at == p.start) && (at < main || tag.Kind == "behind" || tag.Kind == "column"):
			negations++
			first = min(first, at)
			claim.cards = append(claim.cards, tag.Card)
		case tag.Sense == Uncertain && tag.Subtype == "" && at < main:
			doubts++
			claim.cards = append(claim.cards, tag.Card)
		}
	}
	switch {
	case doubts > 0:
		claim.polarity = Uncertain
	case negations%2 == 1:
		claim.polarity = Absent
		claim.Start = e.at(first, end).Start // the evidence includes its negation
	case claim.card.Subtype == "list" && c.given&e.names.given["denied before"] != 0 && p.listed:
		claim.polarity = Absent // one negation for a list: no a, b or c
	default:
		claim.polarity = Present
	}
}

// clauseIn returns the token where a clause of result, cause or content begins in
// the piece, or its end. What such a clause denies is not the claim: so dizzy
// [I could not stand], sore [because I didn't rest].
func (e *Extractor) clauseIn(start, end int) int {
	for card := range e.reader.Judges("clause", start, end, 0) {
		if at := e.reader.Start(card, start, end); at > start {
			e.note(card)
			end = min(end, at)
		}
	}
	return end
}

// degree uses the first degree word in the span that fits the domain.
func (c *state) degree(claim *claim) {
	claim.degree = Unknown
	if claim.domain == Food || claim.polarity != Present {
		return
	}
	first := sort.Search(len(c.e.tags), func(i int) bool { return c.e.tags[i].Start+c.e.base >= claim.Start })
	for _, tag := range c.e.tags[first:] {
		if tag.End+c.e.base > claim.End {
			return
		}
		unfit := tag.Subtype == "measure" && claim.domain == Emotion || tag.Subtype == "activation" && claim.domain != Emotion
		if tag.Kind == "degree" && !unfit {
			claim.degree = tag.Sense
			claim.cards = append(claim.cards, tag.Card)
			return
		}
	}
}

// timeOf uses a time word in the piece, the time of the claim before (`after
// that`), the card's time, the time that opened the sentence, or today.
func (c *state) timeOf(claim *claim, p piece) {
	if at := c.timeIn(p); at != nil {
		claim.tellTime(at)
		return
	}
	before := c.e.judge("time", p.start, p.end, 0)
	switch {
	case before != nil && len(c.e.claims) > 0 && c.e.claims[len(c.e.claims)-1].polarity != Uncertain:
		claim.time = c.e.claims[len(c.e.claims)-1].time // an uncertain claim has no time
		claim.cards = append(claim.cards, before.Name)
	case claim.card.Time != "":
		claim.time = claim.card.Time
	case c.time != "":
		claim.time = c.time
		claim.cards = append(claim.cards, c.timeCard)
	default:
		claim.time = "today"
	}
}

// tellTime takes the time from the claim's own time word.
func (claim *claim) tellTime(at *cue.Tag) {
	claim.time, claim.timed = at.Sense, true
	claim.cards = append(claim.cards, at.Card)
}

func (c *state) timeIn(p piece) *cue.Tag {
	tags := c.e.tagsIn(p.start, p.end)
	for i := range tags {
		if tags[i].Kind == "time" {
			return &tags[i]
		}
	}
	return nil
}

// tagsIn returns the tags that begin in a range of tokens.
func (e *Extractor) tagsIn(start, end int) []cue.Tag {
	token := func(i int) int { at, _ := e.tags[i].Tokens(); return at }
	first := sort.Search(len(e.tags), func(i int) bool { return token(i) >= start })
	last := first
	for last < len(e.tags) && token(last) < end {
		last++
	}
	return e.tags[first:last]
}

// noteTime records the time of an opening such as `Last night,`.
func (c *state) noteTime(p piece) {
	if at := c.timeIn(p); at != nil {
		c.time, c.timeCard = at.Sense, at.Card
	}
}

// withHedge moves the start of the evidence back to a doubt directly before it,
// which belongs to the claim. (polarity does the same for a negation.)
func (e *Extractor) withHedge(first, start int) int {
	for _, tag := range e.tagsIn(first, start) {
		if at, end := tag.Tokens(); end == start && tag.Sense == Uncertain && tag.Subtype == "" {
			if at-1 == first && e.reader.In(first, e.names.writer) {
				return first // I think I'm ...
			}
			return at
		}
	}
	return start
}
