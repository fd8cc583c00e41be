package distractor

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
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
