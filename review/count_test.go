package review

import (
	"testing"
	"time"

	"verbatim/cloze"
)

// Every draft is counted once, whatever became of the file of drafts since it was
// decided: the numbers of a row add up to its drafts.
func TestTheNumbersOfARowAddUp(t *testing.T) {
	log := NewLog()
	for i, verdict := range []Verdict{Accepted, Rejected, Flagged, Flagged, Passage, Accepted, Replaced} {
		id := string(rune('a' + i))
		d := log.stamp(Decision{Draft: id, Category: "causalclause", Reviewer: "Ada", After: State{Verdict: verdict}}, time.Unix(int64(i), 0))
		if err := log.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	var drafts []*cloze.Draft // c and d were flagged, and are no longer in the file; g was replaced
	for _, id := range []string{"a", "f", "g", "x", "y"} {
		drafts = append(drafts, &cloze.Draft{ID: id, Category: "causalclause"})
	}
	for goal := range 4 {
		n := Count(log, drafts, map[string]bool{"f": true}, goal).Sum()
		if sum := n.Accepted + n.Rejected + n.Disputed + n.Waiting + n.Spare + n.Unmade; n.Drafts != sum || sum != 8 {
			t.Errorf("goal %d: %d drafts, but %d in the other columns: %+v", goal, n.Drafts, sum, n)
		}
	}
}
