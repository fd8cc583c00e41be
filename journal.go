package verbatim

import (
	"strings"
	"unicode/utf8"
)

// A Journal is one entry of a personal journal, as its writer wrote it.
type Journal struct {
	ID   string `json:"journal_id"`
	Text string `json:"text"`
}

// JournalItems is one line of an items file: what a person (gold) or a system
// (predictions) found in one journal.
type JournalItems struct {
	ID    string `json:"journal_id"`
	Items []Item `json:"items"`
}

// An Item is one claim and its evidence: a part of the journal's text, copied
// verbatim. An empty attribute was not given.
type Item struct {
	Domain       string `json:"domain"`
	EvidenceSpan string `json:"evidence_span"`
	Polarity     string `json:"polarity,omitempty"`
	Intensity    string `json:"intensity_bucket,omitempty"`
	Arousal      string `json:"arousal_bucket,omitempty"`
	Time         string `json:"time_bucket,omitempty"`
	Note         string `json:"note,omitempty"`
	*Place
}

// A Place is where an evidence span is in its journal's text: half-open, in
// bytes and, for other programming languages, in code points.
type Place struct {
	ByteStart int `json:"byte_start"`
	ByteEnd   int `json:"byte_end"`
	Start     int `json:"start"`
	End       int `json:"end"`
}

// Locate finds the item's evidence in a text: at the item's place if the words
// are there, else at their first occurrence. It returns false if the words do
// not occur verbatim.
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

// byteOfPoint returns the byte at which a code point begins, or -1.
func byteOfPoint(text string, point int) int {
	n := 0
	for i := range text {
		if n == point {
			return i
		}
		n++
	}
	return -1
}

// MarshalJSON writes a line of items. No items are an empty list, not null.
func (j JournalItems) MarshalJSON() ([]byte, error) {
	type plain JournalItems
	if j.Items == nil {
		j.Items = []Item{}
	}
	return MarshalPlain(plain(j))
}
