package grade

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// many makes journals with one gold item each; the system finds some of them.
func many(n int, found func(i int) bool) (gold, pred string) {
	var g, p strings.Builder
	for i := range n {
		id := fmt.Sprint(i)
		g.WriteString(journal(id, claim("mind", "clear", "polarity", "present")))
		if found(i) {
			p.WriteString(journal(id, claim("mind", "clear", "polarity", "present")))
		}
	}
	return g.String(), p.String()
}

func scoreDraws(t *testing.T, gold, pred, against string, draws, workers int) *Result {
	t.Helper()
	o := Options{Gold: FromString("g", gold), Pred: FromString("p", pred), Draws: draws, Workers: workers, Seed: 5}
	if against != "" {
		o.Against = FromString("a", against)
	}
	r, err := Score(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The standard error of a recall of 0.4 in 400 journals is known: 0.0245.
func TestIntervalsHaveTheExpectedWidth(t *testing.T) {
	gold, pred := many(400, func(i int) bool { return i%5 < 2 })
	r := scoreDraws(t, gold, pred, "", 2000, 2)
	_, interval := r.Figure(r.Pred, "micro.recall")
	half := 1.96 * math.Sqrt(0.4*0.6/400)
	if math.Abs(interval.Low-(0.4-half)) > 0.01 || math.Abs(interval.High-(0.4+half)) > 0.01 {
		t.Errorf("the interval is %v, want 0.4 +- %.3f", *interval, half)
	}
}

// Drawing random groups gives the same width as drawing journals, even if the
// file is sorted by difficulty.
func TestGroupsVaryAsJournalsDo(t *testing.T) {
	const n = 3 * maxGroups
	gold, pred := many(n, func(i int) bool { return i < 2*n/5 })
	r := scoreDraws(t, gold, pred, "", 400, 2)
	_, interval := r.Figure(r.Pred, "micro.recall")
	half := 1.96 * math.Sqrt(0.4*0.6/n)
	if got := (interval.High - interval.Low) / 2; got < 0.85*half || got > 1.15*half {
		t.Errorf("half of the interval is %.5f, want %.5f", got, half)
	}
}

// Two systems that fail on the same journals differ a little, but reliably. Drawn
// separately, they would not seem to differ.
func TestComparisonIsPaired(t *testing.T) {
	gold, good := many(300, func(i int) bool { return i%2 == 0 })
	_, worse := many(300, func(i int) bool { return i%2 == 0 && i%20 != 0 })
	r := scoreDraws(t, gold, worse, good, 1000, 2)
	i := slices.Index(r.Names, "micro.recall")
	if d := r.Differences[i]; math.Abs(d+0.05) > 1e-9 {
		t.Errorf("the difference is %v", d)
	}
	if in := r.DifferenceIntervals[i]; !in.Excludes0() || in.High-in.Low > 0.06 {
		t.Errorf("the interval of the difference is %v", in)
	}
	if r.Pred.Only != 0 || r.Against.Only != 15 {
		t.Errorf("only pred found %d, only against %d", r.Pred.Only, r.Against.Only)
	}
	same := scoreDraws(t, gold, good, good, 200, 2)
	for k, name := range same.Names {
		if in := same.DifferenceIntervals[k]; !math.IsNaN(same.Differences[k]) && (same.Differences[k] != 0 || in.Low != 0 || in.High != 0) {
			t.Errorf("%s of a system against itself: %v %v", name, same.Differences[k], in)
		}
	}
}

func TestRowsListItemsThatOnlyOneSystemFound(t *testing.T) {
	gold := journal("A", claim("mind", "clear"), claim("food", "plums"), claim("food", "toast"))
	var out strings.Builder
	_, err := Score(t.Context(), Options{Gold: FromString("g", gold), PerJournal: &out,
		Pred:    FromString("p", journal("A", claim("mind", "clear"), claim("food", "toast"))),
		Against: FromString("a", journal("A", claim("mind", "clear"), claim("food", "plums")))})
	if err != nil {
		t.Fatal(err)
	}
	if row := readRows(t, out.String())[0]; !slices.Equal(row.OnlyPred, []int{3}) || !slices.Equal(row.OnlyAgainst, []int{2}) {
		t.Errorf("only pred %v, only against %v", row.OnlyPred, row.OnlyAgainst)
	}
}

// The bytes are the same for any number of workers and any order of predictions
// and journals.
func TestResultDoesNotDependOnWorkersOrOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var gold, pred, journals []string
	for i := range 900 {
		g, p, text := synthetic(r, 1+r.IntN(12))
		id := fmt.Sprintf("S%03d", i)
		gold, pred, journals = append(gold, recordLine(id, g)), append(pred, recordLine(id, p)), append(journals, entry(id, text))
	}
	result := func(workers int, shuffle bool) string {
		pred, journals := slices.Clone(pred), slices.Clone(journals)
		if shuffle {
			r.Shuffle(len(pred), func(i, j int) { pred[i], pred[j] = pred[j], pred[i] })
			r.Shuffle(len(journals), func(i, j int) { journals[i], journals[j] = journals[j], journals[i] })
		}
		var rows strings.Builder
		r, err := Score(t.Context(), Options{Gold: FromString("g", strings.Join(gold, "")), Pred: FromString("p", strings.Join(pred, "")),
			Journals: FromString("j", strings.Join(journals, "")), PerJournal: &rows, Draws: 50, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		o := r.Summary("test")
		out, err := o[slices.IndexFunc(o, func(m Member) bool { return m.Name == "micro" }):].JSON() // after the hashes of the files
		if err != nil {
			t.Fatal(err)
		}
		return string(out) + rows.String()
	}
	want := result(1, false)
	for _, workers := range []int{2, 3, 16} {
		if result(workers, false) != want || result(workers, true) != want {
			t.Errorf("%d workers or another order change the result", workers)
		}
	}
}

func recordLine(id string, rec *record) string {
	var items []string
	for _, it := range rec.items {
		items = append(items, claim(Default().Domains[it.domain], it.span))
	}
	return journal(id, items...)
}

// Draws are the same on every machine and with every release of the standard
// library.
func TestDrawsAreFixed(t *testing.T) {
	source := rand.NewPCG(1, 2)
	var got []int
	for range 8 {
		got = append(got, below(source, 1000))
	}
	if want := []int{769, 616, 784, 796, 234, 41, 499, 449}; !slices.Equal(got, want) {
		t.Errorf("draws %v, want %v", got, want)
	}
	gold, pred := many(50, func(i int) bool { return i%3 == 0 })
	r := scoreDraws(t, gold, pred, "", 200, 2)
	_, interval := r.Figure(r.Pred, "micro.f1")
	if got := fmt.Sprintf("%.12f %.12f", interval.Low, interval.High); got != "0.360655737705 0.648648648649" {
		t.Errorf("the interval is %s", got)
	}
}

func TestPercentiles(t *testing.T) {
	list := []float64{0, 1, 2, 3, 4}
	for q, want := range map[float64]float64{0: 0, 0.5: 2, 0.125: 0.5, 1: 4} {
		if got := percentile(list, q); got != want {
			t.Errorf("percentile %v is %v, want %v", q, got, want)
		}
	}
	if !math.IsNaN(percentile(nil, 0.5)) || percentile([]float64{7}, 0.975) != 7 {
		t.Error("wrong percentile of no value or of one")
	}
}
