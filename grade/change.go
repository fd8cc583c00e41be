package grade

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/parallel"
)

// compare tests whether the figures differ from the baseline's by more than
// chance: all journals are divided at random into two files of the same sizes,
// many times. Coverage needs texts, which the baseline does not have.
func (w *Watch) compare(ctx context.Context) error {
	if w.options.Draws > 0 && w.options.Draws < 19 {
		return errNoDraws
	}
	for i := range w.Names {
		w.Changes = append(w.Changes, Change{Difference: w.Pred.Figures[i] - w.Baseline.Figures[i], P: math.NaN()})
	}
	if w.options.Draws == 0 {
		return nil
	}
	rows, mine := w.units()
	numbers := make([]uint64, w.options.Draws)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	asFar := make([]int, len(w.Names))
	for d, err := range parallel.Map(ctx, w.options.Workers, verbatim.All(numbers), func(_ context.Context, draw uint64) ([]float64, error) {
		return w.divide(rows, mine, rand.NewPCG(w.options.Seed, 1<<62|draw)), nil
	}) {
		if err != nil {
			return err
		}
		for i, c := range w.Changes {
			if math.Abs(d[i]) >= math.Abs(c.Difference)-1e-12 {
				asFar[i]++
			}
		}
	}
	for i := range w.Changes {
		if c := &w.Changes[i]; !math.IsNaN(c.Difference) {
			c.P = float64(asFar[i]+1) / float64(w.options.Draws+1)
		}
	}
	holm(w.Changes)
	return nil
}

// units are the journals of both files, or groups of as many journals each if
// there are more than maxGroups. The first `mine` belong to the predictions.
func (w *Watch) units() (rows []tally, mine int) {
	size := (len(w.Pred.rows)+len(w.Baseline.rows))/maxGroups + 1
	for _, list := range [][]tally{w.Pred.rows, w.Baseline.rows} {
		mine = len(rows)
		for group := range slices.Chunk(list, size) {
			sum := make(tally, w.Schema.watchWidth())
			for _, row := range group {
				sum.add(row)
			}
			rows = append(rows, sum)
		}
	}
	return rows, mine
}

// divide draws which rows are the predictions' and returns the differences.
func (w *Watch) divide(rows []tally, mine int, source *rand.PCG) []float64 {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	first, second := make(tally, w.Schema.watchWidth()), make(tally, w.Schema.watchWidth())
	for i := range order {
		j := i + below(source, len(order)-i)
		order[i], order[j] = order[j], order[i]
		if i < mine {
			first.add(rows[order[i]])
		} else {
			second.add(rows[order[i]])
		}
	}
	return differences(w.Schema.watchFigures(first, false), w.Schema.watchFigures(second, false))
}

// holm marks the changes that are sure, with one error in twenty for all of them
// together.
func holm(changes []Change) {
	var order []int
	for i, c := range changes {
		if !math.IsNaN(c.P) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case changes[a].P < changes[b].P:
			return -1
		case changes[a].P > changes[b].P:
			return 1
		}
		return 0
	})
	for rank, i := range order {
		if changes[i].P > 0.05/float64(len(order)-rank) {
			return
		}
		changes[i].Sure = true
	}
}

// WriteTable prints the figures for people. It contains no text of a journal.
func (w *Watch) WriteTable(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s (no gold)\n\n", printable(w.Pred.Name), Plural(w.Pred.Journals, "journal"), Plural(w.Pred.Items, "item"))
	width := widest(w.Names...)
	fmt.Fprintf(&b, "%-*s  figure", width, "")
	if w.Baseline != nil {
		fmt.Fprintf(&b, "  before  change      p")
	}
	b.WriteByte('\n')
	for i, name := range w.Names {
		fmt.Fprintf(&b, "%-*s %7s", width, name, FormatFigure(w.Pred.Figures[i]))
		if w.Baseline != nil {
			c := w.Changes[i]
			fmt.Fprintf(&b, " %7s %7s %6s", FormatFigure(w.Baseline.Figures[i]), FormatDifference(c.Difference), FormatFigure(c.P))
			if c.Sure {
				b.WriteString("  changed")
			}
		}
		b.WriteByte('\n')
	}
	if w.Baseline != nil {
		fmt.Fprintf(&b, "compared with %s: %s, %s\n", printable(filepath.Base(w.Baseline.Name)), Plural(w.Baseline.Journals, "journal"), Plural(w.Baseline.Items, "item"))
	}
	w.writeDays(&b)
	_, err := io.WriteString(out, b.String())
	return err
}

// writeDays prints the last days.
func (w *Watch) writeDays(b *strings.Builder) {
	const most = 31
	days := w.Pred.Days
	if len(days) < 2 {
		return
	}
	b.WriteString("\nday        journals   items  per journal  abstained  doubted\n")
	doubt := slices.Index(w.Names, "doubt_rate")
	if len(days) > most {
		fmt.Fprintf(b, "(the first %s are only in the summary)\n", Plural(len(days)-most, "day"))
		days = days[len(days)-most:]
	}
	for _, d := range days {
		doubted := math.NaN()
		if doubt >= 0 {
			doubted = d.Figures[doubt]
		}
		fmt.Fprintf(b, "%-10s %8d %7d %12s %10s %8s\n", printable(d.Name), d.Journals, d.Items, FormatFigure(d.Figures[0]), FormatFigure(d.Figures[1]), FormatFigure(doubted))
	}
}

func baseName(path string) string { return filepath.Base(path) }

// withMakers adds the programs that made a file, if it says so.
func withMakers(o Object, names []string) Object {
	if len(names) == 0 {
		return o
	}
	return append(o, Member{"made_by", slices.Sorted(slices.Values(names))})
}
