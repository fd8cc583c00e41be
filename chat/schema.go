package chat

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// A schema is the part of JSON Schema that our prompts use. Servers may ignore
// a schema, so every answer is held against it here; and a keyword that we
// could not hold an answer against is refused before the call.
type schema struct {
	Type                 string
	Enum                 []any
	Const                any
	Properties           map[string]*schema
	Required             []string
	AdditionalProperties *bool
	Items                *schema
	MinItems             *int
	MaxItems             *int
	MinLength            *int
	MaxLength            *int
	Minimum              *float64
	Maximum              *float64
	AnyOf                []*schema

	Schema      string `json:"$schema"`
	Title       string
	Description string
}

func parseSchema(text json.RawMessage) (*schema, error) {
	var s schema
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf("the schema of the answer cannot be used: %w", err)
	}
	return &s, s.check()
}

var types = []string{"", "object", "array", "string", "number", "integer", "boolean", "null"}

func (s *schema) check() error {
	if !slices.Contains(types, s.Type) {
		return fmt.Errorf("the schema of the answer names the type %q; there are only %s", s.Type, strings.Join(types[1:], ", "))
	}
	inner := slices.Clone(s.AnyOf)
	for _, property := range s.Properties {
		inner = append(inner, property)
	}
	if s.Items != nil {
		inner = append(inner, s.Items)
	}
	for _, i := range inner {
		if err := i.check(); err != nil {
			return err
		}
	}
	return nil
}

// checkSchema holds an answer against the schema that was asked for.
func (m *Model) checkSchema(r request, content string) *Error {
	if r.Schema == nil {
		return nil
	}
	s, err := parseSchema(r.Schema)
	if err != nil {
		return &Error{Kind: BadSchema, Model: m.Label, What: err.Error()}
	}
	var value any
	dec := json.NewDecoder(strings.NewReader(content))
	if err := dec.Decode(&value); err != nil {
		return &Error{Kind: BadJSON, Model: m.Label, What: "the answer is no JSON: " + err.Error(), Err: err}
	}
	if _, err := dec.Token(); err != io.EOF {
		return &Error{Kind: BadJSON, Model: m.Label, What: "more than one JSON value came"}
	}
	if what := s.mismatch("the answer", value); what != "" {
		return &Error{Kind: SchemaMismatch, Model: m.Label, What: what}
	}
	return nil
}

// mismatch says what is wrong with a value, or nothing.
func (s *schema) mismatch(place string, value any) string {
	if s.Type != "" && !isType(s.Type, value) {
		return fmt.Sprintf("%s is not of type %s", place, s.Type)
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(e any) bool { return reflect.DeepEqual(e, value) }) {
		return fmt.Sprintf("%s is none of the values asked for", place)
	}
	if s.Const != nil && !reflect.DeepEqual(s.Const, value) {
		return fmt.Sprintf("%s is not the value asked for", place)
	}
	if len(s.AnyOf) > 0 && !slices.ContainsFunc(s.AnyOf, func(a *schema) bool { return a.mismatch(place, value) == "" }) {
		return fmt.Sprintf("%s is none of the shapes asked for", place)
	}
	switch v := value.(type) {
	case map[string]any:
		return s.objectMismatch(place, v)
	case []any:
		return s.listMismatch(place, v)
	case string:
		n := utf8.RuneCountInString(v)
		if s.MinLength != nil && n < *s.MinLength || s.MaxLength != nil && n > *s.MaxLength {
			return fmt.Sprintf("%s has %d characters", place, n)
		}
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			return fmt.Sprintf("%s is %v", place, v)
		}
	}
	return ""
}

func (s *schema) objectMismatch(place string, object map[string]any) string {
	for _, name := range s.Required {
		if _, there := object[name]; !there {
			return fmt.Sprintf("%s lacks %q", place, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		property, known := s.Properties[name]
		switch {
		case known:
			if what := property.mismatch(fmt.Sprintf("%q", name), value); what != "" {
				return what
			}
		case s.AdditionalProperties != nil && !*s.AdditionalProperties:
			return fmt.Sprintf("%s has %q, which was not asked for", place, name)
		}
	}
	return ""
}

func (s *schema) listMismatch(place string, list []any) string {
	if s.MinItems != nil && len(list) < *s.MinItems || s.MaxItems != nil && len(list) > *s.MaxItems {
		return fmt.Sprintf("%s has %d items", place, len(list))
	}
	for i, value := range list {
		if s.Items == nil {
			break
		}
		if what := s.Items.mismatch(fmt.Sprintf("item %d of %s", i, place), value); what != "" {
			return what
		}
	}
	return ""
}

func isType(name string, value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return name == "object"
	case []any:
		return name == "array"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case nil:
		return name == "null"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	}
	return false
}
