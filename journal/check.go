package journal

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/cue"
)

// Check holds every card against its own examples. In a yes: example of a card
// on pieces, the extractor finds what stands in [brackets]: an item or a refused
// piece with exactly these words, made or lengthened or cut out by this card.
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
			e.Claims(text)
			if e.used[card] {
				failures = append(failures, cue.Failure{Card: card, Example: example, Got: "it was asked and said yes"})
			}
		}
	}
	return failures
}

func (e *Extractor) checkExample(card *cue.Card, marked string) string {
	text, wants := cue.Brackets(marked)
	e.used = map[*cue.Card]bool{}
	claims, refusals := e.Claims(text)
	used := e.used[card]
	e.used = nil
	var found []string
	for _, c := range claims {
		found = append(found, fmt.Sprintf("%s %q by %s", c.Domain, text[c.Start:c.End], c.Card))
		wants = without(wants, c.Span)
	}
	for _, r := range refusals {
		found = append(found, fmt.Sprintf("refused %q by %s", text[r.Start:r.End], r.Card))
		if card.Refuse != "" {
			wants = without(wants, r.Span)
		}
	}
	switch {
	case len(wants) > 0:
		return fmt.Sprintf("%q is not among what was found: %s", text[wants[0].Start:wants[0].End], strings.Join(found, ", "))
	case !used:
		return "another card decided: " + strings.Join(found, ", ")
	}
	return ""
}

func without(spans []verbatim.Span, s verbatim.Span) []verbatim.Span {
	var rest []verbatim.Span
	for _, x := range spans {
		if x != s {
			rest = append(rest, x)
		}
	}
	return rest
}
