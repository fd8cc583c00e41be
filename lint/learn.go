package lint

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// A model scores the options of a question that it has not seen.
type model func(*Question) []float64

// A learner is an attack that is trained on the questions of other books.
type learner struct {
	name string
	fit  func(*set, []*Question) model
}

var learners = []learner{
	{"learned: connector prior", func(s *set, train []*Question) model {
		return prior(train, func(o string) string { return at(s.of(o), 0) })
	}},
	{"learned: 12 features", func(s *set, train []*Question) model { return logisticModel(train, 1, s.twelve) }},
	{"learned: letters 2-4", func(_ *set, train []*Question) model { return letters(train) }},
	{"learned: last word prior", func(s *set, train []*Question) model {
		return prior(train, func(o string) string { return at(s.of(o), len(s.of(o))-1) })
	}},
	{"learned: words, naive Bayes", bayes},
	{"learned: boosted stumps", func(s *set, train []*Question) model { return boosted(train, s.ranked) }},
	{"learned: nearest neighbours", func(s *set, train []*Question) model { return neighbours(train, s.twelve) }},
}

const foldCount = 5

// learn gives the scores of a learner for all questions: those of one fold of
// books by a model of the others.
func learn(s *set, l learner) [][]float64 {
	of, count := byBook(s.questions)
	scores := make([][]float64, len(s.questions))
	for fold := range min(foldCount, count) {
		var train []*Question
		for i, q := range s.questions {
			if of[i]%foldCount != fold {
				train = append(train, q)
			}
		}
		m := l.fit(s, train)
		for i, q := range s.questions {
			if of[i]%foldCount == fold {
				scores[i] = m(q)
			}
		}
	}
	return scores
}

// prior knows how often an option with a certain key was the ground truth.
func prior(train []*Question, key func(option string) string) model {
	right, all := map[[2]string]float64{}, map[[2]string]float64{}
	for _, q := range train {
		for i, o := range q.Options {
			k := [2]string{q.Category, key(o)}
			if all[k]++; i == 0 {
				right[k] += float64(len(q.Options))
			}
		}
	}
	return func(q *Question) []float64 {
		return each(q, func(o string) float64 {
			k := [2]string{q.Category, key(o)}
			return (right[k] + 5) / (all[k] + 5)
		})
	}
}

// twelve are the classic features of each option, as differences from the mean of
// the question.
func (s *set) twelve(q *Question) [][]float64 {
	like := meanOthers(s.byWords(q))
	rows := make([][]float64, len(q.Options))
	for i, o := range q.Options {
		rows[i] = append(slices.Clone(Traits(o)[:plainTraits]), like[i])
	}
	return centred(rows)
}

// ranked are all traits and the rank of each among the options.
func (s *set) ranked(q *Question) [][]float64 {
	rows, like := make([][]float64, len(q.Options)), meanOthers(s.byRareWords(q))
	for i, o := range q.Options {
		rows[i] = append(Traits(o), like[i])
	}
	plain := centred(rows)
	for i := range rows {
		for f := range rows[i] {
			rank := 0.0
			for j := range rows {
				rank += truth(rows[j][f] < rows[i][f]) + truth(rows[j][f] == rows[i][f])/2
			}
			plain[i] = append(plain[i], rank)
		}
	}
	return plain
}

func centred(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i := range rows {
		out[i] = slices.Clone(rows[i])
	}
	for f := range rows[0] {
		mean := 0.0
		for i := range rows {
			mean += rows[i][f]
		}
		mean /= float64(len(rows))
		for i := range rows {
			out[i][f] -= mean
		}
	}
	return out
}

// A sample is one option: its features, whether it is the ground truth, and a
// weight that makes right and wrong options count the same.
type sample struct {
	row    sparse
	right  bool
	weight float64
}

// standardize gives the mean and the deviation of each column.
func standardize(rows [][]float64) (mean, deviation []float64) {
	if len(rows) == 0 {
		return nil, nil
	}
	mean, deviation = make([]float64, len(rows[0])), make([]float64, len(rows[0]))
	for _, row := range rows {
		for f, x := range row {
			mean[f] += x / float64(len(rows))
		}
	}
	for _, row := range rows {
		for f, x := range row {
			deviation[f] += (x - mean[f]) * (x - mean[f]) / float64(len(rows))
		}
	}
	for f := range deviation {
		deviation[f] = math.Sqrt(deviation[f]) + 1e-9
	}
	return mean, deviation
}

// scaler standardizes the features of questions by those of the training set.
func scaler(train []*Question, features func(*Question) [][]float64) func(*Question) [][]float64 {
	var all [][]float64
	for _, q := range train {
		all = append(all, features(q)...)
	}
	mean, deviation := standardize(all)
	return func(q *Question) [][]float64 {
		rows := features(q)
		for _, row := range rows {
			for f := range row {
				row[f] = (row[f] - mean[f]) / deviation[f]
			}
		}
		return rows
	}
}

func weightOf(q *Question, option int) float64 {
	if option == 0 {
		return float64(len(q.Options) - 1)
	}
	return 1
}

// logisticModel is logistic regression over features.
func logisticModel(train []*Question, c float64, features func(*Question) [][]float64) model {
	scaled := scaler(train, features)
	var samples []sample
	width := 0
	for _, q := range train {
		for i, row := range scaled(q) {
			width = len(row)
			samples = append(samples, sample{dense(row), i == 0, weightOf(q, i)})
		}
	}
	w := logistic(samples, width, c, false)
	return func(q *Question) []float64 {
		var scores []float64
		for _, row := range scaled(q) {
			scores = append(scores, dense(row).dot(w))
		}
		return scores
	}
}

// letters is logistic regression over the runs of two to four characters in words.
func letters(train []*Question) model {
	df, total := map[string]int{}, map[string]int{}
	for _, q := range train {
		for _, o := range q.Options {
			for gram, n := range grams(o) {
				df[gram]++
				total[gram] += n
			}
		}
	}
	known := slices.DeleteFunc(slices.Sorted(maps.Keys(df)), func(g string) bool { return df[g] < 3 })
	if most := 60000; len(known) > most {
		slices.SortStableFunc(known, func(a, b string) int { return cmp.Compare(total[b], total[a]) })
		known = slices.Sorted(slices.Values(known[:most]))
	}
	number, idf, n := make(map[string]int, len(known)), make([]float64, len(known)), 0
	for _, q := range train {
		n += len(q.Options)
	}
	for i, g := range known {
		number[g], idf[i] = i, math.Log(float64(n+1)/float64(df[g]+1))+1
	}
	row := func(text string) sparse { return weighted(grams(text), number, idf) }
	var samples []sample
	for _, q := range train {
		for i, o := range q.Options {
			samples = append(samples, sample{row(o), i == 0, weightOf(q, i)})
		}
	}
	w := logistic(samples, len(known), 1, true)
	return func(q *Question) []float64 { return each(q, func(o string) float64 { return row(o).dot(w) }) }
}

// grams counts the runs of two to four characters in each word, with a space at
// its ends.
func grams(text string) map[string]int {
	count := map[string]int{}
	for word := range strings.FieldsSeq(text) {
		padded := []rune(" " + word + " ")
		for n := 2; n <= 4; n++ {
			count[string(padded[:min(n, len(padded))])]++
			at := 0
			for ; at+n < len(padded); at++ {
				count[string(padded[at+1:at+1+n])]++
			}
			if at == 0 {
				break // a short word counts once
			}
		}
	}
	return count
}

func weighted(count map[string]int, number map[string]int, idf []float64) sparse {
	var row sparse
	for g, n := range count {
		if i, known := number[g]; known {
			row = append(row, entry{i, (1 + math.Log(float64(n))) * idf[i]})
		}
	}
	slices.SortFunc(row, func(a, b entry) int { return a.at - b.at })
	sum := 0.0
	for _, e := range row {
		sum += e.x * e.x
	}
	for i := range row {
		row[i].x /= math.Sqrt(sum)
	}
	return row
}

// bayes is naive Bayes over words.
func bayes(s *set, train []*Question) model {
	var count [2]map[string]float64
	var total [2]float64
	for i := range count {
		count[i] = map[string]float64{}
	}
	for _, q := range train {
		for i, o := range q.Options {
			side := int(truth(i == 0))
			for w := range wordSet(s.of(o)) {
				count[side][w] += weightOf(q, i)
				total[side] += weightOf(q, i)
			}
		}
	}
	size := float64(len(s.df))
	return func(q *Question) []float64 {
		return each(q, func(o string) float64 {
			score := 0.0
			for _, w := range slices.Sorted(maps.Keys(wordSet(s.of(o)))) {
				score += math.Log((count[1][w]+1)/(total[1]+size)) - math.Log((count[0][w]+1)/(total[0]+size))
			}
			return score
		})
	}
}
