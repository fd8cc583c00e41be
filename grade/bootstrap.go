package grade

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"verbatim"

	"verbatim/internal/parallel"
)

// An Interval contains 95 % of the bootstrap draws. Both ends are NaN if the
// figure is.
type Interval struct{ Low, High float64 }

// Excludes0 reports whether the whole interval is above or below 0.
func (i Interval) Excludes0() bool { return i.Low > 0 || i.High < 0 }

// maxGroups is the maximum number of units in a draw. Up to this number of
// journals, the unit is the journal. With more, random groups are drawn: their
// sums vary as sums of journals do, but time and memory stop growing.
const maxGroups = 10_000

// groups collects the tallies for the bootstrap. Compared systems share a row, so
// they are drawn together.
type groups struct {
	rows []tally
	all  int // number of journals
	seed uint64
}

func newGroups(journals, width int, seed uint64) *groups {
	g := &groups{all: journals, seed: seed}
	rows := make([]float64, min(journals, maxGroups)*width)
	for len(rows) > 0 {
		g.rows = append(g.rows, rows[:width:width])
		rows = rows[width:]
	}
	return g
}

func (g *groups) add(journal int, t tally) {
	if g.all > maxGroups {
		journal = below(rand.NewPCG(g.seed, uint64(journal)), maxGroups)
	}
	g.rows[journal].add(t)
}

// below draws a number from 0 to n-1. It does not use rand.IntN, so a new release
// of the standard library cannot change the draws.
func below(source *rand.PCG, n int) int {
	high, _ := bits.Mul64(source.Uint64(), uint64(n))
	return int(high)
}

// bootstrap computes the figures of many draws with replacement. Each draw has its
// own generator, so the number of workers does not change the result.
func (g *groups) bootstrap(ctx context.Context, workers, draws int, figures func(tally) []float64) ([][]float64, error) {
	if draws == 0 || len(g.rows) == 0 {
		return nil, nil
	}
	numbers := make([]uint64, draws)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	var all [][]float64
	for f, err := range parallel.Map(ctx, workers, verbatim.All(numbers), func(_ context.Context, draw uint64) ([]float64, error) {
		source := rand.NewPCG(g.seed, 1<<63|draw)
		sum := make(tally, len(g.rows[0]))
		for range g.rows {
			sum.add(g.rows[below(source, len(g.rows))])
		}
		return figures(sum), nil
	}) {
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// intervals computes, for each figure, the 2.5th and 97.5th percentile of the
// draws that have it.
func intervals(draws [][]float64) []Interval {
	if len(draws) == 0 {
		return nil
	}
	out := make([]Interval, len(draws[0]))
	column := make([]float64, 0, len(draws))
	for i := range out {
		column = column[:0]
		for _, draw := range draws {
			if !math.IsNaN(draw[i]) {
				column = append(column, draw[i])
			}
		}
		slices.Sort(column)
		out[i] = Interval{percentile(column, 0.025), percentile(column, 0.975)}
	}
	return out
}

// percentile interpolates between two neighbors. Products are rounded before they
// are added, so no processor fuses the two operations.
func percentile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := float64(q * float64(len(sorted)-1))
	below := int(at)
	above := min(below+1, len(sorted)-1)
	part := at - float64(below)
	return sorted[below] + float64(part*float64(sorted[above]-sorted[below]))
}
