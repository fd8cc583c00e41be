package grade

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim"
)

// data reads a file of the reference data, which is not part of this project.
func data(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", "journals", name))
	if err != nil {
		t.Skip("the reference journals (../shared/data/journals) are missing: ", err)
	}
	return string(text)
}

// score scores texts; journals may be empty.
func score(t *testing.T, gold, pred, journals string) *Result {
	t.Helper()
	o := Options{Gold: FromString("gold.jsonl", gold), Pred: FromString("pred.jsonl", pred), Workers: 2}
	if journals != "" {
		o.Journals = FromString("journals.jsonl", journals)
	}
	r, err := Score(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// figures checks figures by their paths, to 1e-9.
func figures(t *testing.T, r *Result, want map[string]float64) {
	t.Helper()
	summary := r.Summary("test")
	for path, w := range want {
		got, ok := summary.Figure(path)
		switch {
		case !ok:
			t.Errorf("there is no figure %s", path)
		case math.IsNaN(w) != math.IsNaN(got), math.Abs(got-w) > 1e-9:
			t.Errorf("%s is %v, want %v", path, got, w)
		}
	}
}

var null = math.NaN()

func TestSeedGoldAndSamplePredictions(t *testing.T) {
	r := score(t, data(t, "seed/gold.jsonl"), data(t, "seed/sample_predictions.jsonl"), data(t, "seed/journals.jsonl"))
	want := map[string]float64{
		"micro.tp": 8, "micro.fp": 0, "micro.fn": 42, "micro.precision": 1, "micro.recall": 0.16, "micro.f1": 0.27586206896551724,
		"macro.journals": 10, "macro.left_out_as_empty": 0, "macro.precision": 0.2, "macro.recall": 0.16, "macro.f1": 0.177777777777778,
		"macro_answered.journals": 2, "macro_answered.precision": 1, "macro_answered.recall": 0.8, "macro_answered.f1": 0.888888888888889,
		"macro_domains.precision": 1, "macro_domains.recall": 0.161616161616162, "macro_domains.f1": 0.275432900432900,
		"exact.tp": 8, "exact.f1": 0.27586206896551724, "overlap.tp": 8, "overlap.f1": 0.27586206896551724,
		"optimal.tp": 8, "optimal.fn": 42, "optimal.f1": 0.27586206896551724,
		"buckets.right": 14, "buckets.compared": 14, "buckets.excluded": 10, "buckets.accuracy": 1,
		"coverage": 1, "covered_items": 8, "predicted_items": 8, "invalid_items": 0, "unknown_journals": 0,
	}
	for domain, w := range map[string][6]float64{
		"symptom": {3, 0, 15, 1, 0.166666666666667, 0.285714285714286},
		"food":    {1, 0, 10, 1, 0.090909090909091, 0.166666666666667},
		"emotion": {2, 0, 7, 1, 0.222222222222222, 0.363636363636364},
		"mind":    {2, 0, 10, 1, 0.166666666666667, 0.285714285714286},
	} {
		for i, name := range []string{"tp", "fp", "fn", "precision", "recall", "f1"} {
			want["domains."+domain+"."+name] = w[i]
		}
	}
	for attribute, w := range map[string][4]float64{
		"polarity": {8, 8, 0, 1}, "intensity_bucket": {4, 4, 4, 1}, "arousal_bucket": {2, 2, 6, 1}, "time_bucket": {8, 8, 0, 1},
	} {
		for i, name := range []string{"right", "compared", "excluded", "accuracy"} {
			want["attributes."+attribute+"."+name] = w[i]
		}
	}
	for value, n := range map[string]float64{"present": 6, "absent": 1, "uncertain": 1} {
		want["attributes.polarity.confusion."+value+"."+value] = n
	}
	figures(t, r, want)
}

func TestSeedRowsOfEachJournal(t *testing.T) {
	var out strings.Builder
	gold := data(t, "seed/gold.jsonl")
	_, err := Score(t.Context(), Options{Gold: FromString("g", gold), Pred: FromString("p", data(t, "seed/sample_predictions.jsonl")),
		Journals: FromString("j", data(t, "seed/journals.jsonl")), PerJournal: &out})
	if err != nil {
		t.Fatal(err)
	}
	n, tp, fn := 0, 0, 0
	for row, err := range verbatim.Read[struct {
		ID         string `json:"journal_id"`
		TP, FP, FN int
		Precision  float64
		Recall     float64
		F1         float64
	}](strings.NewReader(out.String()), "rows") {
		if err != nil {
			t.Fatal(err)
		}
		n, tp, fn = n+1, tp+row.TP, fn+row.FN
		want := [6]float64{0, 0, 5, 0, 0, 0}
		if row.ID == "J002" || row.ID == "J009" {
			want = [6]float64{4, 0, 1, 1, 0.8, 0.888888888888889}
		}
		for i, got := range []float64{float64(row.TP), float64(row.FP), float64(row.FN), row.Precision, row.Recall, row.F1} {
			if math.Abs(got-want[i]) > 1e-9 {
				t.Errorf("%s: column %d is %v, want %v", row.ID, i, got, want[i])
			}
		}
	}
	if n != 10 || tp != 8 || fn != 42 { // not running totals
		t.Errorf("%d rows add up to %d TP and %d FN, want 10, 8, 42", n, tp, fn)
	}
}

func TestGoldAsItsOwnPrediction(t *testing.T) {
	for set, want := range map[string]map[string]float64{
		"seed": {"micro.tp": 50, "domains.symptom.tp": 18, "domains.food.tp": 11, "domains.emotion.tp": 9, "domains.mind.tp": 12,
			"attributes.polarity.right": 50, "attributes.intensity_bucket.right": 27, "attributes.intensity_bucket.compared": 27,
			"attributes.intensity_bucket.excluded": 23, "attributes.arousal_bucket.right": 9, "attributes.arousal_bucket.excluded": 41,
			"attributes.time_bucket.right": 50, "covered_items": 50},
		"open": {"micro.tp": 43, "domains.symptom.tp": 12, "domains.food.tp": 11, "domains.emotion.tp": 11, "domains.mind.tp": 9,
			"attributes.polarity.right": 43, "attributes.intensity_bucket.right": 17, "attributes.intensity_bucket.excluded": 26,
			"attributes.arousal_bucket.right": 10, "attributes.arousal_bucket.excluded": 33, "attributes.time_bucket.right": 43, "covered_items": 43},
	} {
		gold := data(t, set+"/gold.jsonl")
		r := score(t, gold, gold, data(t, set+"/journals.jsonl"))
		for _, mode := range []string{"exact", "overlap", "optimal"} {
			want[mode+".tp"] = want["micro.tp"]
		}
		for _, mode := range []string{"micro", "exact", "overlap", "optimal", "macro", "macro_domains", "domains.symptom", "domains.mind"} {
			want[mode+".precision"], want[mode+".recall"], want[mode+".f1"] = 1, 1, 1
		}
		want["coverage"], want["micro.fp"], want["micro.fn"] = 1, 0, 0
		figures(t, r, want)
	}
}

var sentenceEnd = regexp.MustCompile(`[.!?]\s+`)

// degenerate makes systems that score well by containment but are useless.
func degenerate(t *testing.T, set, kind string) string {
	texts := map[string]string{}
	for j, err := range verbatim.Read[verbatim.Journal](strings.NewReader(data(t, set+"/journals.jsonl")), set) {
		if err != nil {
			t.Fatal(err)
		}
		texts[j.ID] = j.Text
	}
	var out strings.Builder
	for gold, err := range verbatim.Read[verbatim.JournalItems](strings.NewReader(data(t, set+"/gold.jsonl")), set) {
		if err != nil {
			t.Fatal(err)
		}
		pred := verbatim.JournalItems{ID: gold.ID}
		add := func(domain, span string, times int) {
			for range times {
				pred.Items = append(pred.Items, verbatim.Item{Domain: domain, EvidenceSpan: span, Polarity: "present", Time: "today"})
			}
		}
		for _, domain := range []string{"symptom", "food", "emotion", "mind"} {
			n := 0
			for _, it := range gold.Items {
				if it.Domain == domain {
					n++
				}
			}
			switch kind {
			case "whole text":
				add(domain, texts[gold.ID], 1)
			case "e twice":
				add(domain, "e", 2)
			case "e as often as gold":
				add(domain, "e", n)
			case "empty as often as gold":
				add(domain, "", n)
			case "sentences":
				rest := texts[gold.ID]
				for rest != "" {
					end := len(rest)
					next := end
					if at := sentenceEnd.FindStringIndex(rest); at != nil {
						end, next = at[0]+1, at[1]
					}
					add(domain, rest[:end], 1)
					rest = rest[next:]
				}
			}
		}
		if kind == "nothing" {
			continue
		}
		line, err := json.Marshal(pred)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n", line)
	}
	return out.String()
}

func TestDegenerateSystems(t *testing.T) {
	for kind, want := range map[string]map[string]float64{
		"whole text": {"micro.tp": 39, "micro.fp": 1, "micro.fn": 11, "micro.precision": .975, "micro.recall": .78, "micro.f1": 78. / 90,
			"exact.f1": 0, "overlap.f1": 0, "coverage": 1, "covered_items": 40, "attributes.polarity.right": 37,
			"attributes.polarity.compared": 39, "attributes.time_bucket.right": 34, "attributes.time_bucket.compared": 39},
		"e twice":                {"micro.tp": 42, "micro.fp": 38, "micro.fn": 8, "micro.f1": 84. / 130, "exact.f1": 0, "overlap.f1": 0, "covered_items": 80},
		"e as often as gold":     {"micro.tp": 42, "micro.fp": 8, "micro.fn": 8, "micro.f1": .84, "exact.f1": 0, "overlap.f1": 0, "covered_items": 50},
		"empty as often as gold": {"micro.tp": 0, "micro.fp": 50, "micro.fn": 50, "micro.f1": 0, "exact.f1": 0, "overlap.f1": 0, "covered_items": 0, "coverage": 0, "invalid_items": 50},
		"sentences":              {"micro.tp": 46, "micro.fp": 142, "micro.fn": 4, "micro.f1": 92. / 238, "exact.f1": 0, "overlap.f1": 72. / 238, "covered_items": 188},
		"nothing":                {"micro.tp": 0, "micro.fp": 0, "micro.fn": 50, "micro.f1": 0, "exact.f1": 0, "overlap.f1": 0, "coverage": null},
	} {
		t.Run(kind, func(t *testing.T) {
			r := score(t, data(t, "seed/gold.jsonl"), degenerate(t, "seed", kind), data(t, "seed/journals.jsonl"))
			figures(t, r, want)
		})
	}
	t.Run("whole text, open set", func(t *testing.T) {
		r := score(t, data(t, "open/gold.jsonl"), degenerate(t, "open", "whole text"), data(t, "open/journals.jsonl"))
		figures(t, r, map[string]float64{"micro.tp": 38, "micro.fp": 2, "micro.fn": 5, "micro.f1": 76. / 83})
	})
}
