package distractor

import (
	"slices"
	"strings"
	"testing"
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
