// Package schema checks decoded JSON against a JSON Schema, offline, and says
// in one plain sentence what is wrong.
package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// A Schema is a compiled JSON Schema. It is safe for concurrent use.
type Schema struct{ compiled *jsonschema.Schema }

// Compile reads a JSON Schema, of draft 2020-12 unless it names another. It
// fetches nothing: every $ref must point into the schema itself.
func Compile(text []byte) (*Schema, error) {
	const name = "urn:verbatim:schema"
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("the schema is not valid JSON: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(offline{})
	if err := compiler.AddResource(name, document); err != nil {
		return nil, fmt.Errorf("the schema cannot be used: %w", err)
	}
	compiled, err := compiler.Compile(name)
	if invalid := (*jsonschema.SchemaValidationError)(nil); errors.As(err, &invalid) {
		if what := sentence(invalid.Err, "the schema"); what != "" {
			return nil, fmt.Errorf("this is not a JSON Schema: %s", what)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("this is not a JSON Schema: %w", err)
	}
	return &Schema{compiled}, nil
}

// offline rejects a schema that would have to be fetched.
type offline struct{}

func (offline) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is another document, and nothing is fetched; put it under $defs of this schema", url)
}

// Check says what is wrong with a value that encoding/json decoded into an any,
// or nothing. whole is what to call the value itself: "the answer". The sentence
// names fields and what the schema allows. Of several mistakes it is always the
// same one: the outermost, and among those the first in alphabetical order.
func (s *Schema) Check(value any, whole string) string {
	return sentence(s.compiled.Validate(value), whole)
}

func sentence(err error, whole string) string {
	invalid := (*jsonschema.ValidationError)(nil)
	if !errors.As(err, &invalid) {
		return ""
	}
	// The library visits the fields of an object in random order.
	first := slices.MinFunc(causes(invalid), func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(slices.Compare(a.InstanceLocation, b.InstanceLocation), rank(a)-rank(b), strings.Compare(what(a), what(b)))
	})
	return place(first.InstanceLocation, whole) + " " + what(first)
}

// causes are the errors at the ends of the tree. The branches of an anyOf or a
// oneOf are left out: which of them was meant is unknown.
func causes(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return []*jsonschema.ValidationError{e}
	}
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		all = append(all, causes(cause)...)
	}
	return all
}

// rank puts a missing field before an unknown one: often one is the other,
// misspelled, and the schema's name for it says more.
func rank(e *jsonschema.ValidationError) int {
	if _, missing := e.ErrorKind.(*kind.Required); missing {
		return 0
	}
	return 1
}

func place(at []string, whole string) string {
	if len(at) == 0 {
		return whole
	}
	return fmt.Sprintf("%q", strings.Join(at, "."))
}

func what(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return "has no field " + list(k.Missing)
	case *kind.AdditionalProperties:
		return "has a field that is not allowed: " + list(k.Properties)
	case *kind.Type:
		return fmt.Sprintf("is of type %s; it must be %s", k.Got, strings.Join(k.Want, " or "))
	case *kind.Enum:
		return "is not one of " + list(k.Want)
	case *kind.Const:
		return "is not " + list([]any{k.Want})
	case *kind.AnyOf, *kind.OneOf:
		return "has none of the allowed forms"
	case *kind.MinLength:
		return fmt.Sprintf("has %d characters; the schema asks for at least %d", k.Got, k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("has %d characters; the schema allows %d", k.Got, k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("has %d items; the schema asks for at least %d", k.Got, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("has %d items; the schema allows %d", k.Got, k.Want)
	case *kind.Minimum:
		return "is less than " + decimal(k.Want)
	case *kind.Maximum:
		return "is more than " + decimal(k.Want)
	default:
		return fmt.Sprintf("does not meet the schema's condition %q", strings.Join(k.KeywordPath(), "/"))
	}
}

func decimal(number *big.Rat) string {
	value, _ := number.Float64()
	return fmt.Sprint(value)
}

// list writes values as JSON, in a fixed order if they are names of fields.
func list[T any](values []T) string {
	if names, is := any(values).([]string); is {
		slices.Sort(names)
	}
	var texts []string
	for _, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			text = fmt.Appendf(nil, "%v", value)
		}
		texts = append(texts, string(text))
	}
	return strings.Join(texts, ", ")
}
