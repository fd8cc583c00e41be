package distractor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"verbatim"
)

// An overlap is a simple scorer: the more words the second sentence shares with the
// first, the more likely it follows.
type overlap struct{}

func (*overlap) Score(_ context.Context, pairs []verbatim.Pair) ([]float64, error) {
	scores := make([]float64, len(pairs))
	for i, p := range pairs {
		scores[i] = -5
		for word := range strings.FieldsSeq(strings.ToLower(p.First)) {
			if len(word) > 3 && strings.Contains(strings.ToLower(p.Second), strings.Trim(word, ".,;")) {
				scores[i]++
			}
		}
	}
	return scores, nil
}

const contrast = "[masked sentence describing a tension or contrast]"

func ExampleRank() {
	passage := "The harbour froze in December. " + contrast + " The pilots cut a channel through the ice."
	ranked, _ := Rank(context.Background(), &overlap{}, passage, contrast, []string{
		"But the bishop loved music.",
		"But the pilots still crossed the frozen harbour in December.",
		"Yet the harbour was not shut.",
	}, "Yet the harbour was not shut.")
	for _, r := range ranked {
		fmt.Printf("%.0f = %.0f + %.0f  %s\n", r.Score, *r.Previous, *r.Next, r.Candidate)
	}
	// Output:
	// -6 = -2 + -4  But the pilots still crossed the frozen harbour in December.
	// -10 = -5 + -5  But the bishop loved music.
}

// What the scorer gets: previous | before [candidate] after | next.
func TestSpec7TheFilledSentenceIsFoundByThePositionOfTheMask(t *testing.T) {
	for name, c := range map[string]struct{ passage, mask, candidate, want string }{
		"a sentence": {"One came. M Two left. Three sat.", "M", "But Mr. Gray stayed.",
			"One came. | [But Mr. Gray stayed.] | Two left."},
		"a candidate of two sentences": {"One came. M Two left.", "M", "But why? Nobody knew.",
			"One came. | [But why? Nobody knew.] | Two left."},
		"a candidate without final punctuation": {"One came. M Two left.", "M", "But he stayed at St",
			"One came. | [But he stayed at St] | Two left."},
		"a clause before its full stop": {"One came. Two left, M. Three sat.", "M", "because they were ill",
			"One came. | Two left, [because they were ill]. | Three sat."},
		"a clause that includes its full stop": {"One came. Two left; M Three sat.", "M", "for they were ill.",
			"One came. | Two left; [for they were ill.] | Three sat."},
		"a clause before a question mark": {"One came. Did two leave, M? Three sat.", "M", "as Mr. Gray said",
			"One came. | Did two leave, [as Mr. Gray said]? | Three sat."},
		"a clause in the last sentence": {"One came. Two left, M.", "M", "because they were ill",
			"One came. | Two left, [because they were ill]. | "},
		"a clause in the first sentence": {"Two left, M. Three sat.", "M", "because they were ill",
			" | Two left, [because they were ill]. | Three sat."},
		"a sentence after quoted speech": {"“One came.” M Two left.", "M", "But he stayed.",
			"“One came.” | [But he stayed.] | Two left."},
		"a candidate that contains words of the passage": {"One came. M One came.", "M", "One came and went.",
			"One came. | [One came and went.] | One came."},
		"a sentence after a heading": {"THE STORM " + contrast + " Two left.", contrast, "But one stayed.",
			"THE STORM | [But one stayed.] | Two left."},
		"a clause that the specification's list calls a sentence": {
			"One came. Two left, [masked sentence describing an inference or effect]. Three sat.",
			"[masked sentence describing an inference or effect]", "so that nobody saw them",
			"One came. | Two left, [so that nobody saw them]. | Three sat."},
	} {
		t.Run(name, func(t *testing.T) {
			setting, err := findSetting(c.passage, c.mask)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%s | %s[%s]%s | %s", setting.previous, setting.before, c.candidate, setting.after, setting.next)
			if got != c.want {
				t.Errorf("the scorer gets\n\t%s\nwant\n\t%s", got, c.want)
			}
		})
	}
}

func TestOneNeighbourIsEnough(t *testing.T) {
	ranked, err := Rank(context.Background(), &overlap{}, "The harbour froze. M", "M", []string{"But the harbour thawed."}, "")
	if err != nil || len(ranked) != 1 || ranked[0].Previous == nil || ranked[0].Next != nil || ranked[0].Score != *ranked[0].Previous {
		t.Errorf("got %+v, %v", ranked, err)
	}
}

func TestGroundTruthAndDuplicatesAreLeftOut(t *testing.T) {
	ranked, err := Rank(context.Background(), &overlap{}, "One came. M Two left.", "M",
		[]string{"But he stayed.", "“But he  stayed”", "Yet it rained.", "YET it rained!", "", "Still, it held."}, "But he stayed.")
	if err != nil || len(ranked) != 2 || ranked[0].Candidate != "Yet it rained." || ranked[1].Index != 5 {
		t.Errorf("got %+v, %v", ranked, err)
	}
}

func TestEqualCandidatesKeepTheirOrder(t *testing.T) {
	ranked, err := Rank(context.Background(), &overlap{}, "One came. M Two left.", "M", []string{"c c", "a a", "b b"}, "")
	if err != nil || ranked[0].Candidate+ranked[1].Candidate+ranked[2].Candidate != "c ca ab b" {
		t.Errorf("got %+v, %v", ranked, err)
	}
}

// A broken scorer returns the given values.
type broken struct {
	scores []float64
	err    error
}

func (b broken) Score(context.Context, []verbatim.Pair) ([]float64, error) { return b.scores, b.err }

func TestRankErrors(t *testing.T) {
	missing := errors.New("the model file is missing")
	for name, c := range map[string]struct {
		passage, mask string
		scorer        verbatim.Scorer
		want          string
	}{
		"no mask":           {"One came.", "M", &overlap{}, `"M" is not in the passage`},
		"empty mask":        {"One came.", "", &overlap{}, "the mask is empty"},
		"two masks":         {"M came. M left.", "M", &overlap{}, "more than once"},
		"only a mask":       {"M", "M", &overlap{}, "longer passage"},
		"scorer fails":      {"One came. M", "M", broken{err: missing}, "the model file is missing"},
		"too few scores":    {"One came. M", "M", broken{}, "0 scores for 1 pairs"},
		"not a probability": {"One came. M", "M", broken{scores: []float64{math.NaN()}}, "must be finite"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Rank(context.Background(), c.scorer, c.passage, c.mask, []string{"But he stayed."}, "")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
