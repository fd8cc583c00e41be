package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"verbatim"
	"verbatim/journal"
)

// manyJournals returns a file of n journals, some of them bad.
func manyJournals(n int) string {
	texts := []string{
		"Woke up with a stiff neck. Had oats with banana.",
		"Felt calm on the train, but not happy. No cramps today.",
		"Kal raat neend nahi aayi. चाय नहीं पी। Mood thoda off hai 😖",
		"",
	}
	var b strings.Builder
	for i := range n {
		line, _ := json.Marshal(map[string]string{"journal_id": fmt.Sprint("J", i), "text": texts[i%len(texts)]})
		b.Write(append(line, '\n'))
		if i%7 == 3 {
			b.WriteString("{\"journal_id\": 5}\n")
		}
	}
	return b.String()
}

func extractAll(t *testing.T, in string, workers int) (out, messages string, err error) {
	t.Helper()
	var o, w bytes.Buffer
	x := extraction{cards: journal.Cards(), file: "journals.jsonl", workers: workers, messages: &w}
	if err = x.run(context.Background(), strings.NewReader(in), &o); err == nil {
		err = x.verdict()
	}
	return o.String(), w.String(), err
}

func TestExtractIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	in := manyJournals(200)
	out, messages, err := extractAll(t, in, 1)
	if err == nil || !strings.Contains(messages, "journals.jsonl:4: journal \"J3\" has no text") {
		t.Errorf("the empty journal was not reported: %v, %.300s", err, messages)
	}
	for _, workers := range []int{2, 3, 16} {
		again, sameMessages, _ := extractAll(t, in, workers)
		if again != out || sameMessages != messages {
			t.Errorf("the output of %d workers differs from that of one", workers)
		}
	}
	proved, failed, err := verifyItems(strings.NewReader(out), strings.NewReader(in), "items", "journals", &bytes.Buffer{})
	if proved < 300 || failed > 0 || err != nil {
		t.Errorf("proved %d, failed %d, %v", proved, failed, err)
	}
}

// Journals are private: no error message quotes them.
func TestMessagesDoNotQuoteJournals(t *testing.T) {
	secret := "weeping in the stairwell"
	bad := []string{
		`{"journal_id": "A", "text": "` + secret + `"`,
		`{"journal_id": 7, "text": "` + secret + `"}`,
		`{"text": "` + secret + `"}`,
		`{"journal_id": "B", "text": ["` + secret + `"]}`,
		`{"journal_id": "C", "text": "` + secret + "\xff\"}",
		`{"journal_id": "D", "text": "` + secret + `"}`,
		`{"journal_id": "D", "text": "` + secret + `"}`,
		`"` + secret + `"`,
	}
	_, messages, err := extractAll(t, strings.Join(bad, "\n"), 2)
	if strings.Contains(messages, "weeping") || strings.Contains(err.Error(), "weeping") {
		t.Errorf("a message quotes a journal: %s", messages)
	}
	for line := range len(bad) {
		if line != 5 && !strings.Contains(messages, fmt.Sprintf("journals.jsonl:%d:", line+1)) {
			t.Errorf("line %d was not reported: %s", line+1, messages)
		}
	}
	if !strings.Contains(err.Error(), "7 lines skipped") || !strings.Contains(err.Error(), "1 journal done") {
		t.Errorf("the verdict is %q", err)
	}
}

func TestExtractReadsALongJournal(t *testing.T) {
	text := strings.Repeat("Felt calm. Had two idlis with chutney for breakfast! ", 20_000) // 1 MB
	line, _ := json.Marshal(map[string]string{"journal_id": "big", "text": text})
	out, _, err := extractAll(t, string(line)+"\n", 2)
	if err != nil {
		t.Fatal(err)
	}
	record, err := verbatim.Decode[verbatim.JournalItems](verbatim.Line{Text: []byte(out)})
	if err != nil || len(record.Items) != 40_000 {
		t.Errorf("%d items, %v; want 40,000", len(record.Items), err)
	}
}

func TestVerifyReportsFalseItems(t *testing.T) {
	journals := `{"journal_id": "A", "text": "Mood: calm. Very calm."}`
	for _, c := range []struct{ name, item, want string }{
		{"an invented span", `{"domain":"emotion","evidence_span":"serene"}`, "does not occur verbatim in the journal"},
		{"a wrong place", `{"domain":"emotion","evidence_span":"calm","byte_start":7,"byte_end":11,"start":7,"end":11}`, "is not at bytes 7 to 11"},
		{"an empty span", `{"domain":"emotion","evidence_span":""}`, "no evidence_span"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var messages bytes.Buffer
			items := `{"journal_id": "A", "items": [` + c.item + `]}`
			_, failed, err := verifyItems(strings.NewReader(items), strings.NewReader(journals), "items.jsonl", "journals.jsonl", &messages)
			if failed != 1 || err != nil || !strings.Contains(messages.String(), c.want) {
				t.Errorf("failed %d, %v, %s", failed, err, messages.String())
			}
		})
	}
}

func TestDemoExtract(t *testing.T) {
	var out bytes.Buffer
	predictions, err := demoExtract(context.Background(), &out, demoJournals)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(predictions, "\n"); n != 3 {
		t.Errorf("%d lines of predictions, want one for each of three journals", n)
	}
	for _, want := range []string{"proves each one against its", "symptom  a stiff neck"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demo does not print %q:\n%s", want, out.String())
		}
	}
	t.Log(out.String())
}
