package schema_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/schema"
)

func Example() {
	s, err := schema.Compile([]byte(`{"type":"object","properties":{"answer":{"enum":["yes","no"]}},"required":["answer"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{`{"answer":"yes"}`, `{"answer":"perhaps"}`, `{}`} {
		var value any
		_ = json.Unmarshal([]byte(text), &value)
		fmt.Println(text, cmp.Or(s.Check(value, "the reply"), "is right"))
	}
	// Output:
	// {"answer":"yes"} is right
	// {"answer":"perhaps"} "answer" is not one of "yes", "no"
	// {} the reply has no field "answer"
}

func TestCheckSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"object"}`, `{}`, ""},
		{`{"type":"object"}`, `7`, "the answer is of type number; it must be object"},
		{`{"type":"integer"}`, `7.0`, ""},
		{`{"type":"integer"}`, `7.5`, "the answer is of type number; it must be integer"},
		{`{"type":["string","null"]}`, `true`, "the answer is of type boolean; it must be null or string"},
		{`{"enum":[1,"a",null]}`, `1.0`, ""},
		{`{"enum":[1,"a",null]}`, `2`, `the answer is not one of 1, "a", null`},
		{`{"const":"a"}`, `"b"`, `the answer is not "a"`},
		{`{"properties":{"b":{"type":"string"},"a":{"type":"string"}}}`, `{"b":1,"a":2}`, `"a" is of type number; it must be string`},
		{`{"properties":{"b":{"type":"string"}},"required":["c"],"additionalProperties":false}`, `{"b":1,"d":2}`, `the answer has no field "c"`},
		{`{"properties":{"b":{}},"additionalProperties":false}`, `{"b":1,"d":2,"c":3}`, `the answer has a field that is not allowed: "c", "d"`},
		{`{"properties":{"l":{"items":{"type":"string"}}}}`, `{"l":["a",{}]}`, `"l.1" is of type object; it must be string`},
		{`{"minItems":2}`, `[1]`, "the answer has 1 items; the schema asks for at least 2"},
		{`{"maxItems":1}`, `[1,2]`, "the answer has 2 items; the schema allows 1"},
		{`{"minLength":3}`, `"äöü"`, ""},
		{`{"minLength":4}`, `"äöü"`, "the answer has 3 characters; the schema asks for at least 4"},
		{`{"maxLength":2}`, `"äöü"`, "the answer has 3 characters; the schema allows 2"},
		{`{"minimum":1.5}`, `1`, "the answer is less than 1.5"},
		{`{"maximum":4}`, `5`, "the answer is more than 4"},
		{`{"anyOf":[{"type":"string"},{"type":"object","required":["a"]}]}`, `{"a":1}`, ""},
		{`{"anyOf":[{"type":"string"},{"type":"object","required":["a"]}]}`, `{}`, "the answer has none of the allowed forms"},
		{`{"patternProperties":{"^n_":{"type":"number"}}}`, `{"n_a":"x"}`, `"n_a" is of type string; it must be number`},
		{`{"pattern":"^a"}`, `"b"`, `the answer does not meet the schema's condition "pattern"`},
		{`{"$defs":{"w":{"enum":["x"]}},"properties":{"a":{"$ref":"#/$defs/w"}}}`, `{"a":"y"}`, `"a" is not one of "x"`},
	} {
		s, err := schema.Compile([]byte(c.schema))
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		}
		for range 20 { // the library visits fields in random order; the sentence must not depend on it
			var value any
			if err := json.Unmarshal([]byte(c.value), &value); err != nil {
				t.Fatal(err)
			}
			if got := s.Check(value, "the answer"); got != c.want {
				t.Errorf("%s, %s: got %q, want %q", c.schema, c.value, got, c.want)
				break
			}
		}
	}
}

func TestCompileRejectsWhatIsNoSchema(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                  "not valid JSON",
		`{} {}`:                              "not valid JSON",
		`7`:                                  "not a JSON Schema",
		`{"type":"strang"}`:                  "not a JSON Schema",
		`{"required":"a"}`:                   "not a JSON Schema",
		`{"$ref":"https://example.org/a"}`:   "nothing is fetched",
		`{"$ref":"#/$defs/missing"}`:         "not a JSON Schema",
		`{"$schema":"https://example.org/"}`: "nothing is fetched",
	} {
		if _, err := schema.Compile([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
