package grade

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Group is a part of the summary that has precision, recall and F1.
type Group struct{ Name, Path string }

// Modes are the matching modes, containment first.
func (r *Result) Modes() []Group {
	modes := []Group{{"containment", "micro"}, {"exact", "exact"}, {"overlap", "overlap"}, {"optimal", "optimal"}}
	if !r.HasText {
		modes = slices.Delete(modes, 2, 3)
	}
	return modes
}

// Macros are the averages over journals and over domains.
func (r *Result) Macros() []Group {
	return []Group{{"macro over journals", "macro"}, {"macro over domains", "macro_domains"}}
}

// Domains are the schema's domains.
func (r *Result) Domains() (groups []Group) {
	for _, domain := range r.Schema.Domains {
		groups = append(groups, Group{domain, "domains." + domain})
	}
	return groups
}

// A table prints the figures of a result for people.
type table struct {
	*Result
	strings.Builder
	summary Object
}

// WriteTable prints the figures for people. It contains no text of a journal.
func (r *Result) WriteTable(w io.Writer) error {
	t := table{Result: r, summary: r.Summary("")}
	total := r.Pred.total
	fmt.Fprintf(&t, "%s: %s, %s, %s\n", printable(r.Pred.Name), Plural(r.Journals, "journal"),
		Plural(int(total[cGold]), "gold item"), Plural(int(total[cPred]), "predicted item"))
	t.rates()
	t.attributes()
	if r.HasText {
		coverage, interval := r.Figure(r.Pred, "coverage")
		fmt.Fprintf(&t, "\ncoverage %s  %s\n%.0f of %s verbatim in the journal\n",
			FormatFigure(coverage), interval.String(), total[cCovered], Plural(int(total[cPred]), "predicted span"))
		if near := int(total[cNear]); near > 0 {
			fmt.Fprintf(&t, "%d nearly verbatim (%s)\n", near, r.Pred.Remarks.DifferenceList())
		}
		if absent := int(total[cPred] - total[cCovered] - total[cNear]); absent > 0 {
			fmt.Fprintf(&t, "%d not in the journal at all\n", absent)
		}
	}
	if r.Against != nil {
		t.comparison()
	}
	t.worst()
	_, err := io.WriteString(w, t.String())
	return err
}

func widest(names ...string) (width int) {
	for _, name := range names {
		width = max(width, utf8.RuneCountInString(name))
	}
	return width
}

func (t *table) rates() {
	width := max(widest(t.Schema.Domains...), len("macro over journals"))
	fmt.Fprintf(t, "\n%-*s%8s%8s%8s %8s %6s %6s", width, "", "TP", "FP", "FN", "precis.", "recall", "F1")
	if t.Pred.Intervals != nil {
		t.WriteString("  95 % of F1")
	}
	t.WriteByte('\n')
	for i, g := range slices.Concat(t.Modes(), t.Macros(), t.Domains()) {
		if i == len(t.Modes())+len(t.Macros()) {
			t.WriteByte('\n')
		}
		fmt.Fprintf(t, "%-*s", width, g.Name)
		for _, name := range []string{".tp", ".fp", ".fn"} {
			if n, counted := t.summary.Figure(g.Path + name); counted {
				fmt.Fprintf(t, "%8.0f", n)
			} else {
				fmt.Fprintf(t, "%8s", "")
			}
		}
		precision, _ := t.Figure(t.Pred, g.Path+".precision")
		recall, _ := t.Figure(t.Pred, g.Path+".recall")
		f1, interval := t.Figure(t.Pred, g.Path+".f1")
		fmt.Fprintf(t, " %8s %6s %6s  %s\n", FormatFigure(precision), FormatFigure(recall), FormatFigure(f1), interval.String())
	}
}

func (t *table) attributes() {
	names, paths := []string{}, []string{}
	for _, a := range t.Schema.Attributes {
		names, paths = append(names, a.Name), append(paths, "attributes."+a.Name)
	}
	names, paths = append(names, "buckets pooled"), append(paths, "buckets")
	width := widest(names...)
	fmt.Fprintf(t, "\n%-*s   right compared excluded accuracy\n", width, "")
	for i, path := range paths {
		right, _ := t.summary.Figure(path + ".right")
		compared, _ := t.summary.Figure(path + ".compared")
		excluded, _ := t.summary.Figure(path + ".excluded")
		accuracy, interval := t.Figure(t.Pred, path+".accuracy")
		fmt.Fprintf(t, "%-*s%8.0f %8.0f %8.0f %8s  %s\n", width, names[i], right, compared, excluded, FormatFigure(accuracy), interval.String())
	}
	if n := t.Pred.total[cFalseAbsent]; n > 0 {
		fmt.Fprintf(t, "false absent: %.0f of %.0f present ones are called absent\n", n, t.Pred.total[cThere])
	}
}

func (t *table) comparison() {
	pred, against := printable(filepath.Base(t.Pred.Name)), printable(filepath.Base(t.Against.Name))
	if pred == against {
		pred, against = printable(t.Pred.Name), printable(t.Against.Name)
	}
	fmt.Fprintf(t, "\ncompared with %s: its figure, the difference, 95 %% interval\n", against)
	width := widest(t.Names...)
	for i, name := range t.Names {
		if !strings.HasSuffix(name, ".f1") && !strings.HasSuffix(name, ".accuracy") && name != "coverage" {
			continue
		}
		difference, interval := t.Difference(name)
		sure := ""
		if interval != nil && interval.Excludes0() {
			sure = "  *"
		}
		fmt.Fprintf(t, "%-*s %6s %7s  %s%s\n", width, name, FormatFigure(t.Against.Figures[i]), FormatDifference(difference), interval.Signed(), sure)
	}
	if t.DifferenceIntervals != nil {
		t.WriteString("* the interval does not contain 0\n")
	}
	t.only(pred, t.Pred)
	t.only(against, t.Against)
}

// maxLines is the number of items or journals that a table lists.
const maxLines = 5

// only lists the first gold items that only one system found.
func (t *table) only(name string, s *System) {
	fmt.Fprintf(t, "gold items that only %s found: %d\n", name, s.Only)
	for _, it := range s.OnlyItems[:min(maxLines, len(s.OnlyItems))] {
		fmt.Fprintf(t, "  %s, item %d, %s\n", printable(it.ID), it.Number, printable(it.Domain))
	}
	if s.Only > maxLines {
		fmt.Fprintf(t, "  and %d more\n", s.Only-maxLines)
	}
}

func (t *table) worst() {
	if len(t.Worst) > 0 {
		t.WriteString("\njournals with the most mistakes\n")
	}
	for _, w := range t.Worst[:min(maxLines, len(t.Worst))] {
		fmt.Fprintf(t, "  %s: %d found, %d missed, %d extra", printable(w.ID), w.TP, w.FN, w.FP)
		if w.WrongAttributes > 0 {
			fmt.Fprintf(t, ", %s wrong", Plural(w.WrongAttributes, "attribute"))
		}
		t.WriteByte('\n')
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

// Plural counts a noun, such as "1 item" or "2 items".
func Plural(n int, noun string) string {
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
