package grade

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

func compareRuns(t *testing.T, gold string, runs ...string) (*Stability, []RunJournal) {
	t.Helper()
	var rows strings.Builder
	o := RunOptions{PerJournal: &rows, Workers: 2}
	if gold != "" {
		o.Gold = FromString("gold.jsonl", gold)
	}
	for i, run := range runs {
		o.Runs = append(o.Runs, FromString("run"+string(rune('1'+i))+".jsonl", run))
	}
	s, err := CompareRuns(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var list []RunJournal
	for j, err := range verbatim.Read[RunJournal](strings.NewReader(rows.String()), "rows") {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, j)
	}
	return s, list
}

func TestThreeRunsOfOneSystem(t *testing.T) {
	calm := func(polarity, time string) string {
		return claim("emotion", "calm all day", "polarity", polarity, "time_bucket", time)
	}
	one := journal("A", calm("present", "today"), claim("food", "two plums")) + journal("B", claim("mind", "clear"))
	two := journal("B", claim("mind", "clear")) + journal("A", calm("absent", "today"), claim("food", "plums"))
	three := journal("A", calm("present", "unknown")) + journal("C", claim("food", "toast"))
	gold := journal("A", calm("present", "today"), claim("food", "two plums")) + journal("B", claim("mind", "clear"), claim("food", "soup"))

	s, rows := compareRuns(t, gold, one, two, three)
	if s.Journals != 3 || !slices.Equal(s.Items, []int{3, 3, 2}) {
		t.Errorf("%d journals, items %v", s.Journals, s.Items)
	}
	if s.Steady != 1 { // calm all day: the plums and the clear mind are not in run 3
		t.Errorf("%d items are in all runs", s.Steady)
	}
	polarity, time := s.Changes[0], s.Changes[3]
	if polarity != (AttributeRuns{"polarity", 3, 2, 0}) {
		t.Errorf("polarity %+v: present, absent, present should be two flips in three pairs", polarity)
	}
	if time != (AttributeRuns{"time_bucket", 1, 0, 2}) {
		t.Errorf("time %+v", time)
	}
	// A: runs 1 and 2 agree, each has 2/3 with 3. B: 1, 0, 0. C: 1 (both are empty), 0, 0.
	if want := []string{"A", "B", "C"}; rows[0].ID != want[0] || rows[1].ID != want[1] || rows[2].ID != want[2] {
		t.Errorf("rows %v", rows)
	}
	for i, want := range []float64{(1 + 2./3 + 2./3) / 3, 1. / 3, 1. / 3} {
		if math.Abs(rows[i].Agreement-want) > 1e-9 {
			t.Errorf("agreement in %s is %v, want %v", rows[i].ID, rows[i].Agreement, want)
		}
	}
	if s.GoldAll != 1 || s.GoldSome != 2 || s.GoldNone != 1 {
		t.Errorf("gold items in all runs %d, in some %d, in none %d", s.GoldAll, s.GoldSome, s.GoldNone)
	}
	if len(s.Scores) != 3 || math.Abs(s.Scores[0].F1-6./7) > 1e-9 || math.Abs(s.Scores[2].F1-2./6) > 1e-9 {
		t.Errorf("scores %v", s.Scores)
	}
	var table strings.Builder
	if err := s.WriteTable(&table); err != nil || strings.Contains(table.String(), "plums") || !strings.Contains(table.String(), "3 runs, 3 journals") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

func TestRunAgreesWithItself(t *testing.T) {
	_, pred, _ := eight()
	s, rows := compareRuns(t, "", pred, pred)
	if s.Agreement != 1 || s.Steady != 8 || s.Scores != nil || len(s.Least) != 0 || len(rows) != 2 {
		t.Errorf("%+v", s)
	}
	out, err := s.Summary("test").JSON()
	if err != nil || !json.Valid(out) {
		t.Errorf("%v %s", err, out)
	}
	if v, ok := s.Summary("test").Figure("agreement"); !ok || v != 1 {
		t.Errorf("the figure agreement is %v, %v", v, ok)
	}
}

func TestRunsThatCannotBeCompared(t *testing.T) {
	one := FromString("one.jsonl", journal("A"))
	if _, err := CompareRuns(t.Context(), RunOptions{Runs: []*Source{one}}); err == nil || !strings.Contains(err.Error(), "at least two") {
		t.Errorf("one run: %v", err)
	}
	twice := FromString("twice.jsonl", journal("A")+journal("A"))
	var input *InputError
	if _, err := CompareRuns(t.Context(), RunOptions{Runs: []*Source{one, twice}}); !errors.As(err, &input) {
		t.Errorf("duplicate journal: %v", err)
	}
	bad := FromString("bad.jsonl", journal("A", claim("sleep", "nap"))+"{\n")
	s, err := CompareRuns(t.Context(), RunOptions{Runs: []*Source{one, bad}})
	if err != nil || len(s.Problems) != 2 || s.Problems[0].Error() != "bad.jsonl:1: item 1: domain is not one of symptom, food, emotion, mind" {
		t.Errorf("%v, %v", s, err)
	}
}
