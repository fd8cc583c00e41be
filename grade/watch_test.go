package grade

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func observe(t *testing.T, o WatchOptions) *Watch {
	t.Helper()
	w, err := Observe(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// figure is a figure of the predictions by its name.
func (w *Watch) figure(t *testing.T, name string) float64 {
	t.Helper()
	v, known := w.Summary("").Figure(name)
	if !known {
		t.Fatalf("no figure %s", name)
	}
	return v
}

func TestWatchCountsJournalsWithoutPredictions(t *testing.T) {
	journals := `{"journal_id":"A","created_at":"2025-03-01T10:00:00Z","text":"A cough, perhaps. Toast."}
{"journal_id":"B","created_at":"2025-03-02","text":"Fine."}
{"journal_id":"C","created_at":"soon","text":"Fine."}`
	pred := `{"journal_id":"A","made_by":"x 1","items":[{"domain":"symptom","evidence_span":"a cough","polarity":"uncertain"},{"domain":"food","evidence_span":"Toast","polarity":"present"}]}
{"journal_id":"B","items":[]}
{"journal_id":"Z","items":[]}`
	w := observe(t, WatchOptions{Pred: FromString("p", pred), Journals: FromString("j", journals), Workers: 2})
	for name, want := range map[string]float64{"journals": 3, "items": 2, "items_per_journal": 2.0 / 3, "abstention_rate": 2.0 / 3, "doubt_rate": 0.5,
		"domains.food.share": 0.5, "domains.mind.share": 0, "polarity.present.share": 0.5, "coverage": 0.5, "near": 0.5, "absent": 0, "not_verbatim": 1,
		"days.2025-03-01.items": 2, "days.2025-03-02.abstention_rate": 1, "days.unknown.journals": 1} {
		if got := w.figure(t, name); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if p := w.Pred.Problems; len(p) != 1 || !strings.Contains(p[0].Error(), `p:3: journal "Z" is not among the journals`) {
		t.Errorf("problems %v", p)
	}
	if len(w.Pred.MadeBy) != 1 || w.Pred.Days[2].Name != "unknown" {
		t.Errorf("%v, %v", w.Pred.MadeBy, w.Pred.Days)
	}
}

// manyLines returns predictions for n journals, the first `items` of ten with an item.
func manyLines(name string, n, items int, polarity string) *Source {
	var b strings.Builder
	for i := range n {
		list := ""
		if i%10 < items {
			list = `{"domain":"symptom","evidence_span":"x","polarity":"` + polarity + `"}`
		}
		fmt.Fprintf(&b, `{"journal_id":"%d","items":[%s]}`+"\n", i, list)
	}
	return FromString(name, b.String())
}

// A real change is sure; no change is none, for any number of workers.
func TestWatchTellsChangeFromChance(t *testing.T) {
	o := WatchOptions{Pred: manyLines("p", 300, 8, "present"), Baseline: manyLines("b", 200, 5, "present"), Draws: 999, Seed: 3, Workers: 3}
	w := observe(t, o)
	changed := map[string]bool{}
	for i, name := range w.Names {
		changed[name] = w.Changes[i].Sure
	}
	if !changed["items_per_journal"] || !changed["abstention_rate"] || changed["domains.symptom.share"] || changed["coverage"] {
		t.Errorf("changed: %v", changed)
	}
	o.Workers = 1
	o.Pred, o.Baseline = manyLines("p", 300, 8, "present"), manyLines("b", 200, 5, "present")
	one, _ := observe(t, o).Summary("").JSON()
	if three, _ := w.Summary("").JSON(); string(one) != string(three) {
		t.Error("the number of workers changes the result")
	}
	o.Pred, o.Baseline = manyLines("p", 300, 5, "present"), manyLines("b", 200, 5, "present")
	for i, c := range observe(t, o).Changes {
		if c.Sure {
			t.Errorf("%s changed", w.Names[i])
		}
	}
	o.Draws, o.Pred, o.Baseline = 5, manyLines("p", 9, 5, "present"), manyLines("b", 9, 5, "present")
	if _, err := Observe(t.Context(), o); err == nil {
		t.Error("5 draws cannot test anything")
	}
}

func TestHolm(t *testing.T) {
	changes := []Change{{P: 0.03}, {P: 0.01}, {P: math.NaN()}, {P: 0.04}, {P: 0.9}}
	holm(changes)
	var sure []bool
	for _, c := range changes {
		sure = append(sure, c.Sure)
	}
	if fmt.Sprint(sure) != "[false true false false false]" {
		t.Error(sure)
	}
}
