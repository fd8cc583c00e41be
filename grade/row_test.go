package grade

import (
	"strings"
	"testing"

	"verbatim"
)

type counts struct{ TP, FP, FN int }

// A row is a line of the per-journal file.
type row struct {
	ID string `json:"journal_id"`
	counts
	Precision, Recall, F1   float64
	Exact, Overlap, Optimal counts
	Domains                 map[string]counts
	Attributes              map[string]struct{ Right, Compared, Excluded int }
	Covered, Predicted      int
	InvalidItems            int   `json:"invalid_items"`
	OnlyPred                []int `json:"only_pred"`
	OnlyAgainst             []int `json:"only_against"`
}

func perJournal(t *testing.T, gold, pred, journals string) (rows []row) {
	t.Helper()
	var out strings.Builder
	if _, err := Score(t.Context(), Options{Gold: FromString("g", gold), Pred: FromString("p", pred), Journals: FromString("j", journals), PerJournal: &out}); err != nil {
		t.Fatal(err)
	}
	return readRows(t, out.String())
}

func readRows(t *testing.T, text string) (rows []row) {
	t.Helper()
	for r, err := range verbatim.Read[row](strings.NewReader(text), "rows") {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

func TestRowHasAllCountsAndNoText(t *testing.T) {
	rows := perJournal(t, journal("A \"quoted\"\\ id é", claim("mind", "secret worry", "polarity", "present"), claim("food", "hidden cake")),
		journal("A \"quoted\"\\ id é", claim("mind", "secret", "polarity", "absent"), claim("emotion", "shame"), claim("emotion", "")),
		entry("A \"quoted\"\\ id é", "A secret worry, a hidden cake."))
	if len(rows) != 1 {
		t.Fatal(rows)
	}
	r := rows[0]
	if r.ID != "A \"quoted\"\\ id é" || r.counts != (counts{1, 2, 1}) || r.Exact.TP != 0 || r.Overlap.TP != 1 || r.Optimal.TP != 1 ||
		r.Domains["emotion"] != (counts{0, 2, 0}) || r.Domains["food"] != (counts{0, 0, 1}) || r.Attributes["polarity"].Compared != 1 ||
		r.Attributes["polarity"].Right != 0 || r.Attributes["time_bucket"].Excluded != 1 || r.Covered != 1 || r.Predicted != 3 || r.InvalidItems != 1 {
		t.Errorf("%+v", r)
	}
}
