package grade

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// JournalItems is the JSON Schema of journals, items and prediction files.
//
//go:embed schema/journal-items.json
var JournalItems []byte

// Unknown is an attribute value that says nothing. Like an attribute that is
// not given, it does not count in the accuracy.
const Unknown = "unknown"

// Labels of attribute values that are not in the attribute's list.
const (
	NotGiven  = "(not given)"
	NotListed = "(not in the list)"
)

// A Schema lists the domains and the attributes to compare. It comes from a JSON
// Schema file, so new domains and attributes need no new program.
type Schema struct {
	Name       string // "journal-items", or "sha256:" and the hash of the file
	Domains    []string
	Attributes []Attribute // in the order of the file

	polarity  int // the attribute of this name that has present and absent, or -1
	fields    []field
	quick     bool // the fast reader checks everything that the schema requires
	validator *jsonschema.Schema

	quotedDomains, quotedAttributes [][]byte // as JSON strings
}

// An Attribute is a property of an item with a list of values.
type Attribute struct {
	Name   string
	Values []string
}

// Labels are the values, NotGiven and NotListed.
func (a Attribute) Labels() []string {
	return append(slices.Clone(a.Values), NotGiven, NotListed)
}

// pooled reports whether the attribute counts in the pooled buckets.
func (a Attribute) pooled() bool { return strings.HasSuffix(a.Name, "_bucket") }

// code is the index of a value in the list.
func (a Attribute) code(value string) int8 {
	if i := slices.Index(a.Values, value); i >= 0 {
		return int8(i)
	}
	return badValue
}

// Codes of attribute values that are not in the list.
const (
	noValue  int8 = -1
	badValue int8 = -2
)

// excluded reports whether a value says nothing and is not compared.
func (a Attribute) excluded(code int8) bool {
	return code == noValue || code >= 0 && a.Values[code] == Unknown
}

// maxValues makes a value's code fit into a byte.
const maxValues = 100

// A field is what the fast reader needs to know about a property of an item.
type field struct {
	name string
	kind fieldKind
	n    int // number of the attribute or of the part of a place
}

type fieldKind uint8

const (
	domainField fieldKind = iota
	spanField
	attributeField
	placeField
	textField // any string
)

var placeFields = []string{"byte_start", "byte_end", "start", "end"}

// Default is the schema of the specification: four domains, polarity,
// intensity, arousal and time.
var Default = sync.OnceValue(func() *Schema {
	s, err := ParseSchema(JournalItems)
	if err != nil {
		panic(err) // a test checks the embedded file
	}
	s.Name = "journal-items"
	return s
})

// ParseSchema reads a JSON Schema for one line of an items file. It must
// describe items and list the domains.
func ParseSchema(data []byte) (*Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the schema is not valid JSON: %w", err)
	}
	sum := sha256.Sum256(data)
	s := &Schema{Name: "sha256:" + hex.EncodeToString(sum[:])}
	const name = "urn:verbatim:schema"
	c := jsonschema.NewCompiler()
	c.UseLoader(offline{})
	if err := c.AddResource(name, doc); err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	if s.validator, err = c.Compile(name); err != nil {
		return nil, fmt.Errorf("not a JSON Schema: %w", err)
	}
	root, _ := doc.(map[string]any)
	item := resolve(root, dig(root, "properties", "items", "items"))
	properties, _ := item["properties"].(map[string]any)
	order, err := orderOf(data, properties)
	if err != nil {
		return nil, err
	}
	s.quick = requiresLittle(root, item) && refsStandAlone(doc)
	for _, name := range order {
		property := resolve(root, properties[name])
		if err := s.add(name, property); err != nil {
			return nil, fmt.Errorf("the schema's property %q: %w", name, err)
		}
	}
	if len(s.Domains) == 0 {
		return nil, errors.New("the schema lists no domains; list them in properties.items.items.properties.domain.enum")
	}
	for _, domain := range s.Domains {
		s.quotedDomains = append(s.quotedDomains, quoted(domain))
	}
	for _, a := range s.Attributes {
		s.quotedAttributes = append(s.quotedAttributes, quoted(a.Name))
	}
	s.polarity = slices.IndexFunc(s.Attributes, func(a Attribute) bool {
		return a.Name == "polarity" && slices.Contains(a.Values, "present") && slices.Contains(a.Values, "absent")
	})
	s.know("evidence_span", spanField, 0)
	for i, name := range placeFields {
		s.know(name, placeField, i)
	}
	return s, nil
}

// offline rejects references to other files: a scorer never uses the network.
type offline struct{}

func (offline) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not in this file and is not fetched; move it into the file, under $defs", url)
}

// add takes in a property of an item. What is not listed here as checked by the
// fast reader (types, lists, at least one character, at least 0) clears quick.
func (s *Schema) add(name string, property map[string]any) error {
	enum, listed := property["enum"].([]any)
	switch {
	case listed:
		s.quick = s.quick && isSimple(property, "string", "enum")
	case name == "evidence_span":
		s.quick = s.quick && isSimple(property, "string", "minLength", "minimum")
		return nil
	case slices.Contains(placeFields, name):
		s.quick = s.quick && isSimple(property, "integer", "minLength", "minimum")
		return nil
	default:
		if property["type"] == "string" {
			s.know(name, textField, 0)
		}
		s.quick = s.quick && isSimple(property, "string")
		return nil
	}
	var values []string
	for _, v := range enum {
		value, ok := v.(string)
		if !ok {
			return errors.New("enum must list only strings")
		}
		values = append(values, value)
	}
	if len(values) > maxValues {
		return fmt.Errorf("enum lists %d values; the maximum is %d", len(values), maxValues)
	}
	if name == "domain" {
		s.Domains = values
		s.know(name, domainField, 0)
		return nil
	}
	s.know(name, attributeField, len(s.Attributes))
	s.Attributes = append(s.Attributes, Attribute{name, values})
	return nil
}

func (s *Schema) know(name string, kind fieldKind, n int) {
	if s.known(name) < 0 {
		s.fields = append(s.fields, field{name, kind, n})
	}
}

// requiresLittle: the schema requires no more than the fast reader checks.
// Otherwise every line is validated, which is slower.
func requiresLittle(root, item map[string]any) bool {
	properties, _ := root["properties"].(map[string]any)
	items, _ := properties["items"].(map[string]any)
	id, _ := properties["journal_id"].(map[string]any)
	return annotated(root, "$schema", "$id", "type", "required", "properties", "$defs") &&
		only(properties, "journal_id", "items") && annotated(items, "type", "items") &&
		isSimple(id, "string", "minLength", "minimum") && requiresOnly(root, "journal_id", "items") &&
		annotated(item, "type", "required", "properties") && requiresOnly(item, "domain", "evidence_span")
}

// isSimple: a property has this type or none, and no other conditions than those
// in keys.
func isSimple(property map[string]any, typ string, keys ...string) bool {
	isOr := func(key string, value any) bool { return property[key] == nil || property[key] == value }
	return annotated(property, append(keys, "type")...) && isOr("type", typ) &&
		isOr("minLength", json.Number("1")) && isOr("minimum", json.Number("0"))
}

// annotated: an object has only these keys and keys without an effect.
func annotated(object map[string]any, keys ...string) bool {
	return only(object, append(keys, "title", "description", "$comment")...)
}

// refsStandAlone: no reference has a condition next to it. resolve would miss
// it.
func refsStandAlone(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		if _, isRef := v["$ref"].(string); isRef && !annotated(v, "$ref") {
			return false
		}
		for _, inner := range v {
			if !refsStandAlone(inner) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(v, func(inner any) bool { return !refsStandAlone(inner) })
	}
	return true
}

func only(object map[string]any, keys ...string) bool {
	for key := range object {
		if !slices.Contains(keys, key) {
			return false
		}
	}
	return true
}

func requiresOnly(object map[string]any, names ...string) bool {
	list, _ := object["required"].([]any)
	return !slices.ContainsFunc(list, func(v any) bool {
		name, _ := v.(string)
		return !slices.Contains(names, name)
	})
}

func dig(object map[string]any, keys ...string) any {
	var value any = object
	for _, key := range keys {
		inner, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = resolve(object, inner)[key]
	}
	return value
}

// resolve follows references within the file.
func resolve(root map[string]any, value any) map[string]any {
	object, _ := value.(map[string]any)
	for range 10 { // a longer chain is a circle
		ref, ok := object["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#/") {
			return object
		}
		var target any = root
		for _, key := range strings.Split(ref[2:], "/") {
			inner, _ := target.(map[string]any)
			target = inner[strings.NewReplacer("~1", "/", "~0", "~").Replace(key)]
		}
		object, _ = target.(map[string]any)
	}
	return object
}

// orderOf returns the names of the properties in file order, which a Go map
// loses: it looks for the first object that has exactly these keys.
func orderOf(data []byte, properties map[string]any) (found []string, err error) {
	if len(properties) == 0 {
		return nil, errors.New("the schema does not describe an item; describe it in properties.items.items.properties")
	}
	want := slices.Sorted(maps.Keys(properties))
	dec := json.NewDecoder(bytes.NewReader(data))
	var walk func() // reads a value
	walk = func() {
		open, _ := dec.Token()
		if _, nested := open.(json.Delim); !nested {
			return
		}
		var keys []string
		for dec.More() {
			if open == json.Delim('{') {
				key, _ := dec.Token()
				keys = append(keys, key.(string))
			}
			walk()
		}
		_, _ = dec.Token()
		if found == nil && slices.Equal(slices.Sorted(slices.Values(keys)), want) {
			found = keys
		}
	}
	walk()
	return found, nil
}
