package verbatim

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// again decodes a line, writes the record and decodes that.
func again[T any](t *testing.T, text string) (T, bool) {
	t.Helper()
	line := Line{"file.jsonl", 7, []byte(text)}
	value, err := Decode[T](line)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "file.jsonl:7") {
			t.Fatalf("%q: the error names no place: %v", text, err)
		}
		return value, false
	}
	written, err := MarshalPlain(value)
	if err != nil {
		t.Fatalf("%q was read, but cannot be written: %v", text, err)
	}
	line.Text = written
	back, err := Decode[T](line)
	if err != nil {
		t.Fatalf("%q was written as %q: %v", text, written, err)
	}
	once, _ := MarshalPlain(back)
	if string(once) != string(written) {
		t.Fatalf("%q was written as\n%s and then as\n%s", text, written, once)
	}
	return value, true
}

// Any line of a file of questions is read and written again as the same, or its
// error names its place; and no selector makes a proof read outside the text.
func FuzzQuestion(f *testing.F) {
	f.Add(`{"passage":"One.","answer_strings":["One."],"answer_types":["ground_truth"],"answer_probabilities":[1.0],"verbatim":{"passage":{"byte_start":0,"byte_end":4,"start":0,"end":4,"exact":"One.","status":"exact"}}}`)
	f.Add(`{"answer_strings":["a","b"],"verbatim":{"answers":[{},{"byte_start":-1,"byte_end":99999999,"status":"mapped","repairs":[[3,1,"x"],[0,9,""]]}]}}`)
	f.Add(`{"source_date":1e9,"answer_probabilities":[1e300,-0.0]}`)
	doc, err := NewDocument("doc", "One. Twö &amp; three—four.\nFive.")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, ok := again[Question](t, text)
		if !ok {
			return
		}
		for _, claim := range q.Claims() {
			s := claim.Selector
			if s.Prove(doc, claim.Text) != nil {
				continue
			}
			if s.ByteStart < 0 || s.ByteEnd > len(doc.Text) || doc.Text[s.ByteStart:s.ByteEnd] != s.Exact {
				t.Fatalf("%+v was proved", s)
			}
			for _, cut := range s.Cuts(doc) {
				if cut.Start < s.ByteStart || cut.End > s.ByteEnd {
					t.Fatalf("%+v was proved, with the cut %v", s, cut)
				}
			}
		}
	})
}

// Any line of tagged sentences is read and written again as the same.
func FuzzTaggedLine(f *testing.F) {
	f.Add(`{"sentence":"It was, but no.","index":3,"paragraph":1,"start":10,"end":25,"contrastclause":["but",2],"tags":[{"tag":"contrastclause","connector":"but","word":2,"start":18,"end":24,"sentence_start":8,"sentence_end":14,"tier":"sure","card":"but"}]}`)
	f.Add(`{"sentence":"x","tags":[{"tag":"sentence","rule":"r","from":1,"to":0}],"heading":true}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, text string) {
		s, ok := again[Tagged](t, text)
		if !ok {
			return
		}
		var back Tagged
		if err := json.Unmarshal(s.AppendJSON(nil), &back); err != nil || back.Sentence != s.Sentence || !slices.Equal(back.Tags, s.Tags) {
			t.Fatalf("%q is %+v, and then %+v, %v", text, s, back, err)
		}
	})
}

// Any line of rejected tags is read and written again as the same.
func FuzzRejectedTag(f *testing.F) {
	f.Add(`{"index":7,"category":"causal","connector":"for","word":1,"start":3,"end":6,"rule":"for/purpose","reason":"no verb follows"}`)
	f.Fuzz(func(t *testing.T, text string) { again[RejectedTag](t, text) })
}

// Any line of journals or items is read and written again as the same, and an
// item is found only where its words are.
func FuzzJournalLines(f *testing.F) {
	f.Add(`{"journal_id":"a","items":[{"domain":"food","evidence_span":"soup","byte_start":4,"byte_end":8,"start":4,"end":8}]}`, "Had soup.")
	f.Add(`{"journal_id":"a","text":"Had soup."}`, "")
	f.Add(`{"items":[{"evidence_span":"é","byte_start":-1,"byte_end":9223372036854775807,"start":-5,"end":1}]}`, "é")
	f.Fuzz(func(t *testing.T, text, journal string) {
		again[Journal](t, text)
		record, _ := again[JournalItems](t, text)
		for i := range record.Items {
			it := &record.Items[i]
			if span, found := it.Locate(journal); found && journal[span.Start:span.End] != it.EvidenceSpan {
				t.Fatalf("%+v was found at %v of %q", it, span, journal)
			}
		}
	})
}
