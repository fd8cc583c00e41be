package journal

import (
	"cmp"
	"slices"
	"strings"

	"verbatim"
)

// A Reason explains one item or one rejected piece.
type Reason struct {
	verbatim.Span
	What string // the domain, or "rejected"
	Why  string
}

// Explain returns, in text order, the cards that made each item and the reason
// for each rejected piece.
func (e *Extractor) Explain(text string) []Reason {
	e.explain = true
	defer func() { e.explain = false }()
	claims, rejections := e.find(text)
	var reasons []Reason
	for _, c := range claims {
		why := c.polarity + ", " + c.degree + ", " + c.time + "; by " + c.card.Name
		if len(c.cards) > 0 {
			why += ", " + strings.Join(c.cards, ", ")
		}
		reasons = append(reasons, Reason{c.Span, c.domain, why})
	}
	for _, r := range rejections {
		why := r.reason
		if r.card != "" {
			why += "; by " + r.card
		}
		reasons = append(reasons, Reason{r.Span, "rejected", why})
	}
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(a.Start, b.Start) })
	return reasons
}
