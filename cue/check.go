package cue

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim"
)

// A Failure is an example that its card does not match.
type Failure struct {
	Card    *Card
	Example Example
	Want    bool   // true for a yes: example
	Got     string // what happened instead
}

func (f Failure) Error() string {
	which := "no"
	if f.Want {
		which = "yes"
	}
	return (&verbatim.LineError{File: f.Card.File, Line: f.Example.Line,
		What:   fmt.Sprintf("%s: %s\n\tthe card %s does not do this: %s", which, f.Example.Text, f.Card.Name, f.Got),
		Remedy: "fix the card or the example"}).Error()
}

// Inherited reports whether the card lies below another layer, so that it may be a
// card above it, or one turned off there, that changed what the example says.
func (f Failure) Inherited() bool { return f.Card.layer > 0 }

// Check tests every card with its own examples. In a yes: example the card must
// decide what is in [brackets]. In a no: example it must decide nothing or, if
// there are brackets, nothing of what is in them. Piece cards are skipped.
func (c *Cards) Check() []Failure {
	var failures []Failure
	r := c.NewReader()
	for _, card := range c.cards {
		if card.IsPiece() {
			continue // the caller, who cuts the pieces, checks these
		}
		for i, e := range slices.Concat(card.Yes, card.No) {
			want := i < len(card.Yes)
			if got := r.checkExample(card, e, want); got != "" {
				failures = append(failures, Failure{card, e, want, got})
			}
		}
	}
	return failures
}

// Brackets removes the [brackets] from a text and returns their spans.
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

// checkExample returns "" if the card does what the example says.
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
		if slices.ContainsFunc(decided, func(d decision) bool { return d.Span == span && d.card == card.Name }) {
			continue
		}
		got := fmt.Sprintf("no card decides %q", sentence[span.Start:max(span.Start, span.End)])
		for _, d := range decided {
			if d.Overlaps(span) && d.isScope == (len(card.On) > 0) {
				got = fmt.Sprintf("%s decides %q", d.card, sentence[d.Start:d.End])
			}
		}
		return got
	}
	return ""
}

type decision struct {
	verbatim.Span
	card    string
	isScope bool
}

// decisions returns what all cards decide in a sentence: sense cards decide the
// match, scope cards the scope, or the match if they reject it.
func (r *Reader) decisions(previous, sentence string) []decision {
	var out []decision
	for _, hit := range r.Hits(previous, sentence) {
		out = append(out, decision{hit.Span, hit.Card, false})
		if tag, _, ok := r.scope(hit); ok {
			if tag.Reason != "" {
				tag.Scope = hit.Span
			}
			out = append(out, decision{tag.Scope, tag.ScopeCard, true})
		}
	}
	return out
}

// A Term is a name that cards can use, with its meaning.
type Term struct{ Name, Says string }

// Tests returns the tests for has: and lacks:.
func Tests() []Term {
	terms := []Term{
		{"PATTERN in the AREA", "the pattern occurs in that part of the sentence"},
		{"PATTERN opens the AREA", "the pattern is its first words"},
		{"PATTERN ends the AREA", "the pattern is its last words"},
		{"fewer than N words in the AREA", "that part of the sentence is shorter than N words"},
		{"main verb is PATTERN", "the main verb of the clause after the match is one of these"},
	}
	return appendTerms(terms, "%s", namedTests)
}

// Areas returns the parts of a sentence that a test can look at.
func Areas() []Term {
	return appendTerms([]Term{{"N words before", "the N words before the match, but not before a semicolon"},
		{"N words after", "the N words after the match, but not after a semicolon"}}, "%s", areas)
}

// Shapes returns the names that can be in braces besides the word lists.
func Shapes() []Term { return appendTerms(nil, "{%s}", shapes) }

// Lists returns the word lists with their words.
func (c *Cards) Lists() []Term {
	var terms []Term
	for _, name := range c.lex.order {
		terms = append(terms, Term{"{" + name + "}", strings.Join(c.lex.wordsOf(name), " ")})
	}
	return terms
}

// A named function is one that cards can use by its name.
type named[F any] struct {
	says string
	test F
}

func appendTerms[F any](terms []Term, format string, all map[string]named[F]) []Term {
	for _, name := range sortedKeys(all) {
		terms = append(terms, Term{fmt.Sprintf(format, name), all[name].says})
	}
	return terms
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Decides describes in one line what a card does.
func (c *Card) Decides() string {
	switch {
	case len(c.drop) > 0:
		return "removed"
	case c.Refuse != "":
		return "rejected: " + c.Refuse
	case isReach(c.Scope):
		return "reaches " + c.Scope + ", up to " + c.endsText
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
