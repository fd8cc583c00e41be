package intake

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// table yields the rows of a CSV file. Its header names the columns; all of them
// are kept.
func (r *Reader) table(in *bufio.Reader, name string, yield yielder) bool {
	start, err := peek(in, in.Size(), name)
	if err != nil {
		yield(verbatim.Line{}, err)
		return false
	}
	rows := csv.NewReader(in)
	rows.Comma, rows.FieldsPerRecord = separator(start), -1
	header, err := rows.Read()
	if err != nil {
		yield(verbatim.Line{}, fmt.Errorf("%s: the header cannot be read: %s", name, csvReason(err)))
		return false
	}
	fields, err := r.columns(header, name)
	if err != nil {
		yield(verbatim.Line{}, err)
		return false
	}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return true
		}
		number := 1
		bad := (*csv.ParseError)(nil)
		switch {
		case errors.As(err, &bad):
			number, err = bad.StartLine, &verbatim.LineError{File: name, Line: bad.StartLine, What: csvReason(err)}
		case err != nil:
			yield(verbatim.Line{}, fmt.Errorf("reading %s: %w", name, err))
			return false
		default:
			number, _ = rows.FieldPos(0)
			err = checkRow(row, header, name, number)
		}
		if err != nil {
			if !yield(verbatim.Line{File: name, Number: number}, err) {
				return false
			}
			continue
		}
		if !r.journal(name, number, fields, row, yield) {
			return false
		}
	}
}

func checkRow(row, header []string, name string, number int) error {
	bad := &verbatim.LineError{File: name, Line: number}
	if len(row) != len(header) {
		bad.What = fmt.Sprintf("the row has %d columns; the header has %d", len(row), len(header))
		bad.Remedy = "put a text that contains the separator in quotation marks"
		return bad
	}
	if slices.ContainsFunc(row, func(value string) bool { return !utf8.ValidString(value) }) {
		bad.What, bad.Remedy = "the row is not valid UTF-8", "save the file as UTF-8"
		return bad
	}
	return nil
}

// columns gives the columns of the id and the text our names. The id may also be
// called id.
func (r *Reader) columns(header []string, name string) (fields []string, err error) {
	fields = slices.Clone(header)
	for _, ours := range []string{ID, Text} {
		wanted := r.field(ours)
		at := slices.IndexFunc(header, func(column string) bool { return strings.EqualFold(strings.TrimSpace(column), wanted) })
		if at < 0 && wanted == ID {
			at = slices.IndexFunc(header, func(column string) bool { return strings.EqualFold(strings.TrimSpace(column), "id") })
		}
		if at < 0 {
			return nil, &ColumnsError{File: name, Missing: ours, Wanted: wanted, Columns: header}
		}
		for i := range fields { // another column may have our name
			if fields[i] == ours && i != at {
				fields[i] = "column_" + ours
			}
		}
		fields[at] = ours
	}
	return fields, nil
}

// separator is the most frequent of the usual separators in the header, outside
// quotation marks.
func separator(start []byte) rune {
	counts := map[rune]int{}
	quoted := false
	for _, c := range string(start) {
		if c == '"' {
			quoted = !quoted
		}
		if !quoted && (c == '\n' || c == '\r') {
			break
		}
		if !quoted {
			counts[c]++
		}
	}
	best := ','
	for _, c := range ";\t|" {
		if counts[c] > counts[best] {
			best = c
		}
	}
	return best
}

// csvReason says what is wrong with a row, without the library's name and place.
func csvReason(err error) string {
	switch {
	case errors.Is(err, csv.ErrQuote):
		return "a quotation mark in this row is not closed, or text follows it; write two for one inside a text"
	case errors.Is(err, csv.ErrBareQuote):
		return "a quotation mark stands inside an unquoted text; put the whole text in quotation marks, and write two for one inside it"
	case err == io.EOF:
		return "the file is empty"
	}
	return err.Error()
}
