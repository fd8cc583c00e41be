package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// killsWanted is how often a test kills its command: some, or as many as the
// variable VERBATIM_KILLS says.
func killsWanted(some int) int {
	if n, err := strconv.Atoi(os.Getenv("VERBATIM_KILLS")); err == nil {
		return n
	}
	return some
}

// process is a command of this program in a folder, not yet started.
func process(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "VERBATIM_TEST_RUN=1", "VERBATIM_NO_MODELS=false")
	return cmd
}

// killed runs a command and kills it after a random part of the time that it
// usually takes. It reports whether the command was still running.
func killed(t *testing.T, cmd *exec.Cmd, usual time.Duration) bool {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(rand.N(usual), func() { _ = cmd.Process.Kill() }).Stop()
	if cmd.Wait() == nil {
		return false
	}
	if code := cmd.ProcessState.ExitCode(); code != -1 && runtime.GOOS != "windows" {
		t.Fatalf("it ended by itself with the status %d", code)
	}
	return true
}

// distract is killed at random moments and started again: the file of answers is
// there whole or not at all, in the end it has the same bytes, and no recorded
// answer is asked for again.
func TestDistractResumesAfterKills(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes, which takes long: not with -short")
	}
	server := storyServer(t, 5*time.Millisecond)
	var requests strings.Builder
	const mask = "[masked clause describing a cause or reason]"
	for i := range 40 {
		fmt.Fprintf(&requests, `{"id":"%d","metadata_prefix":"The following passage comes from The Lamp.","passage":"The lamp of house %d was lit early. They stayed at home, %s.","prompt":"Write a clause appropriate for this book that could stand in the position marked by %s:","mask":"%s","ground_truth":"because night %d was dark and the sea was high in every harbour of the coast","answer_type":"clause","candidates":[],"types":["negation","anachronistic_gpt-oss:20b"]}`+"\n",
			i, i, mask, mask, mask, i)
	}
	args := []string{"distract", "--server", server.URL, "--concurrency", "4", "--nsp-model", "none", "--batch", "--out", "answers.jsonl", "requests.jsonl"}
	fresh := func() string {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "requests.jsonl"), requests.String())
		return dir
	}
	whole := fresh()
	start := time.Now()
	verbatimIn(t, whole, args...)
	usual, once := time.Since(start), len(server.Requests())
	want, err := os.ReadFile(filepath.Join(whole, "answers.jsonl"))
	if err != nil || bytes.Count(want, []byte("\n")) != 40 || once < 80 {
		t.Fatalf("an uninterrupted run made %d calls: %v\n%.500s", once, err, want)
	}
	kills, dir, before, runs := 0, fresh(), len(server.Requests()), 0
	inLedger := 0
	for tries := 0; kills < killsWanted(3) && tries < 10*killsWanted(3); tries++ {
		if killed(t, process(t, dir, args...), usual) {
			kills++
		} else {
			runs++
		}
		got, err := os.ReadFile(filepath.Join(dir, "answers.jsonl"))
		if err == nil && !bytes.Equal(got, want) {
			t.Fatal("the file of answers is not whole")
		}
		ledger, _ := os.ReadFile(filepath.Join(dir, "process_files", "distract-ledger.jsonl"))
		if n := bytes.Count(ledger, []byte("\n")); n < inLedger {
			t.Fatalf("%d answers were recorded, %d are left", inLedger, n)
		} else if inLedger = n; err == nil { // it is done: begin again
			dir, inLedger, before = fresh(), 0, len(server.Requests())
		}
	}
	verbatimIn(t, dir, args...)
	if got, err := os.ReadFile(filepath.Join(dir, "answers.jsonl")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the answers differ from those of an uninterrupted run: %v", err)
	}
	if extra := len(server.Requests()) - before - once; extra > 4*kills {
		t.Errorf("%d calls were made twice in %d kills", extra, kills)
	}
	t.Logf("%d kills, %d uninterrupted runs", kills, runs)
	if kills < killsWanted(3) {
		t.Errorf("only %d runs were killed in time", kills)
	}
}

// review is killed at random moments and started again: every decision that was
// followed by the next page is in the log, and in the end the questions are those
// of an uninterrupted review.
func TestReviewResumesAfterKills(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes, which takes long: not with -short")
	}
	template := bookIn(t, true, true)
	fresh := func() string {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	args := []string{"review", "--plain", "--reviewer", "Ada"}
	whole := fresh()
	start := time.Now()
	acceptAll(t, whole, process(t, whole, args...), func() {}) // it ends by itself
	usual := time.Since(start)
	want := fileIn(t, whole, "lamp-clozequestions.jsonl")
	if bytes.Count(want, []byte("\n")) != 8 {
		t.Fatalf("an uninterrupted review gives %d questions", bytes.Count(want, []byte("\n")))
	}
	kills, dir, reviews := 0, fresh(), 0
	for tries := 0; kills < killsWanted(3) && tries < 10*killsWanted(3); tries++ {
		cmd := process(t, dir, args...)
		var timer *time.Timer
		seen, finished := acceptAll(t, dir, cmd, func() {
			timer = time.AfterFunc(rand.N(usual), func() { _ = cmd.Process.Kill() })
		})
		timer.Stop()
		log, _ := os.ReadFile(filepath.Join(dir, "process_files", "lamp-decisions.jsonl"))
		if !bytes.HasPrefix(log, seen) {
			t.Fatalf("%d bytes of decisions were followed by a page; %d are left", len(seen), len(log))
		}
		if !finished {
			kills++
			continue
		}
		reviews++
		if !bytes.Equal(fileIn(t, dir, "lamp-clozequestions.jsonl"), want) {
			t.Fatal("the questions differ from those of an uninterrupted review")
		}
		dir = fresh()
	}
	acceptAll(t, dir, process(t, dir, args...), func() {})
	if !bytes.Equal(fileIn(t, dir, "lamp-clozequestions.jsonl"), want) {
		t.Error("the questions differ from those of an uninterrupted review")
	}
	if out := verbatimIn(t, dir, "status"); strings.Contains(out, "trouble") {
		t.Error(out)
	}
	t.Logf("%d kills in %d reviews", kills, reviews+1)
	if kills < killsWanted(3) {
		t.Errorf("only %d reviews were killed in time", kills)
	}
}

// acceptAll accepts whatever a review asks, as a person does who waits for each
// page. seen is the log as it was when the last page was shown.
func acceptAll(t *testing.T, dir string, cmd *exec.Cmd, started func()) (seen []byte, finished bool) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	started()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		answer := ""
		switch line := lines.Text(); {
		case strings.HasSuffix(line, "is this a good question?"), strings.HasSuffix(line, "save this question?"):
			answer = "a\n"
		case strings.HasSuffix(line, "are these good wrong answers?"):
			answer = "A\n"
		}
		if answer != "" {
			seen, _ = os.ReadFile(filepath.Join(dir, "process_files", "lamp-decisions.jsonl"))
			_, _ = io.WriteString(in, answer) // it may be killed by now
		}
	}
	return seen, cmd.Wait() == nil
}
