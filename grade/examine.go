package grade

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"verbatim"
)

// A problem is one thing that is wrong with a line. It names fields but never
// quotes their values, which may be private.
type problem struct {
	item   int // from 1; 0 for the line itself
	field  string
	column int
	what   string
	remedy string
}

func (f problem) at(file string, line int) *verbatim.LineError {
	what := f.what
	if f.item > 0 {
		what = fmt.Sprintf("item %d: %s", f.item, what)
	}
	return &verbatim.LineError{File: file, Line: line, Column: f.column, What: what, Remedy: f.remedy}
}

// examine is the full reader: it lists everything that is wrong with a line of
// items and reads what it can. readable is false if it can read nothing.
func (s *Schema) examine(line string, rec *record) (problems []problem, readable bool) {
	rec.reset()
	object, wrong := parseObject(line, func(l level, name string) bool {
		return l == aLine && (name == "journal_id" || name == "items") || l == anItem && s.known(name) >= 0
	})
	if wrong != nil {
		return []problem{*wrong}, false
	}
	id, wrong := textOf(object, "journal_id", 0)
	if wrong != nil {
		return []problem{*wrong}, false
	}
	rec.id = id
	items, isList := object["items"].([]any)
	if !isList {
		return []problem{wrongType(object, "items", 0, "a list")}, false
	}
	for i, value := range items {
		it, values := rec.add(len(s.Attributes))
		problems = append(problems, s.examineItem(value, i+1, it, values)...)
	}
	found := problemsOf(s.validator.Validate(object))
	// The validator visits the fields of an object in random order.
	slices.SortStableFunc(found, func(a, b problem) int {
		return cmp.Or(a.item-b.item, strings.Compare(a.field, b.field), strings.Compare(a.what, b.what))
	})
	for _, f := range found {
		known := func(g problem) bool { return g.item == f.item && g.field == f.field }
		if slices.ContainsFunc(problems, known) {
			continue
		}
		problems = append(problems, f)
		if f.item > 0 && f.item <= len(rec.items) && (f.field == "evidence_span" || f.field == "domain") {
			rec.items[f.item-1].domain = badDomain
		}
	}
	slices.SortStableFunc(problems, func(a, b problem) int { return a.item - b.item })
	return problems, true
}

func (s *Schema) examineItem(value any, number int, it *item, values []int8) (problems []problem) {
	object, ok := value.(map[string]any)
	if !ok {
		return []problem{{item: number, what: "the item is of type " + typeOf(value), remedy: "it must be an object"}}
	}
	domain, wrong := textOf(object, "domain", number)
	if i := slices.Index(s.Domains, domain); wrong == nil && i >= 0 {
		it.domain = int32(i)
	} else if wrong == nil {
		wrong = &problem{item: number, field: "domain", what: "domain is not one of " + strings.Join(s.Domains, ", ")}
	}
	if wrong != nil {
		problems = append(problems, *wrong)
	}
	if it.span, wrong = textOf(object, "evidence_span", number); wrong == nil && !it.hasSpan() {
		wrong = &problem{item: number, field: "evidence_span", what: "evidence_span is blank"}
	}
	if wrong != nil {
		problems = append(problems, *wrong)
	}
	for i, attribute := range s.Attributes {
		if value, given := object[attribute.Name]; given {
			text, ok := value.(string)
			if values[i] = attribute.code(text); !ok || values[i] == badValue {
				values[i] = badValue
				problems = append(problems, problem{item: number, field: attribute.Name,
					what: fmt.Sprintf("%s is not one of %s", attribute.Name, strings.Join(attribute.Values, ", "))})
			}
		}
	}
	for i, name := range placeFields {
		if number, ok := object[name].(json.Number); ok {
			if n, err := strconv.Atoi(number.String()); err == nil && n >= 0 && n < 1e9 {
				it.place[i] = n
			}
		}
	}
	return problems
}

// problemsOf lists what the validator found.
func problemsOf(err error) (problems []problem) {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return nil
	}
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			problems = append(problems, problemsOf(cause)...)
		}
		return problems
	}
	var f problem
	place := e.InstanceLocation
	if len(place) > 1 && place[0] == "items" {
		n, _ := strconv.Atoi(place[1])
		f.item, place = n+1, place[2:]
	}
	if len(place) > 0 {
		f.field = place[0]
	}
	name := strings.Join(place, ".")
	if name == "" {
		name = "the line"
		if f.item > 0 {
			name = "the item"
		}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, field := range k.Missing {
			problems = append(problems, missing(field, f.item))
		}
		return problems
	case *kind.Type:
		f.what, f.remedy = name+" is of type "+k.Got, "it must be "+strings.Join(k.Want, " or ")
	case *kind.Enum:
		var values []string
		for _, v := range k.Want {
			values = append(values, fmt.Sprint(v))
		}
		f.what = name + " is not one of " + strings.Join(values, ", ")
	default: // the library's own message may quote the value
		f.what = fmt.Sprintf("%s does not satisfy %q in the schema", name, strings.Join(k.KeywordPath(), "/"))
	}
	return []problem{f}
}

func missing(field string, item int) problem {
	return problem{item: item, field: field, what: fmt.Sprintf("field %q is missing", field)}
}

// textOf returns a required string field, which must not be empty.
func textOf(object map[string]any, field string, item int) (string, *problem) {
	value, ok := object[field].(string)
	if ok && value != "" {
		return value, nil
	}
	f := wrongType(object, field, item, "a string")
	if ok {
		f.what, f.remedy = field+" is empty", ""
	}
	return "", &f
}

func wrongType(object map[string]any, field string, item int, want string) problem {
	value, given := object[field]
	if !given {
		return missing(field, item)
	}
	return problem{item: item, field: field, what: field + " is of type " + typeOf(value), remedy: "it must be " + want}
}

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "list"
	default:
		return "object"
	}
}

// examineJournal is the full reader for a line of a journals file.
func examineJournal(line string) (id, text string, problems []problem) {
	object, wrong := parseObject(line, func(l level, name string) bool {
		return l == aLine && (name == "journal_id" || name == "text")
	})
	if wrong != nil {
		return "", "", []problem{*wrong}
	}
	if id, wrong = textOf(object, "journal_id", 0); wrong != nil {
		problems = append(problems, *wrong)
	}
	text, ok := object["text"].(string)
	if !ok {
		problems = append(problems, wrongType(object, "text", 0, "a string"))
	}
	return id, text, problems
}

// A level is where in a line a value is.
type level int

const (
	aLine    level = iota
	theItems       // the list
	anItem
	elsewhere
)

// parseObject reads one JSON object. A duplicate field is a problem if counts
// says so: JSON readers disagree about which of the two to take.
func parseObject(line string, counts func(level, string) bool) (map[string]any, *problem) {
	raw, err := verbatim.Decode[json.RawMessage](verbatim.Line{Text: []byte(line)})
	if bad := (*verbatim.LineError)(nil); errors.As(err, &bad) {
		if utf8.ValidString(line) {
			bad.What, bad.Remedy = "not valid JSON", "each line must contain one complete JSON object"
		}
		return nil, &problem{column: bad.Column, what: bad.What, remedy: bad.Remedy}
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	value, wrong := parseValue(dec, aLine, counts)
	if wrong != nil {
		return nil, wrong
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, &problem{what: "the line is of type " + typeOf(value), remedy: "it must be an object"}
	}
	return object, nil
}

// parseValue reads the next value of valid JSON.
func parseValue(dec *json.Decoder, at level, counts func(level, string) bool) (any, *problem) {
	token, err := dec.Token()
	if err != nil {
		return nil, &problem{what: "not valid JSON"} // err may quote the text
	}
	isObject := token == json.Delim('{')
	if !isObject && token != json.Delim('[') {
		return token, nil
	}
	list, object := []any{}, map[string]any{}
	for dec.More() {
		name, inner := "", elsewhere
		if isObject {
			key, _ := dec.Token()
			name, _ = key.(string)
			if _, twice := object[name]; twice && counts(at, name) {
				return nil, &problem{field: name, what: fmt.Sprintf("field %q occurs twice in one object", name), remedy: "keep one"}
			}
		}
		switch {
		case at == aLine && name == "items":
			inner = theItems
		case at == theItems && !isObject:
			inner = anItem
		}
		value, wrong := parseValue(dec, inner, counts)
		if wrong != nil {
			return nil, wrong
		}
		if isObject {
			object[name] = value
		} else {
			list = append(list, value)
		}
	}
	_, _ = dec.Token()
	if isObject {
		return object, nil
	}
	return list, nil
}
