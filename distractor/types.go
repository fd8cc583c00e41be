package distractor

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// DefaultTypes are the distractors of a question.
var DefaultTypes = []string{"negation", "same_book", "same_book", "anachronistic_mistral-small:24b", "anachronistic_gpt-oss:20b"}

// A Type is a kind of distractor, taken apart.
type Type struct {
	Kind         string // negation, same_book or anachronistic
	Model        string // the label of the model that writes it, if it is anachronistic
	Metadataless bool   // that model is not told what book it is
}

const (
	anachronistic = "anachronistic_"
	misspelt      = "anchronistic_" // of the specification: understood, never written
	metadataless  = "metadataless_"
)

// ParseType reads a name such as anachronistic_metadataless_gpt-oss:20b.
func ParseType(name string) (Type, error) {
	if name == "negation" || name == "same_book" {
		return Type{Kind: name}, nil
	}
	rest, found := strings.CutPrefix(name, anachronistic)
	if !found {
		rest, found = strings.CutPrefix(name, misspelt)
	}
	model, bare := strings.CutPrefix(rest, metadataless)
	if !found || model == "" {
		return Type{}, fmt.Errorf("%q is no type of distractor; there are negation, same_book, anachronistic_MODEL and anachronistic_metadataless_MODEL", name)
	}
	return Type{Kind: "anachronistic", Model: model, Metadataless: bare}, nil
}

// String is the name as it is written.
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

// types are the request's, with exactly one metadataless where anachronistic
// ones are asked for. A list that already holds one stays as given.
func (r *Request) types() ([]Type, error) {
	names := r.Types
	if len(names) == 0 {
		names = DefaultTypes
	}
	var types []Type
	var models []int // places of the anachronistic ones
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
		types[models[r.draw("metadataless", len(models))]].Metadataless = true
	}
	return types, nil
}

// draw is a number below n that depends on the seed, the question and what is
// drawn, so that no other draw can move it.
func (r *Request) draw(purpose string, n int) int {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%s", r.Seed, r.ID, r.GroundTruth, purpose))
	return int(binary.BigEndian.Uint64(sum[:]) % uint64(n))
}
