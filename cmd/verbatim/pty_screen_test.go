//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"verbatim/chat/fake"
)

// stty asks or sets the terminal of a seat, as a shell does.
func (s *seat) stty(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("stty", args...)
	cmd.Stdin = s.tty
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("stty %v: %v: %s", args, err, out)
	}
	return string(out)
}

// cooked reports whether the terminal is as a shell wants it.
func (s *seat) cooked() bool {
	modes := " " + strings.ReplaceAll(strings.ReplaceAll(s.stty("-a"), "\n", " "), ";", " ") + " "
	return strings.Contains(modes, " icanon ") && strings.Contains(modes, " echo ")
}

// waitFor waits until something holds.
func (s *seat) waitFor(what string, holds func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%s does not happen; the screen is\n%s", what, s.screen.String())
		}
	}
}

func (s *seat) signal(signal syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
}

// stopped reports whether the program is stopped.
func (s *seat) stopped() bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(s.cmd.Process.Pid)).Output()
	return err == nil && strings.HasPrefix(strings.TrimSpace(string(out)), "T")
}

// A program that is stopped from outside finds the terminal as the shell has set
// it; when it resumes, it takes it again and paints the screen.
func TestStopAndResume(t *testing.T) {
	s := sit(t, bookIn(t, true, true), 80, 24, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.signal(syscall.SIGSTOP)
	s.waitFor("the stop", s.stopped)
	s.stty("sane")
	_, _ = s.screen.Write([]byte("\x1b[2J\x1b[H$ fg\r\n")) // the shell has written over the screen
	s.signal(syscall.SIGCONT)
	s.see("is this a good question?")
	s.waitFor("raw mode", func() bool { return !s.cooked() })
	s.press("x")
	s.see("1 rejected")
	s.press("q")
	s.leave()
	s.waitFor("the terminal as it was", s.cooked)
}

// Z gives the terminal back to the shell and stops; SIGTSTP does the same.
func TestSuspend(t *testing.T) {
	s := sit(t, bookIn(t, true, true), 80, 24, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	for _, suspend := range []func(){func() { s.press("Z") }, func() { s.signal(syscall.SIGTSTP) }} {
		suspend()
		s.waitFor("the stop", s.stopped)
		if !s.cooked() {
			t.Error("the shell gets a raw terminal")
		}
		_, _ = s.screen.Write([]byte("\x1b[2J\x1b[H$ fg\r\n"))
		s.signal(syscall.SIGCONT)
		s.see("is this a good question?")
		s.waitFor("raw mode", func() bool { return !s.cooked() })
	}
	s.press("x")
	s.see("1 rejected")
	s.press("q")
	s.leave()
}

// However the program ends, the terminal is as it was.
func TestSignalsGiveTheTerminalBack(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		dir := bookIn(t, true, true)
		s := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
		s.see("is this a good question?")
		s.press("T", " and more")
		s.see("and more")
		s.signal(signal)
		s.leave()
		if !s.cooked() {
			t.Errorf("%v leaves a raw terminal", signal)
		}
		again := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
		again.see("You typed a text here (ground truth) and did not save it. It is kept: T opens it.")
		again.press("q")
		again.leave()
	}
}

// What was typed into a field is kept when the person stops, and when the
// program is killed; it is there when the field is opened again, until it is
// saved or dropped.
func TestWhatWasTypedSurvives(t *testing.T) {
	dir := bookIn(t, true, true)
	file := filepath.Join(dir, "process_files", "lamp-unsaved.json")
	s := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.press("T", " and an hour")
	s.see("and an hour", "ctrl+c stops; what you typed is kept")
	s.press(ctrlC)
	s.leave()
	s.see("What you typed and did not save is kept.")

	s = sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	s.see("It is kept: T opens it.")
	s.press("T")
	s.see("and an hour", "you typed this before and did not save it")
	s.press(" and more")
	s.waitFor("keeping", func() bool { data, _ := os.ReadFile(file); return strings.Contains(string(data), "hour and more") })
	s.signal(syscall.SIGKILL)
	s.leave()

	s = sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	s.see("It is kept: T opens it.")
	s.press("T")
	s.see("hour and more")
	s.press(enter)
	s.see("is this a good question?", "hour and more")
	s.seeNoMore("It is kept")
	s.press("q")
	s.leave()
	if _, err := os.Stat(file); err == nil {
		t.Error("the text is saved and still kept")
	}
}

// Ctrl-Z undoes, on the page and in a field.
func TestCtrlZUndoes(t *testing.T) {
	s := sit(t, bookIn(t, true, true), 80, 24, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.press("x")
	s.see("1 rejected")
	s.press(ctrlZ)
	s.see("undone: reject", "0 rejected")
	s.press("\x19") // ctrl+y
	s.see("1 rejected")
	s.press("T", "zqx")
	s.see("zqx")
	s.press(ctrlZ, ctrlZ, ctrlZ)
	s.seeNoMore("z")
	s.press(esc)
	s.see("not changed")
	s.press("q")
	s.leave()
}

// Before a question is saved, the end of the passage, the ground truth and every
// answer are on the screen, also on a small one; where they are too many, enter
// shows the rest before it saves. A message does not hide that there is more.
func TestThePreviewShowsEveryAnswer(t *testing.T) {
	dir := bookIn(t, true, true)
	s := sit(t, dir, 80, 24, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.press("a")
	s.see("are these good wrong answers?")
	s.press("A")
	s.see("save this question?", "where they wait for him.", "Ground truth so that he might be sure", "1 same_book:", "2 same_book:", "more above: pgup")
	s.press(esc)
	s.see("are these good wrong answers?")
	for _, text := range []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "last of all"} {
		s.press("n", "so that this was the "+text+" of the answers that a person wrote down that night", enter)
		s.see("this was the " + text)
	}
	s.press("z") // a key that does nothing: its message hides nothing
	s.see("? shows the keys", "more above: pgup")
	s.see("save this question?", "where they wait for him.", "Ground truth", "1 same_book:", "more below: pgdn")
	s.press(enter)
	s.see("here is more of the question", "save this question?")
	for !strings.Contains(s.text(), "last of all") {
		s.press(enter)
		s.see("here is more of the question")
	}
	if questionsIn(t, dir) != 0 {
		t.Error("the question was saved before all of it was seen")
	}
	s.press(enter)
	s.see("1 of 8 questions")
	s.press("q")
	s.leave()
}

// Letters go into the field that is on the screen, however fast they come, and
// what was typed before ctrl+c or a kill is there the next time.
func TestTheFormLosesNothing(t *testing.T) {
	dir := bookIn(t, false, false)
	s := sit(t, dir, 80, 24, "describe", "lamp.txt")
	s.see("Metadata of lamp.")
	s.press("The Lamp\rAmbrose Tillott\r1881\rBritish\rmemoir\r18") // in one piece
	s.see("> The author's year of birth 18", "Title The Lamp", "Year of first publication 1881", "nationality British", "Genre memoir", "what you typed is kept")
	s.press(ctrlC)
	if code := s.leave(); code == 0 {
		t.Error("a form that was not finished ends with 0")
	}
	s.see("what you typed about lamp is kept")

	s = sit(t, dir, 80, 24, "describe", "lamp.txt")
	s.see("What you typed before is filled in.", "Author Ambrose Tillott", "Genre memoir", "The author's year of birth 18")
	s.press(" again")
	file := filepath.Join(dir, "process_files", "lamp-unsaved.json")
	s.waitFor("keeping", func() bool { data, _ := os.ReadFile(file); return strings.Contains(string(data), "The Lamp again") })
	s.signal(syscall.SIGKILL)
	s.leave()

	s = sit(t, dir, 80, 24, "describe", "lamp.txt")
	s.see("Title The Lamp again")
	// Pasted in brackets, as newer terminals do: each line is a field.
	s.press("\x1b[200~ and again\nAda Tillott\x1b[201~\r", "\r\r\r20\rkeeper\r\r")
	s.see("from The Lamp again and again, a memoir published in 1881 by", "Is it right?")
	s.press("y")
	if code := s.leave(); code != 0 {
		t.Errorf("the exit status is %d", code)
	}
	s.see("source_author Ambrose TillottAda Tillott", "author_birth 1820", "author_profession keeper")
	if _, err := os.Stat(file); err == nil {
		t.Error("what is saved is still kept as unsaved")
	}
}

// The list on the screen: select, filter, search, jump.
func TestTheListInATerminal(t *testing.T) {
	dir := bookIn(t, true, true)
	s := sit(t, dir, 80, 24, "review", "--reviewer", "Ada", "lamp.txt")
	s.see("is this a good question?", "56 drafts left")
	s.press("f")
	s.see("so that in the course of ten years")
	s.press("X")
	s.see("Reject: why?")
	s.press("too easy", enter)
	s.see("1 rejected")
	s.press(";", "look at this with Ben", enter)
	s.see("the note is kept", "Note by Ada", "look at this with Ben")
	s.press("L")
	s.see("56 drafts, 55 left to decide, 1 flagged", "showing all of them", "1 flagged effectclause", "(note: too easy)")
	s.press("f")
	s.see("showing 1: flagged", "> 1 flagged")
	s.press("a", "c", "c")
	s.see("showing 7: causalsentence")
	s.press("a", "/", "garden")
	s.see(`with "garden"`)
	s.press(enter, enter)
	s.see(`only with "garden"; 0 of 8 questions`)
	s.press("L", "a", "1", "0", enter)
	s.see("causalsentence is this a good question?", "I have known a keeper at the Ness")
	s.press(">")
	s.seeNoMore("I have known a keeper at the Ness")
	s.press("<")
	s.see("I have known a keeper at the Ness")
	s.press("q")
	s.leave()
	if out := verbatimIn(t, dir, "status"); !strings.Contains(out, "flagged: 1 draft") {
		t.Error(out)
	}
}

// Without a language model the screen says why there are only two answers, and
// what to set.
func TestAskingWithoutAModel(t *testing.T) {
	s := sitWith(t, bookIn(t, true, true), 80, 24, []string{"VERBATIM_NO_MODELS=true"}, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.press("a")
	s.see("No language model wrote any yet. For more: w asks one, n is your own.")
	s.press("w")
	s.see("no language model is set up; start Ollama")
	s.press("q")
	s.leave()
}

// With a model, each w brings answers: first one of each kind, then one more.
func TestAskingAModelInATerminal(t *testing.T) {
	server := storyServer(t, 0)
	var calls atomic.Int32
	server.Answer = func(r fake.Request) string {
		return strings.TrimSuffix(storyteller(r), ".") + " " + strings.Repeat("i", int(calls.Add(1)))
	}
	s := sitWith(t, bookIn(t, true, true), 100, 60, []string{"VERBATIM_SERVER=" + server.URL}, "review", "--reviewer", "Ada")
	s.see("is this a good question?")
	s.press("a")
	s.see("> 1 undecided same_book:")
	s.press("w")
	s.see("> 3 undecided negation:", "4 undecided anachronistic_", "5 undecided anachronistic_")
	s.seeNoMore("No language model wrote any yet")
	s.press("w")
	s.see("6 undecided")
	s.press("q")
	s.leave()
}
