package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
)

// Any file of drafts is read and written again as the same, or its error names
// it and its line.
func FuzzReadDrafts(f *testing.F) {
	f.Add([]byte(`{"id":"a","barcode":"b","category":"causalclause","passage":"One.","truth":"x","options":[{"type":"same_book","text":"y"}],"checked_by":"rules"}` + "\n"))
	f.Add([]byte("null\n"))
	f.Add([]byte("{}\n{\"place\":{\"start\":-1}}\n\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "b-drafts.jsonl")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		drafts, err := ReadDrafts(path)
		if err != nil {
			if !strings.Contains(err.Error(), "b-drafts.jsonl") {
				t.Fatalf("%q: %v names no file", data, err)
			}
			return
		}
		write := func() []byte {
			var out bytes.Buffer
			if err := verbatim.Write(&out, verbatim.All(drafts)); err != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
		written := write()
		if err := os.WriteFile(path, written, 0o666); err != nil {
			t.Fatal(err)
		}
		if drafts, err = ReadDrafts(path); err != nil || !bytes.Equal(write(), written) {
			t.Fatalf("%q was written as\n%s and then as\n%s, %v", data, written, write(), err)
		}
	})
}
