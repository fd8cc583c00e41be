//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
	"verbatim/workspace"
)

// pilots is a described book with a few drafts of one category.
func pilots(t *testing.T, dir, barcode string) string {
	t.Helper()
	text := "The keeper of " + barcode + " climbed the hundred and forty stairs of his tower without a rest on that evening, as on every evening of the nineteen winters " +
		"that he had lived in it, and lit the great lamp with a taper of his own making. "
	for _, boat := range []string{"first", "second", "third", "fourth", "fifth"} {
		text += "The " + boat + " boat stayed in the harbour, because the " + boat + " pilot trusted nobody. Nobody on the mainland saw it. "
	}
	write(t, filepath.Join(dir, "process_files", "metadata", barcode+".json"), lampKeeperMetadata)
	return write(t, filepath.Join(dir, barcode+".txt"), text+"\n")
}

// With language models a batch of any size needs few open files, and gives the
// same bytes as one book at a time.
func TestBatchWithModelsNeedsFewHandles(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 100 books")
	}
	server := storyServer(t, 0)
	dir, alone := t.TempDir(), t.TempDir()
	var names []string
	for i := range 100 {
		barcode := fmt.Sprintf("book%03d", i)
		names = append(names, filepath.Base(pilots(t, dir, barcode)))
	}
	args := []string{"make", "--batch", "--server", server.URL, "--types", "negation", "--drafts", "2", "--confirm-cap", "0"}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Two handles for each of 100 books are more than 120.
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -n 120; exec "$0" "$@"`, self}, append(args, names...)...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "VERBATIM_TEST_RUN=1", "VERBATIM_NO_MODELS=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.3000s", err, out)
	}
	for _, i := range []int{0, 39, 40, 99} { // the ends of waves
		barcode := fmt.Sprintf("book%03d", i)
		pilots(t, alone, barcode)
		verbatimIn(t, alone, append(args, barcode+".txt")...)
		for _, file := range []string{workspace.Drafts, workspace.Tagged, "made.json"} {
			name := workspace.Name(barcode, file)
			if !bytes.Equal(fileIn(t, dir, name), fileIn(t, alone, name)) {
				t.Errorf("%s is not the same as that of a batch of one", name)
			}
		}
		if text := string(fileIn(t, dir, workspace.Name(barcode, workspace.Drafts))); strings.Count(text, `"made":true`) != 2 {
			t.Errorf("%s does not have its answers", barcode)
		}
	}
}

// panicking crashes on the texts of one book.
type panicking struct{ verbatim.Scorer }

func (p panicking) Score(ctx context.Context, pairs []verbatim.Pair) ([]float64, error) {
	for _, pair := range pairs {
		if strings.Contains(pair.First+pair.Second, "keeper of bad") {
			panic("a test")
		}
	}
	return p.Scorer.Score(ctx, pairs)
}

// A crash on one book of a batch: it is named with its stage, the others are done,
// the exit status says that one failed, and no stack is on the screen.
func TestACrashInABatchCostsOneBook(t *testing.T) {
	dir := t.TempDir()
	paths := []string{pilots(t, dir, "good"), pilots(t, dir, "bad"), pilots(t, dir, "last")}
	work := filepath.Join(dir, "process_files")
	for command, run := range map[string]func(c *console) error{
		"make": func(c *console) error {
			run, err := newMakeRun(c, work, false, nil, nil)
			if err != nil {
				return err
			}
			space, err := run.at(t.Context(), work)
			if err != nil {
				return err
			}
			model, err := space.Scorer()
			space.Scorer = func() (verbatim.Scorer, error) { return panicking{model}, err }
			return run.batch(t.Context(), paths)
		},
		"tag": func(c *console) error {
			run := &tagRun{spaces: newSpaces(c, false, nil), force: true}
			jobs, err := run.plan(t.Context(), paths)
			if err != nil {
				return err
			}
			run.open[work].Models = &workspace.Models{Confirm: "m", ConfirmCap: 100, Open: func(ledger string) (verbatim.ChatModel, func(), error) {
				if strings.Contains(ledger, "bad") {
					panic("a test")
				}
				return nil, func() {}, nil
			}}
			return run.all(t.Context(), jobs, 2)
		},
	} {
		var out, messages bytes.Buffer
		err := run(&console{out: &out, messages: &messages, flags: map[string]string{}})
		var check *CheckFailed
		said := fmt.Sprint(messages.String(), err)
		if !errors.As(err, &check) || !strings.Contains(said, "bad: the program crashed while ") || !strings.Contains(said, "1 of 3 books") {
			t.Errorf("%s: %s", command, said)
		}
		if strings.Contains(said, "goroutine ") {
			t.Errorf("%s: the stack is on the screen:\n%s", command, said)
		}
		if !strings.Contains(said, filepath.Join(work, "bad-crash.txt")) || !bytes.Contains(fileIn(t, dir, "bad-crash.txt"), []byte("wave_test.go")) {
			t.Errorf("%s: the stack is not in the file that the message names:\n%s", command, said)
		}
		for _, name := range []string{"good-tagged.jsonl", "last-tagged.jsonl"} {
			fileIn(t, dir, name)
		}
		if command == "make" {
			fileIn(t, dir, "last-drafts.jsonl")
		}
		_ = os.Remove(filepath.Join(work, "bad-crash.txt"))
	}
}
