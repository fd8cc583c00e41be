//go:build unix

package bert_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"verbatim/bert"
	"verbatim/internal/durable"
)

// A named pipe in a model's folder is named; nobody waits for somebody to write.
func TestAPipeInAModelFolderIsNamed(t *testing.T) {
	for _, name := range []string{"config.json", "vocab.txt", "model.safetensors"} {
		dir := filepath.Join(t.TempDir(), "model")
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "plain"))); err != nil {
			t.Fatal(err)
		}
		pipe := filepath.Join(dir, name)
		if err := os.Remove(pipe); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(pipe, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := bert.Open(dir, bert.Auto); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "a pipe or a device") {
			t.Errorf("%s: %v", name, err)
		}
		bert.Hash(durable.DirFS(dir)) // returns
	}
}
