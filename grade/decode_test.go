package grade

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// oddLines are valid and invalid lines that could confuse a reader.
var oddLines = []string{
	`{"journal_id":"A","items":[]}`,
	` { "items" : [ ] , "journal_id" : "A" } `,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"clear"}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"clear","polarity":"present","note":"n","confidence":0.78,"text":"t"}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"a \"b\" \\ \/ \b\f\n\r\t \u00e9 \ud83d\ude00 \ud83d x \ude00"}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"é😀"}],"extra":{"a":[1,2.5e-3,-0,true,false,null,{"b":"c"}]}}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","byte_start":3,"byte_end":4,"start":3,"end":4}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","byte_start":-3}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","byte_start":1.5}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","byte_start":1.0}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","byte_start":01}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","byte_start":12345678901234567890}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","domain":"food"}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","other":1,"other":{"a":1,"a":2}}],"x":[{"domain":1,"domain":2}],"x":3}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","polarity":"present","polarity":"absent"}]}`,
	`{"journal_id":"A","journal_id":"B","items":[]}`,
	`{"journal_id":"A","items":[],"items":[]}`,
	`{"journal_id":"","items":[]}`, `{"journal_id":7,"items":[]}`, `{"journal_id":"A"}`, `{"items":[]}`, `{"journal_id":"A","items":null}`,
	`{"journal_id":"A","items":[1]}`, `{"journal_id":"A","items":[null]}`, `{"journal_id":"A","items":[{}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","note":3}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","time_bucket":null}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x","time_bucket":"soon"}]}`,
	`{"journal_id":"A","items":[{"domain":"Mind","evidence_span":"x"}]}`,
	`{"journal_id":"A","items":[{"Domain":"mind","evidence_span":"x"}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x",}]}`,
	`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"x"},]}`,
	`{"journal_id":"A","items":[{"domain":"mind" "evidence_span":"x"}]}`,
	`{"journal_id":"A","items":[,]}`, `{"journal_id":"A","items":[]`, `{"journal_id":"A","items":[]}}`, `{"journal_id":"A",,"items":[]}`,
	`{"journal_id":"A","items":[{"byte_start"`, `{"journal_id":"A","items":[{"domain"`, `{"a":"b\`, `{"a":"b\\`,
	`{,"journal_id":"A","items":[]}`, `{}`, `[]`, `null`, `"A"`, `1`, ``, `{"a"}`, `{"a":}`, `{"a":01}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":+1}`, `{"a":tru}`,
	"{\"journal_id\":\"A\tB\",\"items\":[]}", "{\"journal_id\":\"A\x00\",\"items\":[]}", "{\"journal_id\":\"\xff\",\"items\":[]}",
	`{"journal_id":"A\x","items":[]}`, `{"journal_id":"A\u12","items":[]}`, `{"journal_id":"A\u+123","items":[]}`, `{"journal_id":"A\u_123","items":[]}`,
	`{"journal_id":"A","items":[],"deep":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
	`{"journal_id":"A","items":[],"deep":` + strings.Repeat("[", 11000) + strings.Repeat("]", 11000) + `}`,
}

// checkReaders compares the fast reader with the full one, and that with
// encoding/json. If the fast reader accepts a line, nothing is wrong with it and
// both read the same. If nothing is wrong, the fast reader accepts it unless a
// place is written in an unusual way.
func checkReaders(t *testing.T, s *Schema, line string) {
	var fast, full record
	accepted := s.read(line, &fast)
	problems, readable := s.examine(line, &full)
	if accepted && (len(problems) > 0 || !readable) {
		t.Fatalf("the fast reader accepted %.300q; the full one says %v", line, problems)
	}
	if accepted && (fast.id != full.id || !reflect.DeepEqual(fast.items, full.items) && len(fast.items)+len(full.items) > 0 ||
		string(bytesOf(fast.values)) != string(bytesOf(full.values))) {
		t.Fatalf("%.300q is read as %+v and %+v", line, fast, full)
	}
	if readable && !json.Valid([]byte(line)) {
		t.Fatalf("%.300q is not JSON but was read", line)
	}
	if readable && len(problems) == 0 && !accepted && !strings.Contains(line, "start") && !strings.Contains(line, "end") {
		t.Fatalf("the fast reader rejected %.300q, which is valid", line)
	}
	checkValue(t, line)
	if id, ok := quickID(line); ok && readable && id != full.id {
		t.Fatalf("the id of %.300q is read as %q and %q", line, id, full.id)
	}
	if id, text, ok := readJournal(line); ok {
		again, words, problems := examineJournal(line)
		if len(problems) > 0 || id != again || text != words {
			t.Fatalf("the journal %.300q is read as %q, %q and %q, %q, %v", line, id, text, again, words, problems)
		}
	}
}

// checkValue compares the parser with encoding/json.
func checkValue(t *testing.T, line string) {
	if !utf8.ValidString(line) {
		return // encoding/json repairs it, we reject it
	}
	p := parser{text: line}
	p.skip(0)
	skipped := p.atEnd()
	if valid := json.Valid([]byte(line)); skipped != valid && !strings.Contains(line, strings.Repeat("[", 5000)) {
		t.Fatalf("%.300q: skipped %v, valid %v", line, skipped, valid)
	}
	p = parser{text: line}
	if got := p.str(); p.atEnd() {
		var want string
		if err := json.Unmarshal([]byte(line), &want); err != nil || got != want {
			t.Fatalf("the string %.300q is read as %q, want %q, %v", line, got, want, err)
		}
	}
}

func bytesOf(codes []int8) (out []byte) {
	for _, c := range codes {
		out = append(out, byte(c))
	}
	return out
}

func TestReadersAgree(t *testing.T) {
	for _, line := range oddLines {
		checkReaders(t, Default(), line)
	}
}

func FuzzReaders(f *testing.F) {
	for _, line := range oddLines {
		if len(line) < 1000 {
			f.Add(line)
		}
	}
	f.Add(`"a \ud800\udc00 \u0000"`)
	f.Add(`{"journal_id":"A","text":"a","text":"b"}`)
	f.Add(`{"journal_id":"A","text":"Slept \"well\".","created_at":"2025-01-01"}`)
	s := Default()
	f.Fuzz(func(t *testing.T, line string) { checkReaders(t, s, line) })
}
