package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// `verbatim extract - -o journals.jsonl < journals.jsonl` would lose the journals.
func TestStandardInputIsNotOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journals.jsonl")
	const text = `{"journal_id": "a", "text": "No cramps today."}`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var messages bytes.Buffer
	code := run(t.Context(), []string{"extract", "-", "-o", path}, in, io.Discard, &messages)
	if left, _ := os.ReadFile(path); code != 2 || string(left) != text || !strings.Contains(messages.String(), "would be overwritten") {
		t.Errorf("exit %d, file %s, message %q", code, left, messages.String())
	}
}
