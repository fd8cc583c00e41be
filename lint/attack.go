package lint

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The kinds of attacks: what the attacker may look at.
const (
	Options = "options" // the options alone
	Learned = "learned" // the options alone, after training on other books
	Ranker  = "ranker"  // what the model that chose the options thinks of them
	Passage = "passage" // the passage as well: for information, a good reader uses it
)

// An attack gives each option of a question a score; the highest is picked.
type attack struct {
	name, kind string
	score      func(*set, *Question) []float64
}

// A set is the questions with what attacks may know besides one question.
type set struct {
	questions []*Question
	words     map[string][]string // of every option
	df        map[string]int      // in how many options a word occurs
	n         int                 // options
	seen      map[string]int      // how often an option occurs
}

func newSet(questions []*Question) *set {
	s := &set{questions: questions, words: map[string][]string{}, df: map[string]int{}, seen: map[string]int{}}
	for _, q := range questions {
		for _, o := range q.Options {
			for w := range wordSet(s.of(o)) {
				s.df[w]++
			}
			s.seen[sameness(o)]++
			s.n++
		}
	}
	return s
}

// of are the words of a text, found once.
func (s *set) of(text string) []string {
	w, known := s.words[text]
	if !known {
		w = words(text)
		s.words[text] = w
	}
	return w
}

// A vector is a weighted bag of words, in the order of the words, so that sums
// are the same every time.
type vector struct {
	words  []string
	weight []float64
}

// vector weights the words of a text by how rare they are in the set.
func (s *set) vector(text string) vector {
	sorted := slices.Sorted(slices.Values(s.of(text)))
	var v vector
	sum := 0.0
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		x := float64(j-i) * (math.Log(float64(s.n+1)/float64(s.df[sorted[i]]+1)) + 1)
		v.words, v.weight = append(v.words, sorted[i]), append(v.weight, x)
		sum += x * x
		i = j
	}
	for i := range v.weight {
		v.weight[i] /= max(math.Sqrt(sum), 1e-300)
	}
	return v
}

func (v vector) dot(o vector) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(v.words) && j < len(o.words); {
		switch c := strings.Compare(v.words[i], o.words[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			sum += v.weight[i] * o.weight[j]
			i, j = i+1, j+1
		}
	}
	return sum
}

// similarity compares every two options.
func similarity[T any](q *Question, of func(string) T, compare func(a, b T) float64) [][]float64 {
	var made []T
	m := make([][]float64, len(q.Options))
	for i, o := range q.Options {
		made, m[i] = append(made, of(o)), make([]float64, len(q.Options))
		for j := range i {
			m[i][j] = compare(made[i], made[j])
			m[j][i] = m[i][j]
		}
	}
	return m
}

func (s *set) byWords(q *Question) [][]float64 {
	return similarity(q, func(o string) map[string]bool { return wordSet(s.of(o)) }, jaccard)
}

func (s *set) byRareWords(q *Question) [][]float64 { return similarity(q, s.vector, vector.dot) }

// meanOthers is how like the other options each is.
func meanOthers(m [][]float64) []float64 {
	means := make([]float64, len(m))
	for i, row := range m {
		for _, x := range row {
			means[i] += x
		}
		means[i] /= float64(max(1, len(m)-1))
	}
	return means
}

func each(q *Question, f func(string) float64) []float64 {
	scores := make([]float64, len(q.Options))
	for i, o := range q.Options {
		scores[i] = f(o)
	}
	return scores
}

// per is an attack that scores each option by itself.
func per(f func(*set, string) float64) func(*set, *Question) []float64 {
	return func(s *set, q *Question) []float64 { return each(q, func(o string) float64 { return f(s, o) }) }
}

func opposite(f func(*set, *Question) []float64) func(*set, *Question) []float64 {
	return func(s *set, q *Question) []float64 { return negate(f(s, q)) }
}

func negate(scores []float64) []float64 {
	scores = slices.Clone(scores)
	for i := range scores {
		scores[i] = -scores[i]
	}
	return scores
}

func length(_ *set, o string) float64 { return float64(utf8.RuneCountInString(o)) }

func occurrences(of string) func(*set, *Question) []float64 {
	return per(func(_ *set, o string) float64 { return float64(countAny(o, of)) })
}

// optionAttacks need nothing but the options.
var optionAttacks = func() []attack {
	both := func(name, against string, f func(*set, *Question) []float64) []attack {
		return []attack{{name, Options, f}, {against, Options, opposite(f)}}
	}
	one := func(name string, f func(*set, *Question) []float64) []attack { return []attack{{name, Options, f}} }
	return slices.Concat(
		both("longest", "shortest", per(length)),
		one("middle length", middleLength), one("length nearest to the others", nearLength),
		both("like the others (tf-idf)", "odd one out (tf-idf)", func(s *set, q *Question) []float64 { return meanOthers(s.byRareWords(q)) }),
		both("like the others (words)", "odd one out (words)", func(s *set, q *Question) []float64 { return meanOthers(s.byWords(q)) }),
		both("in the closest pair", "not in the closest pair", inClosestPair),
		one("closest pair, less negative", lessNegative), one("any twin, less negative", anyTwin),
		both("connector of the majority", "connector of the minority", majority),
		both("most capitals", "fewest capitals", per(func(_ *set, o string) float64 { return float64(capitals(o)) })),
		both("most commas", "fewest commas", occurrences(",")),
		both("most other stops", "fewest other stops", occurrences(otherStops)),
		both("quotation marks", "no quotation marks", occurrences(quotes)),
		both("type-token high", "type-token low", per(func(s *set, o string) float64 {
			return float64(len(wordSet(s.of(o)))) / float64(max(1, len(s.of(o))))
		})),
		both("most negations", "fewest negations", per(func(s *set, o string) float64 { return float64(tally(s.of(o), negated)) })),
		both("longest words", "shortest words", per(func(_ *set, o string) float64 { return Traits(o)[plainTraits] })),
		both("seen most often in the set", "seen least often in the set", per(func(s *set, o string) float64 { return float64(s.seen[sameness(o)]) })),
	)
}()

// middleLength prefers the length nearest to the median.
func middleLength(_ *set, q *Question) []float64 {
	logs := each(q, func(o string) float64 { return math.Log(math.Max(1, length(nil, o))) })
	sorted := slices.Sorted(slices.Values(logs))
	middle := (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
	for i := range logs {
		logs[i] = -math.Abs(logs[i] - middle)
	}
	return logs
}

// nearLength prefers the length nearest to the mean of the other options.
func nearLength(_ *set, q *Question) []float64 {
	logs := each(q, func(o string) float64 { return math.Log(math.Max(1, length(nil, o))) })
	sum := 0.0
	for _, x := range logs {
		sum += x
	}
	scores := make([]float64, len(logs))
	for i, x := range logs {
		scores[i] = -math.Abs(x - (sum-x)/float64(len(logs)-1))
	}
	return scores
}

func closest(m [][]float64) float64 {
	most := 0.0
	for _, row := range m {
		most = max(most, slices.Max(row))
	}
	return most - 1e-12
}

func inClosestPair(s *set, q *Question) []float64 {
	m := s.byWords(q)
	most := closest(m)
	scores := make([]float64, len(m))
	for i, row := range m {
		scores[i] = truth(slices.Max(row) >= most)
	}
	return scores
}

// lessNegative looks at the two options that share most words and prefers the one
// with fewer negations.
func lessNegative(s *set, q *Question) []float64 {
	m, scores := s.byWords(q), make([]float64, len(q.Options))
	most := closest(m)
	for i := range m {
		for j := range i {
			if m[i][j] >= most {
				a, b := tally(s.of(q.Options[i]), negated), tally(s.of(q.Options[j]), negated)
				scores[i] = max(scores[i], 1+truth(a < b))
				scores[j] = max(scores[j], 1+truth(b < a))
			}
		}
	}
	return scores
}

// anyTwin prefers options with a near copy that is more negative.
func anyTwin(s *set, q *Question) []float64 {
	m, scores := s.byWords(q), make([]float64, len(q.Options))
	for i, row := range m {
		twin := slices.Index(row, slices.Max(row))
		if row[twin] > .5 {
			a, b := tally(s.of(q.Options[i]), negated), tally(s.of(q.Options[twin]), negated)
			scores[i] = 1 + .5*(truth(b > a)-truth(b < a))
		}
	}
	return scores
}

// majority counts the options that open with the same word.
func majority(s *set, q *Question) []float64 {
	count := map[string]float64{}
	for _, o := range q.Options {
		count[at(s.of(o), 0)]++
	}
	return each(q, func(o string) float64 { return count[at(s.of(o), 0)] })
}

// passageAttacks look at the passage: they say how much the options share with it.
var passageAttacks = []attack{
	{"passage: most shared words", Passage, func(s *set, q *Question) []float64 {
		p := s.content(q.visible())
		return each(q, func(o string) float64 { return float64(common(s.content(o), p)) })
	}},
	{"passage: share of shared words", Passage, func(s *set, q *Question) []float64 {
		p := s.content(q.visible())
		return each(q, func(o string) float64 {
			c := s.content(o)
			return float64(common(c, p)) / float64(max(1, len(c)))
		})
	}},
	{"passage: tf-idf", Passage, func(s *set, q *Question) []float64 {
		p := s.vector(q.visible())
		return each(q, func(o string) float64 { return s.vector(o).dot(p) })
	}},
	{"passage: no strange names", Passage, func(_ *set, q *Question) []float64 {
		p := q.visible()
		return each(q, func(o string) float64 {
			strange := 0
			for name := range names(o) {
				strange += int(truth(!strings.Contains(p, name)))
			}
			return -float64(strange)
		})
	}},
	{"passage: pronouns fit", Passage, pronounsFit},
	{"passage: tense fits", Passage, tenseFits},
}

func (s *set) content(text string) map[string]bool {
	found := map[string]bool{}
	for _, w := range s.of(text) {
		if !function[w] && utf8.RuneCountInString(w) > 2 {
			found[w] = true
		}
	}
	return found
}

func common(a, b map[string]bool) int {
	n := 0
	for w := range a {
		n += int(truth(b[w]))
	}
	return n
}

var namePattern = regexp.MustCompile(`[A-Z][a-z]{2,}`)

// names are capitalized words that do not open a sentence.
func names(text string) map[string]bool {
	found := map[string]bool{}
	for _, at := range namePattern.FindAllStringIndex(text, -1) {
		before := text[:at[0]]
		last, _ := utf8.DecodeLastRuneInString(before)
		opens := before == "" || strings.HasSuffix(before, ". ") || strings.HasSuffix(before, "! ") || strings.HasSuffix(before, "? ")
		if !opens && !letter(last) && last != '_' && (last < '0' || last > '9') {
			found[text[at[0]:at[1]]] = true
		}
	}
	return found
}

func pronounsFit(s *set, q *Question) []float64 {
	p := wordSet(s.of(q.visible()))
	return each(q, func(o string) float64 {
		fit := 0.0
		for w := range wordSet(s.of(o)) {
			if firstPerson[w] || thirdPerson[w] || w == "you" || w == "your" {
				fit += 2*truth(p[w]) - 1
			}
		}
		return fit
	})
}

func tenseFits(s *set, q *Question) []float64 {
	past := func(text string) float64 {
		a := tally(s.of(text), func(w string) bool { return past[w] || strings.HasSuffix(w, "ed") })
		b := tally(s.of(text), in(present))
		return (float64(a) + .5) / float64(a+b+1)
	}
	p := past(q.visible())
	return each(q, func(o string) float64 { return -math.Abs(past(o) - p) })
}
