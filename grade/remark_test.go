package grade

import (
	"strings"
	"testing"
)

// What is not verbatim is told apart by line: near or invented. Neither the gold
// nor the predictions may be silent about it, and no message quotes the text.
func TestRemarks(t *testing.T) {
	journals := entry("A", "I couldn’t  sleep, Knee pain.")
	gold := `{"journal_id":"A","items":[{"domain":"symptom","evidence_span":"knee pain"},{"domain":"mind","evidence_span":"couldn’t  sleep"}]}`
	pred := `{"journal_id":"A","items":[
		{"domain":"mind","evidence_span":"couldn't sleep."},
		{"domain":"symptom","evidence_span":"a broken arm"},
		{"domain":"symptom","evidence_span":"Knee pain","byte_start":3,"byte_end":12,"start":19,"end":28},
		{"domain":"symptom","evidence_span":"pain","byte_start":400,"byte_end":404},
		{"domain":"symptom","evidence_span":"pain","start":24,"end":99},
		{"domain":"symptom","evidence_span":"Knee pain","byte_start":21,"byte_end":30,"start":19,"end":28},
		{"domain":"symptom","evidence_span":" \t"}]}`
	r := score(t, gold, strings.ReplaceAll(pred, "\n", ""), journals)
	got := messages(r.GoldRemarks.Near, r.Pred.Remarks.Near, r.Pred.Remarks.Absent, r.Pred.Remarks.Places)
	want := []string{
		"gold.jsonl:1: item 1: nearly verbatim; what differs: case",
		"pred.jsonl:1: item 1: nearly verbatim; what differs: final stop, curly quote, two spaces",
		"pred.jsonl:1: item 2: not verbatim: the journal has no such words",
		"pred.jsonl:1: item 3: its words are not at bytes 3 to 12; the first place where the words are counts",
		"pred.jsonl:1: item 4: bytes 400 to 404 are beyond the journal's end (31 bytes); the first place where the words are counts",
		"pred.jsonl:1: item 5: code points 24 to 99 are beyond the journal's end (29); the first place where the words are counts",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if list := r.Pred.Remarks.DifferenceList(); list != "curly quote 1, final stop 1, two spaces 1" {
		t.Error(list)
	}
	if p := r.Pred.Problems; len(p) != 1 || p[0].Error() != "pred.jsonl:1: item 7: evidence_span is blank" {
		t.Errorf("problems %v", p)
	}
	summary := r.Summary("")
	for path, want := range map[string]float64{"covered_items": 4, "near_items": 1, "absent_items": 2, "not_verbatim": 3, "invalid_items": 1, "coverage": 4.0 / 7} {
		if v, ok := summary.Figure(path); !ok || v != want {
			t.Errorf("%s is %v, want %v", path, v, want)
		}
	}
}

func messages(lists ...[]Remark) (all []string) {
	for _, list := range lists {
		for _, remark := range list {
			all = append(all, remark.Error())
		}
	}
	return all
}

// --explain shows what cannot be seen: two spaces, and what differs.
func TestExplainShowsSpacesAndDifferences(t *testing.T) {
	r := score(t, journal("A", claim("mind", "couldn’t  sleep")), journal("A", claim("mind", "couldn't sleep")), entry("A", "I couldn’t  sleep."))
	e, err := r.Explain("A")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := e.Write(&out, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"I couldn’t␣␣sleep.", "It is nearly verbatim; what differs: curly quote, two spaces."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// A draw without predictions says nothing about precision.
func TestPrecisionIntervalIgnoresSilentDraws(t *testing.T) {
	var gold, pred strings.Builder
	for _, id := range []string{"A", "B", "C", "D"} {
		gold.WriteString(journal(id, claim("food", "toast")) + "\n")
	}
	pred.WriteString(journal("A", claim("food", "toast")) + "\n")
	r := scoreDraws(t, gold.String(), pred.String(), "", 500, 1)
	if _, interval := r.Figure(r.Pred, "micro.precision"); interval.Low != 1 || interval.High != 1 {
		t.Errorf("precision %v", interval)
	}
	if _, interval := r.Figure(r.Pred, "micro.recall"); interval.Low != 0 {
		t.Errorf("recall %v", interval)
	}
}
