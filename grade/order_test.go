package grade

import (
	"slices"
	"testing"
)

// The problems of one bad line always come in the same order, whatever order the
// validator finds them in.
func TestProblemsComeInOneOrder(t *testing.T) {
	line := `{"journal_id":"j1","zulu":1,"items":[{"domain":"symptom","evidence_span":"x","polarity":7,"time_bucket":7,"intensity_bucket":7,"arousal_bucket":7,"confidence":"high","byte_start":"a","byte_end":"b"}]}`
	var first []problem
	for i := range 100 {
		var rec record
		got, _ := Default().examine(line, &rec)
		if i == 0 {
			first = got
		}
		if !slices.Equal(got, first) {
			t.Fatalf("first %+v, then %+v", first, got)
		}
	}
	if len(first) < 3 {
		t.Errorf("only %d problems are found, too few to have an order: %+v", len(first), first)
	}
}
