package journal

import (
	"cmp"
	"slices"
	"strings"

	"verbatim"
)

// A Reason is a line of an explanation: an item or a refused piece, and why.
type Reason struct {
	verbatim.Span
	What string // the domain, or "refused"
	Why  string
}

// Explain tells for each item the cards that made it and for each refused piece
// why, in the order of the text.
func (e *Extractor) Explain(text string) []Reason {
	e.explain = true
	defer func() { e.explain = false }()
	claims, refusals := e.Claims(text)
	var reasons []Reason
	for _, c := range claims {
		why := c.Polarity + ", " + c.Degree + ", " + c.Time + "; by " + c.Card
		if len(c.Cards) > 0 {
			why += ", " + strings.Join(c.Cards, ", ")
		}
		reasons = append(reasons, Reason{c.Span, c.Domain, why})
	}
	for _, r := range refusals {
		why := r.Reason
		if r.Card != "" {
			why += "; by " + r.Card
		}
		reasons = append(reasons, Reason{r.Span, "refused", why})
	}
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(a.Start, b.Start) })
	return reasons
}
