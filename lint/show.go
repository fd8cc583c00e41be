package lint

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Figures are the numbers that a gate can bound, by name.
func (r *Report) Figures() map[string]float64 {
	f := map[string]float64{"questions": float64(r.Questions), "luck": r.Luck, "hygiene": float64(r.Findings.Count(""))}
	for _, check := range Checks {
		f["hygiene."+strings.ReplaceAll(check, " ", "-")] = float64(r.Findings.Count(check))
	}
	for _, a := range r.Attacks {
		name := strings.NewReplacer(": ", ".", " ", "-", "(", "", ")", "", ",", "").Replace(a.Attack)
		f["lift."+name] = a.Strength()
		switch {
		case a.optionOnly():
			f["lift"] = max(f["lift"], a.Strength())
			f["over-luck"] = max(f["over-luck"], a.Strength()-r.Luck)
		case a.Kind == Ranker:
			f["ranker"] = max(f["ranker"], a.Strength())
		case a.Kind == Passage:
			f["passage"] = max(f["passage"], a.Lift)
		}
	}
	return f
}

// A Gate is a bound that a figure must not exceed.
type Gate struct {
	Figure string
	Max    float64
}

// ParseGate reads NAME=VALUE.
func ParseGate(text string) (Gate, error) {
	name, value, ok := strings.Cut(text, "=")
	most, err := strconv.ParseFloat(value, 64)
	if !ok || err != nil || name == "" {
		return Gate{}, fmt.Errorf("%q: write NAME=VALUE, for example lift=0.03 or hygiene=0", text)
	}
	return Gate{name, most}, nil
}

// Failed says which gates a report misses. A figure that the report does not have
// is an error.
func (r *Report) Failed(gates []Gate) (failed []string, err error) {
	figures := r.Figures()
	for _, g := range gates {
		value, known := figures[g.Figure]
		switch {
		case !known:
			return nil, fmt.Errorf("there is no figure %q; there are %s", g.Figure, strings.Join(slices.Sorted(maps.Keys(figures)), ", "))
		case value > g.Max:
			failed = append(failed, fmt.Sprintf("%s is %s, more than %s", g.Figure, number(value), number(g.Max)))
		}
	}
	return failed, nil
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// Line is the report in one line.
func (r *Report) Line() string {
	if r.Worst == nil {
		return "leaks: there are no questions to measure"
	}
	verdict := "within luck"
	if leaking := r.leaking(); leaking > 0 {
		verdict = fmt.Sprintf("%d of %d ways of guessing beat luck", leaking, len(r.Attacks))
	}
	line := fmt.Sprintf("leaks: without the passage at most %+.1f points over chance (%s; by luck %.1f), %s", 100*r.Worst.Strength(), r.Worst.way(), 100*r.Luck, verdict)
	if ranker := r.Figures()["ranker"]; r.has(Ranker) {
		line += fmt.Sprintf("; the ranker %+.1f", 100*ranker)
	}
	return line + fmt.Sprintf("; hygiene %d", r.Findings.Count(""))
}

func (r *Report) has(kind string) bool {
	return slices.ContainsFunc(r.Attacks, func(a Result) bool { return a.Kind == kind })
}

func (r *Report) leaking() int {
	n := 0
	for _, a := range r.Attacks {
		if a.Leaks {
			n++
		}
	}
	return n
}

// way is the attack or its inverse, whichever is stronger.
func (r *Result) way() string {
	if r.Inverse > r.Lift {
		return "not " + r.Attack
	}
	return r.Attack
}

// Write writes the report as text.
func (r *Report) Write(w io.Writer) error {
	out := &printer{w: w}
	out.print("%d questions, %d books, %.2f options, chance %.1f %%\n", r.Questions, r.Books, r.Options, 100*r.Chance)
	if r.Worst != nil {
		out.print("By luck alone, the best of these ways of guessing reaches %+.1f points (95 %%). ! beats that, * only its interval is above 0.\n", 100*r.Luck)
		r.table(out)
	}
	for _, note := range r.Notes {
		out.print("%s\n", note)
	}
	r.writeHits(out)
	r.writeFindings(out)
	if len(r.Advice) > 0 {
		out.print("\nWhat to do\n")
	}
	for _, a := range r.Advice {
		out.print("  %s\n    → %s\n", a.What, a.Do)
	}
	out.print("\n%s\n", r.Line())
	return out.err
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) print(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

var kindTitles = []struct{ kind, title string }{
	{Options, "Options alone"}, {Learned, "Options alone, learned on other books"},
	{Ranker, "The model that ranked the options"}, {Passage, "With the passage (for information: a reader may use it)"},
}

func (r *Report) table(out *printer) {
	for _, k := range kindTitles {
		if !r.has(k.kind) {
			continue
		}
		out.print("\n%-38s %5s %6s %6s %6s   %-15s %7s\n", k.title, "n", "right", "chance", "lift", "95 % of lift", "inverse")
		for _, a := range r.Attacks {
			if a.Kind != k.kind {
				continue
			}
			out.print("%s %-36s %5d %6.1f %6.1f %+6.1f   [%+5.1f, %+5.1f] %+7.1f\n", r.mark(&a), a.Attack, a.N, 100*a.Accuracy, 100*a.Chance,
				100*a.Lift, 100*a.Interval[0], 100*a.Interval[1], 100*a.Inverse)
		}
	}
}

func (r *Report) mark(a *Result) string {
	switch {
	case a.Leaks:
		return "!"
	case a.Kind != Passage && a.Interval[0] > 0:
		return "*"
	}
	return " "
}

const shown = 5

func (r *Report) writeHits(out *printer) {
	if len(r.Hit) == 0 {
		return
	}
	out.print("\nQuestions that most of the marked ways get right\n")
	for _, h := range r.Hit[:min(shown, len(r.Hit))] {
		out.print("  %s:%d %s: %d (by chance %.1f): %s\n", h.File, h.Line, h.ID, len(h.Attacks), h.Expect, strings.Join(h.Attacks[:min(4, len(h.Attacks))], ", "))
	}
}

func (r *Report) writeFindings(out *printer) {
	out.print("\nHygiene: %d findings\n", r.Findings.Count(""))
	for _, check := range Checks {
		n, left := r.Findings.Count(check), shown
		if n == 0 {
			continue
		}
		out.print("  %s: %d\n", check, n)
		for _, f := range r.Findings {
			if f.Check == check && left > 0 {
				left--
				out.print("    %s:%d %s\n", f.File, f.Line, f.What)
			}
		}
		if n > shown {
			out.print("    and %d more\n", n-shown)
		}
	}
	names := r.categories()
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, r.Balance.Categories[name])
	}
	if len(names) > 0 {
		out.print("  categories: %s\n", strings.Join(names, ", "))
	}
	if len(r.Balance.Positions) > 1 {
		out.print("  positions of the ground truth: %v\n", r.Balance.Positions)
	}
	if r.Balance.Words > 0 {
		out.print("  period: %d of %d words of written answers have a known first year (%.0f %%)\n", r.Balance.Dated, r.Balance.Words,
			100*float64(r.Balance.Dated)/float64(r.Balance.Words))
	}
}

// categories are the names of the categories, the largest first.
func (r *Report) categories() []string {
	return slices.SortedFunc(maps.Keys(r.Balance.Categories), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Balance.Categories[b], r.Balance.Categories[a]), cmp.Compare(a, b))
	})
}
