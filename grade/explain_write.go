package grade

import (
	"fmt"
	"io"
	"strings"
)

// Write prints the pairs of a journal, why each matched, and the sums. With
// redact, places stand instead of words.
func (e *Explanation) Write(w io.Writer, redact bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Journal %s\n", Printable(e.ID))
	if e.Text != "" && !redact {
		fmt.Fprintf(&b, "\n  %s\n", Wrap(e.Text, 76, "  "))
	}
	for i := range e.Pred {
		e.writePred(&b, &e.Pred[i], redact)
	}
	for i := range e.Gold {
		if g := &e.Gold[i]; g.Pred == 0 {
			fmt.Fprintf(&b, "\nGold item %d, %s: %s\n  No prediction took it.\n  Result: false negative\n", g.Number, g.Domain, words(g, redact))
		}
	}
	fmt.Fprintf(&b, "\nTP %d, FP %d, FN %d\n", e.TP, e.FP, e.FN)
	fmt.Fprintf(&b, "precision = %d/(%d+%d) = %s\n", e.TP, e.TP, e.FP, number(e.Rates.Precision))
	fmt.Fprintf(&b, "recall    = %d/(%d+%d) = %s\n", e.TP, e.TP, e.FN, number(e.Rates.Recall))
	fmt.Fprintf(&b, "F1        = 2*%d/(2*%d+%d+%d) = %s\n", e.TP, e.TP, e.FP, e.FN, number(e.Rates.F1))
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
	fmt.Fprintf(b, "\nPredicted item %d, %s: %s\n", p.Number, domain, words(p, redact))
	if e.HasText && p.Valid && !p.Placed {
		fmt.Fprintf(b, "  Not covered: the journal does not say this, letter by letter.\n")
	}
	switch {
	case !p.Valid:
		fmt.Fprintf(b, "  Invalid: it needs a domain from the list and a span. It matches nothing.\n  Result: false positive\n")
	case p.Gold == 0 && len(p.Fits) > 0:
		fmt.Fprintf(b, "  Fits gold item %s, taken by an earlier prediction.\n  Result: false positive\n", list(p.Fits))
	case p.Gold == 0:
		fmt.Fprintf(b, "  No gold item of this domain contains it or lies within it.\n")
		if p.Context != "" && !redact {
			fmt.Fprintf(b, "  In its context: %s\n", Wrap(p.Context, 76, "  "))
		}
		fmt.Fprintf(b, "  Result: false positive\n")
	default:
		g := &e.Gold[p.Gold-1]
		fmt.Fprintf(b, "  Gold item %d, %s: %s\n", g.Number, g.Domain, words(g, redact))
		fmt.Fprintf(b, "  Same domain, and %s.\n", relation(p))
		for _, a := range p.Attributes {
			if a.Gold != notGiven || a.Pred != notGiven {
				fmt.Fprintf(b, "  %s: gold %s, predicted %s: %s\n", a.Name, a.Gold, a.Pred, a.Verdict)
			}
		}
		fmt.Fprintf(b, "  Result: true positive\n")
	}
}

func relation(p *ExplainedItem) string {
	switch {
	case p.Equal:
		return "the spans are equal, apart from case"
	case p.Within:
		return "the prediction is a piece of the gold span"
	default:
		return "the gold span is a piece of the prediction"
	}
}

func words(it *ExplainedItem, redact bool) string {
	switch {
	case !redact && it.Span != "":
		return fmt.Sprintf("%q", it.Span)
	case it.Span == "":
		return "(no span)"
	case it.Placed:
		return fmt.Sprintf("bytes %d to %d", it.Place.Start, it.Place.End)
	default:
		return fmt.Sprintf("%d bytes without a place", len(it.Span))
	}
}

func list(numbers []int) string {
	var out []string
	for _, n := range numbers {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, ", ")
}

// Wrap breaks a text into lines of at most width letters; every line but the
// first begins with indent.
func Wrap(text string, width int, indent string) string {
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
