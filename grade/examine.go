package grade

import (
	"bytes"
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

// A fault is one thing that is wrong with a line. It names fields and never
// quotes what stands in them, which may be a person's.
type fault struct {
	item   int // from 1; 0 where the line itself is meant
	field  string
	column int
	what   string
	remedy string
}

func (f fault) at(file string, line int) *verbatim.LineError {
	what := f.what
	if f.item > 0 {
		what = fmt.Sprintf("item %d: %s", f.item, what)
	}
	return &verbatim.LineError{File: file, Line: line, Column: f.column, What: what, Remedy: f.remedy}
}

// examine is the thorough reader: it says everything that is wrong with a line
// of items, and reads what can be read. It is false where nothing can.
func (s *Schema) examine(line string, rec *record) (faults []fault, readable bool) {
	rec.reset()
	object, wrong := parseObject(line, func(l level, name string) bool {
		return l == aLine && (name == "journal_id" || name == "items") || l == anItem && s.known(name) >= 0
	})
	if wrong != nil {
		return []fault{*wrong}, false
	}
	id, wrong := textOf(object, "journal_id", 0)
	if wrong != nil {
		return []fault{*wrong}, false
	}
	rec.id = id
	items, isList := object["items"].([]any)
	if !isList {
		return []fault{wrongType(object, "items", 0, "a list")}, false
	}
	for i, value := range items {
		it, values := rec.add(len(s.Attributes))
		faults = append(faults, s.examineItem(value, i+1, it, values)...)
	}
	for _, f := range s.validate(object) {
		known := func(g fault) bool { return g.item == f.item && g.field == f.field }
		if slices.ContainsFunc(faults, known) {
			continue
		}
		faults = append(faults, f)
		if f.item > 0 && f.item <= len(rec.items) && (f.field == "evidence_span" || f.field == "domain") {
			rec.items[f.item-1].domain = badDomain
		}
	}
	slices.SortStableFunc(faults, func(a, b fault) int { return a.item - b.item })
	return faults, true
}

func (s *Schema) examineItem(value any, number int, it *item, values []int8) (faults []fault) {
	object, ok := value.(map[string]any)
	if !ok {
		return []fault{{item: number, what: "it is of type " + typeOf(value), remedy: "an item must be an object"}}
	}
	domain, wrong := textOf(object, "domain", number)
	if i := slices.Index(s.Domains, domain); wrong == nil && i >= 0 {
		it.domain = int16(i)
	} else if wrong == nil {
		wrong = &fault{item: number, field: "domain", what: "domain is not one of " + strings.Join(s.Domains, ", ")}
	}
	if wrong != nil {
		faults = append(faults, *wrong)
	}
	if it.span, wrong = textOf(object, "evidence_span", number); wrong != nil {
		faults = append(faults, *wrong)
	}
	for i, attribute := range s.Attributes {
		if value, given := object[attribute.Name]; given {
			text, ok := value.(string)
			values[i] = attribute.code(text)
			if !ok {
				values[i] = badValue
			}
			if values[i] == badValue {
				faults = append(faults, fault{item: number, field: attribute.Name,
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
	return faults
}

// validate holds a line against the JSON Schema.
func (s *Schema) validate(object map[string]any) (faults []fault) {
	var invalid *jsonschema.ValidationError
	if !errors.As(s.validator.Validate(object), &invalid) {
		return nil
	}
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			walk(cause)
		}
		if len(e.Causes) == 0 {
			faults = append(faults, faultsOf(e)...)
		}
	}
	walk(invalid)
	return faults
}

func faultsOf(e *jsonschema.ValidationError) []fault {
	var f fault
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
		name = "it"
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		var all []fault
		for _, field := range k.Missing {
			all = append(all, missing(field, f.item))
		}
		return all
	case *kind.Type:
		f.what, f.remedy = name+" is of type "+k.Got, "it must be "+strings.Join(k.Want, " or ")
	case *kind.Enum:
		var values []string
		for _, v := range k.Want {
			values = append(values, fmt.Sprint(v))
		}
		f.what = name + " is not one of " + strings.Join(values, ", ")
	default: // the library's words may quote the value
		f.what = fmt.Sprintf("%s does not meet the schema's condition %q", name, strings.Join(k.KeywordPath(), "/"))
	}
	return []fault{f}
}

func missing(field string, item int) fault {
	return fault{item: item, field: field, what: fmt.Sprintf("there is no field %q", field)}
}

// textOf gives a field that must be there and hold a letter.
func textOf(object map[string]any, field string, item int) (string, *fault) {
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

func wrongType(object map[string]any, field string, item int, want string) fault {
	value, given := object[field]
	if !given {
		return missing(field, item)
	}
	return fault{item: item, field: field, what: field + " is of type " + typeOf(value), remedy: "it must be " + want}
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

// examineJournal is the thorough reader of a line of a journals file.
func examineJournal(line string) (id, text string, faults []fault) {
	object, wrong := parseObject(line, func(l level, name string) bool {
		return l == aLine && (name == "journal_id" || name == "text")
	})
	if wrong != nil {
		return "", "", []fault{*wrong}
	}
	if id, wrong = textOf(object, "journal_id", 0); wrong != nil {
		faults = append(faults, *wrong)
	}
	text, ok := object["text"].(string)
	if !ok {
		faults = append(faults, wrongType(object, "text", 0, "a string"))
	}
	return id, text, faults
}

// A level is where in a line a value stands.
type level int

const (
	aLine    level = iota
	theItems       // the list
	anItem
	elsewhere
)

// parseObject reads one JSON object. A field that counts and stands twice is a
// fault: readers differ in which of the two they take.
func parseObject(line string, counts func(level, string) bool) (map[string]any, *fault) {
	if !utf8.ValidString(line) {
		at := invalidAt(line)
		return nil, &fault{column: at + 1, what: fmt.Sprintf("byte 0x%02X is not valid UTF-8", line[at]), remedy: "save the file as UTF-8"}
	}
	var raw json.RawMessage
	if err := json.Unmarshal([]byte(line), &raw); err != nil {
		f := &fault{what: "this is not valid JSON", remedy: "each line must hold one whole JSON object"}
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			f.column = int(syntax.Offset)
		}
		return nil, f
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	value, wrong := parseValue(dec, aLine, counts)
	if wrong != nil {
		return nil, wrong
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, &fault{what: "the line is of type " + typeOf(value), remedy: "it must be an object"}
	}
	return object, nil
}

func invalidAt(line string) int {
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// parseValue reads the next value of JSON that is known to be valid.
func parseValue(dec *json.Decoder, at level, counts func(level, string) bool) (any, *fault) {
	token, err := dec.Token()
	if err != nil {
		return nil, &fault{what: "this is not valid JSON"} // err may quote
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		inner := elsewhere
		if at == theItems {
			inner = anItem
		}
		for dec.More() {
			value, wrong := parseValue(dec, inner, counts)
			if wrong != nil {
				return nil, wrong
			}
			list = append(list, value)
		}
		_, _ = dec.Token()
		return list, nil
	case json.Delim('{'):
		return parseMembers(dec, at, counts)
	}
	return token, nil
}

func parseMembers(dec *json.Decoder, at level, counts func(level, string) bool) (any, *fault) {
	object := map[string]any{}
	for dec.More() {
		key, _ := dec.Token()
		name, _ := key.(string)
		if _, twice := object[name]; twice && counts(at, name) {
			return nil, &fault{field: name, what: fmt.Sprintf("the field %q stands twice in one object", name), remedy: "keep one"}
		}
		inner := elsewhere
		if at == aLine && name == "items" {
			inner = theItems
		}
		value, wrong := parseValue(dec, inner, counts)
		if wrong != nil {
			return nil, wrong
		}
		object[name] = value
	}
	_, _ = dec.Token()
	return object, nil
}
