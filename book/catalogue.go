package book

import (
	"cmp"
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
	// Listings say how each file was read.
	Listings []Listing

	only   map[string]bool  // the books that count; nil: all
	differ map[string]error // books whose rows contradict each other
	ids    []string         // barcodes of rows, to name the nearest one
}

// Only says which books count, before Add. The rows of others are not kept, so
// that a list of any length takes little memory.
func (c *Catalogue) Only(barcodes []string) {
	c.only = map[string]bool{}
	for _, barcode := range barcodes {
		c.only[barcodeKey(barcode)] = true
	}
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

// Add reads one list by the names of its columns. If a book is in two lists, the
// second only fills gaps in the first. Two rows of one list must not contradict
// each other.
func (c *Catalogue) Add(r io.Reader, file string) error {
	if c.rows == nil {
		c.rows, c.differ = map[string]*Row{}, map[string]error{}
	}
	t, err := openTable(r, file)
	if err != nil {
		return err
	}
	header := make([]string, len(t.Columns))
	for i, name := range t.Columns {
		header[i] = cmp.Or(columnOf(name), name)
	}
	for {
		record, line, err := t.next()
		if err == io.EOF {
			break
		}
		if errors.Is(err, errRow) {
			c.problem(file, line, err.Error())
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		c.take(t, line, header, record)
	}
	t.Encoding = t.text.encoding()
	for _, line := range t.text.undefinedIn {
		c.Problems = append(c.Problems, &verbatim.LineError{File: file, Line: line, What: "this line is neither UTF-8 nor Windows-1252",
			Remedy: "some of its letters are shown as \uFFFD; save the list as CSV UTF-8"})
	}
	if renames := t.renames(); len(renames) > 0 {
		t.Notes = append(t.Notes, "to have more columns read, rename in the first line "+strings.Join(renames, ", "))
	}
	c.Listings = append(c.Listings, t.Listing)
	return nil
}

func (c *Catalogue) problem(file string, line int, what string) {
	c.Problems = append(c.Problems, &verbatim.LineError{File: file, Line: line, What: what, Remedy: "the row is skipped; fix it in the catalogue"})
}

// mostIDs limits the barcodes that are kept for a hint.
const mostIDs = 200_000

func (c *Catalogue) take(t *table, line int, header, record []string) {
	if len(record) != len(header) {
		c.problem(t.File, line, fmt.Sprintf("this row has %d fields and the header %d", len(record), len(header)))
		return
	}
	id, title := strings.TrimSpace(record[slices.Index(header, "barcode_src")]), strings.TrimSpace(record[slices.Index(header, "title_src")])
	if id == "" || spilled(id) || strings.HasPrefix(title, "{") {
		c.problem(t.File, line, "this row has no barcode; the previous row may have an unclosed field")
		return
	}
	t.Rows++
	if len(c.ids) < mostIDs {
		c.ids = append(c.ids, strings.Clone(id))
	}
	key := barcodeKey(id)
	if c.only != nil && !c.only[key] {
		return
	}
	raw := map[string]string{}
	for i, name := range header {
		if strings.TrimSpace(record[i]) != "" {
			raw[name] = strings.Clone(record[i]) // a field is a part of its whole row
		}
	}
	row := &Row{File: t.File, Line: line, Raw: raw}
	row.understand()
	if first := c.rows[key]; first != nil {
		c.join(t, key, first, row)
		return
	}
	c.rows[key] = row
}

// join takes in another row of a book.
func (c *Catalogue) join(t *table, key string, first, row *Row) {
	if first.File == row.File {
		if field := first.contradicts(row); field != "" {
			c.differ[key] = &verbatim.LineError{File: row.File, Line: row.Line,
				What: fmt.Sprintf("this row and the one in line %d have the same barcode %s, but %s is %q here and %q there",
					first.Line, row.Raw["barcode_src"], field, row.Metadata.Get(field), first.Metadata.Get(field)),
				Remedy: "neither is used; delete the wrong one"}
			c.Problems = append(c.Problems, c.differ[key])
			return
		}
		t.Notes = append(t.Notes, fmt.Sprintf("lines %d and %d have the same barcode %s; they do not contradict each other and count as one",
			first.Line, row.Line, row.Raw["barcode_src"]))
	}
	for name, value := range row.Raw {
		if isEmpty(first.Raw[name]) {
			first.Raw[name] = value
		}
	}
	first.understand()
}

// contradicts is the first field about which two rows say different things, or "".
// How they write it does not matter.
func (r *Row) contradicts(other *Row) string {
	for _, f := range Fields[1:] { // the identifier is the same
		a, b := r.Metadata.Get(f.Name), other.Metadata.Get(f.Name)
		if a != "" && b != "" && a != b {
			return f.Name
		}
	}
	return ""
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
			if c.differ[key] == nil && !yield(c.rows[key]) {
				return
			}
		}
	}
}

// Find returns the row of a book, or nil. It ignores case and a library prefix,
// and treats ark:/ like the + that replaces it in file names. A book whose rows
// contradict each other has none.
func (c *Catalogue) Find(barcode string) *Row {
	key := barcodeKey(barcode)
	if c.differ[key] != nil {
		return nil
	}
	return c.rows[key]
}

// NotListed says why Find found nothing; nil if no list was read.
func (c *Catalogue) NotListed(barcode string) *NotListed {
	if len(c.Listings) == 0 {
		return nil
	}
	e := &NotListed{Barcode: barcode, Differ: c.differ[barcodeKey(barcode)]}
	for _, l := range c.Listings {
		e.Files = append(e.Files, l.File)
		e.Rows += l.Rows
	}
	if e.Rows == len(c.ids) { // of a very long list not all were kept
		e.Near = nearest(barcode, c.ids)
	}
	return e
}

// barcodeKey is the same for all spellings of one barcode.
func barcodeKey(barcode string) string {
	key := signs.Replace(strings.ToLower(strings.TrimSpace(barcode)))
	if !strings.Contains(key, ".") { // a list has many rows
		return key
	}
	return libraryPrefix.ReplaceAllString(key, "")
}

// signs replaces those of an ark as file names do.
var signs = strings.NewReplacer(":/", "+", "/", "+", "=", "")

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
	if strings.ContainsAny(text, "√\u0080\u0088\u009a\uFFFD") || strings.Contains(text, "Ã") {
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
