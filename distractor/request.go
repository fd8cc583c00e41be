package distractor

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"verbatim"
)

// A Request asks for wrong answers to one masked passage.
type Request struct {
	ID             string   `json:"id,omitempty"`
	MetadataPrefix string   `json:"metadata_prefix,omitempty"`
	Passage        string   `json:"passage"`
	Prompt         string   `json:"prompt"`
	Mask           string   `json:"mask"`
	GroundTruth    string   `json:"ground_truth"`
	AnswerType     string   `json:"answer_type"` // sentence or clause
	Candidates     []string `json:"candidates,omitempty"`
	Exclude        []string `json:"exclude,omitempty"` // answers that must not be used
	Types          []string `json:"types,omitempty"`   // DefaultTypes if empty
	Seed           int      `json:"seed,omitempty"`
	Ranking        int      `json:"ranking,omitempty"` // how many ranked candidates to return

	// For a batch of several books: the book's model, prompts and negator. If empty,
	// the Generator's.
	Chat    verbatim.ChatModel `json:"-"`
	Prompts *Prompts           `json:"-"`
	Negator string             `json:"-"`
}

// Answers are three lists of equal length, the ground truth first.
type Answers struct {
	ID            string        `json:"id,omitempty"`
	Strings       []string      `json:"answer_strings"`
	Types         []string      `json:"answer_types"`
	Probabilities []Probability `json:"answer_probabilities"`
	Failed        []Failure     `json:"failed,omitempty"`
	Ranking       []Ranked      `json:"ranking,omitempty"`
	Error         string        `json:"error,omitempty"` // the request could not be answered
}

// A Probability is 1.0 for the ground truth and 0.0 for a wrong answer.
type Probability float64

// MarshalJSON writes 1.0, not 1, as in the benchmark's files.
func (p Probability) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%.1f", float64(p)), nil }

// A Failure is a requested distractor that could not be made.
type Failure struct {
	Type   string `json:"type"`
	Reason string `json:"reason"`
}

// RequestSchema is the JSON Schema of a Request.
//
//go:embed schema/request.schema.json
var RequestSchema string

// AnswersSchema is the JSON Schema of Answers.
//
//go:embed schema/answers.schema.json
var AnswersSchema string

// UnmarshalJSON rejects unknown fields: a misspelled `types` would otherwise mean
// the default list.
func (r *Request) UnmarshalJSON(text []byte) error {
	type plain Request
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode((*plain)(r)); err != nil {
		if name, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
			return fmt.Errorf("a request has no field %s; the fields are: id, metadata_prefix, passage, prompt, mask, ground_truth, answer_type, candidates, exclude, types, seed, ranking", name)
		}
		return err
	}
	return nil
}

// Check says what is wrong with a request, or nothing.
func (r *Request) Check() error {
	for _, field := range []struct{ name, value string }{{"passage", r.Passage}, {"prompt", r.Prompt}, {"ground_truth", r.GroundTruth}} {
		if strings.TrimSpace(field.value) == "" {
			return fmt.Errorf("the request has no %s", field.name)
		}
	}
	if r.AnswerType != "sentence" && r.AnswerType != "clause" {
		return fmt.Errorf(`answer_type is %q; it must be "sentence" or "clause"`, r.AnswerType)
	}
	for _, name := range r.Types {
		if _, err := ParseType(name); err != nil {
			return err
		}
	}
	_, _, err := cutMask(r.Passage, r.Mask)
	return err
}

func (r *Request) clause() bool { return r.AnswerType == "clause" }
