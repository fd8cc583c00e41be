package verbatim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"
)

// A LineError is one bad record: the reader says where and what, and goes on
// with the next line. It never quotes the record, which may be a person's.
type LineError struct {
	File   string
	Line   int // from 1
	Column int // byte in the line, from 1; 0 where the whole line is meant
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

// A Line is one line of a JSON Lines file, not yet read: what Read does one
// after the other, Lines and Decode let many do at once.
type Line struct {
	File   string
	Number int // from 1
	Text   []byte
}

// Read gives the records of a JSON Lines file, one a line, however long. A bad
// line is a *LineError and the sequence goes on after it; any other error is
// the last pair. A byte order mark, CRLF, blank lines and a missing last
// newline are borne. `file` is the name that errors carry.
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

// Lines gives the lines of a file that are not blank, each with bytes of its
// own. It bears what Read bears; an error is the last pair.
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

// eachLine is Lines with one buffer for all: a line's bytes are good until the next.
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

// readLine appends the next line to buf, which is used again for every line.
func readLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		piece, err := r.ReadSlice('\n')
		buf = append(buf, piece...)
		if err != bufio.ErrBufferFull {
			return buf, err
		}
	}
}

// Decode reads a line as one record. Its error is a *LineError.
func Decode[T any](line Line) (T, error) {
	var value T
	record := line.Text
	// encoding/json would put U+FFFD in the place of bad bytes and say nothing.
	if !utf8.Valid(record) {
		bad := invalidUTF8(string(record))
		return value, &LineError{line.File, line.Number, bad + 1, fmt.Sprintf("byte 0x%02X is not valid UTF-8", record[bad]),
			"save the file as UTF-8"}
	}
	if err := json.Unmarshal(record, &value); err != nil {
		var none T // a record half filled must not be mistaken for a good one
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
			what = fmt.Sprintf("field %q", strings.ReplaceAll(kind.Field, "Place.", "")) // a name of ours, not of the file's
		}
		found, _, _ := bytes.Cut([]byte(kind.Value), []byte(" ")) // "number 1.5" would quote the value
		return &LineError{file, line, int(kind.Offset), fmt.Sprintf("%s is of type %s", what, found),
			"it must be " + kindName(kind.Type.Kind().String())}
	default: // a record's own UnmarshalJSON says what is wrong
		return &LineError{File: file, Line: line, What: err.Error()}
	}
}

// kindName says a Go kind in the words of JSON.
func kindName(kind string) string {
	switch kind {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "slice", "array":
		return "a list"
	case "struct", "map":
		return "an object"
	case "float32", "float64":
		return "a number"
	default:
		return "a whole number"
	}
}

// Write puts one record on each line. It stops at the first error of the
// sequence and returns it. The bytes depend on the records alone.
func Write[T any](w io.Writer, records iter.Seq2[T, error]) error {
	out := bufio.NewWriterSize(w, 1<<16)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for record, err := range records {
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		if err := enc.Encode(record); err != nil {
			return errors.Join(err, out.Flush())
		}
	}
	return out.Flush()
}

// marshalPlain is JSON as people read it: no \u003c for <, and no newline.
func marshalPlain(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
