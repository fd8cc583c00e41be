// Package book reads the metadata of books from metadata files and library
// catalogues, reports what is missing, and writes the rest as a sentence, the
// metadata frame.
//
// Raw values are never lost, and every change and every doubt is noted. Nothing
// unknown is guessed. The frame is correct English whatever is missing.
package book

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

// Metadata is what questions say about their book. An empty string or a nil year
// means that the value is known to be unknown. Missing lists the fields that
// nobody has stated yet.
type Metadata struct {
	HTID        string
	Title       string
	Author      string // "First Last", several joined by "and"; empty if there is none
	Date        *int   // of first publication
	Nationality string // an adjective
	Genre       string
	Birth       *int
	Profession  string

	stated map[string]bool // fields that a file or a person has stated
	extra  []extraField    // other fields of the file, in order
}

type extraField struct {
	name  string
	value json.RawMessage
}

// A Field is one of the eight metadata fields: its name in the file and how to
// ask a person for it.
type Field struct {
	Name string
	Ask  string
	Hint string
	Year bool // a whole number or null; otherwise a string
}

// Fields are the fields of a metadata file, in the order of the file.
var Fields = []Field{
	{Name: "source_htid", Ask: "Identifier", Hint: "the library's identifier, such as hvd.hwwjnq"},
	{Name: "source_title", Ask: "Title", Hint: "the short title, without the subtitle"},
	{Name: "source_author", Ask: "Author", Hint: "as on the title page: First Last; empty if there is none"},
	{Name: "source_date", Ask: "Year of first publication", Hint: "a year; empty if unknown", Year: true},
	{Name: "author_nationality", Ask: "The author's nationality", Hint: "an adjective, such as British; empty if unknown"},
	{Name: "source_genre", Ask: "Genre", Hint: "such as religious treatise, novel, essays"},
	{Name: "author_birth", Ask: "The author's year of birth", Hint: "a year; empty if unknown", Year: true},
	{Name: "author_profession", Ask: "The author's profession", Hint: "such as theosophist, geologist; empty if unknown"},
}

func (m *Metadata) text(name string) *string {
	return map[string]*string{"source_htid": &m.HTID, "source_title": &m.Title, "source_author": &m.Author,
		"author_nationality": &m.Nationality, "source_genre": &m.Genre, "author_profession": &m.Profession}[name]
}

func (m *Metadata) year(name string) **int {
	return map[string]**int{"source_date": &m.Date, "author_birth": &m.Birth}[name]
}

// Get returns a field as a person would type it, or "" if it has no value.
func (m *Metadata) Get(name string) string {
	if text := m.text(name); text != nil {
		return *text
	}
	if year := m.year(name); year != nil && *year != nil {
		return strconv.Itoa(**year)
	}
	return ""
}

// Set sets a field to what a person typed.
func (m *Metadata) Set(name, typed string) error {
	typed = nonEmpty(verbatim.FoldSpace(typed))
	switch {
	case m.text(name) != nil:
		if name == "source_title" && typed == "" {
			return fmt.Errorf("a book must have a title")
		}
		*m.text(name) = typed
	case m.year(name) != nil:
		year, doubt := parseYear(typed)
		if typed != "" && year == nil {
			return fmt.Errorf("%s; type a year such as 1901, or leave it empty", doubt)
		}
		*m.year(name) = year
	default:
		return fmt.Errorf("there is no field %q", name)
	}
	m.state(name)
	return nil
}

func (m *Metadata) state(name string) {
	if m.stated == nil {
		m.stated = map[string]bool{}
	}
	m.stated[name] = true
}

// Missing returns the fields that nobody has stated, not even as unknown, in file
// order. The title is required; all others may be empty.
func (m *Metadata) Missing() []Field {
	return slices.DeleteFunc(slices.Clone(Fields), func(f Field) bool {
		return m.stated[f.Name] && (f.Name != "source_title" || m.Title != "")
	})
}

// StateAll marks every missing field as unknown, so that a run without a person
// can continue.
func (m *Metadata) StateAll() {
	for _, f := range Fields {
		m.state(f.Name)
	}
}

// Parse reads a metadata file. It accepts genre for source_genre, as in older
// files, and keeps other fields for File.
func Parse(data []byte, file string) (*Metadata, error) {
	m := &Metadata{}
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("%s: this is not a JSON object; it must look like %s", file, exampleFile)
	}
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err == nil {
			err = dec.Decode(&value)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: near byte %d this is not valid JSON; write \"name\": value, with a comma between fields", file, dec.InputOffset())
		}
		if err := m.take(name.(string), value); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("%s: the closing brace is missing", file)
	}
	return m, nil
}

// exampleFile is a complete metadata file, for messages.
const exampleFile = `{"source_htid":"hvd.xxxxxx","source_title":"The Title","source_author":"First Last","source_date":1901,"author_nationality":"British","source_genre":"treatise","author_birth":1850,"author_profession":"geologist"}`

func (m *Metadata) take(name string, value json.RawMessage) error {
	if name == "genre" {
		name = "source_genre"
	}
	switch {
	case m.text(name) != nil:
		var text *string
		if err := json.Unmarshal(value, &text); err != nil {
			return fmt.Errorf(`%s is %s; it must be a string in quotation marks, or "" if unknown`, name, kind(value))
		}
		if text != nil && !isEmpty(*text) {
			*m.text(name) = verbatim.FoldSpace(*text)
		}
	case m.year(name) != nil:
		what, text := kind(value), ""
		if json.Unmarshal(value, &text) == nil { // "1901", as other programs write it; "" is unknown
			what, value = strconv.Quote(text), json.RawMessage(cmp.Or(strings.TrimSpace(text), "null"))
		}
		var number *float64
		if err := json.Unmarshal(value, &number); err != nil || number != nil && *number != math.Trunc(*number) {
			return fmt.Errorf("%s is %s; it must be a whole number, or null if unknown", name, what)
		}
		if number != nil {
			n := int(*number)
			*m.year(name) = &n
		}
	default:
		m.extra = append(m.extra, extraField{name, value})
		return nil
	}
	m.state(name)
	return nil
}

func kind(value json.RawMessage) string {
	kinds := map[byte]string{'"': "a string", '[': "a list", '{': "an object", 't': "true or false", 'f': "true or false", 'n': "null"}
	return cmp.Or(kinds[value[0]], "the number "+string(value))
}

// MarshalJSON writes the eight fields in their order, then the others unchanged.
// Working folders record a hash of these bytes: do not change them.
func (m *Metadata) MarshalJSON() ([]byte, error) {
	var fields []string
	for _, f := range Fields {
		value := plainJSON(m.year(f.Name))
		if !f.Year {
			value = plainJSON(m.text(f.Name))
		}
		fields = append(fields, fmt.Sprintf("%q: %s", f.Name, value))
	}
	for _, e := range m.extra {
		fields = append(fields, fmt.Sprintf("%s: %s", plainJSON(e.name), e.value))
	}
	return []byte("{" + strings.Join(fields, ", ") + "}"), nil
}

// File returns the content of the metadata file, one field per line.
func (m *Metadata) File() []byte {
	compact, _ := m.MarshalJSON()
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		panic(err) // MarshalJSON wrote it
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func plainJSON(value any) string {
	text, err := verbatim.MarshalPlain(value)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(text)
}

// Explain lists what is missing and shows the file to write.
func (m *Metadata) Explain(file string) string {
	var names []string
	for _, f := range m.Missing() {
		names = append(names, f.Name)
	}
	return fmt.Sprintf("missing: %s. Write them to %s (\"\" or null if unknown):\n%s", strings.Join(names, ", "), file, m.File())
}
