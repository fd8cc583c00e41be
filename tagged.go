package verbatim

import (
	"cmp"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// A Tagged is one sentence of a book with its connectors: a line of
// BARCODE-tagged.jsonl. As JSON it has a key for each tag, for example
// "contrastclause": ["but", 7], the connector and the white-space word that it
// starts at; `tags` repeats them in full.
type Tagged struct {
	Sentence  string // as in the reading copy
	Index     int    // from 0, over the book
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
	Index     int    `json:"index"`    // of the sentence
	Sense     string `json:"category"` // causal, effect, ...
	Connector string `json:"connector"`
	Word      int    `json:"word"`
	Span             // the connector: bytes of the source file
	Card      string `json:"card"`
	Scope     string `json:"scope,omitempty"`
	Reason    string `json:"reason"`
}

// UnmarshalJSON reads a rejected tag. It also reads the key rule of version
// 0.1.0.
func (r *RejectedTag) UnmarshalJSON(data []byte) error {
	type plain RejectedTag
	line := struct {
		*plain
		Rule string `json:"rule"`
	}{plain: new(plain)}
	if err := json.Unmarshal(data, &line); err != nil {
		return err
	}
	*r = RejectedTag(*line.plain)
	r.Card = cmp.Or(r.Card, line.Rule)
	return nil
}

// AppendJSON appends the line, without its newline. Books are large, and a
// line has keys that no struct can name, so it is written by hand.
func (t *Tagged) AppendJSON(b []byte) []byte {
	b = append(b, `{"sentence":`...)
	b = appendString(b, t.Sentence)
	b = appendInt(b, `,"index":`, t.Index)
	b = appendInt(b, `,"paragraph":`, t.Paragraph)
	b = appendInt(b, `,"start":`, t.Start)
	b = appendInt(b, `,"end":`, t.End)
	if t.Heading {
		b = append(b, `,"heading":true`...)
	}
	for _, tag := range t.Tags {
		b = append(b, ',')
		b = appendString(b, tag.Name)
		b = append(b, `:[`...)
		b = appendString(b, tag.Connector)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(tag.Word), 10)
		b = append(b, ']')
	}
	if len(t.Tags) > 0 {
		tags, err := marshalPlain(t.Tags)
		if err != nil {
			panic(err) // strings and numbers only
		}
		b = append(b, `,"tags":`...)
		b = append(b, tags...)
	}
	return append(b, '}')
}

// MarshalJSON writes the line of the file.
func (t Tagged) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// UnmarshalJSON reads the line; the keys of the tags repeat what `tags` says.
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
	*t = Tagged{line.Sentence, line.Index, line.Paragraph, line.Span, line.Heading, line.Tags}
	return nil
}

func appendInt(b []byte, key string, n int) []byte {
	return strconv.AppendInt(append(b, key...), int64(n), 10)
}

// appendString appends a JSON string as encoding/json writes it without the
// escapes for HTML.
func appendString(b []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	b = append(b, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == '\u2028' || r == '\u2029' { // line ends in JavaScript
				b = append(append(b, s[done:i]...), `\u202`...)
				b = append(b, hexDigits[r&0xF])
				done = i + size
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7F {
			i++
			continue
		}
		b = append(b, s[done:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		case 0x7F:
			b = append(b, c)
		default:
			b = append(b, `\u00`...)
			b = append(b, hexDigits[c>>4], hexDigits[c&0xF])
		}
		i++
		done = i
	}
	return append(append(b, s[done:]...), '"')
}

// AppendJSON appends the line, without its newline.
func (r *RejectedTag) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"index":`, r.Index)
	for _, field := range []struct{ key, value string }{{"category", r.Sense}, {"connector", r.Connector}} {
		b = appendField(b, field.key, field.value)
	}
	b = appendInt(b, `,"word":`, r.Word)
	b = appendInt(b, `,"start":`, r.Start)
	b = appendInt(b, `,"end":`, r.End)
	b = appendField(b, "card", r.Card)
	if r.Scope != "" {
		b = appendField(b, "scope", r.Scope)
	}
	return append(appendField(b, "reason", r.Reason), '}')
}

func appendField(b []byte, key, value string) []byte {
	b = append(append(append(b, `,"`...), key...), `":`...)
	return appendString(b, value)
}
