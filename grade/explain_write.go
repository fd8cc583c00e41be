package grade

import (
	"fmt"
	"io"
	"strings"

	"verbatim/internal/layout"
)

// Write prints the pairs of a journal, why each matched, and the sums. With
// redact, it prints places instead of text.
func (e *Explanation) Write(w io.Writer, redact bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Journal %s\n", printable(e.ID))
	if e.Text != "" && !redact {
		fmt.Fprintf(&b, "\n  %s\n", wrap(e.Text))
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
	result := "false positive"
	switch {
	case !p.Valid:
		fmt.Fprintln(b, "  Invalid: an item needs a domain from the list and a span.")
	case p.Gold == 0 && len(p.Fits) > 0:
		fmt.Fprintf(b, "  Fits gold item %s, which an earlier prediction took.\n", p.FitsList())
	case p.Gold == 0:
		fmt.Fprintln(b, "  No gold item of this domain contains it or is contained in it.")
		if p.Context != "" && !redact {
			fmt.Fprintf(b, "  Context: %s\n", wrap(p.Context))
		}
	default:
		g := &e.Gold[p.Gold-1]
		fmt.Fprintf(b, "  Gold item %d, %s: %s\n  Same domain, and %s.\n", g.Number, g.Domain, g.Quote(redact), p.Relation)
		for _, a := range p.Attributes {
			if a.Gold != NotGiven || a.Pred != NotGiven {
				fmt.Fprintf(b, "  %s: gold %s, predicted %s: %s\n", a.Name, a.Gold, a.Pred, a.Verdict)
			}
		}
		result = "true positive"
	}
	fmt.Fprintf(b, "  Result: %s\n", result)
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

// wrap breaks a text into lines of at most 76 columns, indented by two.
func wrap(text string) string { return layout.Hang(strings.Join(strings.Fields(text), " "), 78, 2) }
