package verbatim

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
)

// A Line is one line of a JSON Lines file, not yet read: what Read does one
// after the other, Lines and Decode let many do at once.
type Line struct {
	File   string
	Number int // from 1
	Text   []byte
}

// Lines gives the lines of a file that are not blank, each with bytes of its
// own. A byte order mark, CRLF and a missing last newline are borne; an error
// is the last pair.
func Lines(r io.Reader, file string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		lines := bufio.NewReaderSize(r, 1<<16)
		var line []byte
		for number := 1; ; number++ {
			var readErr error
			line, readErr = readLine(lines, line[:0])
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte(byteOrderMark))
			}
			if record := bytes.TrimSpace(line); len(record) > 0 {
				if !yield(Line{file, number, bytes.Clone(record)}, nil) {
					return
				}
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

// Decode reads a line as one record. Its error is a *LineError.
func Decode[T any](line Line) (T, error) { return decode[T](line.Text, line.File, line.Number) }
