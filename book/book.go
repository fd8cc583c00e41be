// Package book knows what is known of a book: it reads metadata files and
// library catalogues, says what is missing, and puts the rest into a sentence.
//
// What to count on: a raw value is never lost, every change and every doubt is
// noted beside it, nothing unknown is guessed, and the frame reads as English
// whatever is missing.
package book

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

// Metadata is what questions say of their book. An empty string or a nil year
// is a value: it is known that nobody knows. See Missing for what nobody has
// been asked yet.
type Metadata struct {
	HTID        string
	Title       string
	Author      string // "First Last", several joined by "and"; empty where there is none
	Date        *int   // of first publication
	Nationality string // an adjective
	Genre       string
	Birth       *int
	Profession  string

	stated map[string]bool // fields that a file or a person has stated
	extra  []extraField    // fields of the file that are not ours, in order
}

type extraField struct {
	name  string
	value json.RawMessage
}

// A Field is one of the eight: its name in the file and how to ask for it.
type Field struct {
	Name string
	Ask  string
	Hint string
	Year bool // a whole number or null; else a string
}

// Fields are the fields of a metadata file, in the order of the file.
var Fields = []Field{
	{Name: "source_htid", Ask: "Identifier", Hint: "the library's, such as hvd.hwwjnq"},
	{Name: "source_title", Ask: "Title", Hint: "the short title, without the subtitle"},
	{Name: "source_author", Ask: "Author", Hint: "as on the title page: First Last; nothing where there is none"},
	{Name: "source_date", Ask: "Year of first publication", Hint: "a year; nothing where nobody knows", Year: true},
	{Name: "author_nationality", Ask: "The author's nationality", Hint: "an adjective, such as British; nothing where nobody knows"},
	{Name: "source_genre", Ask: "Genre", Hint: "such as religious treatise, novel, essays"},
	{Name: "author_birth", Ask: "The author's year of birth", Hint: "a year; nothing where nobody knows", Year: true},
	{Name: "author_profession", Ask: "The author's profession", Hint: "such as theosophist, geologist; nothing where nobody knows"},
}

func (m *Metadata) text(name string) *string {
	return map[string]*string{"source_htid": &m.HTID, "source_title": &m.Title, "source_author": &m.Author,
		"author_nationality": &m.Nationality, "source_genre": &m.Genre, "author_profession": &m.Profession}[name]
}

func (m *Metadata) year(name string) **int {
	return map[string]**int{"source_date": &m.Date, "author_birth": &m.Birth}[name]
}

// Get is a field as a person would type it; empty where it has no value.
func (m *Metadata) Get(name string) string {
	if text := m.text(name); text != nil {
		return *text
	}
	if year := m.year(name); year != nil && *year != nil {
		return strconv.Itoa(**year)
	}
	return ""
}

// Set takes what a person typed, and says what is wrong with it.
func (m *Metadata) Set(name, typed string) error {
	typed = verbatim.FoldSpace(typed)
	if isEmpty(typed) {
		typed = ""
	}
	switch {
	case m.text(name) != nil:
		if name == "source_title" && typed == "" {
			return fmt.Errorf("a book must have a title")
		}
		*m.text(name) = typed
	case m.year(name) != nil:
		year, doubt := Year(typed)
		if typed != "" && year == nil {
			return fmt.Errorf("%s; type a year such as 1901, or nothing", doubt)
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

// Missing are the fields that nobody has stated, not even as unknown, in the
// order of the file. A title must be there; all others may be empty.
func (m *Metadata) Missing() []Field {
	return slices.DeleteFunc(slices.Clone(Fields), func(f Field) bool {
		return m.stated[f.Name] && (f.Name != "source_title" || m.Title != "")
	})
}

// StateAll takes every field that is not stated as unknown: a run without a
// person goes on with what there is.
func (m *Metadata) StateAll() {
	for _, f := range Fields {
		m.state(f.Name)
	}
}

// Parse reads a metadata file. Older files say genre for source_genre; fields
// that are not ours are kept and written again.
func Parse(data []byte, file string) (*Metadata, error) {
	m := &Metadata{}
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("%s: this is not a JSON object; it must look like %s", file, Example)
	}
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err == nil {
			err = dec.Decode(&value)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: near byte %d this is not valid JSON; each field is \"name\": value, with a comma between two", file, dec.InputOffset())
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

// Example is a whole metadata file, for messages.
const Example = `{"source_htid":"hvd.xxxxxx","source_title":"The Title","source_author":"First Last","source_date":1901,"author_nationality":"British","source_genre":"treatise","author_birth":1850,"author_profession":"geologist"}`

func (m *Metadata) take(name string, value json.RawMessage) error {
	if name == "genre" {
		name = "source_genre"
	}
	switch {
	case m.text(name) != nil:
		var text *string
		if err := json.Unmarshal(value, &text); err != nil {
			return fmt.Errorf(`%s is %s; it must be a string in quotation marks, or "" where nobody knows`, name, kind(value))
		}
		if text != nil && !isEmpty(*text) {
			*m.text(name) = verbatim.FoldSpace(*text)
		}
	case m.year(name) != nil:
		var number *float64
		if err := json.Unmarshal(value, &number); err != nil || number != nil && *number != math.Trunc(*number) {
			return fmt.Errorf("%s is %s; it must be a whole number without quotation marks, or null where nobody knows", name, kind(value))
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
	switch value[0] {
	case '"':
		return "a string"
	case '[':
		return "a list"
	case '{':
		return "an object"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "the number " + string(value)
}

// MarshalJSON writes the eight fields in their order, then the others as found.
func (m *Metadata) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("{")
	for _, f := range Fields {
		var value []byte
		if f.Year {
			value, _ = json.Marshal(*m.year(f.Name))
		} else {
			value = plainJSON(*m.text(f.Name))
		}
		fmt.Fprintf(&out, "%s%q: %s", comma(out.Len() > 1), f.Name, value)
	}
	for _, e := range m.extra {
		fmt.Fprintf(&out, ", %s: %s", plainJSON(e.name), e.value)
	}
	out.WriteString("}")
	return out.Bytes(), nil
}

// File is the content of the metadata file, one field a line.
func (m *Metadata) File() []byte {
	compact, _ := m.MarshalJSON()
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		panic(err) // MarshalJSON wrote it
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func comma(needed bool) string {
	if needed {
		return ", "
	}
	return ""
}

func plainJSON(text string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string always encodes
	return bytes.TrimSpace(out.Bytes())
}

// Explain says what is missing and shows the file to write, for a run without
// a terminal.
func (m *Metadata) Explain(file string) string {
	var names []string
	for _, f := range m.Missing() {
		names = append(names, f.Name)
	}
	return fmt.Sprintf("missing: %s. Write them into %s (\"\" or null where nobody knows):\n%s", strings.Join(names, ", "), file, m.File())
}
