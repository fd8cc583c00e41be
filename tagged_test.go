package verbatim

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

func TestTaggedHasAKeyForEachTag(t *testing.T) {
	line := Tagged{Sentence: `He said "no", but stayed.`, Index: 3, Paragraph: 1, Span: Span{10, 35}, Tags: []Tag{{
		Name: "contrastclause", Connector: "but", Word: 3, Span: Span{24, 34}, SentenceStart: 14, SentenceEnd: 24, Tier: "sure",
		Card: "but/contrast", Scope: "scope/clause-coordinator", Confirmed: "rules", Sure: true}}}
	got, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"sentence":"He said \"no\", but stayed.","index":3,"paragraph":1,"start":10,"end":35,"contrastclause":["but",3],` +
		`"tags":[{"tag":"contrastclause","connector":"but","word":3,"start":24,"end":34,"sentence_start":14,"sentence_end":24,"tier":"sure",` +
		`"card":"but/contrast","scope":"scope/clause-coordinator","confirmed":"rules","sense_sure":true}]}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var back Tagged
	if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, line) {
		t.Errorf("read back: %+v, %v", back, err)
	}
}

// Whatever a book holds, the line is JSON and reads back as it was.
func FuzzTaggedSentence(f *testing.F) {
	for _, s := range []string{"", "a \"b\" \\ c", "tab\tline\nfeed\x00\x1f\x7f", "dash — é \u2028 \u2029 <&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip("no UTF-8: such a text is no Document")
		}
		line := Tagged{Sentence: s}
		var back Tagged
		if err := json.Unmarshal(line.AppendJSON(nil), &back); err != nil || back.Sentence != s {
			t.Errorf("%q came back as %q, %v", s, back.Sentence, err)
		}
	})
}

// Files of version 0.1.0 have other keys.
func TestOldKeysAreRead(t *testing.T) {
	var tag Tag
	old := `{"tag":"contrastclause","connector":"but","word":3,"start":24,"end":34,"from":14,"to":24,"tier":"sure","rule":"but/contrast"}`
	want := Tag{Name: "contrastclause", Connector: "but", Word: 3, Span: Span{24, 34}, SentenceStart: 14, SentenceEnd: 24, Tier: TierSure, Card: "but/contrast"}
	if err := json.Unmarshal([]byte(old), &tag); err != nil || tag != want {
		t.Errorf("got %+v, %v", tag, err)
	}
	var rejected RejectedTag
	old = `{"index":7,"category":"causal","connector":"for","word":1,"start":3,"end":6,"rule":"for/purpose","reason":"no verb follows"}`
	no := RejectedTag{Index: 7, Sense: "causal", Connector: "for", Word: 1, Span: Span{3, 6}, Card: "for/purpose", Reason: "no verb follows"}
	if err := json.Unmarshal([]byte(old), &rejected); err != nil || rejected != no {
		t.Errorf("got %+v, %v", rejected, err)
	}
	if err := json.Unmarshal(no.AppendJSON(nil), &rejected); err != nil || rejected != no {
		t.Errorf("read back: %+v, %v", rejected, err)
	}
}
