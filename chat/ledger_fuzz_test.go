package chat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
)

// Whatever a ledger holds, it is opened, its damaged lines cost only
// themselves, and an entry that passes the check is replayed.
func FuzzLedger(f *testing.F) {
	key := strings.Repeat("0a", 32)
	f.Add(`{"key":"` + key + `","style":"ollama","request":{},"response":"{\"message\":{\"content\":\"yes\"},\"done\":true,\"done_reason\":\"stop\"}"}` + "\n{\"key\":")
	f.Add(`{"key":"` + key + `","style":"openai","request":[],"response":"data: {}\n\ndata: [DONE]"}` + "\nnull\n\xff\n")
	f.Add(`{"key":"` + key + `","request":1,"outcome":"timeout","time":"0001-01-01T00:00:00Z"}`)
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "ledger.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := OpenLedger(path, true)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		left, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(text, string(left)) {
			t.Fatalf("%q became %q, %v", text, left, err)
		}
		for line, err := range verbatim.Lines(strings.NewReader(string(left)), "ledger.jsonl") {
			if err != nil {
				t.Fatal(err)
			}
			if _, err := CheckEntry(line); err != nil {
				if !strings.HasPrefix(err.Error(), "ledger.jsonl:") {
					t.Fatalf("%v names no line", err)
				}
				continue
			}
			entry, err := verbatim.Decode[Entry](line)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := entry.reply(); entry.Outcome == "" && err != nil {
				t.Fatalf("%q passes the check, but cannot be replayed: %v", line.Text, err)
			}
			if _, there := l.answers[entry.Key]; entry.Outcome == "" && !there {
				t.Fatalf("%q passes the check, but is not in the ledger", line.Text)
			}
		}
	})
}
