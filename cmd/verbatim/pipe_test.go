package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// closedPipe is an output whose reader has stopped.
func closedPipe(t *testing.T) io.Writer {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

// No decision is made about a draft that was not shown.
func TestReviewEndsWithItsReader(t *testing.T) {
	t.Chdir(bookIn(t, true, true))
	var messages bytes.Buffer
	code := run(t.Context(), strings.Fields("review --plain --reviewer Ada"), strings.NewReader(strings.Repeat("a\n", 20)), closedPipe(t), &messages)
	if code != 0 {
		t.Errorf("exit status %d: %s", code, messages.String())
	}
	if decided, _ := os.ReadFile(filepath.Join("process_files", "lamp-decisions.jsonl")); len(decided) > 0 {
		t.Errorf("decided: %s", decided)
	}
}

// Work stops when nobody reads the output or the messages. What failed by then
// still counts.
func TestWorkEndsWithItsReader(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.jsonl", "b.jsonl"} {
		if err := os.WriteFile(name, []byte("{\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(strings.TrimSuffix(name, "jsonl")+"txt", []byte("The lamp was lit."), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, messages bytes.Buffer
	if code := run(t.Context(), strings.Fields("verify --json a.jsonl b.jsonl"), nil, closedPipe(t), &messages); code != 1 || strings.Contains(messages.String(), "b.jsonl") {
		t.Errorf("exit status %d: %s", code, messages.String())
	}
	if code := run(t.Context(), strings.Fields("verify a.jsonl b.jsonl"), nil, &out, closedPipe(t)); code != 1 || strings.Contains(out.String(), "2 files") {
		t.Errorf("exit status %d: %s", code, out.String())
	}
}
