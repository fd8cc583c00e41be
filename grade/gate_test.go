package grade

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"verbatim"
)

func TestParseGate(t *testing.T) {
	if g, err := ParseGate("domains.food.f1=0.25"); err != nil || g != (Gate{Figure: "domains.food.f1", Bound: 0.25}) {
		t.Errorf("%+v, %v", g, err)
	}
	for _, bad := range []string{"", "micro.f1", "micro.f1=", "=1", "micro.f1=NaN", "micro.f1=high"} {
		if g, err := ParseGate(bad); err == nil || !strings.Contains(err.Error(), "such as micro.f1=0.5") {
			t.Errorf("%q: %+v, %v", bad, g, err)
		}
	}
}

func TestGates(t *testing.T) {
	compared := Object{{"micro", Object{{"f1", 0.5}}},
		{"against", Object{{"micro", Object{{"f1", 0.75}}}, {"exact", Object{{"f1", 0.75}}}, {"coverage", math.NaN()}}},
		{"difference", Object{{"micro.f1", -0.25}, {"micro.f1_interval", Interval{-0.4, -0.1}}, {"exact.f1", -0.25}, {"exact.f1_interval", Interval{-0.5, 0.1}},
			{"coverage", math.NaN()}, {"gold_items_only_pred_found", 3}}}}
	for _, c := range []struct {
		gate         Gate
		failed, fail string // why it failed, the error
	}{
		{Gate{"micro.f1", 0.5, false}, "", ""},
		{Gate{"micro.f1", 0.6, false}, "micro.f1 is 0.5; the minimum is 0.6", ""},
		{Gate{"mikro.f1", 0.6, false}, "", `there is no figure "mikro.f1"; try micro.f1, against.micro.f1, against.exact.f1, difference.micro.f1, difference.exact.f1`},
		{Gate{"micro.f1", 0.2, true}, "micro.f1 dropped by 0.25; the maximum is 0.2", ""},
		{Gate{"micro.f1", 0.3, true}, "", ""},
		{Gate{"exact.f1", 0.2, true}, "", ""}, // it may be chance
		{Gate{"coverage", 1, true}, "the difference of coverage is null", ""},
		{Gate{"gold_items_only_pred_found", 1, true}, "", "there is no figure"},
	} {
		failed, err := c.gate.Check(compared)
		if failed != c.failed || (err == nil) != (c.fail == "") || err != nil && !strings.Contains(err.Error(), c.fail) {
			t.Errorf("%+v: %q, %v", c.gate, failed, err)
		}
	}
	if _, err := (Gate{"micro.f1", 0, true}).Check(compared[:1]); err == nil {
		t.Error("a drop without a comparison is not an error")
	}
	if failed, err := CheckGates([]Gate{{"micro.f1", 0.6, false}, {"micro.f1", 0.1, true}}, compared); err != nil || len(failed) != 2 {
		t.Errorf("%v, %v", failed, err)
	}
}

// Match must agree with Score.
func TestMatchAgreesWithScore(t *testing.T) {
	gold := []verbatim.Item{{Domain: "mind", EvidenceSpan: "clear"}, {Domain: "", EvidenceSpan: "clear"}, {Domain: "food", EvidenceSpan: ""}, {Domain: "mind", EvidenceSpan: "so clear"}}
	if pairs := Match(gold, gold); len(pairs) != 2 || pairs[0] != (Pair{0, 0}) || pairs[1] != (Pair{3, 3}) {
		t.Errorf("pairs %v", pairs)
	}
	var m matcher
	domains := Default().Domains
	itemsOf := func(rec *record) (items []verbatim.Item) {
		for _, it := range rec.items {
			items = append(items, verbatim.Item{Domain: domains[it.domain], EvidenceSpan: it.span})
		}
		return items
	}
	g, p, text := synthetic(rand.New(rand.NewPCG(1, 2)), 600)
	want := m.match(g, p, text, true)
	if n := len(Match(itemsOf(g), itemsOf(p))); n != count(want.pairs) {
		t.Errorf("%d pairs, want %d", n, count(want.pairs))
	}
	if n := len(MatchOptimal(itemsOf(g), itemsOf(p))); n != want.optimal {
		t.Errorf("%d optimal pairs, want %d", n, want.optimal)
	}
}
