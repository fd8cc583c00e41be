package grade

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"verbatim"
)

func TestParseGate(t *testing.T) {
	if g, err := ParseGate(Max, "domains.food.f1 = 0.25"); err != nil || g != (Gate{"domains.food.f1", Max, 0.25}) {
		t.Errorf("%+v, %v", g, err)
	}
	for _, bad := range []string{"", "micro.f1", "micro.f1=", "=1", "micro.f1=NaN", "micro.f1=high", "micro.f1=Inf"} {
		if g, err := ParseGate(Min, bad); err == nil || !strings.Contains(err.Error(), "such as micro.f1=0.5") {
			t.Errorf("%q: %+v, %v", bad, g, err)
		}
	}
}

func TestReadGates(t *testing.T) {
	gates, err := ReadGates(strings.NewReader("\ufeff# the release\r\n\r\nmin micro.f1=0.6\n  max not_verbatim = 0\nmax-drop exact.f1=0.02"), "g")
	if err != nil || len(gates) != 3 || gates[1] != (Gate{"not_verbatim", Max, 0}) || gates[2].Kind != MaxDrop {
		t.Errorf("%+v, %v", gates, err)
	}
	for text, want := range map[string]string{"# none\n": "g has no gates", "min micro.f1\n": "g:1: ", "\nmicro.f1=0.6": "g:2: a gate begins with min, max or max-drop"} {
		if _, err := ReadGates(strings.NewReader(text), "g"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestGates(t *testing.T) {
	compared := Object{{"options", Object{{"draws", 9}}},
		{"micro", Object{{"fp", 2}, {"f1", 0.5}, {"f1_interval", Interval{0.25, 0.75}}}}, {"coverage", math.NaN()}, {"not_verbatim", 3},
		{"attributes", Object{{"polarity", Object{{"false_absent", Object{{"count", 1}, {"rate", 0.125}}}}}}},
		{"against", Object{{"micro", Object{{"f1", 0.75}}}, {"exact", Object{{"f1", 0.75}}}, {"coverage", math.NaN()}}},
		{"difference", Object{{"micro.f1", -0.25}, {"micro.f1_interval", Interval{-0.4, -0.1}}, {"exact.f1", -0.25}, {"exact.f1_interval", Interval{-0.5, 0.1}},
			{"coverage", math.NaN()}, {"gold_items_only_pred_found", 3}}}}
	for _, c := range []struct {
		gate      Gate
		verdict   GateVerdict
		why, fail string // the sentence, the error
	}{
		{Gate{"micro.f1", Min, 0.5}, Passed, "micro.f1 is 0.5; the minimum is 0.5", ""},
		{Gate{"micro.f1", Min, 0.6}, Failed, "micro.f1 is 0.5; the minimum is 0.6", ""},
		{Gate{"micro.f1", Max, 0.4}, Failed, "micro.f1 is 0.5; the maximum is 0.4", ""},
		{Gate{"micro.f1.low", Min, 0.3}, Failed, "micro.f1.low is 0.25; the minimum is 0.3", ""},
		{Gate{"micro.f1.high", Max, 0.8}, Passed, "micro.f1.high is 0.75; the maximum is 0.8", ""},
		{Gate{"micro.fp", Max, 2}, Passed, "micro.fp is 2; the maximum is 2", ""},
		{Gate{"micro.fp", Max, 0}, Failed, "micro.fp is 2; the maximum is 0", ""},
		{Gate{"not_verbatim", Max, 0}, Failed, "not_verbatim is 3; the maximum is 0", ""},
		{Gate{"false_absent", Max, 0}, Failed, "false_absent is 1; the maximum is 0", ""},
		{Gate{"attributes.polarity.false_absent", Max, 1}, Passed, "attributes.polarity.false_absent is 1; the maximum is 1", ""},
		{Gate{"attributes.polarity.false_absent.rate", Max, 0.1}, Failed, "attributes.polarity.false_absent.rate is 0.125; the maximum is 0.1", ""},
		{Gate{"coverage", Min, 0.1}, Failed, "coverage is null; the minimum is 0.1", ""},
		{Gate{"mikro.f1", Min, 0.6}, "", "", `there is no figure "mikro.f1"; try micro.f1, against.micro.f1, against.exact.f1, difference.micro.f1, difference.exact.f1`},
		{Gate{"micro.fp.low", Min, 1}, "", "", `there is no figure "micro.fp.low"`},
		{Gate{"micro.f1", MaxDrop, 0.2}, Failed, "micro.f1 dropped by 0.25; the maximum is 0.2", ""},
		{Gate{"micro.f1", MaxDrop, 0.3}, Passed, "micro.f1 dropped by 0.25; the maximum is 0.3", ""},
		{Gate{"exact.f1", MaxDrop, 0.2}, Inconclusive, "too few journals: exact.f1 dropped by 0.25; the maximum is 0.2; the difference may be chance (-0.500 to +0.100)", ""},
		{Gate{"coverage", MaxDrop, 0.5}, Failed, "the difference of coverage is null", ""},
		{Gate{"gold_items_only_pred_found", MaxDrop, 0.5}, "", "", "there is no figure"},

		{Gate{"micro.f1", Min, 0}, "", "", "micro.f1 is never below 0, so a minimum of 0 could never fail"},
		{Gate{"micro.fp", Min, 0}, "", "", "could never fail"},
		{Gate{"micro.f1", Max, 1}, "", "", "micro.f1 is never above 1"},
		{Gate{"micro.f1", MaxDrop, 1}, "", "", "could never fail"},
		{Gate{"options.draws", Min, 1}, "", "", "an option, not a figure"},
	} {
		checked, err := CheckGates([]Gate{c.gate}, compared)
		if c.fail != "" {
			if err == nil || !strings.Contains(err.Error(), c.fail) {
				t.Errorf("%+v: %v", c.gate, err)
			}
			continue
		}
		if err != nil || checked[0].Verdict != c.verdict || checked[0].Why != c.why {
			t.Errorf("%+v: %+v, %v", c.gate, checked, err)
		}
	}
	if _, err := CheckGates([]Gate{{"micro.f1", MaxDrop, 0}}, compared[:2]); err == nil {
		t.Error("a drop without a comparison is not an error")
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
