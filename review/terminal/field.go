package terminal

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"verbatim"
	"verbatim/internal/layout"
	"verbatim/review"
)

const fieldHints = "enter saves the text  esc changes nothing  ctrl+c stops; what you typed is kept"

// write opens a field, or $EDITOR, for what the key is about.
func (m *screen) write(key string) (tea.Model, tea.Cmd) {
	s, item := m.session, m.session.Item()
	what := writing{key: key}
	what.take = func(ctx context.Context, text string) error { return s.Press(ctx, what.key, text) }
	hidden := review.Part{Kind: review.PartPassage, Text: item.State.Masked}
	right := []review.Part{{Kind: review.PartLabel, Text: "Ground truth"}, {Kind: review.PartTruth, Text: item.State.Truth}}
	what.above = append([]review.Part{hidden}, right...)
	switch key {
	case "e", "E":
		what.key, what.asking, what.was, what.above = "e", "The passage; the mask must stay", item.State.Masked, right
		if a := item.Answer(); a != nil {
			what.asking, what.was, what.above = "The wrong answer", a.Text, append([]review.Part{hidden}, right...)
		}
	case "T":
		what.asking, what.was, what.above = "The ground truth", item.State.Truth, []review.Part{hidden}
	case "m":
		if item.Answer() == nil {
			return m.done(review.ErrNothing, true)
		}
		what.asking = "Your own wrong answer instead"
	case "n":
		if item.Stage == review.OfPassage {
			return m.done(s.Add(""), true)
		}
		what.asking = "One more wrong answer"
	case ";":
		what.asking = "A note about this draft, for you and your colleagues"
	case "X":
		what.asking = "Reject: why?"
		if a := item.Answer(); a != nil {
			what.asking = "Reject wrong answer " + layout.Clip(a.Text, 30) + ": why?"
		}
	}
	text, kept := what.was, s.Kept(what.key)
	if kept != "" {
		text = kept
	}
	if key == "E" {
		return m, editor(text, what)
	}
	cmd := m.openField(text, what)
	if kept != "" {
		m.note = "you typed this before and did not save it: enter saves it, esc drops it"
	}
	return m, cmd
}

// openField opens a field below what the reviewer must see.
func (m *screen) openField(text string, what writing) tea.Cmd {
	field := textarea.New()
	field.ShowLineNumbers = false
	field.CharLimit = 0
	field.Prompt = "┃ "
	field.SetValue(text)
	m.field, m.what, m.note, m.before = &field, what, "", nil
	m.sizeField()
	return field.Focus()
}

// sizeField gives the field the lines of its text and one more.
func (m *screen) sizeField() {
	m.field.SetWidth(m.textWidth())
	lines := strings.Count(layout.Wrap(m.field.Value(), m.field.Width()), "\n") + 2
	m.field.SetHeight(max(3, min(lines, m.height-6)))
}

// paused is the message that nothing was typed for a moment after so many keys.
type paused struct{ keys int }

// typing passes every letter to the field.
func (m *screen) typing(key string, k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	switch key {
	case "esc":
		m.session.Forgetter(m.what.key)()
		m.field, m.note = nil, "not changed"
		m.fill()
		return m, nil
	case "enter", "ctrl+s", "ctrl+d": // the text is one line: white space becomes one space
		return m.send()
	case "ctrl+z":
		if n := len(m.before); n > 0 {
			m.field.SetValue(m.before[n-1])
			m.before = m.before[:n-1]
		}
		return m, nil
	}
	m.note = ""
	was := m.field.Value()
	field, cmd := m.field.Update(k)
	m.field = &field
	return m, tea.Batch(cmd, m.typed(was))
}

// typed remembers what was in the field before, and lets the new text be kept
// once the keys pause.
func (m *screen) typed(was string) tea.Cmd {
	if m.field.Value() == was {
		return nil
	}
	m.before = append(m.before, was)
	m.sizeField()
	m.keys++
	now := m.keys
	return tea.Tick(300*time.Millisecond, func(time.Time) tea.Msg { return paused{now} })
}

// send saves the text. If that fails, the field stays open: nothing typed is
// lost. A rejection may have to look for the next draft, so it runs beside.
func (m *screen) send() (tea.Model, tea.Cmd) {
	m.keepTyped()
	text, take, forget := m.field.Value(), m.what.take, m.session.Forgetter(m.what.key)
	if m.what.key == "X" && verbatim.FoldSpace(text) != "" {
		m.field = nil
		return m, m.do("saving", func(ctx context.Context) error {
			err := take(ctx, text)
			if err == nil {
				forget()
			}
			return err
		})
	}
	if err := take(m.ctx, text); err != nil {
		m.note = err.Error()
		return m, nil
	}
	forget()
	m.field = nil
	return m.done(nil, true)
}

// keepTyped puts what is in the field on the disk.
func (m *screen) keepTyped() {
	if err := m.keep(); err != nil {
		m.note = "what you type cannot be kept for the next time: " + err.Error()
	}
}

// keep keeps what is in an open field, unless it is what was there before.
func (m *screen) keep() error {
	if m.field == nil {
		return nil
	}
	text := m.field.Value()
	if verbatim.FoldSpace(text) == verbatim.FoldSpace(m.what.was) {
		text = ""
	}
	return m.session.Keep(m.what.key, text)
}

// edited takes what $EDITOR returned.
func (m *screen) edited(msg wrote) (tea.Model, tea.Cmd) {
	if msg.err != nil {
		m.note = msg.err.Error()
		return m, nil
	}
	forget := m.session.Forgetter(msg.what.key)
	if err := msg.what.take(m.ctx, msg.text); err != nil {
		cmd := m.openField(verbatim.FoldSpace(msg.text), msg.what) // nothing written is lost
		m.keepTyped()
		m.note = err.Error()
		return m, cmd
	}
	forget()
	return m.done(nil, false)
}

// editor opens $EDITOR on a text.
func editor(text string, what writing) tea.Cmd {
	command := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"))
	fail := func(err error) tea.Cmd { return func() tea.Msg { return wrote{err: err} } }
	if command == "" {
		return fail(errors.New("no editor is set; set EDITOR, for example: export EDITOR=nano"))
	}
	file, err := os.CreateTemp("", "verbatim-*.txt")
	if err != nil {
		return fail(err)
	}
	_, err = file.WriteString(text + "\n")
	if err = errors.Join(err, file.Close()); err != nil {
		return fail(err)
	}
	words := strings.Fields(command) // "code --wait" has two
	lent.Store(true)
	return tea.ExecProcess(exec.Command(words[0], append(words[1:], file.Name())...), func(err error) tea.Msg {
		lent.Store(false)
		data, readErr := os.ReadFile(file.Name())
		return wrote{string(data), errors.Join(err, readErr, os.Remove(file.Name())), what}
	})
}
