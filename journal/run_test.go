package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/parallel"
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

func extractAll(t *testing.T, in string, workers int) (out, messages string, x *Run) {
	t.Helper()
	var o, w bytes.Buffer
	x = &Run{Cards: Cards(), Workers: workers, Report: func(err error) { fmt.Fprintln(&w, err) }}
	err := x.Items(t.Context(), verbatim.Lines(strings.NewReader(in), "journals.jsonl"), &o)
	if err != nil {
		t.Fatal(err)
	}
	return o.String(), w.String(), x
}

func verifyAll(items, journals string, report func(error)) (proved, failed int, err error) {
	texts, err := Texts(verbatim.Lines(strings.NewReader(journals), "journals.jsonl"))
	if err != nil {
		return 0, 0, err
	}
	return Verify(strings.NewReader(items), "items.jsonl", texts, report)
}

func TestExtractIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	in := manyJournals(200)
	out, messages, x := extractAll(t, in, 1)
	if x.Bad == 0 || !strings.Contains(messages, "journals.jsonl:4: journal \"J3\" has no text") {
		t.Errorf("the empty journal was not reported: %.300s", messages)
	}
	for _, workers := range []int{2, 3, 16} {
		again, sameMessages, _ := extractAll(t, in, workers)
		if again != out || sameMessages != messages {
			t.Errorf("the output of %d workers differs from that of one", workers)
		}
	}
	proved, failed, err := verifyAll(out, in, func(error) {})
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
	_, messages, x := extractAll(t, strings.Join(bad, "\n"), 2)
	if strings.Contains(messages, "weeping") {
		t.Errorf("a message quotes a journal: %s", messages)
	}
	for line := range len(bad) {
		if line != 5 && !strings.Contains(messages, fmt.Sprintf("journals.jsonl:%d:", line+1)) {
			t.Errorf("line %d was not reported: %s", line+1, messages)
		}
	}
	if x.Bad != 7 || x.Done != 1 {
		t.Errorf("%d bad, %d done; want 7 and 1", x.Bad, x.Done)
	}
}

func TestExtractReadsALongJournal(t *testing.T) {
	text := strings.Repeat("Felt calm. Had two idlis with chutney for breakfast! ", 20_000) // 1 MB
	line, _ := json.Marshal(map[string]string{"journal_id": "big", "text": text})
	out, _, _ := extractAll(t, string(line)+"\n", 2)
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
			_, failed, err := verifyAll(items, journals, func(err error) { fmt.Fprintln(&messages, err) })
			if failed != 1 || err != nil || !strings.Contains(messages.String(), c.want) {
				t.Errorf("failed %d, %v, %s", failed, err, messages.String())
			}
		})
	}
}

// A crash of the program on a journal is reported with its line, and ends neither
// the run nor the program.
func TestACrashOnAJournalIsReported(t *testing.T) {
	in := manyJournals(3) // without cards an extractor panics
	for _, work := range []func(*Run) error{
		func(x *Run) error {
			return x.Items(t.Context(), verbatim.Lines(strings.NewReader(in), "journals.jsonl"), io.Discard)
		},
		func(x *Run) error {
			return x.Explain(t.Context(), verbatim.Lines(strings.NewReader(in), "journals.jsonl"), io.Discard)
		},
	} {
		var reported []error
		x := &Run{Workers: 2, Report: func(err error) { reported = append(reported, err) }}
		if err := work(x); err != nil || x.Bad != 3 || x.Done != 0 || len(reported) != 3 {
			t.Fatalf("%d bad, %d done, %v, reported %v", x.Bad, x.Done, err, reported)
		}
		for i, err := range reported {
			var crash *parallel.PanicError
			if !errors.As(err, &crash) || !strings.HasPrefix(err.Error(), fmt.Sprintf("journals.jsonl:%d: the program crashed: ", i+1)) || len(crash.Stack) == 0 {
				t.Errorf("reported %v", err)
			}
		}
	}
}
