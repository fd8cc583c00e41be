package grade

import (
	"strings"
	"testing"
)

// A problem names the field but never quotes its value.
func TestProblemsNeverQuoteTheRecord(t *testing.T) {
	const secret = "Zwiebelhusten"
	strict, err := ParseSchema([]byte(strings.Replace(wider, `"minLength": 1`, `"pattern": "^[a-z]$", "maxLength": 3, "format": "date", "const": "x", "not": {"type": "string"}`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	problems := 0
	for _, template := range []string{
		`{"journal_id":"A","items":[{"domain":@,"evidence_span":"x"}]}`,
		`{"journal_id":"A","items":[{"domain":"symptom","evidence_span":@,"polarity":@,"time_bucket":@,"duration_bucket":@,"note":@,"start":@}]}`,
		`{"journal_id":"A","items":@}`, `{"journal_id":@}`, `{"journal_id":"A","items":[@]}`, `@`, `{"journal_id":"A","items":[]} @`,
		`{"journal_id":"A","items":[{"domain":"symptom","domain":@}]}`, `{"journal_id":"A","text":@}`, `{@`, `{"journal_id":"A","items":[{"domain":@`,
	} {
		for _, value := range []string{`"` + secret + `"`, `["` + secret + `"]`, `{"a":"` + secret + `"}`, `"` + secret, `"` + secret + "\x01\"", secret, `"` + secret + "\xff\"", `"\u` + secret + `"`} {
			line := strings.ReplaceAll(template, "@", value)
			var rec record
			for _, s := range []*Schema{Default(), strict} {
				all, _ := s.examine(line, &rec)
				_, _, more := examineJournal(line)
				for _, f := range append(all, more...) {
					problems++
					if text := f.at("file", 1).Error(); strings.Contains(text, "Zwiebel") {
						t.Errorf("%s", text)
					}
				}
			}
			if _, wrong := idOf([]byte(line)); wrong != nil && strings.Contains(wrong.at("file", 1).Error(), "Zwiebel") {
				t.Errorf("%s", wrong.at("file", 1))
			}
		}
	}
	if problems < 100 {
		t.Errorf("only %d problems were checked", problems)
	}
}
