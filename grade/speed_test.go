package grade

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestMatchingGrowsNearLinearly: ten times the items in one journal take about
// ten times the processor time, not a hundred times, even if all items are equal.
func TestMatchingGrowsNearLinearly(t *testing.T) {
	if testing.Short() || cpuTime() == 0 {
		t.Skip("needs time, and a system that measures processor time")
	}
	equal := func(gold, pred string) func(n int) (g, p *record, text string) {
		return func(n int) (*record, *record, string) {
			return repeated(n, gold), repeated(n+n/4, pred), gold + ", " + pred
		}
	}
	for name, make := range map[string]func(n int) (gold, pred *record, text string){
		"different items":     func(n int) (*record, *record, string) { return synthetic(rand.New(rand.NewPCG(1, 1)), n) },
		"equal items":         equal("tired", "tired"),
		"gold in predictions": equal("tired", "tired today"),
		"predictions in gold": equal("tired today", "tired"),
		"short gold":          equal("sad", "sad today"),
		"one letter":          equal(strings.Repeat("a", 30), strings.Repeat("a", 20)),
	} {
		t.Run(name, func(t *testing.T) {
			var m matcher
			took := func(n int) time.Duration {
				gold, pred, text := make(n)
				gold.items[0].span = "and one that nothing fits"
				best := time.Hour
				for range 5 {
					start := cpuTime()
					m.match(gold, pred, text, true)
					best = min(best, cpuTime()-start)
				}
				return best
			}
			few, many := took(1000), took(10000)
			t.Logf("1,000 items %v, 10,000 items %v", few, many)
			if many > 40*max(few, time.Millisecond) {
				t.Errorf("1,000 items take %v, 10,000 take %v", few, many)
			}
		})
	}
}

func TestEqualItemsArePaired(t *testing.T) {
	for _, c := range [][2]string{{"tired", "tired"}, {"tired", "tired today"}, {"tired today", "tired"}, {"sad", "sad today"}, {"aaaa", "aaa"}} {
		var m matcher
		gold, pred := repeated(1000, c[0]), repeated(1250, c[1])
		gold.items[0].span = "and one that nothing fits"
		if got := m.match(gold, pred, "", false); count(got.pairs) != 999 || got.optimal != 999 {
			t.Errorf("%q: %d and %d pairs, want 999", c, count(got.pairs), got.optimal)
		}
	}
}

// synthetic makes a journal with spans of 2 to 6 words and a number. An eighth
// of the gold has no prediction, an eighth one with a random domain, 35 % lose
// their first word, 40 % are exact.
func synthetic(r *rand.Rand, items int) (gold, pred *record, text string) {
	gold, pred = &record{}, &record{}
	var all strings.Builder
	for i := range items {
		var span []string
		for range 2 + r.IntN(5) {
			span = append(span, vocabulary[r.IntN(len(vocabulary))])
		}
		span = append(span, fmt.Sprint(i))
		g, _ := gold.add(0)
		g.domain, g.span = int32(r.IntN(4)), strings.Join(span, " ")
		all.WriteString(g.span + ". ")
		switch draw := r.Float64(); {
		case draw < 0.125:
		case draw < 0.25:
			p, _ := pred.add(0)
			p.domain, p.span = int32(r.IntN(4)), g.span
		case draw < 0.60:
			p, _ := pred.add(0)
			p.domain, p.span = g.domain, strings.Join(span[1:], " ")
		default:
			p, _ := pred.add(0)
			p.domain, p.span = g.domain, g.span
		}
	}
	return gold, pred, all.String()
}

var vocabulary = strings.Fields(`ache back bitter calm chest cold cough dizzy dull eyes faint fog head heavy hot
	knee left light low mild mood neck night numb pain pale quiet right sharp sick skin sleep slow sore stiff tense
	throat tight tired warm`)

// A journalSet is a number of items in journals of one size.
type journalSet struct {
	golds, preds []*record
	texts        []string
	items        int
}

func syntheticSet(items, perJournal int) (set journalSet) {
	r := rand.New(rand.NewPCG(1, uint64(perJournal)))
	for ; set.items < items; set.items += perJournal {
		gold, pred, text := synthetic(r, perJournal)
		set.golds, set.preds, set.texts = append(set.golds, gold), append(set.preds, pred), append(set.texts, text)
	}
	return set
}

func (s *journalSet) match(m *matcher) {
	for i := range s.golds {
		m.match(s.golds[i], s.preds[i], s.texts[i], true)
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, perJournal := range []int{5, 20, 100, 500, 2000, 20000} {
		b.Run(fmt.Sprint(perJournal), func(b *testing.B) { benchmarkMatch(b, syntheticSet(20000, perJournal)) })
	}
}

func benchmarkMatch(b *testing.B, set journalSet) {
	var m matcher
	n, start := 0, cpuTime()
	for b.Loop() {
		set.match(&m)
		n += set.items
	}
	b.ReportMetric(float64((cpuTime()-start).Nanoseconds())/float64(n), "cpu-ns/item")
}

// BenchmarkScore reads three files and writes the rows, without bootstrap.
func BenchmarkScore(b *testing.B) {
	for _, c := range []struct{ journals, items int }{{4000, 5}, {10, 2000}} {
		b.Run(fmt.Sprintf("%dx%d", c.journals, c.items), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			var gold, pred, journals strings.Builder
			for i := range c.journals {
				g, p, text := synthetic(r, c.items)
				id := fmt.Sprintf("S%07d", i)
				gold.WriteString(recordLine(id, g))
				pred.WriteString(recordLine(id, p))
				journals.WriteString(entry(id, text))
			}
			b.SetBytes(int64(gold.Len() + pred.Len() + journals.Len()))
			n, start := 0, cpuTime()
			for b.Loop() {
				if _, err := Score(b.Context(), Options{Gold: FromString("g", gold.String()), Pred: FromString("p", pred.String()),
					Journals: FromString("j", journals.String()), PerJournal: io.Discard, Workers: 2}); err != nil {
					b.Fatal(err)
				}
				n += c.journals * c.items
			}
			b.ReportMetric(float64(n)/(cpuTime()-start).Seconds(), "items/cpu-s")
		})
	}
}
