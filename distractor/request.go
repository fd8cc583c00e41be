package distractor

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
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

	// RankTruth asks for the score of the ground truth among the candidates.
	RankTruth bool `json:"-"`
	// Offered are the wrong answers that the question has already: a twin may
	// negate one of them, and if DrawLength is set, a written answer gets the length
	// of a drawn one or of the ground truth. Draw, between 0 and 1, draws the twin's
	// base; 0: the request itself does.
	Offered    []string `json:"-"`
	DrawLength bool     `json:"-"`
	Draw       float64  `json:"-"`

	// For a batch of several books: the book's model, prompts and negator. If empty,
	// the Generator's.
	Chat    verbatim.ChatModel `json:"-"`
	Prompts *Prompts           `json:"-"`
	Negator string             `json:"-"`

	// What is known about the candidates and the place of the mask. Without it, the
	// candidates are judged by their text and the passage.
	Details []Detail            `json:"-"` // of each candidate, or empty
	Around  string              `json:"-"` // the text of the pages around the passage
	Known   func(w string) bool `json:"-"` // whether a word that the period does not know belongs to the book
	Lures   *Lures              `json:"-"` // the built-in ones if nil
	Memory  *Memory             `json:"-"` // shared by the requests of a book, to save time; may be nil
}

// Answers are three lists of equal length, the ground truth first.
type Answers struct {
	ID            string        `json:"id,omitempty"`
	Strings       []string      `json:"answer_strings"`
	Types         []string      `json:"answer_types"`
	Probabilities []Probability `json:"answer_probabilities"`
	Failed        []Failure     `json:"failed,omitempty"`
	Ranking       []Ranked      `json:"ranking,omitempty"`
	Truth         *Ranked       `json:"-"`                   // the ground truth, if the request asks for its score
	SetAside      []Aside       `json:"set_aside,omitempty"` // candidates that were not ranked, if a ranking was asked for
	Error         string        `json:"error,omitempty"`     // the request could not be answered
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

// DefaultTypes are the distractors of a question by default.
var DefaultTypes = []string{"negation", "same_book", "same_book", "anachronistic_mistral-small:24b", "anachronistic_gpt-oss:20b"}

// BalancedTypes are the default distractors of a question that must give nothing
// away: a twin of any option instead of the negation of the ground truth.
func BalancedTypes() []string {
	types := slices.Clone(DefaultTypes)
	for i, name := range types {
		if name == "negation" {
			types[i] = twin
		}
	}
	return types
}

// A Type is the parsed name of a kind of distractor.
type Type struct {
	Kind         string // negation, twin, same_book or anachronistic
	Model        string // the label of the model that writes it, if it is anachronistic
	Metadataless bool   // the model is not told which book it is
}

const (
	anachronistic = "anachronistic_"
	misspelled    = "anchronistic_" // in the specification: read, never written
	metadataless  = "metadataless_"
)

// ParseType reads a name such as anachronistic_metadataless_gpt-oss:20b.
func ParseType(name string) (Type, error) {
	if name == "negation" || name == twin || name == "same_book" {
		return Type{Kind: name}, nil
	}
	rest, found := strings.CutPrefix(name, anachronistic)
	if !found {
		rest, found = strings.CutPrefix(name, misspelled)
	}
	model, bare := strings.CutPrefix(rest, metadataless)
	if !found || model == "" {
		return Type{}, fmt.Errorf("%q is not a type of distractor; use negation, twin, same_book, anachronistic_MODEL or anachronistic_metadataless_MODEL", name)
	}
	return Type{Kind: "anachronistic", Model: model, Metadataless: bare}, nil
}

// String is the name of the type.
func (t Type) String() string {
	switch {
	case t.Kind != "anachronistic":
		return t.Kind
	case t.Metadataless:
		return anachronistic + metadataless + t.Model
	default:
		return anachronistic + t.Model
	}
}

// types are the request's types. Exactly one of the anachronistic ones is
// metadataless, drawn from those that the request names so, or else from all.
func (r *Request) types() ([]Type, error) {
	names := r.Types
	if len(names) == 0 {
		names = DefaultTypes
	}
	var types []Type
	var models, named []int // indexes of the anachronistic ones, and of the metadataless
	for i, name := range names {
		t, err := ParseType(name)
		if err != nil {
			return nil, err
		}
		if t.Kind == "anachronistic" {
			models = append(models, i)
		}
		if t.Metadataless {
			named = append(named, i)
		}
		types = append(types, t)
	}
	if len(named) > 0 {
		models = named
	}
	if len(models) > 0 {
		// The choice depends on nothing but the seed and the question.
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00metadataless", r.Seed, r.ID, r.GroundTruth))
		drawn := models[binary.BigEndian.Uint64(sum[:])%uint64(len(models))]
		for _, i := range models {
			types[i].Metadataless = i == drawn
		}
	}
	return types, nil
}
