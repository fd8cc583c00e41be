package journal

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"verbatim"
	"verbatim/cue"
)

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
