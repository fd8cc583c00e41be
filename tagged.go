package verbatim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Tagged is one sentence of a book with its connectors: a line of
// BARCODE-tagged.jsonl. As JSON it has a key for each tag, for example
// "contrastclause": ["but", 7], the connector and the white-space word that it
// starts at; `tags` repeats them in full.
type Tagged struct {
	Sentence  string // as in the reading copy
	Index     int    // in the book, from 0
	Paragraph int
	Span           // bytes of the source file
	Heading   bool // a heading has no tags
	Tags      []Tag
}

// Tiers of a tag: the rules are sure of it, or they cast a wide net and a
// language model may be asked.
const (
	TierSure = "sure"
	TierWide = "wide"
)

// A Tag says that a sentence, or the clause that ends it, begins with a
// connector of one of the categories.
type Tag struct {
	Name      string `json:"tag"` // the category: causalsentence, causalclause, ...
	Connector string `json:"connector"`
	Word      int    `json:"word"` // white-space word of the sentence, from 0
	Span             // what a question would mask: bytes of the source file
	// SentenceStart and SentenceEnd are the same place in bytes of the sentence.
	SentenceStart int    `json:"sentence_start"`
	SentenceEnd   int    `json:"sentence_end"`
	Tier          string `json:"tier"` // TierSure or TierWide
	Subtype       string `json:"subtype,omitempty"`
	Card          string `json:"card"`                // the card that decided the sense
	Scope         string `json:"scope"`               // the card that decided the place
	Confirmed     string `json:"confirmed,omitempty"` // rules, or a model and its digest
	Sure          bool   `json:"sense_sure"`          // false: a language model may be asked about the sense
}

// InSentence is what a question would mask, in bytes of the sentence.
func (t Tag) InSentence() Span { return Span{t.SentenceStart, t.SentenceEnd} }

// UnmarshalJSON reads a tag. It also reads the keys of version 0.1.0: rule,
// from and to.
func (t *Tag) UnmarshalJSON(data []byte) error {
	type plain Tag
	line := struct {
		*plain
		Rule string `json:"rule"`
		From *int   `json:"from"`
		To   *int   `json:"to"`
	}{plain: new(plain)}
	if err := json.Unmarshal(data, &line); err != nil {
		return err
	}
	*t = Tag(*line.plain)
	t.Card = cmp.Or(t.Card, line.Rule)
	if line.From != nil && line.To != nil {
		t.SentenceStart, t.SentenceEnd = *line.From, *line.To
	}
	return nil
}

// A RejectedTag is a connector without a tag, and the reason: a line of
// BARCODE-refused.jsonl.
type RejectedTag struct {
	Index     int    `json:"index"` // of the sentence
	Sense     string `json:"sense"` // causal, effect, ...
	Connector string `json:"connector"`
	Word      int    `json:"word"`
	Span             // the connector: bytes of the source file
	Card      string `json:"card"`
	Scope     string `json:"scope,omitempty"`
	Reason    string `json:"reason"`
}

// UnmarshalJSON reads a rejected tag. It also reads the keys of version 0.1.0:
// rule and category.
func (r *RejectedTag) UnmarshalJSON(data []byte) error {
	type plain RejectedTag
	line := struct {
		*plain
		Rule     string `json:"rule"`
		Category string `json:"category"`
	}{plain: new(plain)}
	if err := json.Unmarshal(data, &line); err != nil {
		return err
	}
	*r = RejectedTag(*line.plain)
	r.Card, r.Sense = cmp.Or(r.Card, line.Rule), cmp.Or(r.Sense, line.Category)
	return nil
}

// AppendJSON appends the line, without its newline. It has keys that no struct
// can name, so its frame is written by hand.
func (t *Tagged) AppendJSON(b []byte) []byte {
	b = appendJSON(append(b, `{"sentence":`...), t.Sentence)
	b = fmt.Appendf(b, `,"index":%d,"paragraph":%d,"start":%d,"end":%d`, t.Index, t.Paragraph, t.Start, t.End)
	if t.Heading {
		b = append(b, `,"heading":true`...)
	}
	for _, tag := range t.Tags {
		b = appendJSON(append(b, ','), tag.Name)
		b = appendJSON(append(b, ':'), []any{tag.Connector, tag.Word})
	}
	if len(t.Tags) > 0 {
		b = appendJSON(append(b, `,"tags":`...), t.Tags)
	}
	return append(b, '}')
}

// MarshalJSON writes the line of the file.
func (t Tagged) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// UnmarshalJSON reads the line. It takes the tags from `tags`; the keys of the
// tags only repeat them.
func (t *Tagged) UnmarshalJSON(data []byte) error {
	var line struct {
		Sentence  string `json:"sentence"`
		Index     int    `json:"index"`
		Paragraph int    `json:"paragraph"`
		Span
		Heading bool  `json:"heading"`
		Tags    []Tag `json:"tags"`
	}
	if err := json.Unmarshal(data, &line); err != nil {
		return err
	}
	for _, tag := range line.Tags { // its key would replace another one when the line is written
		if slices.ContainsFunc(taggedKeys, func(key string) bool { return strings.EqualFold(key, tag.Name) }) {
			return fmt.Errorf("a tag cannot be called %q", tag.Name)
		}
	}
	*t = Tagged(line)
	return nil
}

// taggedKeys are the keys of a line that are not tags.
var taggedKeys = []string{"sentence", "index", "paragraph", "start", "end", "heading", "tags"}

// AppendJSON appends the line, without its newline.
func (r *RejectedTag) AppendJSON(b []byte) []byte { return appendJSON(b, r) }

func appendJSON(b []byte, v any) []byte {
	data, err := MarshalPlain(v)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return append(b, data...)
}
