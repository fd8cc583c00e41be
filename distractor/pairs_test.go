package distractor

import (
	"context"
	"slices"
	"testing"
)

func TestHalfAPairIsSeen(t *testing.T) {
	for text, want := range map[string]bool{
		`but he said no`:                              false,
		`but he said "no"`:                            false,
		`but he said "no`:                             true,
		`But I will not go."`:                         true,
		"“But I will not go.":                         true,
		"“But,” he said, “I will not go.”":            false,
		"but he said no”":                             true,
		"but ”no“ he said":                            true,
		"'But I will not go.":                         true,
		"‘But I will not go.’":                        false,
		"But I will not go,' he said.":                true,
		"but 'twas late, and the dogs' tails hung":    false,
		"but ’twas late, and he’d no o’clock to tell": false,
		"for 'tis the men's own affair":               false,
		"for they called it 'the mill' then":          false,
		"for (as he said) it was late":                false,
		"for as he said) it was late":                 true,
		"for it was late [and dark":                   true,
	} {
		if got := usual.HalfPair(text); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// An answer with half a pair of quotation marks is never offered, not even when
// nothing else is left.
func TestHalfAQuotationIsNeverOffered(t *testing.T) {
	r := sentenceRequest()
	r.Types, r.Ranking = []string{"same_book", "same_book"}, 10
	r.Candidates = []string{"“But the wind rose in the night.", "But tea was served at five."}
	answers, err := (&Generator{Scorer: &overlap{}}).Make(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{r.GroundTruth, r.Candidates[1]}; !slices.Equal(answers.Strings, want) {
		t.Errorf("the answers are %q, want %q", answers.Strings, want)
	}
	if len(answers.Ranking) != 1 || len(answers.Failed) != 1 {
		t.Errorf("the ranking is %v, failed %v; want one of each", answers.Ranking, answers.Failed)
	}
}
