package verbatim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Journal is one entry of a personal journal, as it was written.
type Journal struct {
	ID        string `json:"journal_id"`
	CreatedAt string `json:"created_at,omitempty"` // RFC 3339, with its offset
	Text      string `json:"text"`
	LangHint  string `json:"lang_hint,omitempty"`

	// More holds the fields that are not named here, in their order. They are
	// written again as they were read.
	More []Field `json:"-"`
}

// JournalItems is what a person (gold) or a system (predictions) found in one
// journal: one line of an items file.
type JournalItems struct {
	ID    string  `json:"journal_id"`
	Items []Item  `json:"items"`
	More  []Field `json:"-"`
}

// An Item is one claim and its evidence: a piece of the journal's text, copied
// letter by letter. An attribute that is empty was not given.
type Item struct {
	Domain       string `json:"domain"`
	EvidenceSpan string `json:"evidence_span"`
	Polarity     string `json:"polarity,omitempty"`
	Intensity    string `json:"intensity_bucket,omitempty"`
	Arousal      string `json:"arousal_bucket,omitempty"`
	Time         string `json:"time_bucket,omitempty"`
	Note         string `json:"note,omitempty"`
	*Place
	More []Field `json:"-"`
}

// A Place is where an evidence span stands in its journal's text, in bytes and,
// for other languages, in code points; half-open.
type Place struct {
	ByteStart int `json:"byte_start"`
	ByteEnd   int `json:"byte_end"`
	Start     int `json:"start"`
	End       int `json:"end"`
}

// A Field is a field of a record that this program does not know and keeps.
type Field struct {
	Name  string
	Value json.RawMessage
}

// Locate finds the item's evidence in a text: at the place that the item
// carries if its words stand there, else where they first occur. It is false
// where the words do not occur, letter by letter.
func (it *Item) Locate(text string) (Span, bool) {
	if it.EvidenceSpan == "" {
		return Span{}, false
	}
	if it.Place != nil {
		if s := (Span{it.ByteStart, it.ByteEnd}); isAt(text, s, it.EvidenceSpan) {
			return s, true
		}
		start := byteOfPoint(text, it.Start)
		if s := (Span{start, start + len(it.EvidenceSpan)}); start >= 0 && isAt(text, s, it.EvidenceSpan) &&
			it.End-it.Start == utf8.RuneCountInString(it.EvidenceSpan) {
			return s, true
		}
	}
	at := strings.Index(text, it.EvidenceSpan)
	return Span{at, at + len(it.EvidenceSpan)}, at >= 0
}

func isAt(text string, s Span, words string) bool {
	return 0 <= s.Start && s.Start <= s.End && s.End <= len(text) && text[s.Start:s.End] == words
}

// byteOfPoint is the byte at which a code point begins, or -1.
func byteOfPoint(text string, point int) int {
	if point < 0 {
		return -1
	}
	n := 0
	for i := range text {
		if n == point {
			return i
		}
		n++
	}
	return -1
}

// UnmarshalJSON reads a journal and keeps the fields it does not know.
func (j *Journal) UnmarshalJSON(data []byte) error {
	type plain Journal
	return unmarshalKeeping(data, (*plain)(j), &j.More, "journal_id", "created_at", "text", "lang_hint")
}

// MarshalJSON writes a journal with the fields that were kept.
func (j Journal) MarshalJSON() ([]byte, error) {
	type plain Journal
	return marshalKept(plain(j), j.More)
}

// UnmarshalJSON reads a line of items and keeps the fields it does not know.
func (j *JournalItems) UnmarshalJSON(data []byte) error {
	type plain JournalItems
	return unmarshalKeeping(data, (*plain)(j), &j.More, "journal_id", "items")
}

// MarshalJSON writes a line of items with the fields that were kept.
func (j JournalItems) MarshalJSON() ([]byte, error) {
	type plain JournalItems
	if j.Items == nil {
		j.Items = []Item{} // "items": null is no list
	}
	return marshalKept(plain(j), j.More)
}

// UnmarshalJSON reads an item and keeps the fields it does not know.
func (it *Item) UnmarshalJSON(data []byte) error {
	type plain Item
	return unmarshalKeeping(data, (*plain)(it), &it.More, "domain", "evidence_span", "polarity", "intensity_bucket",
		"arousal_bucket", "time_bucket", "note", "byte_start", "byte_end", "start", "end")
}

// MarshalJSON writes an item with the fields that were kept.
func (it Item) MarshalJSON() ([]byte, error) {
	type plain Item
	return marshalKept(plain(it), it.More)
}

func unmarshalKeeping(data []byte, record any, more *[]Field, known ...string) error {
	if err := json.Unmarshal(data, record); err != nil {
		return err
	}
	fields := json.NewDecoder(bytes.NewReader(data))
	if brace, err := fields.Token(); err != nil || brace != json.Delim('{') {
		return err // null is nothing
	}
	for fields.More() {
		name, err := fields.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := fields.Decode(&value); err != nil {
			return fmt.Errorf("field %q: %w", name, err)
		}
		// encoding/json reads "Domain" into domain as well: it was not lost.
		if !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name.(string)) }) {
			*more = append(*more, Field{name.(string), value})
		}
	}
	return nil
}

func marshalKept(record any, more []Field) ([]byte, error) {
	out, err := marshalPlain(record)
	if err != nil {
		return nil, err
	}
	out = bytes.TrimSuffix(out, []byte("}"))
	for _, field := range more {
		name, err := marshalPlain(field.Name)
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), field.Value...)
	}
	return append(out, '}'), nil
}
