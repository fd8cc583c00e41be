package journal

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendLine adds a journal's items as one line of JSON: the bytes that
// encoding/json would write for verbatim.JournalItems, made without it, because
// there the encoder takes longer than the extractor.
func (e *Extractor) AppendLine(dst []byte, id, text string) []byte {
	dst = appendString(append(dst, `{"journal_id":`...), id)
	dst = append(dst, `,"items":[`...)
	claims, _ := e.Claims(text)
	points, at := 0, 0 // code points before byte `at`
	for i, c := range claims {
		if i > 0 {
			dst = append(dst, ',')
		}
		points += utf8.RuneCountInString(text[at:c.Start])
		at = c.Start
		dst = c.appendTo(dst, text[c.Start:c.End], points)
	}
	return append(dst, "]}\n"...)
}

// appendTo adds one item. The constants of this package need no escapes; a
// card's name may be a user's.
func (c *Claim) appendTo(dst []byte, span string, point int) []byte {
	field := func(name, value string) {
		dst = append(dst, ',', '"')
		dst = append(dst, name...)
		dst = append(dst, '"', ':')
		dst = appendString(dst, value)
	}
	number := func(name string, value int) {
		dst = append(dst, ',', '"')
		dst = append(dst, name...)
		dst = strconv.AppendInt(append(dst, '"', ':'), int64(value), 10)
	}
	dst = appendString(append(dst, `{"domain":`...), c.Domain)
	field("evidence_span", span)
	field("polarity", c.Polarity)
	if c.Domain == Emotion {
		field("arousal_bucket", c.Degree)
	} else {
		field("intensity_bucket", c.Degree)
	}
	field("time_bucket", c.Time)
	number("byte_start", c.Start)
	number("byte_end", c.End)
	number("start", point)
	number("end", point+utf8.RuneCountInString(span))
	field("card", c.Card)
	return append(dst, '}')
}

// appendString adds a JSON string as encoding/json writes it, < > & as they are.
func appendString(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' || s[i] == 0x7f || s[i] == 0xE2 || s[i] == 0xEF {
			var quoted strings.Builder
			enc := json.NewEncoder(&quoted)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(s); err != nil {
				panic(err) // a string can always be written
			}
			return append(dst, strings.TrimSuffix(quoted.String(), "\n")...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
