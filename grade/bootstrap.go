package grade

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"verbatim/internal/parallel"
)

// An Interval holds 95 of 100 bootstrap draws. Both ends are NaN where the
// figure is.
type Interval struct{ Low, High float64 }

// Excludes0 says whether all of the interval lies on one side of 0.
func (i Interval) Excludes0() bool { return i.Low > 0 || i.High < 0 }

// maxGroups is the number of units that a draw is made of. Up to so many
// journals the unit is the journal; of more, groups put together by chance are
// drawn: sums of groups scatter as sums of journals do, at a cost that no
// longer grows, and without a row in memory for each journal.
const maxGroups = 10_000

// groups gathers the tallies that the bootstrap draws from. Systems that are
// compared lie side by side in one row, so that they are drawn together.
type groups struct {
	rows []tally
	all  int // journals
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

// below draws from 0 to n-1. It is written out so that no other release of the
// standard library can draw differently from the same seed.
func below(source *rand.PCG, n int) int {
	high, _ := bits.Mul64(source.Uint64(), uint64(n))
	return int(high)
}

// bootstrap computes figures of many draws with replacement. Every draw has a
// generator of its own, so that workers cannot change the result.
func (g *groups) bootstrap(ctx context.Context, workers, draws int, figures func(tally) []float64) ([][]float64, error) {
	if draws == 0 || len(g.rows) == 0 {
		return nil, nil
	}
	numbers := make([]uint64, draws)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	var all [][]float64
	for f, err := range parallel.Map(ctx, workers, each(numbers), func(_ context.Context, draw uint64) ([]float64, error) {
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

// intervals takes, for each figure, the 2.5th and the 97.5th percentile of the
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

// percentile interpolates between the two neighbours. The products are rounded
// before they are added, so that no processor fuses the two.
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
