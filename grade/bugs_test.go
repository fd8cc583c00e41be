package grade

import (
	"math"
	"strings"
	"testing"
)

// Bugs of other scorers, and the right result for each. The numbers are those in
// the notes on journals.

// eight has eight gold items in two journals, all found, and one more journal
// without predictions.
func eight() (gold, pred, journals string) {
	a := []string{
		claim("symptom", "stiff neck", "polarity", "present", "intensity_bucket", "medium", "time_bucket", "today"),
		claim("symptom", "No itch", "polarity", "absent", "intensity_bucket", "unknown", "time_bucket", "today"),
		claim("food", "two plums", "polarity", "present", "intensity_bucket", "low", "time_bucket", "today"),
		claim("emotion", "cheerful", "polarity", "present", "arousal_bucket", "medium", "time_bucket", "today"),
	}
	b := []string{
		claim("mind", "slept till four", "polarity", "present", "intensity_bucket", "high", "time_bucket", "last_night"),
		claim("food", "toast", "polarity", "present", "time_bucket", "today"),
		claim("emotion", "uneasy", "polarity", "uncertain", "arousal_bucket", "high", "time_bucket", "today"),
		claim("symptom", "sore back", "polarity", "present", "intensity_bucket", "medium", "time_bucket", "past_week"),
	}
	pred = journal("A", a...) + journal("B", b...)
	gold = pred + journal("C", claim("mind", "clear"), claim("food", "soup"))
	journals = entry("A", "A stiff neck. No itch. Ate two plums, cheerful.") + entry("B", "I slept till four, had toast, uneasy. All week a sore back.") + entry("C", "Head clear. Had soup.")
	return gold, pred, journals
}

func TestBug1AllFiguresArePresent(t *testing.T) {
	gold, pred, journals := eight()
	r := score(t, gold, pred, journals)
	figures(t, r, map[string]float64{"micro.tp": 8, "micro.fn": 2, "macro.journals": 3, "macro.f1": 2. / 3, "domains.food.fn": 1, "exact.tp": 8, "overlap.tp": 8,
		"optimal.tp": 8, "attributes.polarity.right": 8, "attributes.intensity_bucket.right": 4, "attributes.intensity_bucket.excluded": 4,
		"attributes.arousal_bucket.right": 2, "attributes.arousal_bucket.excluded": 6, "attributes.time_bucket.right": 8, "buckets.right": 14, "buckets.excluded": 10, "coverage": 1})
}

func TestBug2CaseIsIgnored(t *testing.T) {
	gold, pred, journals := eight()
	figures(t, score(t, gold, strings.Replace(pred, "No itch", "NO Itch", 1), journals), map[string]float64{"micro.tp": 8, "exact.tp": 8})
}

func TestBug3WrongIntensityChangesOnlyIntensity(t *testing.T) {
	gold, pred, journals := eight()
	r := score(t, gold, strings.Replace(pred, `"intensity_bucket":"high"`, `"intensity_bucket":"low"`, 1), journals)
	figures(t, r, map[string]float64{"attributes.intensity_bucket.right": 3, "attributes.intensity_bucket.compared": 4, "attributes.intensity_bucket.excluded": 4,
		"attributes.time_bucket.right": 8, "attributes.arousal_bucket.right": 2, "attributes.polarity.right": 8, "buckets.accuracy": 13. / 14})
}

func TestBug4ShortSpanMatchesALongOneAndTimeIsReported(t *testing.T) {
	r := score(t, journal("A", claim("symptom", "dull ache above the brow", "time_bucket", "today")), journal("A", claim("symptom", "ache", "time_bucket", "today")), "")
	figures(t, r, map[string]float64{"micro.tp": 1, "attributes.time_bucket.right": 1, "attributes.time_bucket.accuracy": 1})
}

func TestBug5EveryAccuracyHasRightComparedExcludedAndRate(t *testing.T) {
	gold, pred, journals := eight()
	summary := score(t, gold, pred, journals).Summary("test")
	for _, name := range []string{"attributes.polarity", "attributes.intensity_bucket", "attributes.arousal_bucket", "attributes.time_bucket", "buckets"} {
		for _, figure := range []string{".right", ".compared", ".excluded", ".accuracy"} {
			if _, ok := summary.Figure(name + figure); !ok {
				t.Errorf("there is no %s%s", name, figure)
			}
		}
	}
}

func TestBug6JournalsWithoutPredictionsDoNotChangePolarity(t *testing.T) {
	gold, pred, journals := eight()
	figures(t, score(t, gold, pred, journals), map[string]float64{"attributes.polarity.right": 8, "attributes.polarity.compared": 8, "attributes.polarity.accuracy": 1})
}

func TestBug7And15InventedSpanLowersCoverageAndPrecision(t *testing.T) {
	gold, pred, journals := eight()
	pred = strings.Replace(pred, `]}`, `,`+claim("symptom", "a broken arm")+`]}`, 1)
	figures(t, score(t, gold, pred, journals), map[string]float64{"covered_items": 8, "predicted_items": 9, "coverage": 8. / 9, "micro.fp": 1, "micro.tp": 8})
}

func TestBug8CommonPieceIsNotAMatch(t *testing.T) {
	if matched(t, "dull ache above the brow", "bad dull ache") {
		t.Error("spans with a common piece match")
	}
}

func TestBug9SimilarSpanIsNotAMatch(t *testing.T) {
	if matched(t, "slight pain in the left knee", "slight pain in the left heel") {
		t.Error("similar spans match")
	}
}

func TestBug10CoverageDoesNotDependOnLength(t *testing.T) {
	r := score(t, journal("A", claim("food", "tea")), journal("A", claim("food", "tea"), claim("food", "a very long breakfast that never was")), entry("A", "Had tea."))
	figures(t, r, map[string]float64{"covered_items": 1, "predicted_items": 2, "coverage": 0.5})
}

func TestBug11TwoWrongTimesOfEight(t *testing.T) {
	gold, pred, journals := eight()
	pred = strings.Replace(strings.Replace(pred, `"last_night"`, `"today"`, 1), `"past_week"`, `"today"`, 1)
	figures(t, score(t, gold, pred, journals), map[string]float64{"attributes.time_bucket.accuracy": 0.75, "attributes.time_bucket.right": 6})
}

func TestBug12JournalsWithoutPredictionsAreNotSkipped(t *testing.T) {
	gold, pred, journals := eight()
	figures(t, score(t, gold, pred, journals), map[string]float64{"micro.tp": 8, "micro.fp": 0, "micro.fn": 2})
}

func TestBug13RightSpanWithTheWrongDomain(t *testing.T) {
	r := score(t, journal("A", claim("mind", "nervous")), journal("A", claim("emotion", "nervous")), entry("A", "So nervous."))
	figures(t, r, map[string]float64{"micro.tp": 0, "micro.fp": 1, "micro.fn": 1, "exact.tp": 0, "overlap.tp": 0, "optimal.tp": 0, "domains.emotion.fp": 1, "domains.mind.fn": 1})
}

// Bug 14: rows that are running totals. See also TestSeedRowsOfEachJournal.
func TestBug14RowsAddUpToTheTotals(t *testing.T) {
	gold, pred, journals := eight()
	rows := perJournal(t, gold, pred, journals)
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	tp := 0
	for i, want := range []int{4, 4, 0} {
		tp += rows[i].TP
		if rows[i].TP != want || rows[i].Exact.TP != want || rows[i].Overlap.TP != want || rows[i].Covered != want {
			t.Errorf("row %d: %+v, want %d", i, rows[i], want)
		}
	}
	if tp != 8 {
		t.Errorf("the rows add up to %d", tp)
	}
}

func TestBug16JournalsArePairedByIdNotByLine(t *testing.T) {
	gold, pred, journals := eight()
	shuffle := func(text string) string { return strings.Join(reversed(strings.SplitAfter(text, "\n")), "") }
	a, b := score(t, gold, pred, journals), score(t, gold, shuffle(pred), shuffle(journals))
	for i, name := range a.Names {
		if a.Pred.Figures[i] != b.Pred.Figures[i] && !math.IsNaN(a.Pred.Figures[i]) {
			t.Errorf("%s: %v, shuffled %v", name, a.Pred.Figures[i], b.Pred.Figures[i])
		}
	}
}

func TestBug17EveryRateIsBetween0And1OrNull(t *testing.T) {
	gold, pred, journals := eight()
	for _, p := range []string{pred, "", gold + journal("Z", claim("mind", "x")), strings.ReplaceAll(pred, "symptom", "mind")} {
		r := score(t, gold, p, journals)
		for i, name := range r.Names {
			if f := r.Pred.Figures[i]; f < 0 || f > 1 {
				t.Errorf("%s is %v", name, f)
			}
		}
	}
}

func TestBug18NothingToRead(t *testing.T) {
	gold, _, journals := eight()
	for name, pred := range map[string]string{"empty file": "", "blank file": "\n\n", "empty items": journal("A"), "no items key": `{"journal_id":"A"}`} {
		r := score(t, gold, pred, journals)
		figures(t, r, map[string]float64{"micro.tp": 0, "micro.fp": 0, "micro.fn": 10})
		if want := name == "no items key"; (len(r.Pred.Problems) == 1) != want {
			t.Errorf("%s: problems %v", name, r.Pred.Problems)
		}
	}
}

func TestBug19EmptySpanMatchesNothingAndIsNotCovered(t *testing.T) {
	figures(t, score(t, journal("A", claim("food", "tea")), journal("A", claim("food", "")), entry("A", "Had tea.")),
		map[string]float64{"micro.tp": 0, "micro.fp": 1, "micro.fn": 1, "coverage": 0})
}

func TestBug20MissingSpanIsReportedAndTheRestIsScored(t *testing.T) {
	gold, pred, journals := eight()
	pred = strings.Replace(pred, `"evidence_span":"stiff neck",`, ``, 1)
	r := score(t, gold, pred, journals)
	figures(t, r, map[string]float64{"micro.tp": 7, "micro.fp": 1, "micro.fn": 3, "invalid_items": 1})
	wantProblems(t, r, `pred.jsonl:1: item 1: field "evidence_span" is missing`)
}

func TestBug21TimeThatIsNotInTheListIsReportedWithItsLine(t *testing.T) {
	gold, pred, _ := eight()
	_, err := Score(t.Context(), Options{Gold: FromString("gold.jsonl", strings.Replace(gold, `"last_night"`, `"yesterday"`, 1)), Pred: FromString("p", pred)})
	if err == nil || err.Error() != "gold.jsonl:2: item 1: time_bucket is not one of today, last_night, past_week, unknown" {
		t.Errorf("got %v", err)
	}
}

// One span library loses half of the overlaps in more than one document.
func TestBug22CountsOfTwoDocumentsAreAdded(t *testing.T) {
	one, two := entry("A", "ab cd ef gh"), entry("B", "ab cd ef gh")
	gold := func(id string) string { return journal(id, claim("mind", "ab cd")) }
	pred := func(id string) string { return journal(id, claim("mind", "ab cd ef gh"), claim("food", "gh")) }
	both := score(t, gold("A")+gold("B"), pred("A")+pred("B"), one+two)
	alone := score(t, gold("A"), pred("A"), one)
	for i := range both.Pred.total {
		if both.Pred.total[i] != 2*alone.Pred.total[i] {
			t.Errorf("count %d of two journals is %v, of one %v", i, both.Pred.total[i], alone.Pred.total[i])
		}
	}
	for i, name := range both.Names {
		if a, b := both.Pred.Figures[i], alone.Pred.Figures[i]; a != b && !math.IsNaN(a) {
			t.Errorf("%s of two journals is %v, of one %v", name, a, b)
		}
	}
}
