//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"verbatim"
	"verbatim/review"
)

// A seat is a user in a terminal: a screen to read and keys to press.
type seat struct {
	t      *testing.T
	screen vt10x.Terminal
	keys   *os.File
	tty    *os.File // the program's side of it
	cmd    *exec.Cmd
	done   chan error
}

// sit starts the program in a terminal of a given size.
func sit(t *testing.T, dir string, width, height int, args ...string) *seat {
	t.Helper()
	return sitWith(t, dir, width, height, nil, args...)
}

// sitWith is sit with additional environment variables.
func sitWith(t *testing.T, dir string, width, height int, env []string, args ...string) *seat {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env = append([]string{"VERBATIM_TEST_RUN=1", "TERM=vt100", "NO_COLOR=1", "EDITOR=" + filepath.Join(dir, "editor"), "OLLAMA_HOST=", "VERBATIM_NO_MODELS=false"}, env...)
	return sitAt(t, exec.Command(self, args...), dir, width, height, env)
}

// sitAt starts any command in a terminal.
func sitAt(t *testing.T, cmd *exec.Cmd, dir string, width, height int, env []string) *seat {
	t.Helper()
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	keys, tty, err := pty.Open()
	if err != nil {
		t.Skip("this system gives no pseudo-terminal: ", err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = errors.Join(pty.Setsize(keys, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}), cmd.Start())
	if err != nil {
		t.Fatal(err)
	}
	s := &seat{t: t, screen: vt10x.New(vt10x.WithSize(width, height), vt10x.WithWriter(keys)), keys: keys, tty: tty, cmd: cmd, done: make(chan error, 1)}
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := keys.Read(buffer)
			if n > 0 {
				_, _ = s.screen.Write(buffer[:n])
			}
			if err != nil {
				break
			}
		}
	}()
	go func() { s.done <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _, _ = keys.Close(), tty.Close() })
	return s
}

// see waits until a text is on the screen.
func (s *seat) see(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		deadline := time.Now().Add(3 * time.Minute)
		for !strings.Contains(s.text(), text) {
			if time.Now().After(deadline) {
				s.t.Fatalf("%q does not appear; the screen is\n%s", text, s.screen.String())
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// seeNoMore waits until a text is no longer on the screen.
func (s *seat) seeNoMore(text string) {
	s.t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); strings.Contains(s.text(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%q stays; the screen is\n%s", text, s.screen.String())
		}
	}
}

// text is the screen with its lines joined, so that wrapping does not matter.
func (s *seat) text() string { return verbatim.FoldSpace(s.screen.String()) }

// press types keys, one after the other, as a person does.
func (s *seat) press(keys ...string) {
	s.t.Helper()
	for _, key := range keys {
		if _, err := s.keys.WriteString(key); err != nil {
			s.t.Fatal(err)
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// leave waits until the program ends and returns its exit status.
func (s *seat) leave() int {
	s.t.Helper()
	select {
	case <-s.done:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(3 * time.Minute):
		s.t.Fatalf("the program does not end; the screen is\n%s", s.screen.String())
		return -1
	}
}

// computed is the CPU time of a program that has ended, which does not depend on
// the load.
func (s *seat) computed() time.Duration {
	return s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
}

const (
	enter = "\r"
	esc   = "\x1b"
	ctrlS = "\x13"
	ctrlC = "\x03"
	ctrlZ = "\x1a"
	pgdn  = "\x1b[6~"
)

func decisionsOf(t *testing.T, dir string) []review.Decision {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "process_files", "lamp-decisions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []review.Decision
	for line := range strings.Lines(string(data)) {
		var d review.Decision
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

func questionsIn(t *testing.T, dir string) int {
	data, err := os.ReadFile(filepath.Join(dir, "process_files", "lamp-clozequestions.jsonl"))
	if err != nil {
		return 0
	}
	return strings.Count(string(data), "\n")
}

// A reviewer accepts, rejects, undoes, quits and resumes.
func TestReviewInATerminal(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			dir := bookIn(t, true, true)
			s := sit(t, dir, size[0], size[1], "review", "--reviewer", "Ada")
			s.see("effectclause", "is this a good question?", "0 of 8 questions", "[masked clause describing an inference or effect]", "a accept", "? all keys")
			s.press("?")
			s.see("One key decides, saves and continues.")
			s.press("z", "x") // any key leaves the help; then the first draft is rejected
			s.see("1 rejected")
			s.press("a")
			s.see("are these good wrong answers?", "> 1 undecided same_book:")
			s.press("x")
			s.see("1 rejected same_book:", "> 2 undecided same_book:", "3 undecided same_book:")
			s.press("u")
			s.see("undone: reject answer", "> 1 undecided same_book:")
			s.press("A")
			s.see("save this question?", "1 same_book:")
			s.press(enter)
			s.see("1 of 8 questions", "is this a good question?")
			if questionsIn(t, dir) != 1 {
				t.Error("the question was not written at once")
			}
			s.press("u")
			s.see("undone: accept", "save this question?", "0 of 8 questions")
			s.press("U")
			s.see("1 of 8 questions", "is this a good question?")
			s.press("q")
			if code := s.leave(); code != 0 {
				t.Errorf("the exit status is %d", code)
			}
			s.see("To resume, type: verbatim review --reviewer Ada")

			again := sit(t, dir, size[0], size[1], "review", "--reviewer", "Ada")
			again.see("1 of 8 questions", "is this a good question?")
			again.press("q")
			again.leave()
			verbatimIn(t, dir, "verify", "process_files")
		})
	}
}

// Edits in place and in the reviewer's own editor: the mask must stay, and letters
// typed into a field are not commands.
func TestEditInATerminal(t *testing.T) {
	dir := bookIn(t, true, true)
	script := "#!/bin/sh\nprintf 'Written in an editor. ' > \"$1.new\"; cat \"$1\" >> \"$1.new\"; mv \"$1.new\" \"$1\"\n"
	if err := os.WriteFile(filepath.Join(dir, "editor"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	s := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.press("e")
	s.see("The passage; the mask must stay")
	s.press(" axq", ctrlS) // letters, not commands
	s.see("is this a good question?", "axq")
	s.press("E")
	s.see("Written in an editor.")
	s.press("T")
	s.see("The ground truth")
	s.press(esc)
	s.see("not changed")
	s.press("a")
	s.see("are these good wrong answers?")
	s.press("m")
	s.see("Your own wrong answer instead")
	s.press(ctrlS)
	s.see("an answer must have words")
	s.see("[masked clause describing an inference or effect]", "Ground truth") // one sees what it must fit
	s.press("so that the dogs slept", enter)
	s.see("accepted manual_same_book: so that the dogs slept")
	s.press("n", "so that the cat slept", ctrlS)
	s.see("accepted manual: so that the cat slept")
	s.press(enter, "a")
	s.see("1 of 8 questions")
	s.press("q")
	s.leave()
	var last *verbatim.Question
	for _, d := range decisionsOf(t, dir) {
		if d.Act == "accept" {
			last = d.After.Question
		}
	}
	if last == nil || last.Verbatim.Passage.Status != verbatim.Absent || last.Verbatim.GroundTruth.Status == verbatim.Absent ||
		!strings.HasPrefix(last.Passage, "Written in an editor.") || strings.Join(last.AnswerTypes, " ") != "ground_truth manual_same_book manual" {
		t.Errorf("the edited question is %+v", last)
	}
	if out := verbatimIn(t, dir, "verify", "process_files"); !strings.Contains(out, "0 failed") {
		t.Error(out)
	}
}

// Invalid text from the reviewer's own editor is not lost: the field opens with it.
func TestEditorDropsTheMask(t *testing.T) {
	dir := bookIn(t, true, true)
	if err := os.WriteFile(filepath.Join(dir, "editor"), []byte("#!/bin/sh\necho 'An hour of work, without the mask.' > \"$1\"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	s := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.press("E")
	s.see("The passage; the mask must stay", "An hour of work, without the mask.", "must stay in the passage")
	s.press(" [masked clause describing an inference or effect].", enter)
	s.see("is this a good question?", "An hour of work, without the mask. [masked clause describing an inference or effect].")
	s.press("q")
	s.leave()
}

// Closing the terminal loses nothing.
func TestTerminalCloses(t *testing.T) {
	dir := bookIn(t, true, true)
	s := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.press("a")
	s.see("> 1 undecided")
	s.press("a")
	s.see("1 accepted")
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	_ = s.keys.Close()
	time.Sleep(200 * time.Millisecond)
	_ = s.cmd.Process.Kill()
	if n := len(decisionsOf(t, dir)); n != 2 {
		t.Errorf("%d decisions are on the disk, not 2", n)
	}
	s.leave()
	again := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	again.see("are these good wrong answers?", "1 accepted", "> 2 undecided")
	again.press("q")
	again.leave()
}

// Two people in one folder at the same time: the second gets a message.
func TestTwoReviewersAtOnce(t *testing.T) {
	dir := bookIn(t, true, true)
	ada := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	ada.see("is this a good question?")
	ben := sit(t, dir, 80, 24, "review", "--reviewer", "Ben")
	if code := ben.leave(); code != 2 {
		t.Errorf("the second reviewer's exit status is %d", code)
	}
	ben.see("another verbatim is working on lamp")
	ada.press("x")
	ada.see("1 rejected")
	ada.press("q")
	ada.leave()
	if n := len(decisionsOf(t, dir)); n != 1 {
		t.Errorf("%d decisions are on the disk", n)
	}
}

// make in a terminal: a form asks for the metadata, then the first draft appears
// after at most ten seconds of CPU time.
func TestMakeInATerminal(t *testing.T) {
	dir := bookIn(t, false, false)
	s := sit(t, dir, 80, 24, "make", "--no-models", "--reviewer", "Ada", "lamp.txt")
	s.see("Metadata of lamp.")
	answer := func(field, text string) {
		s.see("> " + field)
		s.press(text)
		if text != "" {
			s.see(text)
		}
		s.press(enter)
	}
	answer("Title", "")
	s.see("a book must have a title")
	answer("Title", "The Lamp-Keeper's Year")
	answer("Author", "Ambrose Tillott")
	answer("Year of first publication", "18x")
	s.see("is no year")
	s.press("\x7f", "8")
	answer("Year of first publication", "1")
	answer("The author's nationality", "British")
	answer("Genre", "memoir")
	answer("The author's year of birth", "1820")
	answer("The author's profession", "lighthouse keper")
	answer("Identifier", "")
	s.see("a British lighthouse keper.", "Every question of this book begins like this. Is it right?")
	s.press("n") // no: everything is still there and can be fixed
	for _, field := range []string{"Title", "Author", "Year of first publication", "The author's nationality", "Genre", "The author's year of birth"} {
		answer(field, "")
	}
	s.see("> The author's profession")
	s.press("\x7f", "\x7f", "\x7f")
	answer("The author's profession", "eper")
	answer("Identifier", "")
	s.see("a British lighthouse keeper.", "Is it right?")
	s.press(enter)
	s.see("is this a good question?", "The following passage comes from The Lamp-Keeper's Year, a memoir published in 1881")
	s.press("a")
	s.see("are these good wrong answers?", "> 1 undecided")
	s.press("A")
	s.see("save this question?")
	s.press("a")
	s.see("1 of 8 questions")
	s.press("q")
	if code := s.leave(); code != 0 {
		t.Errorf("the exit status is %d", code)
	}
	if used := s.computed(); used > 10*time.Second {
		t.Errorf("the program took %v of CPU time", used)
	}
	s.see("To resume, type: verbatim make")
	if questionsIn(t, dir) != 1 {
		t.Error("the accepted question is not in the file")
	}
	again := sit(t, dir, 80, 24, "make", "--no-models", "--reviewer", "Ada", "lamp.txt")
	again.see("is this a good question?", "1 of 8 questions") // what is known is not asked again
	again.press("q")
	again.leave()
}

// With a language model: no wrong answer is requested before its passage is
// accepted, and the first draft does not wait for slow confirmations.
func TestMakeAsksNothingTooEarly(t *testing.T) {
	server := storyServer(t, 200*time.Millisecond)
	dir := bookIn(t, true, false)
	s := sit(t, dir, 80, 24, "make", "--server", server.URL, "--reviewer", "Ada", "lamp.txt")
	s.see("is this a good question?")
	for _, r := range server.Requests() {
		if !strings.Contains(r.Prompt, "Choose one answer:") {
			t.Errorf("a wrong answer was requested before the passage was accepted:\n%s", r.Prompt)
		}
	}
	s.press("a")
	s.see("are these good wrong answers?", "negation:", "same_book:")
	s.press(pgdn)
	s.see("anachronistic_")
	s.press("A")
	s.see("save this question?")
	s.press("a")
	s.see("1 of 8 questions")
	s.press("q")
	s.leave()
	if out := verbatimIn(t, dir, "verify", "process_files"); !strings.Contains(out, "0 failed") {
		t.Error(out)
	}
}

// A window of any size works.
func TestSmallWindows(t *testing.T) {
	dir := bookIn(t, true, true)
	for _, size := range [][2]int{{20, 5}, {40, 10}, {300, 3}} {
		s := sit(t, dir, size[0], size[1], "review", "--reviewer", "Ada")
		s.see("lamp")
		for _, step := range [][2]string{{"a", "> 1 undecided"}, {"j", "> 2 undecided"}, {"k", "> 1 undecided"}, {"e", "The wrong answer"}} {
			s.press(step[0])
			s.see(step[1])
		}
		s.press(esc)
		s.see("> 1 undecided") // a key right after Esc would be Alt and that key
		s.press("u")
		s.seeNoMore("> 1 undecided")
		s.press("?")
		s.see("One key decides")
		s.press("z", "q")
		if code := s.leave(); code != 0 {
			t.Errorf("%v: the exit status is %d", size, code)
		}
	}
}

// A dumb terminal works line by line.
func TestDumbTerminal(t *testing.T) {
	dir := bookIn(t, true, true)
	s := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.press("q")
	s.leave()
	dumb := sitWith(t, dir, 80, 60, []string{"TERM=dumb"}, "review", "--reviewer", "Ada")
	dumb.see("is this a good question?", "Ground truth:", "a accept, x reject, s skip")
	dumb.press("x" + enter)
	dumb.see("1 rejected")
	dumb.press("q" + enter)
	dumb.leave()
}
