package distractor

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// DefaultTypes are the distractors of a question by default.
var DefaultTypes = []string{"negation", "same_book", "same_book", "anachronistic_mistral-small:24b", "anachronistic_gpt-oss:20b"}

// A Type is the parsed name of a kind of distractor.
type Type struct {
	Kind         string // negation, same_book or anachronistic
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
	if name == "negation" || name == "same_book" {
		return Type{Kind: name}, nil
	}
	rest, found := strings.CutPrefix(name, anachronistic)
	if !found {
		rest, found = strings.CutPrefix(name, misspelled)
	}
	model, bare := strings.CutPrefix(rest, metadataless)
	if !found || model == "" {
		return Type{}, fmt.Errorf("%q is not a type of distractor; use negation, same_book, anachronistic_MODEL or anachronistic_metadataless_MODEL", name)
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

// types are the request's types. If it asks for anachronistic ones and none is
// metadataless, exactly one becomes metadataless.
func (r *Request) types() ([]Type, error) {
	names := r.Types
	if len(names) == 0 {
		names = DefaultTypes
	}
	var types []Type
	var models []int // indexes of the anachronistic ones
	for i, name := range names {
		t, err := ParseType(name)
		if err != nil {
			return nil, err
		}
		if t.Kind == "anachronistic" {
			models = append(models, i)
		}
		types = append(types, t)
	}
	given := slices.ContainsFunc(types, func(t Type) bool { return t.Metadataless })
	if len(models) > 0 && !given {
		// The choice depends on nothing but the seed and the question.
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00metadataless", r.Seed, r.ID, r.GroundTruth))
		types[models[binary.BigEndian.Uint64(sum[:])%uint64(len(models))]].Metadataless = true
	}
	return types, nil
}
