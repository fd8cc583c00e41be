package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"verbatim/review"
	"verbatim/review/fake"
)

// A typist is a person at a screen whose acts end after the last key.
type typist struct {
	t      *testing.T
	book   *fake.Book
	screen *screen
}

func newTypist(t *testing.T) *typist {
	b := fake.NewBook()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	s := &typist{t, b, &screen{ctx: ctx, cancel: cancel, session: b.Session(), body: viewport.New()}}
	s.screen.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.screen.done(nil, false)
	return s
}

func (s *typist) sees(want string) {
	s.t.Helper()
	got := "nothing"
	if item := s.screen.session.Item(); item != nil {
		got = fmt.Sprintf("%s, stage %d, %d accepted, %d rejected", item.Draft.Category, item.Stage, item.State.Count(review.Accepted), item.State.Count(review.Rejected))
	}
	if got != want {
		s.t.Errorf("the screen shows %q, want %q", got, want)
	}
}

// typed presses keys without waiting, then lets everything finish.
func (s *typist) typed(keys string) {
	var running []tea.Cmd
	for _, key := range keys {
		_, cmd := s.screen.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
		running = append(running, cmd)
	}
	for _, cmd := range running {
		s.end(cmd)
	}
	if n := len(s.screen.ahead); n > 0 {
		s.t.Errorf("%q: %d keys are left over for another screen", keys, n)
	}
}

func (s *typist) end(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case did:
		_, next := s.screen.Update(msg)
		s.end(next)
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.end(cmd)
		}
	}
}

// A key that is typed before the next draft is shown does not decide about it.
func TestKeysDecideOnlyAboutWhatIsSeen(t *testing.T) {
	s := newTypist(t)
	s.typed("aa")
	s.sees("causalclause, stage 1, 0 accepted, 0 rejected") // the answers had not been seen
	s.typed("xa")
	s.sees("causalclause, stage 1, 0 accepted, 1 rejected") // nor had the next best
	s.typed("aaa")
	s.sees("causalclause, stage 2, 2 accepted, 1 rejected") // both answers had, the question had not
	s.typed("ax")
	s.sees("contrastsentence, stage 0, 0 accepted, 0 rejected")
	if s.book.Count("contrastsentence").Rejected != 0 || s.book.Saved != 1 {
		t.Error("a draft was decided before it was shown")
	}
}

// Keys that are typed ahead act in their order, and all of them at once.
func TestKeysActInTheirOrder(t *testing.T) {
	s := newTypist(t)
	s.typed("a")
	s.typed("a1x")
	if a := s.screen.session.Item().State.Answers; a[0].Verdict != review.Rejected || a[1].Verdict != review.Open {
		t.Errorf("the answers are %q and %q", a[0].Verdict, a[1].Verdict)
	}
}

// An act that fails drops the keys behind it: they were meant for its success.
func TestKeysAfterAFailure(t *testing.T) {
	s := newTypist(t)
	s.typed("a")
	s.book.Full = context.DeadlineExceeded
	s.typed("aa")
	s.sees("causalclause, stage 1, 0 accepted, 0 rejected")
}

func TestHelpNamesEveryKey(t *testing.T) {
	text := help(&review.Session{HelpNote: "Ask the editor."}, 200)
	for _, k := range append(review.Keys, ownKeys...) {
		if !strings.Contains(text, k.Key) || !strings.Contains(text, k.Does) {
			t.Errorf("the help does not say %q: %q", k.Key, k.Does)
		}
	}
	if !strings.HasSuffix(text, "Ask the editor.") {
		t.Error("the note is not in the help")
	}
}

func TestPlain(t *testing.T) {
	s := fake.NewBook().Session()
	var out bytes.Buffer
	script := "?\na\n1\nx\nn because the lamp was out\nzzz\np\na\nq\n"
	if err := Plain(context.Background(), s, strings.NewReader(script), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"is this a good question?", "Ground truth:", "[masked clause describing a cause or reason]",
		`! there is no command "zzz"`, "accepted  manual: because the lamp was out", "save this question?", "1 of 2 questions"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the line mode does not say %q", want)
		}
	}
}

// A decision that could not be saved ends the line mode with an error, and what
// was typed is printed, unless the same command succeeded later. A mistake does
// not print the passage again.
func TestPlainSaysWhatIsNotSaved(t *testing.T) {
	b := fake.NewBook()
	b.Full = errors.New("no space left on device")
	var out bytes.Buffer
	err := Plain(t.Context(), b.Session(), strings.NewReader("T because of a long thought\nzzz\nq\n"), &out)
	if err == nil || !strings.Contains(err.Error(), "T because of a long thought") {
		t.Errorf("a full disk ends with %v", err)
	}
	for _, want := range []string{"! NOT SAVED", "! You typed: T because of a long thought"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the line mode does not say %q:\n%s", want, out.String())
		}
	}
	if n := strings.Count(out.String(), "Ground truth:"); n != 1 {
		t.Errorf("the draft is printed %d times", n)
	}
	b.Full = errors.New("no space left on device")
	if err := Plain(t.Context(), b.Session(), strings.NewReader("x\nx\nq\n"), &out); err != nil {
		t.Errorf("the second x was saved, but: %v", err)
	}
}

// confirming is a book that confirms connectors in the background.
type confirming struct{ review.Book }

func (confirming) Ahead(context.Context) {}
func (confirming) Busy() string          { return "confirming connectors of causalclause: 3 of 9" }

// What a language model is asked meanwhile is on the screen, also while the
// reviewer waits, and the screen looks again until nothing is asked.
func TestTheScreenShowsWhatIsAskedMeanwhile(t *testing.T) {
	b := fake.NewBook()
	session := b.Session()
	book := confirming{session.Entries[0].Book}
	session = &review.Session{Entries: []review.Entry{{Barcode: "lamp", Book: book}}, Reviewer: "Ada", Goal: 1}
	session.Start()
	if err := session.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := &screen{ctx: t.Context(), session: session, body: viewport.New()}
	m.Update(tea.WindowSizeMsg{Width: 100, Height: 60})
	m.done(nil, false)
	if text := m.content(); !strings.Contains(text, "confirming connectors of causalclause: 3 of 9") {
		t.Errorf("the screen does not show what is asked:\n%s", text)
	}
	m.busy = "looking for the next draft"
	if text := m.content(); !strings.Contains(text, "looking for the next draft ... confirming connectors") {
		t.Errorf("the screen does not say what the reviewer waits for:\n%s", text)
	}
	if _, again := m.Update(ticked{}); again == nil {
		t.Error("the screen does not look again while something is asked")
	}
	m.Update(aheadDone{})
	if _, again := m.Update(ticked{}); again != nil {
		t.Error("the screen looks again although nothing is asked")
	}
}
