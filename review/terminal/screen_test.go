package terminal

import (
	"context"
	"testing"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"verbatim/review"
)

// A sitting is a screen whose acts take until after the last key that was typed.
type sitting struct {
	*bench
	screen *screen
}

func newSitting(t *testing.T) *sitting {
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	s := &sitting{b, &screen{ctx: ctx, cancel: cancel, session: b.Session, body: viewport.New()}}
	s.screen.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.screen.done(nil)
	return s
}

// typed presses keys without waiting, and then lets everything end.
func (s *sitting) typed(keys string) {
	var running []tea.Cmd
	for _, key := range keys {
		_, cmd := s.screen.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
		running = append(running, cmd)
	}
	for _, cmd := range running {
		s.end(cmd)
	}
	if n := len(s.screen.ahead); n > 0 {
		s.t.Errorf("%q: %d keys lie in wait for another screen", keys, n)
	}
}

func (s *sitting) end(cmd tea.Cmd) {
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

// A key that is typed before the screen shows what comes next says nothing about
// what comes next.
func TestKeysDecideOnlyAboutWhatIsSeen(t *testing.T) {
	s := newSitting(t)
	s.typed("aa")
	s.stands("causalclause, stage 1, 0 accepted, 0 refused") // the answers had not been seen
	s.typed("xa")
	s.stands("causalclause, stage 1, 0 accepted, 1 refused") // nor the one that was brought up
	s.typed("aaa")
	s.stands("causalclause, stage 2, 2 accepted, 1 refused") // both answers had, the question had not
	s.typed("ax")
	s.stands("contrastsentence, stage 0, 0 accepted, 0 refused")
	if s.Works[0].Refused("contrastsentence") != 0 || s.saved != 1 {
		t.Error("a draft was decided unseen")
	}
}

// Keys that are typed ahead act in their order, and all of them at once.
func TestKeysActInTheirOrder(t *testing.T) {
	s := newSitting(t)
	s.typed("a")
	s.typed("a1x")
	if a := s.Item.State.Answers; a[0].Verdict != review.Refused || a[1].Verdict != review.Open {
		t.Errorf("the answers stand at %q and %q", a[0].Verdict, a[1].Verdict)
	}
}

// An act that failed takes the keys behind it along: they were meant for its success.
func TestKeysAfterAFailure(t *testing.T) {
	s := newSitting(t)
	s.typed("a")
	save := s.Works[0].Append
	s.Works[0].Append = func(d review.Decision) error {
		s.Works[0].Append = save
		return context.DeadlineExceeded
	}
	s.typed("aa")
	s.stands("causalclause, stage 1, 0 accepted, 0 refused")
}
