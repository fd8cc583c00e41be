package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"verbatim"
)

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schemas[name]))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return schema
}

// holds validates every line of a file.
func holds(t *testing.T, name, text string) (records int) {
	t.Helper()
	schema := compiled(t, name)
	for line, err := range verbatim.Lines(strings.NewReader(text), name) {
		if err != nil {
			t.Fatal(err)
		}
		record, err := jsonschema.UnmarshalJSON(bytes.NewReader(line.Text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(record); err != nil {
			t.Errorf("%s, line %d: %v", name, line.Number, err)
		}
		records++
	}
	return records
}

// What the program writes, and what it takes, is what its schemas say.
func TestTheSchemasHoldOfWhatIsWritten(t *testing.T) {
	quickScorer()
	dir := t.TempDir()
	var messages bytes.Buffer
	if code := run(t.Context(), []string{"demo", "--dir", dir}, strings.NewReader(""), io.Discard, &messages); code != 0 {
		t.Fatal(code, messages.String())
	}
	for file, want := range map[string]struct {
		schema string
		least  int
	}{
		"process_files/lamp-keeper-clozequestions.jsonl": {"question", 8},
		"process_files/lamp-keeper-tagged.jsonl":         {"tagged", 100},
		"process_files/lamp-keeper-decisions.jsonl":      {"decision", 16},
		"predictions.jsonl":                              {"journal-items", 3},
		"gold.jsonl":                                     {"journal-items", 3},
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		if n := holds(t, want.schema, string(text)); n < want.least {
			t.Errorf("%s has %d records, and not %d", file, n, want.least)
		}
	}
	metadata, err := os.ReadFile(filepath.Join(dir, "process_files", "metadata", "lamp-keeper.json"))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, "metadata", strings.ReplaceAll(string(metadata), "\n", " "))
}

func TestTheSchemasOfDistractHold(t *testing.T) {
	t.Setenv("VERBATIM_NSP_MODEL", filepath.Join("..", "..", "bert", "testdata", "plain"))
	const good = `{"id": "1", "passage": "W1 w2 w3. [masked sentence] W9 w8.", "prompt": "Write a sentence:", "mask": "[masked sentence]",` +
		` "ground_truth": "W4 w5.", "answer_type": "sentence", "candidates": ["W11 w12.", "W21 w22."], "types": ["negation", "same_book"], "ranking": 2}`
	const bad = `{"id": "2", "passage": "W1 w2 w3.", "prompt": "Write:", "mask": "[mask]", "ground_truth": "W4.", "answer_type": "clause"}`
	holds(t, "distract", good)
	var out, messages bytes.Buffer
	if code := run(t.Context(), []string{"distract", "--dir", t.TempDir()}, strings.NewReader(good+"\n"+bad+"\nnonsense\n"), &out, &messages); code != 1 {
		t.Fatal(code, messages.String())
	}
	if n := holds(t, "distract-answers", out.String()); n != 3 || strings.Count(out.String(), `"error"`) != 2 || !strings.Contains(out.String(), `"ranking":[{`) {
		t.Errorf("%d answers: %s", n, out.String())
	}
}

// A schema that lets everything pass would prove nothing.
func TestSchemasReject(t *testing.T) {
	for name, record := range map[string]string{
		"question": `{"main_question": "Why?"}`, "tagged": `{"sentence": "It rained.", "index": 0, "paragraph": 0, "start": 0, "end": 10, "sorrowclause": ["alas", 0]}`,
		"metadata": `{"source_title": ""}`, "decision": `{"id": "1"}`, "distract": `{"types": ["negation"]}`,
		"distract-answers": `{"answer_strings": []}`, "journal-items": `{"journal_id": "a"}`,
	} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(record))
		if err != nil {
			t.Fatal(err)
		}
		if compiled(t, name).Validate(doc) == nil {
			t.Errorf("%s takes %s", name, record)
		}
	}
}
