package grade

import (
	"strings"
	"testing"
)

// Any text is a schema of items or an error; and with any schema, the quick
// reader accepts only what the thorough one does.
func FuzzSchema(f *testing.F) {
	f.Add(string(JournalItems), `{"journal_id":"A","items":[{"domain":"food","evidence_span":"soup"}]}`)
	f.Add(`{"properties":{"items":{"items":{"properties":{"domain":{"enum":["a"]},"mood":{"enum":["x","unknown"]}}}}}}`, `{"journal_id":"A","items":[{"domain":"a","evidence_span":"x","mood":"x"}]}`)
	f.Add(`{"properties":{"items":{"items":{"$ref":"#/$defs/i"}}},"$defs":{"i":{"$ref":"#/$defs/i"}}}`, `{}`)
	f.Fuzz(func(t *testing.T, text, line string) {
		s, err := ParseSchema([]byte(text))
		if err != nil {
			if !strings.Contains(err.Error(), "chema") {
				t.Fatalf("%q: %v does not say what is wrong", text, err)
			}
			return
		}
		if len(s.Domains) == 0 {
			t.Fatalf("%q has no domains", text)
		}
		var fast, full record
		if s.quick && s.read(line, &fast) {
			if problems, readable := s.examine(line, &full); len(problems) > 0 || !readable {
				t.Fatalf("with %q the fast reader accepted %q; the full one says %v", text, line, problems)
			}
		}
	})
}
