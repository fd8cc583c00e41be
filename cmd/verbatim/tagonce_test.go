package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// make --batch reads every sentence with the cards once. The count comes from
// a binary that is built for coverage, so the program needs no counter.
func TestMakeTagsEverySentenceOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a binary")
	}
	dir := t.TempDir()
	binary, counts := filepath.Join(dir, "verbatim.exe"), filepath.Join(dir, "counts")
	if err := os.Mkdir(counts, 0o777); err != nil {
		t.Fatal(err)
	}
	command(t, "go", "build", "-cover", "-covermode=count", "-coverpkg=verbatim/cue,verbatim/cmd/verbatim", "-o", binary, ".")
	write(t, filepath.Join(dir, "process_files", "metadata", "lamp-keeper.json"), lampKeeperMetadata)
	book := write(t, filepath.Join(dir, "lamp-keeper.txt"), lampKeeper)
	t.Setenv("GOCOVERDIR", counts)
	args := []string{"make", "--batch", "--no-models", "--nsp-model", "none", book}
	command(t, binary, args...)

	tagged, err := os.ReadFile(filepath.Join(dir, "process_files", "lamp-keeper-tagged.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	sentences := bytes.Count(tagged, []byte("\n"))
	if calls := callsOf(t, "Tags", counts); sentences < 100 || calls != sentences {
		t.Errorf("%d calls of Tags for %d sentences", calls, sentences)
	}
}

func command(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// callsOf is how often a method of cue.Reader was called: the count of its
// first block.
func callsOf(t *testing.T, method, counts string) int {
	t.Helper()
	source, err := os.ReadFile("../../cue/scope.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(source), "\nfunc (r *Reader) "+method+"(")
	if !found {
		t.Fatalf("no method %s in cue/scope.go", method)
	}
	line := strings.Count(before, "\n") + 2
	profile := filepath.Join(t.TempDir(), "profile")
	command(t, "go", "tool", "covdata", "textfmt", "-i="+counts, "-o="+profile)
	blocks, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	// verbatim/cue/scope.go:30.72,31.49 1 311: place, number of statements, count
	block := regexp.MustCompile(`(?m)^verbatim/cue/scope\.go:` + strconv.Itoa(line) + `\..* (\d+)$`).FindSubmatch(blocks)
	if block == nil {
		t.Fatalf("no count for line %d of cue/scope.go", line)
	}
	calls, err := strconv.Atoi(string(block[1]))
	if err != nil {
		t.Fatal(err)
	}
	return calls
}
