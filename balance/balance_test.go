package balance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"verbatim/lint"
)

// stock are the words of the test: some common ones, and many made of syllables.
var stock = func() []string {
	words := strings.Fields("the the the a of in and with old he she they we his her not never was were had could would")
	for _, a := range strings.Fields("ba re li mo tu ker san del pir fo") {
		for _, b := range strings.Fields("na ter lin mos du ga re") {
			for _, c := range []string{"", "ed", "ing", "s"} {
				words = append(words, a+b+c)
			}
		}
	}
	return words
}()

// sentence makes a clause of some words.
func sentence(source *rand.Rand, opening string, words int) string {
	parts := []string{opening}
	for range words {
		parts = append(parts, stock[source.IntN(len(stock))])
	}
	return strings.Join(parts, " ")
}

// leaking makes items whose pools give the ground truth away, if one takes the
// best: it is longer, opens with another connector, and fits worse than these.
func leaking(books, perBook int) []Item {
	var items []Item
	for b := range books {
		source := rand.New(rand.NewPCG(7, uint64(b)))
		for n := range perBook {
			item := Item{ID: fmt.Sprintf("%d-%d", b, n), Book: fmt.Sprint("book", b), Category: "causalclause", Want: 2,
				Truth: Option{sentence(source, []string{"because", "because", "for"}[source.IntN(3)], 5+source.IntN(12)), -3 + source.NormFloat64()}}
			for i := range 12 {
				item.Pool = append(item.Pool, Option{sentence(source, []string{"because", "for", "since"}[source.IntN(3)], 3+source.IntN(12)), -1 - .4*float64(i)})
			}
			items = append(items, item)
		}
	}
	return items
}

// questions are the items with certain answers.
func questions(items []Item, chosen [][]int) []*lint.Question {
	var all []*lint.Question
	for i, item := range items {
		q := &lint.Question{ID: item.ID, Book: item.Book, Category: item.Category, Options: []string{item.Truth.Text}, Fit: []float64{item.Truth.Fit}}
		for _, o := range item.Fixed {
			q.Options, q.Fit = append(q.Options, o.Text), append(q.Fit, o.Fit)
		}
		for _, k := range chosen[i] {
			q.Options, q.Fit = append(q.Options, item.Pool[k].Text), append(q.Fit, item.Pool[k].Fit)
		}
		all = append(all, q)
	}
	return all
}

// What the best answers give away, balanced ones do not.
func TestBalancedAnswersGiveNothingAway(t *testing.T) {
	items := leaking(5, 24)
	best := make([][]int, len(items))
	for i := range best {
		best[i] = []int{0, 1}
	}
	before, err := lint.Check(t.Context(), questions(items, best), lint.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	after, err := lint.Check(t.Context(), questions(items, Choose(items)), lint.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if f := before.Figures(); f["ranker"] < .3 || f["lift"] < .1 {
		t.Fatalf("the test's own items give too little away: %v", f)
	}
	for _, a := range after.Attacks {
		bound := .07
		if a.Kind == lint.Learned {
			bound = .18 // on 120 questions, luck alone gives as much
		}
		if a.Strength() > bound {
			t.Errorf("%s: %+.3f, inverse %+.3f", a.Attack, a.Lift, a.Inverse)
		}
	}
}

// The choice depends on the set, not on its order.
func TestOrderDoesNotMatter(t *testing.T) {
	items := leaking(2, 10)
	mixed := slices.Clone(items)
	slices.Reverse(mixed)
	chosen, other := Choose(items), Choose(mixed)
	slices.Reverse(other)
	if !reflect.DeepEqual(chosen, other) {
		t.Errorf("%v\n%v", chosen, other)
	}
}

func TestLimits(t *testing.T) {
	if got := Choose(nil); len(got) != 0 {
		t.Error(got)
	}
	item := leaking(1, 1)[0]
	for _, c := range []struct {
		pool, want, get int
	}{{0, 2, 0}, {1, 2, 1}, {2, 2, 2}, {12, 0, 0}, {12, 5, 5}, {12, 20, 12}} {
		one := item
		one.Pool, one.Want = item.Pool[:c.pool], c.want
		if got := Choose([]Item{one})[0]; len(got) != c.get || !slices.IsSorted(got) {
			t.Errorf("%d of %d: %v", c.want, c.pool, got)
		}
	}
}

// What was settled stays and counts; what stays fixed is never chosen twice.
func TestSettled(t *testing.T) {
	items := leaking(1, 6)
	items[0].Settled = []int{3, 4}
	if got := Choose(items)[0]; !slices.Equal(got, []int{3, 4}) {
		t.Error(got)
	}
}

// An answer of another question is not offered again where others can be.
func TestNoReuse(t *testing.T) {
	items := leaking(1, 5)
	for i := range items {
		items[i].Pool = items[0].Pool
	}
	seen := map[int]int{}
	for _, chosen := range Choose(items) {
		for _, k := range chosen {
			seen[k]++
		}
	}
	again := 0
	for _, n := range seen {
		again += n - 1
	}
	if again > 1 {
		t.Errorf("%d answers are offered again, with 12 answers for 10 places", again)
	}
}

// Question by question the accounts stay near zero, too.
func TestChooser(t *testing.T) {
	c := &Chooser{}
	items := leaking(1, 60)
	chosen := make([][]int, len(items))
	for i, item := range items {
		chosen[i] = c.Next(item)
	}
	r, err := lint.Check(t.Context(), questions(items, chosen), lint.Settings{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	if ranker := r.Figures()["ranker"]; math.Abs(ranker) > .06 {
		t.Errorf("the ranker: %+.3f", ranker)
	}
}

func BenchmarkChoose(b *testing.B) {
	items := leaking(1, 56)
	for b.Loop() {
		Choose(items)
	}
}
