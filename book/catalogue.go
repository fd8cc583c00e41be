package book

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"verbatim"
)

// A Catalogue holds one or more library lists, by barcode.
type Catalogue struct {
	rows map[string]*Row
	// Problems are the rows that could not be read, with file and line. They do
	// not affect the other rows.
	Problems []error
}

// A Row is what a catalogue says about one book: the Raw values, the Metadata
// read from them, and Notes on every change and every doubt.
type Row struct {
	File     string            `json:"file"`
	Line     int               `json:"line"`
	Raw      map[string]string `json:"raw"`
	Long     string            `json:"title_long"`
	Notes    []Note            `json:"notes"`
	Metadata *Metadata         `json:"-"`
}

// A Note describes a change to a value, or a doubt about it.
type Note struct {
	Field string `json:"field"`
	Raw   string `json:"raw"`
	What  string `json:"what"`
	Doubt bool   `json:"doubt"` // a person must decide; otherwise only the form changed
}

// Add reads one CSV file by the names of its columns. If a book has two rows, the
// second only fills gaps in the first.
func (c *Catalogue) Add(r io.Reader, file string) error {
	if c.rows == nil {
		c.rows = map[string]*Row{}
	}
	buffered := bufio.NewReader(r)
	if mark, err := buffered.Peek(3); err == nil && string(mark) == "\uFEFF" {
		_, _ = buffered.Discard(3)
	}
	in := csv.NewReader(buffered)
	in.FieldsPerRecord = -1
	header, err := in.Read()
	if err == io.EOF {
		return fmt.Errorf("%s is empty; the first line must name the columns, as in primary_metadata.csv", file)
	}
	if err != nil {
		return fmt.Errorf("%s: the first line must name the columns: %w", file, err)
	}
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	if !slices.Contains(header, "barcode_src") || !slices.Contains(header, "title_src") {
		return fmt.Errorf("%s: there is no column barcode_src or title_src; the first line must name the columns, as in primary_metadata.csv", file)
	}
	for {
		record, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			c.problem(file, parse.StartLine, "the quotation marks in this row are not closed correctly")
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		line, _ := in.FieldPos(0)
		c.take(file, line, header, record)
	}
}

func (c *Catalogue) problem(file string, line int, what string) {
	c.Problems = append(c.Problems, &verbatim.LineError{File: file, Line: line, What: what, Remedy: "the row is skipped; fix it in the catalogue"})
}

func (c *Catalogue) take(file string, line int, header, record []string) {
	if len(record) != len(header) {
		c.problem(file, line, fmt.Sprintf("this row has %d fields and the header %d", len(record), len(header)))
		return
	}
	raw := map[string]string{}
	for i, name := range header {
		if strings.TrimSpace(record[i]) != "" {
			raw[name] = record[i]
		}
	}
	id := strings.TrimSpace(raw["barcode_src"])
	if id == "" || spilled(id) || strings.HasPrefix(strings.TrimSpace(raw["title_src"]), "{") {
		c.problem(file, line, "this row has no barcode; the previous row may have an unclosed field")
		return
	}
	key := barcodeKey(id)
	if first := c.rows[key]; first != nil {
		for name, value := range raw {
			if isEmpty(first.Raw[name]) {
				first.Raw[name] = value
			}
		}
		first.understand()
		return
	}
	row := &Row{File: file, Line: line, Raw: raw}
	row.understand()
	c.rows[key] = row
}

// spilled reports whether a barcode is really part of a field with serialized
// lists, which some libraries' rows contain. Spaces and apostrophes do not count:
// a book's file may have any name.
func spilled(id string) bool {
	return strings.ContainsAny(id, "{}[]\"\t\n") || strings.Contains(id, "': ") || strings.Count(id, "(") != strings.Count(id, ")")
}

// Rows yields the rows in the order of their barcodes.
func (c *Catalogue) Rows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, key := range slices.Sorted(maps.Keys(c.rows)) {
			if !yield(c.rows[key]) {
				return
			}
		}
	}
}

// Find returns the row of a book, or nil. It ignores case and a library prefix,
// and treats ark:/ like the + that replaces it in file names.
func (c *Catalogue) Find(barcode string) *Row { return c.rows[barcodeKey(barcode)] }

// barcodeKey is the same for all spellings of one barcode.
func barcodeKey(barcode string) string {
	key := strings.ToLower(strings.TrimSpace(barcode))
	key = strings.NewReplacer(":/", "+", "/", "+", "=", "").Replace(key)
	return libraryPrefix.ReplaceAllString(key, "")
}

var libraryPrefix = regexp.MustCompile(`^[a-z]{2,4}\d?\.`)

// understand reads Metadata from Raw and notes every change and doubt.
func (r *Row) understand() {
	m := &Metadata{}
	r.Notes, r.Metadata = nil, m
	m.HTID = htid(r.Raw["barcode_src"])
	m.Title, r.Long = parseTitle(r.Raw["title_src"])
	r.note("source_title", "title_src", m.Title, mixedMojibake(m.Title))

	var authors int
	var doubt string
	m.Author, authors, doubt = parseAuthor(r.Raw["author_src"])
	r.note("source_author", "author_src", m.Author, doubt)

	m.Date, doubt = parseYear(r.Raw["firstpub"])
	r.note("source_date", "firstpub", m.Get("source_date"), doubt)
	r.noteEdition()

	m.Nationality, doubt = parseNationality(r.Raw["authnationality"])
	r.note("author_nationality", "authnationality", m.Nationality, doubt)
	m.Genre = tidy(r.Raw["genre"])
	r.note("source_genre", "genre", m.Genre, "")
	m.Profession = tidy(r.Raw["author_profession"])
	r.note("author_profession", "author_profession", m.Profession, "")

	var death *int
	m.Birth, death, doubt = parseLife(r.Raw["authordates"], authors)
	r.note("author_birth", "authordates", m.Get("author_birth"), doubt)
	r.checkLife(death)
	for _, f := range Fields {
		if m.Get(f.Name) != "" {
			m.state(f.Name)
		}
	}
}

// note records that a value was read in another form, or a doubt about it.
func (r *Row) note(field, column, value, doubt string) {
	if doubt != "" {
		r.add(field, column, true, "%s", doubt)
	} else if r.Raw[column] != value && value != "" {
		r.add(field, column, false, "read as %s", value)
	}
}

func (r *Row) add(field, column string, doubt bool, format string, args ...any) {
	r.Notes = append(r.Notes, Note{field, r.Raw[column], fmt.Sprintf(format, args...), doubt})
}

// noteEdition records the library's own date if it differs from the date of first
// publication. It never replaces that date.
func (r *Row) noteEdition() {
	edition, doubt := parseYear(r.Raw["date1_src"])
	switch first := r.Metadata.Date; {
	case edition == nil:
		if doubt != "" {
			r.add("source_date", "date1_src", true, "year of this edition: %s", doubt)
		}
	case first == nil:
		r.add("source_date", "date1_src", true, "this edition is of that year; the first may be older")
	case *first != *edition:
		r.add("source_date", "date1_src", false, "first published in %d; this edition, or the serial's begin, is of %d", *first, *edition)
	}
}

// checkLife notes years that contradict each other.
func (r *Row) checkLife(death *int) {
	m := r.Metadata
	if m.Date == nil || m.Birth == nil {
		return
	}
	if age := *m.Date - *m.Birth; age < 15 || age > 90 {
		r.add("author_birth", "authordates", true, "the author would have been %d when the book appeared", age)
	} else if death != nil && *m.Date > *death {
		r.add("author_birth", "authordates", true, "the book appeared in %d, after the author's death", *m.Date)
	}
}

// htid returns an identifier as in questions: in lower case if it has a library
// prefix.
func htid(barcode string) string {
	barcode = strings.TrimSpace(barcode)
	if lower := strings.ToLower(barcode); libraryPrefix.MatchString(lower) {
		return lower
	}
	return barcode
}

// mixedMojibake returns a doubt if a text has both damaged and correct letters:
// such a text cannot be repaired as a whole.
func mixedMojibake(text string) string {
	if strings.ContainsAny(text, "√\u0080\u0088\u009a") || strings.Contains(text, "Ã") {
		return "some letters look damaged and could not be repaired"
	}
	return ""
}

// Defaults returns the initial metadata of a book that is in no catalogue.
func Defaults(barcode string) *Metadata {
	m := &Metadata{HTID: htid(barcode)}
	m.state("source_htid")
	return m
}
