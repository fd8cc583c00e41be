package grade

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// WriteTable prints the figures for people. It contains no text of a journal.
func (r *Result) WriteTable(w io.Writer) error {
	var b strings.Builder
	t := r.Pred.total
	fmt.Fprintf(&b, "%s: %s, %s, %s\n", printable(r.Pred.Name), plural(r.Journals, "journal"), plural(int(t[cGold]), "gold item"), plural(int(t[cPred]), "predicted item"))
	r.writeRates(&b)
	r.writeAttributes(&b)
	r.writeCoverage(&b)
	r.writeComparison(&b)
	r.writeWorst(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Result) writeRates(b *strings.Builder) {
	t := r.Pred.total
	names := []string{"containment", "macro over journals", "macro over domains"}
	width := 0
	for _, name := range append(names, r.Schema.Domains...) {
		width = max(width, utf8.RuneCountInString(name))
	}
	line := func(name, path string, matched, pred, gold float64) {
		counts := strings.Repeat(" ", 24)
		if matched >= 0 {
			counts = fmt.Sprintf("%8.0f%8.0f%8.0f", matched, pred-matched, gold-matched)
		}
		f1, interval := r.Figure(r.Pred, path+".f1")
		precision, _ := r.Figure(r.Pred, path+".precision")
		recall, _ := r.Figure(r.Pred, path+".recall")
		fmt.Fprintf(b, "%s%s %8s %6s %6s  %s\n", pad(name, width), counts, FormatFigure(precision), FormatFigure(recall), FormatFigure(f1), interval.String())
	}
	heading := fmt.Sprintf("\n%s%8s%8s%8s %8s %6s %6s", pad("", width), "TP", "FP", "FN", "precis.", "recall", "F1")
	if r.Pred.Intervals != nil {
		heading += "  95 % of F1"
	}
	fmt.Fprintln(b, heading)
	line("containment", "micro", t[cMatched], t[cPred], t[cGold])
	line("exact", "exact", t[cExact], t[cPred], t[cGold])
	if r.HasText {
		line("overlap", "overlap", t[cOverlap], t[cPred], t[cGold])
	}
	line("optimal", "optimal", t[cOptimal], t[cPred], t[cGold])
	line("macro over journals", "macro", -1, 0, 0)
	line("macro over domains", "macro_domains", -1, 0, 0)
	fmt.Fprintln(b)
	for d, domain := range r.Schema.Domains {
		at := r.Schema.domainAt(d)
		line(domain, "domains."+domain, t[at+2], t[at+1], t[at])
	}
}

func (r *Result) writeAttributes(b *strings.Builder) {
	width := len("buckets pooled")
	for _, a := range r.Schema.Attributes {
		width = max(width, utf8.RuneCountInString(a.Name))
	}
	fmt.Fprintf(b, "\n%s   right compared excluded accuracy\n", pad("", width))
	line := func(name, path string, right, compared, excluded int) {
		accuracy, interval := r.Figure(r.Pred, path+".accuracy")
		fmt.Fprintf(b, "%s%8d %8d %8d %8s  %s\n", pad(name, width), right, compared, excluded, FormatFigure(accuracy), interval.String())
	}
	matched := int(r.Pred.total[cMatched])
	right, compared, pooled := 0, 0, 0
	for i, a := range r.Schema.Attributes {
		at := r.Schema.attributeAt(i)
		x, y := int(r.Pred.total[at]), int(r.Pred.total[at+1])
		line(a.Name, "attributes."+a.Name, x, y, matched-y)
		if a.pooled() {
			right, compared, pooled = right+x, compared+y, pooled+1
		}
	}
	line("buckets pooled", "buckets", right, compared, pooled*matched-compared)
}

func (r *Result) writeCoverage(b *strings.Builder) {
	if !r.HasText {
		return
	}
	coverage, interval := r.Figure(r.Pred, "coverage")
	t := r.Pred.total
	fmt.Fprintf(b, "\ncoverage %s  %s\n%.0f of %s verbatim in the journal\n", FormatFigure(coverage), interval.String(), t[cCovered], plural(int(t[cPred]), "predicted span"))
}

func (r *Result) writeComparison(b *strings.Builder) {
	if r.Against == nil {
		return
	}
	pred, against := printable(filepath.Base(r.Pred.Name)), printable(filepath.Base(r.Against.Name))
	if pred == against {
		pred, against = printable(r.Pred.Name), printable(r.Against.Name)
	}
	fmt.Fprintf(b, "\ncompared with %s: its figure, the difference, 95 %% interval\n", against)
	width := 0
	for _, name := range r.Names {
		width = max(width, utf8.RuneCountInString(name))
	}
	for i, name := range r.Names {
		if !strings.HasSuffix(name, ".f1") && !strings.HasSuffix(name, ".accuracy") && name != "coverage" {
			continue
		}
		difference, interval := r.Difference(name)
		sure := ""
		if interval != nil && interval.Excludes0() {
			sure = "  *"
		}
		fmt.Fprintf(b, "%s %6s %7s  %s%s\n", pad(name, width), FormatFigure(r.Against.Figures[i]), FormatDifference(difference), interval.Signed(), sure)
	}
	if r.DifferenceIntervals != nil {
		fmt.Fprintln(b, "* the interval does not contain 0")
	}
	writeOnly(b, pred, r.Pred.Only, r.Pred.OnlyItems)
	writeOnly(b, against, r.Against.Only, r.Against.OnlyItems)
}

// writeOnly lists the first gold items that only one system found.
func writeOnly(b *strings.Builder, name string, n int, items []ItemRef) {
	const most = 5
	fmt.Fprintf(b, "gold items that only %s found: %d\n", name, n)
	for _, it := range items[:min(most, len(items))] {
		fmt.Fprintf(b, "  %s, item %d, %s\n", printable(it.ID), it.Number, printable(it.Domain))
	}
	if n > most {
		fmt.Fprintf(b, "  and %d more\n", n-most)
	}
}

func (r *Result) writeWorst(b *strings.Builder) {
	const most = 5
	if len(r.Worst) == 0 {
		return
	}
	fmt.Fprintf(b, "\njournals with the most mistakes\n")
	for _, w := range r.Worst[:min(most, len(r.Worst))] {
		fmt.Fprintf(b, "  %s: %d found, %d missed, %d invented", printable(w.ID), w.TP, w.FN, w.FP)
		if w.WrongAttributes > 0 {
			fmt.Fprintf(b, ", %s wrong", plural(w.WrongAttributes, "attribute"))
		}
		fmt.Fprintln(b)
	}
}

// FormatFigure formats a figure with three decimals. A figure just below 1 is
// not rounded up to 1.000.
func FormatFigure(x float64) string {
	if math.IsNaN(x) {
		return "null"
	}
	s := fmt.Sprintf("%.3f", x)
	if s == "1.000" && x < 1 {
		return "0.999"
	}
	return s
}

// FormatDifference formats a difference with its sign. A small difference gets
// more decimals, so it does not look like 0.
func FormatDifference(x float64) string {
	if math.IsNaN(x) {
		return "null"
	}
	decimals := 3
	for decimals < 6 && x != 0 && math.Abs(x)*math.Pow10(decimals) < 0.5 {
		decimals++
	}
	return fmt.Sprintf("%+.*f", decimals, x)
}

// String formats an interval of a figure. It is empty for nil and NaN.
func (i *Interval) String() string { return i.format(FormatFigure) }

// Signed formats an interval of a difference. It is empty for nil and NaN.
func (i *Interval) Signed() string { return i.format(FormatDifference) }

func (i *Interval) format(format func(float64) string) string {
	if i == nil || math.IsNaN(i.Low) {
		return ""
	}
	return format(i.Low) + " to " + format(i.High)
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// printable quotes a name that contains control characters, so no file can move
// the terminal's cursor.
func printable(name string) string {
	if q := fmt.Sprintf("%q", name); q != `"`+name+`"` {
		return q
	}
	return name
}
