package grade

import (
	"fmt"
	"io"
	"strings"
)

// Write prints the pairs of a journal, why each matched, and the sums. With
// redact, it prints places instead of text.
func (e *Explanation) Write(w io.Writer, redact bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Journal %s\n", printable(e.ID))
	if e.Text != "" && !redact {
		fmt.Fprintf(&b, "\n  %s\n", wrap(e.Text, 76, "  "))
	}
	for i := range e.Pred {
		e.writePred(&b, &e.Pred[i], redact)
	}
	for i := range e.Gold {
		if g := &e.Gold[i]; g.Pred == 0 {
			fmt.Fprintf(&b, "\nGold item %d, %s: %s\n  No prediction matches it.\n  Result: false negative\n", g.Number, g.Domain, g.Quote(redact))
		}
	}
	fmt.Fprintf(&b, "\nTP %d, FP %d, FN %d\n", e.TP, e.FP, e.FN)
	fmt.Fprintf(&b, "precision = %d/(%d+%d) = %s\n", e.TP, e.TP, e.FP, FormatFigure(e.Rates.Precision))
	fmt.Fprintf(&b, "recall    = %d/(%d+%d) = %s\n", e.TP, e.TP, e.FN, FormatFigure(e.Rates.Recall))
	fmt.Fprintf(&b, "F1        = 2*%d/(2*%d+%d+%d) = %s\n", e.TP, e.TP, e.FP, e.FN, FormatFigure(e.Rates.F1))
	fmt.Fprintf(&b, "pairs in the other modes: exact %d, optimal %d", e.Exact, e.Optimal)
	if e.HasText {
		fmt.Fprintf(&b, ", overlap %d", e.Overlap)
	}
	fmt.Fprintln(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (e *Explanation) writePred(b *strings.Builder, p *ExplainedItem, redact bool) {
	domain := p.Domain
	if domain == "" {
		domain = "a domain that is not in the list"
	}
	fmt.Fprintf(b, "\nPredicted item %d, %s: %s\n", p.Number, domain, p.Quote(redact))
	if e.HasText && p.Valid && !p.Placed {
		fmt.Fprintf(b, "  Not covered: the span is not in the journal, character by character.\n")
	}
	switch {
	case !p.Valid:
		fmt.Fprintf(b, "  Invalid: an item needs a domain from the list and a span.\n  Result: false positive\n")
	case p.Gold == 0 && len(p.Fits) > 0:
		fmt.Fprintf(b, "  Fits gold item %s, which an earlier prediction took.\n  Result: false positive\n", p.FitsList())
	case p.Gold == 0:
		fmt.Fprintf(b, "  No gold item of this domain contains it or is contained in it.\n")
		if p.Context != "" && !redact {
			fmt.Fprintf(b, "  Context: %s\n", wrap(p.Context, 76, "  "))
		}
		fmt.Fprintf(b, "  Result: false positive\n")
	default:
		g := &e.Gold[p.Gold-1]
		fmt.Fprintf(b, "  Gold item %d, %s: %s\n", g.Number, g.Domain, g.Quote(redact))
		fmt.Fprintf(b, "  Same domain, and %s.\n", relation(p))
		for _, a := range p.Attributes {
			if a.Gold != NotGiven || a.Pred != NotGiven {
				fmt.Fprintf(b, "  %s: gold %s, predicted %s: %s\n", a.Name, a.Gold, a.Pred, a.Verdict)
			}
		}
		fmt.Fprintf(b, "  Result: true positive\n")
	}
}

func relation(p *ExplainedItem) string {
	switch {
	case p.Equal:
		return "the spans are equal, ignoring case"
	case p.Within:
		return "the gold span contains the prediction"
	default:
		return "the prediction contains the gold span"
	}
}

// Quote returns the item's span in quotation marks or, with redact, its place.
func (it *ExplainedItem) Quote(redact bool) string {
	switch {
	case !redact && it.Span != "":
		return fmt.Sprintf("%q", it.Span)
	case it.Span == "":
		return "(no span)"
	case it.Placed:
		return fmt.Sprintf("bytes %d to %d", it.Place.Start, it.Place.End)
	default:
		return fmt.Sprintf("%d bytes, not in the text", len(it.Span))
	}
}

// FitsList is Fits as text, such as "2, 5".
func (it *ExplainedItem) FitsList() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(it.Fits), " ", ", "), "[]")
}

// wrap breaks a text into lines of at most width characters. Each line after
// the first starts with indent.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	length := 0
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case length+1+n > width:
			b.WriteString("\n" + indent)
			length = 0
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += n
	}
	return b.String()
}
