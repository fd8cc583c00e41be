package journal

import (
	"strings"
	"testing"
	"testing/fstest"

	"verbatim"
	"verbatim/cue"
)

// Any card of a user's for journals is read, or each error names its file and
// line; and what the cards then find is in the text.
func FuzzCards(f *testing.F) {
	f.Add("rule: mine\npiece: 2\nsays: ate\nclaim: food\nyes: I ate [soup].\n", "I ate soup.")
	f.Add("list: mine\nwords: a\n", "a")
	f.Add("rule: x\nsays: (a|b\ngiven: food before\n", "a")
	f.Fuzz(func(t *testing.T, card, text string) {
		// Without the English cards: to read them takes a fifth of a second.
		cards, err := cue.Load(fstest.MapFS{"mine.txt": {Data: []byte(card)}}, cue.Words())
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				if !strings.Contains(line, ".txt:") {
					t.Fatalf("%q: %q names no line", card, line)
				}
			}
			return
		}
		claims, rejections := New(cards).find(text)
		sound(t, text, claims, rejections)
	})
}

// Whatever a file of items holds, each failure is named with its line, and what
// is proved is in the journal.
func FuzzVerify(f *testing.F) {
	f.Add(`{"journal_id":"a","items":[{"domain":"food","evidence_span":"soup","byte_start":4,"byte_end":8,"start":4,"end":8}]}`, `{"journal_id":"a","text":"Had soup."}`)
	f.Add("{\"journal_id\":\"b\"}\n\xff\n[]", `{"journal_id":"a"}`)
	f.Add(`{"journal_id":"a","items":[{"evidence_span":"é","byte_start":1,"byte_end":0}]}`, `{"journal_id":"a","text":"é"}`)
	f.Fuzz(func(t *testing.T, items, journals string) {
		texts, err := Texts(verbatim.Lines(strings.NewReader(journals), "journals.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		reported := 0
		proved, failed, err := Verify(strings.NewReader(items), "items.jsonl", texts, func(err error) {
			reported++
			if !strings.HasPrefix(err.Error(), "items.jsonl:") {
				t.Fatalf("%q: %v names no line", items, err)
			}
		})
		if reported != failed || err != nil && proved+failed > 0 {
			t.Fatalf("%d reported, %d failed, %v", reported, failed, err)
		}
		there := 0
		for record, err := range verbatim.Read[verbatim.JournalItems](strings.NewReader(items), "items.jsonl") {
			if err != nil {
				continue
			}
			for _, item := range record.Items {
				if doc := texts[record.ID]; doc != nil && item.EvidenceSpan != "" && strings.Contains(doc.Text, item.EvidenceSpan) {
					there++
				}
			}
		}
		if proved > there {
			t.Fatalf("%d items are proved, but only %d are in their journals", proved, there)
		}
	})
}
