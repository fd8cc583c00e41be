package cue

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim"
)

// A Failure is an example that its card does not live up to.
type Failure struct {
	Card    *Card
	Example Example
	Want    bool   // a yes: example
	Got     string // what came instead, in words
}

func (f Failure) Error() string {
	which := "no"
	if f.Want {
		which = "yes"
	}
	return (&LineError{File: f.Card.File, Line: f.Example.Line,
		What:   fmt.Sprintf("%s: %s\n\tthe card %s does not do this: %s", which, f.Example.Text, f.Card.Name, f.Got),
		Remedy: "mend the card or the example"}).Error()
}

// Check holds every card against its own examples: in a yes: example the card
// decides what stands in [brackets], in a no: example it decides nothing (of
// what stands in brackets, where there are any).
func (c *Cards) Check() []Failure {
	var failures []Failure
	r := c.NewReader()
	for _, card := range c.cards {
		if card.IsPiece() {
			continue // whoever cuts the pieces holds them against their examples
		}
		for _, e := range card.Yes {
			if got := r.checkExample(card, e, true); got != "" {
				failures = append(failures, Failure{card, e, true, got})
			}
		}
		for _, e := range card.No {
			if got := r.checkExample(card, e, false); got != "" {
				failures = append(failures, Failure{card, e, false, got})
			}
		}
	}
	return failures
}

// Brackets takes the [brackets] out of a text and gives their spans in it.
func Brackets(marked string) (string, []verbatim.Span) {
	var out strings.Builder
	var spans []verbatim.Span
	for _, r := range marked {
		switch r {
		case '[':
			spans = append(spans, verbatim.Span{Start: out.Len(), End: -1})
		case ']':
			if n := len(spans); n > 0 && spans[n-1].End < 0 {
				spans[n-1].End = out.Len()
			}
		default:
			out.WriteRune(r)
		}
	}
	return out.String(), spans
}

// checkExample is empty where the card does what the example says.
func (r *Reader) checkExample(card *Card, e Example, want bool) string {
	previous, marked, ok := strings.Cut(e.Text, " // ")
	if !ok {
		previous, marked = "", e.Text
	}
	sentence, spans := Brackets(marked)
	decided := r.decisions(previous, sentence)
	if !want {
		for _, d := range decided {
			if d.card == card.Name && (len(spans) == 0 || slices.Contains(spans, d.Span)) {
				return fmt.Sprintf("it decides %q", sentence[d.Start:d.End])
			}
		}
		return ""
	}
	for _, span := range spans {
		got := "no card decides " + fmt.Sprintf("%q", sentence[span.Start:max(span.Start, span.End)])
		found := false
		for _, d := range decided {
			if d.Span == span && d.card == card.Name {
				found = true
			} else if d.Overlaps(span) && d.isScope == (len(card.On) > 0) {
				got = fmt.Sprintf("%s decides %q", d.card, sentence[d.Start:d.End])
			}
		}
		if !found {
			return got
		}
	}
	return ""
}

type decision struct {
	verbatim.Span
	card    string
	isScope bool
}

// decisions are what all cards decide in a sentence: sense cards on the match,
// scope cards on the scope, or on the match where they refuse.
func (r *Reader) decisions(previous, sentence string) []decision {
	var out []decision
	for _, hit := range r.Hits(previous, sentence) {
		out = append(out, decision{hit.Span, hit.Card, false})
		tag, _, ok := r.scope(hit)
		switch {
		case !ok:
		case tag.Reason != "":
			out = append(out, decision{hit.Span, tag.ScopeCard, true})
		default:
			out = append(out, decision{tag.Scope, tag.ScopeCard, true})
		}
	}
	return out
}

// A Term is a name that a card can use, and what it means.
type Term struct{ Name, Says string }

// Tests are the tests that has: and lacks: know.
func Tests() []Term {
	terms := []Term{
		{"PATTERN in the AREA", "the words of the pattern stand somewhere in that stretch of the sentence"},
		{"PATTERN opens the AREA", "they are its first words"},
		{"PATTERN ends the AREA", "they are its last words"},
		{"fewer than N words in the AREA", "the stretch is that short"},
		{"main verb is PATTERN", "the main verb of the clause that the match opens is one of these"},
	}
	for _, name := range sortedKeys(named) {
		terms = append(terms, Term{name, named[name].says})
	}
	return terms
}

// Areas are the stretches of a sentence that a test can look in.
func Areas() []Term {
	terms := []Term{{"N words before", "the N words before the match, no further back than a semicolon"},
		{"N words after", "the N words after the match, no further than a semicolon"}}
	for _, name := range sortedKeys(areas) {
		terms = append(terms, Term{name, areas[name]})
	}
	return terms
}

// Shapes are what stands in braces beside the word lists.
func Shapes() []Term {
	var terms []Term
	for _, name := range sortedKeys(shapes) {
		terms = append(terms, Term{"{" + name + "}", shapes[name].says})
	}
	return terms
}

// Lists gives the word lists with their words.
func (c *Cards) Lists() []Term {
	words := make([][]string, len(c.lex.order))
	for _, w := range sortedKeys(c.lex.words) {
		for n := range words {
			if c.lex.words[w].lists.has(n) {
				words[n] = append(words[n], w)
			}
		}
	}
	var terms []Term
	for n, name := range c.lex.order {
		terms = append(terms, Term{"{" + name + "}", strings.Join(words[n], " ")})
	}
	return terms
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Decides says in one line what a card does.
func (c *Card) Decides() string {
	switch {
	case len(c.drop) > 0:
		return "taken off"
	case c.Refuse != "":
		return "refused: " + c.Refuse
	case isReach(c.Scope):
		return "reaches " + c.Scope + ", up to " + c.Ends
	case c.Scope != "":
		return c.Scope + ", " + c.Tier
	}
	says := c.Sense
	if c.Subtype != "" {
		says += ", " + c.Subtype
	}
	if !c.Sure {
		says += ", ambiguous"
	}
	return says
}
