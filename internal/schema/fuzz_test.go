package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"verbatim/internal/schema"
)

// Any text is a schema or an error, and what a schema says about a value is
// always the same.
func FuzzSchema(f *testing.F) {
	f.Add(`{"type":"object","required":["a"],"properties":{"a":{"enum":["x"]}},"additionalProperties":false}`, `{"b":1,"c":2}`)
	f.Add(`{"$ref":"http://example.org/x.json"}`, `1`)
	f.Add(`{"$ref":"#"}`, `{}`)
	f.Add(`{"$defs":{"a":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, `[]`)
	f.Add(`{"anyOf":[{"pattern":"(a+)+$"},{"minimum":1e400}],"multipleOf":0.1}`, `"aaaaaaaaaaaaaaaaaaaaaaaa!"`)
	f.Fuzz(func(t *testing.T, text, value string) {
		s, err := schema.Compile([]byte(text))
		if err != nil {
			if !strings.Contains(err.Error(), "schema") && !strings.Contains(err.Error(), "Schema") {
				t.Fatalf("%q: %v does not say what is wrong", text, err)
			}
			return
		}
		var decoded any
		if json.Unmarshal([]byte(value), &decoded) != nil {
			return
		}
		first := s.Check(decoded, "the answer")
		if second := s.Check(decoded, "the answer"); second != first {
			t.Fatalf("%q says %q and then %q", text, first, second)
		}
	})
}
