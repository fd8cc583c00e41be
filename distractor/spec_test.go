package distractor

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// The prompts of the specification, with the ground truth of its example.
const specNegationSentence = `You are transforming sentences by reversing one aspect of their meaning. In doing this you try to change as little as possible, but also strive to produce idiomatic prose. This means that you will not simply add 'not' if it's possible to reverse the meaning more elegantly and idiomatically by substituting different words. For instance:

original sentence: As a result, the judge condemned him and sentenced him to die that day.

negation: As a result, the judge exonerated him and released him that day.

original sentence: But for our present purpose, we may assert also the inherent unity of each self, even though this be hidden by its forms.

negation: But for our present purpose, we may assert that also that the inherent unity of each self is hidden by its forms.

original sentence: {ground_truth_answer}
negation:`

const specNegationClause = `You are transforming clauses by reversing one aspect of their meaning. In doing this you try to change as little as possible, but also strive to produce idiomatic prose. This means that you will not simply add 'not' if it's possible to reverse the meaning more elegantly and idiomatically by substituting different words. For instance:

original clause: because its sides are so steep that a stone will slide down.

negation: because its sides slope so gently that stones never slide.

original clause: provided that the funds are sufficient to cover costs.

negation: provided that the funds fail to cover costs.

original clause: {ground_truth_answer}
negation:`

func TestSpecNegationPrompts(t *testing.T) {
	r := sentenceRequest()
	if got, want := standard.negation(&r), strings.Replace(specNegationSentence, "{ground_truth_answer}", r.GroundTruth, 1); got != want {
		t.Errorf("sentence: got\n%s\nwant\n%s", got, want)
	}
	r = clauseRequest()
	if got, want := standard.negation(&r), strings.Replace(specNegationClause, "{ground_truth_answer}", r.GroundTruth, 1); got != want {
		t.Errorf("clause: got\n%s\nwant\n%s", got, want)
	}
}

// The negations that the specification gives as examples are accepted as they
// are.
func TestSpecExampleNegations(t *testing.T) {
	for _, c := range []struct{ truth, negation, kind string }{
		{"As a result, the judge condemned him and sentenced him to die that day.", "As a result, the judge exonerated him and released him that day.", "sentence"},
		{"But for our present purpose, we may assert also the inherent unity of each self, even though this be hidden by its forms.",
			"But for our present purpose, we may assert that also that the inherent unity of each self is hidden by its forms.", "sentence"},
		{"because its sides are so steep that a stone will slide down", "because its sides slope so gently that stones never slide", "clause"},
		{"provided that the funds are sufficient to cover costs", "provided that the funds fail to cover costs", "clause"},
	} {
		r := sentenceRequest()
		r.GroundTruth, r.AnswerType = c.truth, c.kind
		came := c.negation
		if c.kind == "clause" {
			came += "." // as the prompt shows it
		}
		if got, rejected := standard.shape(came, &r); got != c.negation || rejected != "" {
			t.Errorf("%q became %q, rejected: %s", came, got, rejected)
		}
	}
}

// The types that the specification names are understood and written as it
// writes them; its misspelling is understood only.
func TestSpecDistractorTypes(t *testing.T) {
	list := []string{"negation", "same_book", "same_book", "anachronistic_mistral-small:24b", "anachronistic_gpt-oss:20b"}
	if !slices.Equal(DefaultTypes, list) {
		t.Errorf("the default list is %v", DefaultTypes)
	}
	for name, want := range map[string]string{
		"negation": "negation", "same_book": "same_book",
		"anachronistic_mistral-small:24b":              "anachronistic_mistral-small:24b",
		"anchronistic_mistral-small:24b":               "anachronistic_mistral-small:24b",
		"anachronistic_gpt-oss:20b":                    "anachronistic_gpt-oss:20b",
		"anachronistic_qwen2.5:7b-instruct":            "anachronistic_qwen2.5:7b-instruct",
		"anachronistic_metadataless_mistral-small:24b": "anachronistic_metadataless_mistral-small:24b",
		"anachronistic_metadataless_gpt-oss:20b":       "anachronistic_metadataless_gpt-oss:20b",
	} {
		typ, err := ParseType(name)
		if err != nil || typ.String() != want || typ.Metadataless != strings.Contains(name, "metadataless") {
			t.Errorf("%s is %+v, %q (%v)", name, typ, typ, err)
		}
	}
}

// "(about 42 words)" comes between the last word of the prompt and its colon.
func TestSpecLengthInThePrompt(t *testing.T) {
	r := sentenceRequest()
	r.Prompt = "Write a sentence appropriate for this book that could stand in the position marked by [masked sentence describing a tension or contrast]:"
	if got := standard.anachronistic(&r, Type{}, 42); !strings.HasSuffix(got, "marked by [masked sentence describing a tension or contrast] (about 42 words):") {
		t.Errorf("the prompt ends in %q", got[max(0, len(got)-80):])
	}
}

// A request in JSON has the inputs that the specification lists; they reach the
// models, and the list of types says how many answers are made, of which kinds
// and by which models.
func TestSpecGeneratorInputs(t *testing.T) {
	var r Request
	if err := json.Unmarshal([]byte(`{"metadata_prefix": "PREFIX.", "passage": "The wind rose. M The pilot slept.", "prompt": "Write a sentence:",
		"mask": "M", "answer_type": "sentence", "ground_truth": "But the ferry lay still.", "candidates": ["But the wind fell.", "Yet the pilot woke.", "But tea was served."],
		"types": ["same_book", "anachronistic_one", "same_book", "negation", "anachronistic_metadataless_two"]}`), &r); err != nil {
		t.Fatal(err)
	}
	model := &parrot{say: fluent}
	a, err := (&Generator{Chat: model, Scorer: &overlap{}, Negator: "three"}).Make(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Types, append([]string{"ground_truth"}, r.Types...)) || len(a.Strings) != len(a.Types) || len(a.Probabilities) != len(a.Types) {
		t.Errorf("the list of types gives %q, %v", a.Types, a.Probabilities)
	}
	if a.Strings[0] != r.GroundTruth || !slices.Contains(r.Candidates, a.Strings[1]) || !slices.Contains(r.Candidates, a.Strings[3]) {
		t.Errorf("the ground truth is not first, or a same_book answer is no candidate: %q", a.Strings)
	}
	for name, want := range map[string]string{
		"one":   "PREFIX.\n\nThe wind rose. M The pilot slept.\n\nWrite a sentence:",
		"two":   "The wind rose. M The pilot slept.\n\nWrite a sentence:",
		"three": standard.negation(&r),
	} {
		if got := model.prompts(name); !slices.Equal(got, []string{want}) {
			t.Errorf("model %s is asked %q, want %q", name, got, want)
		}
	}
	r.AnswerType = "paragraph"
	if r.Check() == nil {
		t.Error("an answer is a sentence or a clause, and nothing else")
	}
}

// gap scores a pair by a number that its second sentence, or its first, holds.
type gap struct{}

func (gap) Score(_ context.Context, pairs []verbatim.Pair) ([]float64, error) {
	scores := make([]float64, len(pairs))
	for i, p := range pairs {
		if n, _ := fmt.Sscanf(p.Second, "Number %g", &scores[i]); n == 0 {
			fmt.Sscanf(p.First, "Number %g", &scores[i])
		}
	}
	return scores, nil
}

// The two probabilities are multiplied as logarithms, so that the smallest do
// not vanish: exp(-1600) is 0 as a number. The ranking keeps them all and is in
// their order; the n best are returned.
func TestSpec7ProbabilitiesAreMultiplied(t *testing.T) {
	r := sentenceRequest()
	r.Candidates = []string{"Number -900 came.", "Number -801 came.", "Number -800 came.", "Number -3 came."}
	r.Types = []string{"same_book", "same_book"}
	r.Ranking = 9
	a, err := (&Generator{Scorer: gap{}}).Make(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{r.GroundTruth, "Number -3 came.", "Number -800 came."}; !slices.Equal(a.Strings, want) {
		t.Errorf("the 2 best are %q, want %q", a.Strings, want)
	}
	var scores []float64
	for _, ranked := range a.Ranking {
		if ranked.Score != *ranked.Previous+*ranked.Next || math.IsInf(ranked.Score, 0) {
			t.Errorf("%s: %g is not the product of %g and %g", ranked.Candidate, ranked.Score, *ranked.Previous, *ranked.Next)
		}
		scores = append(scores, ranked.Score)
	}
	if !slices.Equal(scores, []float64{-6, -1600, -1602, -1800}) {
		t.Errorf("the probabilities of all candidates are %v", scores)
	}
}

// Not fewer than half the words of the ground truth and not more than twice as
// many: of 8 words, 4 to 16. Otherwise the model is asked once more, with the
// length before the final colon of the prompt.
func TestSpec10LengthLimits(t *testing.T) {
	answer := func(words int) string { return "But" + strings.Repeat(" no", words-1) + "." }
	for _, c := range []struct{ first, second, calls int }{{4, 8, 1}, {8, 8, 1}, {16, 8, 1}, {3, 8, 2}, {17, 8, 2}, {3, 17, 2}, {17, 3, 2}} {
		model := &parrot{say: func(_ verbatim.Prompt, n int) (string, error) { return answer([]int{c.first, c.second}[n]), nil }}
		r := sentenceRequest()
		r.Types = []string{"anachronistic_m"}
		a, err := (&Generator{Chat: model}).Make(t.Context(), r)
		asked := model.prompts("m")
		if err != nil || len(asked) != c.calls {
			t.Fatalf("%d words for 8: asked %d times, want %d (%v)", c.first, len(asked), c.calls, err)
		}
		if c.calls == 2 && asked[1] != strings.TrimSuffix(asked[0], ":")+" (about 8 words):" {
			t.Errorf("the second prompt has no length before its colon: %q", asked[1])
		}
		want := []string{r.GroundTruth, answer([]int{c.first, c.second}[c.calls-1])}
		if c.calls == 2 && c.second != 8 {
			want = want[:1]
		}
		if !slices.Equal(a.Strings, want) {
			t.Errorf("%d and %d words for 8 give %q", c.first, c.second, a.Strings)
		}
	}
}
