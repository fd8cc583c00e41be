package grade

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Summary returns the comparison as a record.
func (s *Stability) Summary(program string) Object {
	runs := []Object{}
	for i := range s.options.Runs {
		c := s.roster.columns[i]
		o := Object{{"file", filepath.Base(c.Name)}, {"sha256", c.SHA256}, {"journals", c.count}, {"items", s.Items[i]}}
		if s.Scores != nil {
			o = append(o, Member{"precision", s.Scores[i].Precision}, Member{"recall", s.Scores[i].Recall}, Member{"f1", s.Scores[i].F1})
		}
		runs = append(runs, o)
	}
	attributes := Object{}
	for _, c := range s.Changes {
		attributes = append(attributes, Member{c.Name, Object{{"compared", c.Compared}, {"changed", c.Changed},
			{"steadiness", rate(float64(c.Compared-c.Changed), float64(c.Compared))}, {"said_by_one_only", c.OneSaid}}})
	}
	o := Object{{"format", stabilityFormat}, {"program", program}, {"options", Object{{"schema", s.Schema.Name}}}, {"runs", runs}}
	if s.options.Gold != nil {
		var f1 []float64
		for _, score := range s.Scores {
			f1 = append(f1, score.F1)
		}
		o = append(o, Member{"gold", Object{{"file", filepath.Base(s.options.Gold.Name)}, {"sha256", s.roster.columns[len(s.options.Runs)].SHA256},
			{"items_in_all_runs", s.GoldAll}, {"items_in_some_runs", s.GoldSome}, {"items_in_no_run", s.GoldNone},
			{"lowest_f1", slices.Min(f1)}, {"highest_f1", slices.Max(f1)}}})
	}
	return append(o,
		Member{"journals", s.Journals},
		Member{"agreement", s.Agreement},
		Member{"items_of_first_run", s.Items[0]},
		Member{"items_in_all_runs", s.Steady},
		Member{"steady", rate(float64(s.Steady), float64(s.Items[0]))},
		Member{"matched_pairs", s.Pairs},
		Member{"attributes", attributes},
	)
}

// WriteTable prints the comparison for people. It contains no text of a journal.
func (s *Stability) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n\n", plural(len(s.options.Runs), "run"), plural(s.Journals, "journal"))
	for i, run := range s.options.Runs {
		fmt.Fprintf(&b, "%-30s %s", printable(filepath.Base(run.Name)), plural(s.Items[i], "item"))
		if s.Scores != nil {
			fmt.Fprintf(&b, ", F1 %s (precision %s, recall %s)", FormatFigure(s.Scores[i].F1), FormatFigure(s.Scores[i].Precision), FormatFigure(s.Scores[i].Recall))
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "\nagreement %s: the mean F1 of all pairs of runs, over journals\n", FormatFigure(s.Agreement))
	fmt.Fprintf(&b, "%d of the first run's %s are in all runs\n", s.Steady, plural(s.Items[0], "item"))
	if s.options.Gold != nil {
		fmt.Fprintf(&b, "gold items found in all runs %d, in some %d, in none %d\n", s.GoldAll, s.GoldSome, s.GoldNone)
	}
	var names []string
	for _, c := range s.Changes {
		names = append(names, c.Name)
	}
	width := widest(names...)
	fmt.Fprintf(&b, "\n%-*s  changed  compared  said by one only\n", width, "")
	for _, c := range s.Changes {
		fmt.Fprintf(&b, "%-*s %8d %9d %17d\n", width, c.Name, c.Changed, c.Compared, c.OneSaid)
	}
	if len(s.Least) > 0 {
		fmt.Fprintln(&b, "\njournals with the lowest agreement")
	}
	for _, j := range s.Least[:min(maxLines, len(s.Least))] {
		fmt.Fprintf(&b, "  %s: %s, %s in all runs, polarity flips %d, bucket drift %d\n",
			printable(j.ID), FormatFigure(j.Agreement), plural(j.Steady, "item"), j.Flips, j.Drift)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
