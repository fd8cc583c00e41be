// Package terminal shows a review session in a terminal: on the whole screen
// (Run) or line by line, for screen readers and scripts (Plain).
//
// What to count on: one key decides, saves and continues; nothing is lost when
// the terminal closes; and a key never decides about what was not on the screen
// yet.
package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"verbatim/review"
)

// Run shows the session on the whole screen until the reviewer quits or nothing
// is left. in and out are a terminal, which is the session's only view. What
// was typed into a field and not saved is kept.
func Run(ctx context.Context, s *review.Session, in, out *os.File) error {
	s.Start()
	defer s.Leave()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := &screen{ctx: ctx, cancel: cancel, session: s, body: viewport.New()}
	err := play(ctx, m, in, out)
	return errors.Join(err, m.fatal, m.keep())
}

// A screen is the model of the interface.
type screen struct {
	ctx     context.Context
	cancel  context.CancelFunc
	session *review.Session

	width, height int
	header        string // always visible, above the body
	body          viewport.Model
	selected      [2]int // the first and the last line of the selected answer
	reveal        bool
	passageEnd    int                // the last line of the passage
	over          string             // shown instead of the question: help, the table
	list          *list              // likewise, or nil
	note          string             // of the last key
	busy          string             // what is being done; keys wait
	giveUp        context.CancelFunc // ends what is being done, if that can be ended
	aheadDone     bool               // nothing is asked in the background any more
	seen          string             // when the act began: a sight
	ahead         []tea.KeyPressMsg  // typed while it was running
	fatal         error

	field  *textarea.Model // open for typing, or nil
	what   writing         // that it is open for
	before []string        // its earlier texts, for ctrl+z
	keys   int             // typed into it
}

// sight is what the reviewer sees, apart from which answer is selected.
func (m *screen) sight() string {
	item := m.session.Item()
	if item == nil {
		return ""
	}
	return fmt.Sprintf("%s %q %q %d %d", item.Draft.ID, item.State.Masked, item.State.Truth, item.Stage, len(item.State.Answers))
}

// did is the message that an act is done.
type did struct{ err error }

// wrote is the message that $EDITOR returned a text.
type wrote struct {
	text string
	err  error
	what writing
}

// A writing is a text that a person writes: what it is for, and what takes it.
type writing struct {
	key    string // that opens it
	asking string
	above  []review.Part // what the reviewer must see meanwhile
	take   func(context.Context, string) error
	was    string // the text before
}

func (m *screen) Init() tea.Cmd {
	return tea.Batch(m.do("looking for the first draft", m.session.Next),
		func() tea.Msg { m.session.Ahead(m.ctx); return aheadDone{} }, tick())
}

// tick is the message to show again what is asked in the background, until
// aheadDone says that nothing is.
type (
	ticked    struct{}
	aheadDone struct{}
)

func tick() tea.Cmd {
	return tea.Tick(200*time.Millisecond, func(time.Time) tea.Msg { return ticked{} })
}

// do runs an act while the screen stays responsive: it may ask a model.
func (m *screen) do(what string, act func(context.Context) error) tea.Cmd {
	m.busy, m.note, m.seen = what, "", m.sight()
	ctx := m.ctx
	if what == asking { // a model may be slow, or away
		ctx, m.giveUp = context.WithCancel(ctx)
	}
	return func() tea.Msg { return did{act(ctx)} }
}

func (m *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	model, cmd := m.update(msg)
	m.arrange()
	return model, cmd
}

func (m *screen) update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.resize()
	case aheadDone:
		m.aheadDone = true
	case ticked:
		if !m.aheadDone {
			return m, tick()
		}
	case did:
		return m.done(msg.err, false)
	case wrote:
		return m.edited(msg)
	case paused:
		if msg.keys == m.keys {
			m.keepTyped()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	default:
		if m.field != nil {
			field, cmd := m.field.Update(msg)
			m.field = &field
			return m, cmd
		}
	}
	return m, nil
}

// done shows the result of an act. A quick one leaves the passage revealed.
func (m *screen) done(err error, quick bool) (tea.Model, tea.Cmd) {
	item := m.session.Item()
	m.busy, m.note = "", m.session.Message()
	if m.giveUp != nil {
		m.giveUp()
		m.giveUp = nil
	}
	m.reveal = m.reveal && quick && item != nil && item.Stage == review.OfPassage
	if err != nil && m.ctx.Err() != nil {
		return m, tea.Quit
	}
	if err != nil {
		m.note, m.ahead = err.Error(), nil
	}
	if errors.Is(err, context.Canceled) {
		m.note = "given up; nothing was changed"
	}
	if item == nil {
		m.fatal = err
		return m, tea.Quit
	}
	m.fill()
	m.toCursor()
	return m, m.catchUp()
}

// catchUp acts on the keys that were typed while an act was running. A key was
// meant for what was on the screen: once that changes, the remaining keys are
// dropped.
func (m *screen) catchUp() tea.Cmd {
	var all []tea.Cmd
	for len(m.ahead) > 0 && m.busy == "" && m.sight() == m.seen {
		next := m.ahead[0]
		m.ahead = m.ahead[1:]
		_, cmd := m.key(next)
		all = append(all, cmd)
	}
	if m.busy == "" {
		m.ahead = nil
	}
	return tea.Batch(all...)
}

func (m *screen) key(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	key := k.String()
	switch {
	case key == "ctrl+c":
		m.cancel() // Run keeps what is in the field
		return m, tea.Quit
	case m.busy != "" && key == "esc" && m.giveUp != nil:
		m.giveUp()
	case m.busy != "":
		m.ahead = append(m.ahead, k)
	case m.field != nil:
		return m.typing(key, k)
	case m.list != nil:
		return m.listKey(key, k)
	case m.over == "":
		return m.command(key)
	case slices.Contains([]string{"pgdown", "pgup", "down", "up", "j", "k"}, key):
		m.moveTo(key)
	default:
		m.over = ""
		m.fill()
	}
	return m, nil
}

const asking = "asking a language model for one more answer"

// same are keys that do what another does; slow says what the acts do that may
// take time.
var (
	same = map[string]string{" ": "space", "backspace": "u", "ctrl+z": "u", "ctrl+y": "U", "ctrl+r": "U", "h": "esc", "left": "esc", "right": "l",
		",": "<", ".": ">"}
	slow = map[string]string{"a": "saving", "x": "saving", "f": "saving", "space": "looking for the next draft", "u": "undoing", "U": "doing it again",
		"<": "looking for the draft before", ">": "looking for the next draft", "w": asking}
)

// command is what each key does when no field is open.
func (m *screen) command(key string) (tea.Model, tea.Cmd) {
	s := m.session
	key = cmp.Or(same[key], key)
	if what := slow[key]; what != "" {
		if item := s.Item(); key == "a" && item != nil && item.Stage == review.OfPassage {
			what = "making wrong answers"
		}
		return m, m.do(what, func(ctx context.Context) error { return s.Press(ctx, key, "") })
	}
	switch key {
	case "q":
		return m, tea.Quit
	case "?", "p":
		m.over, m.note = map[string]string{"?": help(s, m.textWidth()), "p": s.Table()}[key], ""
		m.fill()
		m.body.GotoTop()
		return m, nil
	case "A", "[", "]", "{", "}":
		return m.done(s.Press(m.ctx, key, ""), true)
	case "t":
		m.reveal = !m.reveal
	case "enter", "l":
		return m.onward(key)
	case "esc":
		_ = s.Back()
	case "e", "E", "T", "m", "n", "X", ";":
		return m.write(key)
	case "L", "/":
		m.openList(key == "/")
		return m, nil
	case "Z":
		return m, func() tea.Msg { return did{suspend()} }
	case "j", "down", "k", "up", "pgdown", "pgup", "home", "end":
		m.moveTo(key)
		return m, nil
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		if err := s.Press(m.ctx, key, ""); err != nil {
			m.note = err.Error()
		}
	default:
		m.note = "? shows the keys"
		return m, nil
	}
	m.fill()
	m.toCursor()
	return m, nil
}

// onward is what Enter does: to the preview, and from there it saves, once the
// end of the question was on the screen.
func (m *screen) onward(key string) (tea.Model, tea.Cmd) {
	switch stage := m.session.Item().Stage; {
	case stage == review.OfAnswers:
		return m.done(m.session.Preview(), true)
	case key != "enter":
	case stage == review.OfWhole && !m.body.AtBottom():
		m.body.PageDown()
		m.note = "here is more of the question; enter again saves it"
		if !m.body.AtBottom() {
			m.note = "here is more of the question; enter shows the rest"
		}
	case stage == review.OfWhole:
		return m, m.do("saving", m.session.Accept)
	default:
		m.note = "a accepts this passage, x rejects it"
	}
	return m, nil
}

// moveTo selects another answer, or scrolls.
func (m *screen) moveTo(key string) {
	item := m.session.Item()
	step := map[string]int{"j": 1, "down": 1, "k": -1, "up": -1}[key]
	switch {
	case step != 0 && m.over == "" && item.Stage == review.OfAnswers:
		_ = m.session.Choose(min(len(item.State.Answers)-1, max(0, item.At+step))) // there may be none
		m.fill()
		m.toCursor()
	case step != 0:
		m.body.SetYOffset(m.body.YOffset() + step)
	case key == "pgdown":
		m.body.PageDown()
	case key == "pgup":
		m.body.PageUp()
	case key == "home":
		m.body.GotoTop()
	case key == "end":
		m.body.GotoBottom()
	}
}

func (m *screen) textWidth() int { return max(20, min(100, m.width-2)) }

func (m *screen) resize() {
	m.body.SetWidth(m.width)
	if m.field != nil {
		m.sizeField()
	}
	m.fill()
}

var (
	bold    = lipgloss.NewStyle().Bold(true)
	dim     = lipgloss.NewStyle().Faint(true)
	masked  = lipgloss.NewStyle().Reverse(true)
	right   = lipgloss.NewStyle().Foreground(lipgloss.Green).Bold(true)
	warning = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	bar     = lipgloss.NewStyle().Reverse(true)
)
