// Package verbatim is the vocabulary of the program: documents and the spans in
// them, selectors that prove a span, the records that pass between stages, and
// JSON Lines.
//
// A Document's text never changes. A Span is a place in one Document. A Selector
// can be proved against the source bytes without the code that made it.
package verbatim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"
	"unicode/utf8"
)

// A Document is one text, byte for byte as it was read. Text never changes: a
// cleaned text is a separate Document (see package clean).
type Document struct {
	ID     string // the file's name without .txt, or a journal's id
	Text   string // valid UTF-8
	SHA256 string // of Text, in hexadecimal

	// points[i] is the number of code points before byte i*pointStep, so that
	// CodePoint does not count from the start of the text.
	points []int
}

const pointStep = 4096

// NewDocument returns a Document of the text. If the text is not valid UTF-8,
// the error is an *EncodingError, which names the first bad byte.
func NewDocument(id, text string) (*Document, error) {
	if bad := invalidUTF8(text); bad >= 0 {
		return nil, &EncodingError{ID: id, Offset: bad, Byte: text[bad]}
	}
	return &Document{ID: id, Text: text, SHA256: hash(text), points: countPoints(text)}, nil
}

func hash(text string) string {
	sum := sha256.New()
	for piece := range pieces(text) { // []byte(text) would copy the whole book
		sum.Write([]byte(piece))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// pieces cuts a text into pieces of pointStep bytes.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for start := 0; start < len(text); start += pointStep {
			if !yield(text[start:min(start+pointStep, len(text))]) {
				return
			}
		}
	}
}

// ReadDocument reads all of r as one Document.
func ReadDocument(r io.Reader, id string) (*Document, error) {
	var text strings.Builder
	if f, ok := r.(fs.File); ok { // avoids the copies of a growing buffer
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			text.Grow(int(info.Size()))
		}
	}
	if _, err := io.Copy(&text, r); err != nil {
		return nil, fmt.Errorf("reading %s: %w", id, err)
	}
	return NewDocument(id, text.String())
}

// Quote returns the text of a span. It panics if the span is outside the text.
func (d *Document) Quote(s Span) string { return d.Text[s.Start:s.End] }

// CodePoint returns the number of code points before a byte, as W3C's text
// position selector counts them.
func (d *Document) CodePoint(offset int) int {
	if block := offset / pointStep; block < len(d.points) {
		return d.points[block] + countRuneStarts(d.Text[block*pointStep:offset])
	}
	return countRuneStarts(d.Text[:offset]) // a Document literal has no index
}

func countPoints(text string) []int {
	points := make([]int, 1, len(text)/pointStep+2)
	for piece := range pieces(text) {
		points = append(points, points[len(points)-1]+countRuneStarts(piece))
	}
	return points
}

// countRuneStarts counts the bytes that begin a code point. Unlike
// utf8.RuneCountInString, it accepts a text that starts inside a code point.
func countRuneStarts(text string) int {
	n := 0
	for i := 0; i < len(text); i++ {
		if text[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// An EncodingError says where a text stops being UTF-8 and how to convert it.
type EncodingError struct {
	ID     string
	Offset int
	Byte   byte
}

func (e *EncodingError) Error() string {
	return fmt.Sprintf("%s: byte %d (0x%02X) is not valid UTF-8; convert the file first, for example: iconv -f WINDOWS-1252 -t UTF-8 OLD.txt > NEW.txt",
		e.ID, e.Offset, e.Byte)
}

// A Span is a half-open range of bytes in one Document.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether s contains all of other.
func (s Span) Contains(other Span) bool { return s.Start <= other.Start && other.End <= s.End }

// Overlaps reports whether the two spans share at least one byte.
func (s Span) Overlaps(other Span) bool { return s.Start < other.End && other.Start < s.End }

// A Sentence is the span of a sentence and its position in the text.
type Sentence struct {
	Span
	Number    int // from 0, over the whole Document
	Paragraph int // from 0
}
