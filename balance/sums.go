package balance

import (
	"hash/fnv"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"verbatim/lint"
)

// sumCount is how many sums are kept: pieces of text share them by their hash.
const sumCount = 1 << 15

// A sparse vector: places in increasing order.
type sparse []entry

type entry struct {
	at int
	x  float64
}

func (s sparse) dot(sums []float64) float64 {
	total := 0.0
	for _, e := range s {
		total += float64(e.x * sums[e.at])
	}
	return total
}

func (s sparse) times(o sparse) float64 {
	total := 0.0
	for i, j := 0, 0; i < len(s) && j < len(o); {
		switch {
		case s[i].at < o[j].at:
			i++
		case s[i].at > o[j].at:
			j++
		default:
			total += float64(s[i].x * o[j].x)
			i, j = i+1, j+1
		}
	}
	return total
}

// How much the groups of sums count.
const (
	weightOpening = 1.2 // first word, within its category
	weightStart   = 0.6 // first word
	weightClosing = 0.8 // last word
	weightLetters = 1.6 // runs of two to four letters
	weightWords   = 1.4 // words
)

// sums is what a learner could pick up from an option.
func (s *scale) sums(text, category string) sparse {
	found := map[int]float64{
		place("o", category, lint.Opening(text)): weightOpening,
		place("s", lint.Opening(text)):           weightStart,
		place("c", lint.Closing(text)):           weightClosing,
	}
	letters, words := map[string]float64{}, map[string]float64{}
	for piece, n := range pieces(text) {
		x := (1 + math.Log(float64(n))) * (math.Log(float64(s.n+1)/float64(s.df[piece]+1)) + 1)
		if strings.HasPrefix(piece, "w\x00") {
			words[piece] = x
		} else {
			letters[piece] = x
		}
	}
	add := func(group map[string]float64, weight float64) {
		total := 0.0
		for _, piece := range slices.Sorted(maps.Keys(group)) {
			total += float64(group[piece] * group[piece])
		}
		for _, piece := range slices.Sorted(maps.Keys(group)) {
			found[place(piece)] += weight * group[piece] / math.Sqrt(total)
		}
	}
	add(letters, weightLetters)
	add(words, weightWords)
	var out sparse
	for _, at := range slices.Sorted(maps.Keys(found)) {
		out = append(out, entry{at, found[at]})
	}
	return out
}

func place(parts ...string) int {
	h := fnv.New32a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{1})
	}
	return int(h.Sum32() % sumCount)
}

// pieces counts the words of a text and their runs of two to four characters.
func pieces(text string) iter.Seq2[string, int] {
	count := map[string]int{}
	for word := range strings.FieldsSeq(text) {
		count["w\x00"+strings.ToLower(strings.Trim(word, `.,;:!?"'()“”‘’—-`))]++
		padded := []rune(" " + word + " ")
		for n := 2; n <= 4; n++ {
			for at := 0; at+n <= len(padded); at++ {
				count[string(padded[at:at+n])]++
			}
		}
	}
	return maps.All(count)
}

// rare are the words of an option, weighted by how rare they are, for the
// similarity of options.
func (s *scale) rare(text string) sparse {
	found, total := map[int]float64{}, 0.0
	for piece, n := range pieces(text) {
		if strings.HasPrefix(piece, "w\x00") {
			found[place(piece)] = float64(n) * (math.Log(float64(s.n+1)/float64(s.df[piece]+1)) + 1)
		}
	}
	var out sparse
	for _, at := range slices.Sorted(maps.Keys(found)) {
		out = append(out, entry{at, found[at]})
		total += float64(found[at] * found[at])
	}
	for i := range out {
		out[i].x /= math.Sqrt(total)
	}
	return out
}

// difference is the first member's value less the mean of the others'.
func (q *question) difference(of []float64, members []int) float64 {
	if len(members) < 2 {
		return 0
	}
	sum := 0.0
	for _, m := range members[1:] {
		sum += of[m]
	}
	return of[members[0]] - sum/float64(len(members)-1)
}

// distance is the square of the difference between the ground truth's sums and
// the mean of the others'.
func (q *question) distance(members []int) float64 {
	if len(members) < 2 {
		return 0
	}
	n := float64(len(members) - 1)
	total := q.gram[members[0]][members[0]]
	for _, a := range members[1:] {
		total -= 2 * q.gram[members[0]][a] / n
		for _, b := range members[1:] {
			total += q.gram[a][b] / (n * n)
		}
	}
	return total
}

const (
	weightProducts = 0.18
	widest         = 2.5 // deviations; what is farther out counts no more
)

// addProducts adds the products of every two traits to the sums, as differences
// from the mean of the question's options. A learner that combines traits (long
// and full of commas) finds nothing, either.
func (q *question) addProducts() {
	traits := len(lint.TraitNames)
	average := make([]float64, traits)
	for _, o := range q.options {
		for f := range average {
			average[f] += o.scalars[f] / float64(len(q.options))
		}
	}
	for i := range q.options {
		o := &q.options[i]
		var products sparse
		for a := range traits {
			x := max(-widest, min(widest, o.scalars[a]-average[a]))
			for b := range a + 1 {
				y := max(-widest, min(widest, o.scalars[b]-average[b]))
				products = append(products, entry{sumCount - (traits*(traits+1))/2 + a*(a+1)/2 + b, weightProducts * x * y})
			}
		}
		o.sums = append(slices.DeleteFunc(o.sums, func(e entry) bool { return e.at >= products[0].at }), products...)
	}
}
