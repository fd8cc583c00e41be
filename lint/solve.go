package lint

import (
	"cmp"
	"math"
	"slices"
)

// A sparse row of features: places in increasing order.
type sparse []entry

type entry struct {
	at int
	x  float64
}

func dense(row []float64) sparse {
	s := make(sparse, len(row))
	for i, x := range row {
		s[i] = entry{i, x}
	}
	return s
}

// dot is the product with weights, whose last one is the constant. Products are
// rounded before they are added, so that every processor gives the same digits.
func (s sparse) dot(w []float64) float64 {
	sum := w[len(w)-1]
	for _, e := range s {
		sum += float64(e.x * w[e.at])
	}
	return sum
}

// logistic fits a logistic regression with an L2 penalty of strength 1/c and
// returns its weights, the constant last. The constant is penalized if asked.
func logistic(samples []sample, width int, c float64, penalizeConstant bool) []float64 {
	value := func(w, gradient []float64) float64 {
		f := 0.0
		for i := range gradient {
			gradient[i] = 0
		}
		for i, x := range w {
			if i < width || penalizeConstant {
				f += float64(x * x / 2)
				gradient[i] = x
			}
		}
		for _, s := range samples {
			z := s.row.dot(w)
			if !s.right {
				z = -z
			}
			f += float64(c * s.weight * softplus(-z))
			slope := -c * s.weight / (1 + math.Exp(z))
			if !s.right {
				slope = -slope
			}
			for _, e := range s.row {
				gradient[e.at] += float64(slope * e.x)
			}
			gradient[width] += slope
		}
		return f
	}
	return minimize(value, width+1)
}

// softplus is log(1 + e^x) without overflow.
func softplus(x float64) float64 {
	if x > 30 {
		return x
	}
	return math.Log1p(math.Exp(x))
}

// A step is how far the weights and the gradient moved.
type step struct {
	s, y []float64
	rho  float64
}

// minimize finds the minimum of a smooth convex function by L-BFGS.
func minimize(value func(w, gradient []float64) float64, width int) []float64 {
	w, gradient := make([]float64, width), make([]float64, width)
	f := value(w, gradient)
	start := norm(gradient)
	var steps []step
	for range 300 {
		if norm(gradient) <= 1e-6*max(1, start) {
			break
		}
		direction := descent(gradient, steps)
		slope := inner(direction, gradient)
		next, nextGradient := make([]float64, width), make([]float64, width)
		length, g := 1.0, 0.0
		if len(steps) == 0 {
			length = 1 / max(1, norm(gradient))
		}
		for range 40 {
			for i := range next {
				next[i] = w[i] + float64(length*direction[i])
			}
			if g = value(next, nextGradient); g <= f+1e-4*length*slope {
				break
			}
			length /= 2
		}
		if g >= f {
			break // no digit is left to gain
		}
		st := step{s: make([]float64, width), y: make([]float64, width)}
		for i := range next {
			st.s[i], st.y[i] = next[i]-w[i], nextGradient[i]-gradient[i]
		}
		if sy := inner(st.s, st.y); sy > 0 {
			st.rho = 1 / sy
			if steps = append(steps, st); len(steps) > 10 {
				steps = steps[1:]
			}
		}
		w, gradient, f = next, nextGradient, g
	}
	return w
}

// descent is the direction that the last steps suggest.
func descent(gradient []float64, steps []step) []float64 {
	d := negate(gradient)
	alpha := make([]float64, len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		alpha[i] = steps[i].rho * inner(steps[i].s, d)
		for j, y := range steps[i].y {
			d[j] -= float64(alpha[i] * y)
		}
	}
	if n := len(steps); n > 0 {
		scale := 1 / (steps[n-1].rho * inner(steps[n-1].y, steps[n-1].y))
		for j := range d {
			d[j] *= scale
		}
	}
	for i, st := range steps {
		beta := st.rho * inner(st.y, d)
		for j, s := range st.s {
			d[j] += float64((alpha[i] - beta) * s)
		}
	}
	return d
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

func norm(a []float64) float64 { return math.Sqrt(inner(a, a)) }

// A stump votes by one feature: low up to the cut, high above it.
type stump struct {
	feature        int
	cut, low, high float64
}

const (
	stumps    = 40
	shrinkage = 0.2
	cuts      = 12 // places tried per feature
)

// boosted is gradient boosting with stumps, for logistic loss.
func boosted(train []*Question, features func(*Question) [][]float64) model {
	var rows [][]float64
	var samples []sample
	for _, q := range train {
		for i, row := range features(q) {
			rows, samples = append(rows, row), append(samples, sample{right: i == 0, weight: weightOf(q, i)})
		}
	}
	at := make([]float64, len(rows)) // what the stumps say so far
	slope, curve := make([]float64, len(rows)), make([]float64, len(rows))
	places := make([][]float64, width(rows))
	for f := range places {
		places[f] = quantiles(rows, f)
	}
	var made []stump
	for range stumps {
		for i, s := range samples {
			p := 1 / (1 + math.Exp(-at[i]))
			slope[i], curve[i] = s.weight*(truth(s.right)-p), s.weight*p*(1-p)
		}
		best, gain := stump{}, 0.0
		for f, list := range places {
			for _, cut := range list {
				s, g := bestStump(rows, slope, curve, f, cut)
				if g > gain {
					best, gain = s, g
				}
			}
		}
		if gain == 0 {
			break
		}
		made = append(made, best)
		for i, row := range rows {
			at[i] += best.vote(row)
		}
	}
	return func(q *Question) []float64 {
		scores := make([]float64, len(q.Options))
		for i, row := range features(q) {
			for _, s := range made {
				scores[i] += s.vote(row)
			}
		}
		return scores
	}
}

func width(rows [][]float64) int {
	if len(rows) == 0 {
		return 0
	}
	return len(rows[0])
}

func (s stump) vote(row []float64) float64 {
	if row[s.feature] <= s.cut {
		return s.low
	}
	return s.high
}

// quantiles are the places at which a feature is cut.
func quantiles(rows [][]float64, feature int) []float64 {
	column := make([]float64, len(rows))
	for i, row := range rows {
		column[i] = row[feature]
	}
	slices.Sort(column)
	var found []float64
	for i := 1; i < cuts; i++ {
		found = append(found, column[i*(len(column)-1)/cuts])
	}
	return slices.Compact(found)
}

// bestStump is the Newton step of both sides of a cut, and what it gains.
func bestStump(rows [][]float64, slopes, curves []float64, feature int, cut float64) (stump, float64) {
	var slope, curve [2]float64
	for i, row := range rows {
		side := 0
		if row[feature] > cut {
			side = 1
		}
		slope[side] += slopes[i]
		curve[side] += curves[i]
	}
	low, high := slope[0]/(curve[0]+1), slope[1]/(curve[1]+1)
	return stump{feature, cut, shrinkage * low, shrinkage * high}, float64(low*slope[0]) + float64(high*slope[1])
}

// neighbours asks the 25 most similar options of the training set.
func neighbours(train []*Question, features func(*Question) [][]float64) model {
	scaled := scaler(train, features)
	type known struct {
		row    []float64
		weight float64 // positive for the ground truth
	}
	var all []known
	for _, q := range train {
		for i, row := range scaled(q) {
			all = append(all, known{row, weightOf(q, i) * (2*truth(i == 0) - 1)})
		}
	}
	type near struct{ distance, weight float64 }
	return func(q *Question) []float64 {
		var scores []float64
		for _, row := range scaled(q) {
			var nearest []near
			for _, k := range all {
				d := 0.0
				for f, x := range row {
					d += float64((x - k.row[f]) * (x - k.row[f]))
				}
				nearest = append(nearest, near{d, k.weight})
			}
			slices.SortStableFunc(nearest, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
			sum := 0.0
			for _, n := range nearest[:min(25, len(nearest))] {
				sum += n.weight
			}
			scores = append(scores, sum)
		}
		return scores
	}
}
