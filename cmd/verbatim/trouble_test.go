//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// failingIn runs a command that must fail, after a shell line such as a file size
// limit, and returns its messages and exit status.
func failingIn(t *testing.T, dir, before string, args ...string) (messages string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", append([]string{"-c", before + `exec "$0" "$@"`, self}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "VERBATIM_TEST_RUN=1")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("verbatim %v should have failed:\n%s", args, out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// A very short text has too few candidates in every category.
func TestSpec1AVeryShortText(t *testing.T) {
	dir := bookIn(t, true, false)
	if err := os.WriteFile(filepath.Join(dir, "lamp.txt"), []byte("The lamp was lit. But nobody on the mainland saw it that night.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	messages, code := failingIn(t, dir, "", "make", "--batch", "--no-models", "lamp.txt")
	if code != 1 || !strings.Contains(messages, "no questions, because no category has the 4 examples that it needs") {
		t.Errorf("exit status %d:\n%s", code, messages)
	}
}

// A full disk, simulated by a limit on the size of files: existing files stay, and
// the same command resumes.
func TestFullDisk(t *testing.T) {
	dir := bookIn(t, true, true)
	verbatimIn(t, dir, "review", "--plain", "--reviewer", "Ada") // no line: it quits at once
	before := fileIn(t, dir, "lamp-drafts.jsonl")
	const full = "trap '' XFSZ; ulimit -f 40; " // blocks of 512 bytes
	messages, code := failingIn(t, dir, full, "make", "--batch", "--no-models", "--seed", "7", "lamp.txt")
	if code == 0 || !strings.Contains(messages, "lamp-drafts.jsonl") || !strings.Contains(messages, "file too large") {
		t.Errorf("exit status %d:\n%s", code, messages)
	}
	if !bytes.Equal(before, fileIn(t, dir, "lamp-drafts.jsonl")) {
		t.Error("the drafts that were there are lost")
	}
	left, _ := filepath.Glob(filepath.Join(dir, "process_files", "*.tmp"))
	if len(left) > 0 {
		t.Errorf("half a file is left: %v", left)
	}
	verbatimIn(t, dir, "make", "--batch", "--no-models", "--seed", "7", "lamp.txt")
	if bytes.Equal(before, fileIn(t, dir, "lamp-drafts.jsonl")) {
		t.Error("the command did not continue")
	}
}

// A decision that does not fit on the disk does not count and leaves no half line.
func TestDecisionOnAFullDisk(t *testing.T) {
	dir := bookIn(t, true, true)
	const full = "trap '' XFSZ; ulimit -f 8; "
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", full+`exec "$0" "$@"`, self, "review", "--plain", "--reviewer", "Ada")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "VERBATIM_TEST_RUN=1")
	cmd.Stdin = strings.NewReader("a\na\na\na\nx\nq\n")
	out, _ := cmd.CombinedOutput()
	if !strings.Contains(string(out), "could not be saved and does not count") {
		t.Errorf("no message for the reviewer:\n%s", out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "process_files", "lamp-decisions.jsonl"))
	if err != nil || len(data) > 0 && data[len(data)-1] != '\n' {
		t.Errorf("the log ends in half a line: %v", err)
	}
	if out := verbatimIn(t, dir, "status"); strings.Contains(out, "trouble") {
		t.Error(out)
	}
}

// A colleague's decisions are appended with >> during a review; their last line
// has no newline.
func TestDecisionsMergedDuringAReview(t *testing.T) {
	ben := bookIn(t, true, true)
	log := filepath.Join("process_files", "lamp-decisions.jsonl")
	work := func(dir, reviewer string) (*exec.Cmd, io.WriteCloser) {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, "review", "--plain", "--reviewer", reviewer)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "VERBATIM_TEST_RUN=1")
		in, err := cmd.StdinPipe()
		if err := errors.Join(err, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		return cmd, in
	}
	says := func(in io.Writer, line string) {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	cmd, in := work(ben, "Ben")
	says(in, "x\nx\nq")
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	his := strings.TrimSuffix(string(fileIn(t, ben, "lamp-decisions.jsonl")), "\n")

	ada := bookIn(t, true, true)
	cmd, in = work(ada, "Ada")
	says(in, "x")
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if data, err := os.ReadFile(filepath.Join(ada, log)); err == nil && bytes.Count(data, []byte("\n")) == 1 {
			break
		}
		if time.Since(start) > 3*time.Minute {
			t.Fatal("Ada's first decision does not come")
		}
	}
	file, err := os.OpenFile(filepath.Join(ada, log), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(file, his)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	says(in, "x\nx\nq")
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	both := string(fileIn(t, ada, "lamp-decisions.jsonl"))
	if strings.Count(both, `"reviewer":"Ada"`) != 3 || !strings.Contains(both, "\n"+his+"\n") || strings.Count(both, "\n") != 5 {
		t.Errorf("three decisions of Ada's and two of Ben's are %d lines:\n%.2000s", strings.Count(both, "\n"), both)
	}
	if out := verbatimIn(t, ada, "status"); strings.Contains(out, "trouble") {
		t.Error(out)
	}
}

// A folder without permission to write.
func TestReadOnlyFolder(t *testing.T) {
	dir := bookIn(t, false, false)
	if err := os.WriteFile(filepath.Join(dir, "process_files"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	messages, code := failingIn(t, dir, "", "make", "--batch", "--no-models", "lamp.txt")
	if code == 0 || !strings.Contains(messages, "choose another folder with --dir") {
		t.Errorf("exit status %d:\n%s", code, messages)
	}
	before := ""
	if os.Getuid() == 0 { // root may write everywhere, unless this is taken from it
		if _, err := exec.LookPath("setpriv"); err != nil {
			t.Skip("root may write everywhere, and there is no setpriv to take that away: ", err)
		}
		before = `exec setpriv --bounding-set=-dac_override "$0" "$@"; `
	}
	dir = bookIn(t, true, false)
	work := filepath.Join(dir, "process_files")
	if err := os.Chmod(work, 0o555); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(work, 0o777) }()
	messages, code = failingIn(t, dir, before, "make", "--batch", "--no-models", "lamp.txt")
	if code == 0 || !strings.Contains(messages, "no permission to write in the folder process_files; choose another with --dir") {
		t.Errorf("exit status %d:\n%s", code, messages)
	}
}
