package balance

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim/lint"
)

// What is measured on each option: the traits of lint, and what follows.
const (
	likeWords = iota // how like the other options it is
	likeRare         // the same, by rare words
	fit              // what the ranker thinks of it
	known            // how many of its words the passage has
	mixed            // the first of the mixtures of traits
)

// mixtures is how many mixtures of traits are measured. What a learner finds in a
// set that is balanced is chance, but it picks by some mixture of traits all the
// same: if many drawn mixtures tell nothing, others tell little.
const (
	mixtures = 16
	others   = mixed + mixtures
)

var scalarCount = len(lint.TraitNames) + others

// Of every measure these figures are kept: 0 on average, if it tells nothing.
const (
	highest = iota // the ground truth is the highest, less chance
	lowest
	middle   // it is nearest to the mean of the others
	rank     // its rank, from -1 to 1
	distance // its distance from the others' mean, in deviations
	square   // the square of that, less the wrong answers'
	perScalar
)

// And these, of the options together.
const (
	inPair       = iota // it is one of the closest pair
	lessNegative        // of that pair, it has fewer negations
	majority            // it opens as most options do
	minority
	together
)

var (
	figureCount = scalarCount*perScalar + together
	weights     = figureWeights()
	guesses     = onlyGuesses(weights)
)

// onlyGuesses leaves out what only a learner can use.
func onlyGuesses(weights []float64) []float64 {
	w := slices.Clone(weights)
	for s := range scalarCount {
		for _, f := range []int{rank, distance, square} {
			w[s*perScalar+f] = 0
		}
	}
	return w
}

// figureWeights says how much each figure counts. What anybody sees at once counts
// most, and what the ranker thinks, because the ranker brought the options.
func figureWeights() []float64 {
	w := make([]float64, figureCount)
	for s := range scalarCount {
		weight := 1.0
		switch s - len(lint.TraitNames) {
		case fit:
			weight = 3
		case known:
			weight = .5
		default:
			if s >= len(lint.TraitNames)+mixed {
				weight = .6
			}
		}
		for f, part := range [perScalar]float64{1, 1, .6, .5, .4, .1} {
			w[s*perScalar+f] = weight * part
		}
	}
	for i := range together {
		w[scalarCount*perScalar+i] = 1
	}
	return w
}

// A scale says how widely each trait varies over all options.
type scale struct {
	mean, deviation []float64
	df              map[string]int // in how many options a piece occurs
	n               int
}

func newScale(items []Item, order []int) *scale {
	s := &scale{df: map[string]int{}, mean: make([]float64, len(lint.TraitNames)), deviation: make([]float64, len(lint.TraitNames))}
	var all [][]float64
	for _, i := range order {
		for _, o := range slices.Concat([]Option{items[i].Truth}, items[i].Fixed, items[i].Pool) {
			all = append(all, lint.Traits(o.Text))
			for piece := range pieces(o.Text) {
				s.df[piece]++
			}
			s.n++
		}
	}
	for _, row := range all {
		for f, x := range row {
			s.mean[f] += x / float64(len(all))
		}
	}
	for _, row := range all {
		for f, x := range row {
			s.deviation[f] += (x - s.mean[f]) * (x - s.mean[f]) / float64(len(all))
		}
	}
	for f := range s.deviation {
		s.deviation[f] = math.Sqrt(s.deviation[f]) + 1e-9
	}
	return s
}

// A question is an item with everything that the choice needs, measured once. Its
// options are the ground truth, the fixed ones and the pool, in this order.
type question struct {
	item    *Item
	options []measured
	overlap [][]float64 // share of common words of every two options
	rare    [][]float64 // the same by rare words
	gram    [][]float64 // products of their sums
	price   float64     // of taking an option far down the list
	chosen  []int
}

// measured is one option.
type measured struct {
	scalars []float64
	opening string
	denials float64
	sums    sparse
}

const price = 0.05

func newQuestion(item *Item, s *scale) *question {
	q := &question{item: item, price: price}
	all := slices.Concat([]Option{item.Truth}, item.Fixed, item.Pool)
	passage := wordsOf(item.Passage)
	var rare []sparse
	for _, o := range all {
		traits := lint.Traits(o.Text)
		m := measured{scalars: make([]float64, scalarCount), opening: lint.Opening(o.Text), denials: traits[slices.Index(lint.TraitNames, "negations")]}
		for f, x := range traits {
			m.scalars[f] = (x - s.mean[f]) / s.deviation[f]
		}
		m.scalars[len(traits)+fit] = o.Fit
		for k := range mixtures {
			m.scalars[len(traits)+mixed+k] = mixture(k, m.scalars[:len(traits)])
		}
		for w := range wordsOf(o.Text) {
			if passage[w] && len(w) > 3 {
				m.scalars[len(traits)+known]++
			}
		}
		m.sums = s.sums(o.Text, item.Category)
		rare = append(rare, s.rare(o.Text))
		q.options = append(q.options, m)
	}
	q.addProducts()
	n := len(all)
	q.overlap, q.rare, q.gram = square2(n), square2(n), square2(n)
	for i := range n {
		for j := range i + 1 {
			q.gram[i][j] = q.options[i].sums.times(q.options[j].sums)
			q.gram[j][i] = q.gram[i][j]
			if i != j {
				q.overlap[i][j] = lint.Overlap(all[i].Text, all[j].Text)
				q.overlap[j][i] = q.overlap[i][j]
				q.rare[i][j] = rare[i].times(rare[j])
				q.rare[j][i] = q.rare[i][j]
			}
		}
	}
	return q
}

// mixing are the weights of the mixtures, drawn once and for all.
var mixing = func() (w [mixtures][]float64) {
	for k := range w {
		for f := range lint.TraitNames {
			w[k] = append(w[k], float64(hash("mixture", strconv.Itoa(k), strconv.Itoa(f))%2001)/1000-1)
		}
	}
	return w
}()

func mixture(k int, traits []float64) float64 {
	sum := 0.0
	for f, x := range traits {
		sum += float64(mixing[k][f] * max(-widest, min(widest, x)))
	}
	return sum
}

func square2(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

func wordsOf(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		set[strings.Trim(w, `.,;:!?"'()“”‘’—-`)] = true
	}
	return set
}

// members are the options of a question with a certain pick, the ground truth
// first, by their numbers.
func (q *question) members(pick []int) []int {
	members := make([]int, 0, 1+len(q.item.Fixed)+len(pick))
	for i := range 1 + len(q.item.Fixed) {
		members = append(members, i)
	}
	for _, i := range pick {
		members = append(members, 1+len(q.item.Fixed)+i)
	}
	return members
}

// figures measures how far every way of guessing is from chance in a question.
func (q *question) figures(members []int, into []float64) {
	clear(into)
	if len(members) < 2 {
		return
	}
	values := make([]float64, len(members))
	traits := len(lint.TraitNames)
	for s := range scalarCount {
		for n, m := range members {
			switch s - traits {
			case likeWords:
				values[n] = sumOf(q.overlap[m], members)
			case likeRare:
				values[n] = sumOf(q.rare[m], members)
			default:
				values[n] = q.options[m].scalars[s]
			}
		}
		unit := 1.0
		if s >= traits {
			unit = 0 // these have a scale of their own: only their order counts
		}
		compare(values, unit, into[s*perScalar:][:perScalar])
	}
	if slices.ContainsFunc(members, func(m int) bool { return q.options[m].scalars[traits+fit] == 0 }) {
		clear(into[(traits+fit)*perScalar:][:perScalar]) // nobody knows how well an option fits
	}
	q.pairs(members, into[scalarCount*perScalar:])
}

func sumOf(row []float64, members []int) float64 {
	sum := 0.0
	for _, m := range members {
		sum += row[m]
	}
	return sum
}

// compare compares the first value, that of the ground truth, with the others.
func compare(values []float64, unit float64, into []float64) {
	const tiny = 1e-9
	n, x := float64(len(values)), values[0]
	below, same, sum := 0.0, 1.0, 0.0
	for _, v := range values[1:] {
		switch {
		case v < x-tiny:
			below++
		case v <= x+tiny:
			same++
		}
		sum += v
	}
	if same == n {
		return // they do not differ
	}
	into[highest] = -1 / n
	if below+same == n {
		into[highest] += 1 / same
	}
	into[lowest] = -1 / n
	if below == 0 {
		into[lowest] += 1 / same
	}
	into[rank] = 2*(below+(same-1)/2)/(n-1) - 1
	into[middle] = nearest(values, sum+x) - 1/n
	average := (sum + x) / n
	if unit == 0 {
		return
	}
	into[distance] = (x - sum/(n-1)) * unit
	into[square] = (x - average) * (x - average) * n / (n - 1)
	for _, v := range values {
		into[square] -= (v - average) * (v - average) / (n - 1)
	}
	into[square] = max(-3, min(3, into[square]))
}

// nearest is the share of the first value in being nearest to the mean of the
// others.
func nearest(values []float64, sum float64) float64 {
	n := float64(len(values))
	far := func(v float64) float64 { return math.Abs(v - (sum-v)/(n-1)) }
	first, ties := far(values[0]), 1.0
	for _, v := range values[1:] {
		switch d := far(v); {
		case d < first-1e-9:
			return 0
		case d <= first+1e-9:
			ties++
		}
	}
	return 1 / ties
}

// pairs measures what two options together tell: near copies and connectors.
func (q *question) pairs(members []int, into []float64) {
	n := len(members)
	most := 0.0
	for i, a := range members {
		for _, b := range members[:i] {
			most = max(most, q.overlap[a][b])
		}
	}
	paired, plain := make([]float64, n), make([]float64, n)
	openings := make([]float64, n)
	for i, a := range members {
		for j, b := range members {
			if i != j && q.overlap[a][b] >= most-1e-12 {
				paired[i] = 1
				plain[i] = max(plain[i], 1)
				if q.options[a].denials < q.options[b].denials {
					plain[i] = 2
				}
			}
			if q.options[a].opening == q.options[b].opening {
				openings[i]++
			}
		}
	}
	var figures [perScalar]float64
	for at, values := range [][]float64{paired, plain} {
		compare(values, 0, figures[:])
		into[at] = figures[highest]
		clear(figures[:])
	}
	compare(openings, 0, figures[:])
	into[majority], into[minority] = figures[highest], figures[lowest]
}
