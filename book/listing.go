package book

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"verbatim/internal/near"
)

// A Listing says how a catalogue file was read.
type Listing struct {
	File      string
	Encoding  string   // such as UTF-8, or Windows-1252
	Separator rune     // between columns
	Columns   []string // as the first line names them
	Rows      int      // that could be read
	Notes     []string // what a person should know; nothing of it is an error
}

// String is one line for people: what was found.
func (l Listing) String() string {
	read, others := l.split()
	text := fmt.Sprintf("%s: %s in %s, %s between columns; read: %s", l.File, rowCount(l.Rows), l.Encoding, separators[l.Separator], strings.Join(read, ", "))
	var absent []string
	for _, name := range columns {
		if !slices.Contains(read, name) {
			absent = append(absent, name)
		}
	}
	if len(absent) > 0 {
		text += "; there is no " + strings.Join(absent, ", ")
	}
	if len(others) > 0 {
		text += fmt.Sprintf("; not read: %d other columns", len(others))
	}
	return text
}

// split are the columns that are read, and the others.
func (l Listing) split() (read, others []string) {
	for _, name := range l.Columns {
		if known := columnOf(name); known != "" {
			read = append(read, known)
		} else {
			others = append(others, name)
		}
	}
	return read, others
}

func rowCount(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

var separators = map[rune]string{',': "commas", ';': "semicolons", '\t': "tabs", '|': "vertical bars"}

// columns are those that are read. A catalogue must have the first two.
var columns = []string{"barcode_src", "title_src", "author_src", "firstpub", "date1_src", "authnationality", "genre", "authordates", "author_profession"}

// alike are names that other lists use for our columns, without signs and in small
// letters. A list is not read by them, because a guess could be wrong; a message
// says what to rename.
var alike = map[string][]string{
	"barcode_src":       {"barcode", "htid", "sourcehtid", "id", "identifier", "volumeid", "itemid", "book"},
	"title_src":         {"title", "sourcetitle", "booktitle", "shorttitle", "name"},
	"author_src":        {"author", "authors", "sourceauthor", "creator", "writer", "authorname"},
	"firstpub":          {"firstpublished", "firstpublication", "sourcedate", "year", "date", "pubyear", "publicationyear", "published", "publicationdate"},
	"date1_src":         {"date1", "editiondate", "imprintdate"},
	"authnationality":   {"nationality", "authornationality", "country"},
	"genre":             {"sourcegenre", "form", "kind"},
	"authordates":       {"authorbirth", "birth", "lifedates", "dates", "born", "birthyear", "authorlife"},
	"author_profession": {"profession", "occupation", "authorprofession", "authoroccupation"},
}

// columnOf is the column that a name stands for, whatever its case and spaces; ""
// if we read no such column.
func columnOf(name string) string {
	for _, column := range columns {
		if letters(name) == letters(column) {
			return column
		}
	}
	return ""
}

func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// meant is the column that a name of another list probably is, or "".
func meant(name string) string {
	plain := letters(name)
	for _, column := range columns {
		if slices.Contains(alike[column], plain) || plain != "" && near.Distance(plain, letters(column)) <= 2 {
			return column
		}
	}
	return ""
}

// renames says which columns to rename, so that they are read.
func (l Listing) renames() []string {
	read, others := l.split()
	var texts []string
	for _, name := range others {
		if column := meant(name); column != "" && !slices.Contains(read, column) {
			texts = append(texts, fmt.Sprintf("%q to %s", name, column))
			read = append(read, column) // one name for one column
		}
	}
	return texts
}

// check rejects a list without the columns that it must have, or with one of ours
// twice.
func (l Listing) check() error {
	read, _ := l.split()
	var missing []string
	for _, name := range columns[:2] {
		if !slices.Contains(read, name) {
			missing = append(missing, name)
		}
	}
	for i, name := range read {
		if slices.Contains(read[:i], name) {
			return fmt.Errorf("%s: two columns are called %s; rename one of them in the first line", l.File, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	text := fmt.Sprintf("%s: there is no column %s. The first line names %s (%s, with %s between them): %s",
		l.File, strings.Join(missing, " and no column "), columnCount(len(l.Columns)), l.Encoding, separators[l.Separator], shortList(l.Columns))
	if renames := l.renames(); len(renames) > 0 {
		text += ". Rename there " + strings.Join(renames, ", ")
	}
	return fmt.Errorf("%s. A list needs %s; it may also have %s", text, strings.Join(columns[:2], " and "), strings.Join(columns[2:], ", "))
}

func columnCount(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

// shortList keeps a message readable if the first line is not what it should be.
func shortList(names []string) string {
	const most = 20
	quoted := make([]string, 0, most)
	for _, name := range names[:min(most, len(names))] {
		if runes := []rune(name); len(runes) > 40 {
			name = string(runes[:37]) + "..."
		}
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	if len(names) > most {
		quoted = append(quoted, "...")
	}
	return strings.Join(quoted, ", ")
}

// A NotListed says why a catalogue has no row of a book.
type NotListed struct {
	Barcode string
	Files   []string
	Rows    int
	Near    []string // barcodes that differ in a few letters
	Differ  error    // not nil: there are several rows, and they contradict each other
}

func (e *NotListed) Error() string {
	if e.Differ != nil {
		return e.Differ.Error()
	}
	text := fmt.Sprintf("%s is not in %s (%s)", e.Barcode, strings.Join(e.Files, " or "), rowCount(e.Rows))
	if len(e.Near) > 0 {
		text += "; the nearest barcodes there: " + strings.Join(e.Near, ", ")
	}
	return text + ". The barcode is the name of the text without .txt; upper case and a library's prefix such as hvd. do not matter"
}

// nearest are the barcodes that differ least from one, at most three.
func nearest(barcode string, ids []string) []string {
	type candidate struct {
		id string
		at int
	}
	key := barcodeKey(barcode)
	var found []candidate
	for _, id := range ids {
		other := barcodeKey(id)
		if d := len(other) - len(key); d > 3 || d < -3 {
			continue
		}
		if d := near.Distance(key, other); d <= max(1, len(key)/3) {
			found = append(found, candidate{id, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.at - b.at })
	var names []string
	for i, one := range found {
		same := func(c candidate) bool { return barcodeKey(c.id) == barcodeKey(one.id) }
		if len(names) < 3 && !slices.ContainsFunc(found[:i], same) {
			names = append(names, one.id)
		}
	}
	return names
}
