// Package intake reads journals from the files that people have: JSON Lines, a
// JSON array, CSV with any separator, single texts and folders of texts. It yields
// each journal as one line of JSON, with its place in the file that it came from.
package intake

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// A Reader reads journals. Its zero value reads UTF-8 with our names of fields.
type Reader struct {
	// Fields maps our names of fields to those in the files: journal_id and text.
	Fields map[string]string
	// Encoding is utf-8 (also if empty), utf-16 or latin-1.
	Encoding string
}

// Our names of fields.
const (
	ID   = "journal_id"
	Text = "text"
)

// Encodings are the encodings that a Reader knows.
var Encodings = []string{"utf-8", "utf-16", "latin-1"}

// ParseFields reads a mapping such as "id=entry_id,text=entry".
func ParseFields(text string) (map[string]string, error) {
	if text == "" {
		return nil, nil
	}
	fields := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		ours, theirs, ok := strings.Cut(pair, "=")
		ours = strings.TrimSpace(ours)
		if ours == "id" {
			ours = ID
		}
		if !ok || theirs == "" || ours != ID && ours != Text {
			return nil, fmt.Errorf("%q does not name a field; write id=NAME,text=NAME", pair)
		}
		if fields[ours] != "" {
			return nil, fmt.Errorf("%q is mapped twice", strings.TrimSpace(pair))
		}
		fields[ours] = theirs
	}
	return fields, nil
}

// An EncodingError says that a file is in another encoding than the Reader's.
type EncodingError struct {
	File  string
	Looks string // one of Encodings
}

func (e *EncodingError) Error() string {
	return fmt.Sprintf("%s is not UTF-8; it looks like %s", e.File, map[string]string{"utf-16": "UTF-16", "latin-1": "Latin-1 (or Windows-1252)"}[e.Looks])
}

// A ColumnsError says that a CSV file has no column for the id or the text.
type ColumnsError struct {
	File    string
	Missing string   // ID or Text
	Wanted  string   // the name that was looked for
	Columns []string // that it has
}

func (e *ColumnsError) Error() string {
	return fmt.Sprintf("%s:1: there is no column %q; the columns are %s", e.File, e.Wanted, strings.Join(e.Columns, ", "))
}

// Journals yields the journals of files and folders in order; "-" is stdin. A bad
// record is a *verbatim.LineError, and reading continues; any other error is the
// last pair.
func (r *Reader) Journals(paths []string, stdin io.Reader) iter.Seq2[verbatim.Line, error] {
	return func(yield func(verbatim.Line, error) bool) {
		for _, path := range paths {
			if !r.path(path, stdin, yield) {
				return
			}
		}
	}
}

type yielder = func(verbatim.Line, error) bool

// path yields the journals of one path. It returns false to stop.
func (r *Reader) path(path string, stdin io.Reader, yield yielder) bool {
	if path == "-" {
		return r.file(stdin, "standard input", yield)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return r.folder(path, yield)
	}
	file, err := os.Open(path)
	if err != nil {
		yield(verbatim.Line{}, err)
		return false
	}
	defer file.Close()
	return r.file(file, path, yield)
}

// folder yields each .txt file as a journal, in the order of names. Its id is the
// file's name without .txt.
func (r *Reader) folder(path string, yield yielder) bool {
	list, err := os.ReadDir(path)
	if err != nil {
		yield(verbatim.Line{}, err)
		return false
	}
	list = slices.DeleteFunc(list, func(e fs.DirEntry) bool { return e.IsDir() || !strings.EqualFold(filepath.Ext(e.Name()), ".txt") })
	if len(list) == 0 {
		yield(verbatim.Line{}, fmt.Errorf("%s is a folder without .txt files", path))
		return false
	}
	for _, e := range list {
		name := filepath.Join(path, e.Name())
		file, err := os.Open(name)
		if err == nil {
			goOn := r.file(file, name, yield)
			if file.Close(); !goOn {
				return false
			}
			continue
		}
		if !yield(verbatim.Line{}, &verbatim.LineError{File: name, Line: 1, What: "cannot be read: " + reason(err)}) {
			return false
		}
	}
	return true
}

// reason is an error without the path, which is named before it.
func reason(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// file finds out what a file is and yields its journals.
func (r *Reader) file(in io.Reader, name string, yield yielder) bool {
	plain, err := r.decode(in, name)
	if err != nil {
		yield(verbatim.Line{}, err)
		return false
	}
	start, err := peek(plain, 1<<12, name)
	if err != nil {
		yield(verbatim.Line{}, err)
		return false
	}
	switch first := bytes.TrimLeft(start, " \t\r\n"); {
	case isText(name):
		return r.text(plain, name, yield)
	case len(first) > 0 && first[0] == '[':
		return r.array(plain, name, yield)
	case len(first) == 0 || first[0] == '{' || !isTable(name, start):
		return r.lines(plain, name, yield)
	}
	return r.table(plain, name, yield)
}

// peek looks at the start of a file. Peek forgets an error, so it must be noticed
// here.
func peek(in *bufio.Reader, n int, name string) ([]byte, error) {
	start, err := in.Peek(n)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return start, nil
}

// IsLines reports whether the Reader would pass a file on as it is: JSON Lines
// in UTF-8 with our names of fields. start is the file's beginning.
func (r *Reader) IsLines(name string, start []byte) bool {
	if r.Fields != nil || r.Encoding != "" || looksLike(start) != "" || isText(name) {
		return false
	}
	start = bytes.TrimPrefix(start, []byte("\uFEFF"))
	first := bytes.TrimLeft(start, " \t\r\n")
	return len(first) == 0 || first[0] == '{' || first[0] != '[' && !isTable(name, start)
}

// Padded returns all journals as JSON Lines. Blank lines keep each journal on the
// line that it has in its file, as far as possible. Bad records are listed.
func (r *Reader) Padded(paths []string, stdin io.Reader) (text string, bad []error, err error) {
	var b strings.Builder
	next := 1 // the line to write
	for line, err := range r.Journals(paths, stdin) {
		if e := (*verbatim.LineError)(nil); errors.As(err, &e) {
			bad = append(bad, err)
			continue
		}
		if err != nil {
			return "", bad, err
		}
		for ; next < line.Number; next++ {
			b.WriteByte('\n')
		}
		b.Write(line.Text)
		b.WriteByte('\n')
		next++
	}
	return b.String(), bad, nil
}

func isText(name string) bool { return strings.EqualFold(filepath.Ext(name), ".txt") }

// isTable reports whether a file that is no JSON is CSV: by its name, or because
// its first line has a separator.
func isTable(name string, start []byte) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".tab":
		return true
	case ".jsonl", ".ndjson", ".json":
		return false
	}
	header, _, _ := bytes.Cut(start, []byte("\n"))
	return bytes.ContainsAny(header, ",;\t|") && !bytes.ContainsAny(header, "{}[]")
}

// lines yields JSON Lines.
func (r *Reader) lines(in io.Reader, name string, yield yielder) bool {
	for line, err := range verbatim.Lines(in, name) {
		if err == nil && r.Fields != nil {
			line, err = r.rename(line)
		}
		if !yield(line, err) {
			return false
		}
	}
	return true
}

// rename gives the fields of a record our names.
func (r *Reader) rename(line verbatim.Line) (verbatim.Line, error) {
	record, err := verbatim.Decode[map[string]json.RawMessage](line)
	if err != nil {
		return line, err
	}
	for ours, theirs := range r.Fields {
		value, given := record[theirs]
		if !given {
			return line, &verbatim.LineError{File: line.File, Line: line.Number, What: fmt.Sprintf("the record has no field %q", theirs)}
		}
		if ours == ID && len(value) > 0 && (value[0] == '-' || '0' <= value[0] && value[0] <= '9') {
			value = json.RawMessage(`"` + string(value) + `"`) // a number is an id as good as any
		}
		delete(record, theirs)
		record[ours] = value
	}
	line.Text, err = verbatim.MarshalPlain(record)
	return line, err
}

// array yields the elements of a JSON array.
func (r *Reader) array(in io.Reader, name string, yield yielder) bool {
	count := &lineCounter{in: in}
	dec := json.NewDecoder(count)
	_, _ = dec.Token() // the bracket
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			at := count.read
			if bad := (*json.SyntaxError)(nil); errors.As(err, &bad) {
				at = bad.Offset
			}
			return yield(verbatim.Line{}, &verbatim.LineError{File: name, Line: count.line(at), What: "the array is not valid JSON from here on", Remedy: "what comes before is used"})
		}
		line := verbatim.Line{File: name, Number: count.line(dec.InputOffset() - int64(len(raw)))}
		var flat bytes.Buffer
		err := json.Compact(&flat, raw)
		line.Text = flat.Bytes()
		if err == nil && r.Fields != nil {
			line, err = r.rename(line)
		}
		if !yield(line, err) {
			return false
		}
	}
	if _, err := dec.Token(); err != nil {
		return yield(verbatim.Line{}, &verbatim.LineError{File: name, Line: count.line(dec.InputOffset()), What: "the array does not end", Remedy: "was the file cut off?"})
	}
	return true
}

// A lineCounter knows the line of each byte that was read.
type lineCounter struct {
	in   io.Reader
	read int64
	ends []int64 // where lines end
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	return n, err
}

func (c *lineCounter) line(offset int64) int {
	before, _ := slices.BinarySearch(c.ends, offset)
	return before + 1
}

// text yields a whole file as one journal.
func (r *Reader) text(in io.Reader, name string, yield yielder) bool {
	text, err := io.ReadAll(in)
	if err != nil {
		yield(verbatim.Line{}, fmt.Errorf("reading %s: %w", name, err))
		return false
	}
	if !utf8.Valid(text) {
		return yield(verbatim.Line{}, &verbatim.LineError{File: name, Line: 1, What: "the text is not valid UTF-8", Remedy: "save the file as UTF-8"})
	}
	base := filepath.Base(name)
	return r.journal(name, 1, []string{ID, Text}, []string{base[:len(base)-len(filepath.Ext(base))], string(text)}, yield)
}

// journal yields a journal made of fields.
func (r *Reader) journal(name string, number int, fields, values []string, yield yielder) bool {
	var b bytes.Buffer
	for i, field := range fields {
		key, _ := verbatim.MarshalPlain(field)
		value, _ := verbatim.MarshalPlain(values[i])
		b.WriteByte("{,"[min(i, 1)])
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return yield(verbatim.Line{File: name, Number: number, Text: b.Bytes()}, nil)
}

// field is the files' name of one of our fields.
func (r *Reader) field(ours string) string { return cmp.Or(r.Fields[ours], ours) }

// decode returns the file as UTF-8, without a byte order mark.
func (r *Reader) decode(in io.Reader, name string) (*bufio.Reader, error) {
	raw := bufio.NewReaderSize(in, 1<<16)
	switch strings.ToLower(cmp.Or(r.Encoding, "utf-8")) {
	case "utf-16":
		return fromUTF16(raw, name)
	case "latin-1":
		return fromLatin1(raw, name)
	case "utf-8":
		start, err := peek(raw, 1<<12, name)
		if err != nil {
			return nil, err
		}
		if looks := looksLike(start); looks != "" {
			return nil, &EncodingError{name, looks}
		}
		if bytes.HasPrefix(start, []byte("\uFEFF")) {
			_, _ = raw.Discard(len("\uFEFF"))
		}
		return raw, nil
	}
	return nil, fmt.Errorf("the encoding %q is unknown; the encodings are %s", r.Encoding, strings.Join(Encodings, ", "))
}
