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

// manyJournals is a file of n journals, some of them bad.
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

func extractAll(t *testing.T, in string, workers int) (out, words string, err error) {
	t.Helper()
	var o, w bytes.Buffer
	x := extraction{cards: journal.Cards(), file: "journals.jsonl", workers: workers, words: &w}
	if err = x.run(context.Background(), strings.NewReader(in), &o); err == nil {
		err = x.verdict()
	}
	return o.String(), w.String(), err
}

func TestExtractIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	in := manyJournals(200)
	out, words, err := extractAll(t, in, 1)
	if err == nil || !strings.Contains(words, "journals.jsonl:4: the text of journal \"J3\" is empty") {
		t.Errorf("the empty journal was not named: %v, %.300s", err, words)
	}
	for _, workers := range []int{2, 3, 16} {
		again, againWords, _ := extractAll(t, in, workers)
		if again != out || againWords != words {
			t.Errorf("%d workers give other bytes than one", workers)
		}
	}
	proved, failed, err := verifyItems(strings.NewReader(out), strings.NewReader(in), "items", "journals", &bytes.Buffer{})
	if proved < 300 || failed > 0 || err != nil {
		t.Errorf("proved %d, failed %d, %v", proved, failed, err)
	}
}

// What a person wrote is nobody's business but theirs: no error and no log
// line quotes it.
func TestNothingOfAJournalIsPrinted(t *testing.T) {
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
	_, words, err := extractAll(t, strings.Join(bad, "\n"), 2)
	if strings.Contains(words, "weeping") || strings.Contains(err.Error(), "weeping") {
		t.Errorf("a journal was quoted: %s", words)
	}
	for line := range len(bad) {
		if line != 5 && !strings.Contains(words, fmt.Sprintf("journals.jsonl:%d:", line+1)) {
			t.Errorf("line %d was not named: %s", line+1, words)
		}
	}
	if !strings.Contains(err.Error(), "7 lines could not be used") || !strings.Contains(err.Error(), "1 journal is done") {
		t.Errorf("the verdict is %q", err)
	}
}

func TestATenMegabyteJournalIsReadWhole(t *testing.T) {
	text := strings.Repeat("Felt calm. Had two idlis with chutney for breakfast! ", 200_000)
	line, _ := json.Marshal(map[string]string{"journal_id": "big", "text": text})
	out, _, err := extractAll(t, string(line)+"\n", 2)
	if err != nil {
		t.Fatal(err)
	}
	record, err := verbatim.Decode[verbatim.JournalItems](verbatim.Line{Text: []byte(out)})
	if err != nil || len(record.Items) != 400_000 {
		t.Errorf("%d items, %v; want 400,000", len(record.Items), err)
	}
}

func TestVerifyNamesItemsThatDoNotStandInTheirJournal(t *testing.T) {
	journals := `{"journal_id": "A", "text": "Mood: calm. Very calm."}`
	for _, c := range []struct{ name, item, want string }{
		{"an invented span", `{"domain":"emotion","evidence_span":"serene"}`, "does not stand in the journal"},
		{"a wrong place", `{"domain":"emotion","evidence_span":"calm","byte_start":7,"byte_end":11,"start":7,"end":11}`, "do not stand at bytes 7 to 11"},
		{"an empty span", `{"domain":"emotion","evidence_span":""}`, "no evidence_span"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var words bytes.Buffer
			items := `{"journal_id": "A", "items": [` + c.item + `]}`
			_, failed, err := verifyItems(strings.NewReader(items), strings.NewReader(journals), "items.jsonl", "journals.jsonl", &words)
			if failed != 1 || err != nil || !strings.Contains(words.String(), c.want) {
				t.Errorf("failed %d, %v, %s", failed, err, words.String())
			}
		})
	}
}

func TestDemoExtractsAndProves(t *testing.T) {
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
			t.Errorf("the demo does not say %q:\n%s", want, out.String())
		}
	}
	t.Log(out.String())
}
