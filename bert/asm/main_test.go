package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The committed assembly is up to date with the generator.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	dir := t.TempDir()
	files := []string{"kernel_amd64.s", "stub_amd64.go"}
	run := exec.Command("go", "run", ".", "-out", filepath.Join(dir, files[0]), "-stubs", filepath.Join(dir, files[1]), "-pkg", "bert")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range files {
		generated, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		committed, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		// The first line contains the command and therefore the output path.
		_, generated, _ = bytes.Cut(generated, []byte("\n"))
		_, committed, _ = bytes.Cut(committed, []byte("\n"))
		if !bytes.Equal(generated, committed) {
			t.Errorf("%s is out of date; run: go generate ./bert", name)
		}
	}
}
