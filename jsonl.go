package verbatim

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"
)

// A LineError describes one bad record. Reading continues with the next line. It
// never quotes the record, which may be private.
type LineError struct {
	File   string
	Line   int // from 1
	Column int // byte in the line, from 1; 0 for the whole line
	What   string
	Remedy string
}

func (e *LineError) Error() string {
	place := fmt.Sprintf("%s:%d", e.File, e.Line)
	if e.Column > 0 {
		place += fmt.Sprintf(":%d", e.Column)
	}
	if e.Remedy == "" {
		return place + ": " + e.What
	}
	return place + ": " + e.What + "; " + e.Remedy
}

// A Line is one line of a JSON Lines file, not yet decoded. Lines and Decode do
// what Read does, but let several goroutines decode.
type Line struct {
	File   string
	Number int // from 1
	Text   []byte
}

// Read yields the records of a JSON Lines file, one per line of any length. A bad
// line yields a *LineError, and reading continues; any other error is the last
// pair. Read accepts a byte order mark, CRLF, blank lines and a missing last
// newline. `file` is the name in errors.
func Read[T any](r io.Reader, file string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for line, err := range eachLine(r, file) {
			var value T
			if err == nil {
				value, err = Decode[T](line)
			}
			if !yield(value, err) {
				return
			}
		}
	}
}

// Lines yields the lines of a file that are not blank, each with its own bytes.
// It accepts what Read accepts; an error is the last pair.
func Lines(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for line, err := range eachLine(r, file) {
			line.Text = bytes.Clone(line.Text)
			if !yield(line, err) {
				return
			}
		}
	}
}

// eachLine is Lines with one buffer: a line's bytes are valid until the next line.
func eachLine(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		lines := bufio.NewReaderSize(r, 1<<16)
		var line []byte
		for number := 1; ; number++ {
			var readErr error
			line, readErr = readLine(lines, line[:0])
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte(byteOrderMark))
			}
			if record := bytes.TrimSpace(line); len(record) > 0 && !yield(Line{file, number, record}, nil) {
				return
			}
			if readErr == io.EOF {
				return
			}
			if readErr != nil {
				yield(Line{}, fmt.Errorf("reading %s after line %d: %w", file, number-1, readErr))
				return
			}
		}
	}
}

const byteOrderMark = "\uFEFF"

// readLine appends the next line to buf, which all lines share.
func readLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		piece, err := r.ReadSlice('\n')
		buf = append(buf, piece...)
		if err != bufio.ErrBufferFull {
			return buf, err
		}
	}
}

// Decode decodes a line as one record. Its error is a *LineError.
func Decode[T any](line Line) (T, error) {
	var value T
	record := line.Text
	// encoding/json would silently replace bad bytes with U+FFFD.
	if !utf8.Valid(record) {
		bad := invalidUTF8(string(record))
		return value, &LineError{line.File, line.Number, bad + 1, fmt.Sprintf("byte 0x%02X is not valid UTF-8", record[bad]),
			"save the file as UTF-8"}
	}
	if err := json.Unmarshal(record, &value); err != nil {
		var none T // not a partly filled record
		return none, lineError(err, line.File, line.Number)
	}
	return value, nil
}

func lineError(err error, file string, line int) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &LineError{file, line, int(syntax.Offset), "this is not valid JSON",
			"each line must hold one whole JSON value"}
	case errors.As(err, &kind):
		what := "the record"
		if kind.Field != "" {
			what = fmt.Sprintf("field %q", strings.ReplaceAll(kind.Field, "Place.", "")) // our name, not in the file
		}
		found, _, _ := bytes.Cut([]byte(kind.Value), []byte(" ")) // "number 1.5" would quote the value
		return &LineError{file, line, int(kind.Offset), fmt.Sprintf("%s is of type %s", what, found),
			"it must be " + kindName(kind.Type.Kind().String())}
	default: // the error of a record's UnmarshalJSON
		return &LineError{File: file, Line: line, What: err.Error()}
	}
}

// kindName returns what JSON calls a Go kind.
func kindName(kind string) string {
	names := map[string]string{"string": "a string", "bool": "true or false", "slice": "a list", "array": "a list",
		"struct": "an object", "map": "an object", "float32": "a number", "float64": "a number"}
	return cmp.Or(names[kind], "a whole number")
}

// Write writes one record per line. It stops at the first error of the sequence
// and returns it. The output depends only on the records.
func Write[T any](w io.Writer, records iter.Seq2[T, error]) error {
	out := bufio.NewWriterSize(w, 1<<16)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for record, err := range records {
		if err == nil {
			err = enc.Encode(record)
		}
		if err != nil {
			return errors.Join(err, out.Flush())
		}
	}
	return out.Flush()
}

// All yields the records of a slice, for Write.
func All[T any](records []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, record := range records {
			if !yield(record, nil) {
				return
			}
		}
	}
}

// MarshalPlain returns JSON without a newline and without HTML escapes such as
// \u003c for <.
func MarshalPlain(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
