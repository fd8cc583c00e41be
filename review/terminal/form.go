package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"verbatim"
	"verbatim/internal/layout"
)

// ErrStopped means that a person left a form before its end.
var ErrStopped = errors.New("stopped")

// A Form asks a person for some short texts, one after the other, and then
// whether what they make is right.
type Form struct {
	Title  string
	Fields []Field
	// Result is what the texts make; the person says whether it is right.
	Result func(values []string) string
	// Keep is called with what was typed so far, when the keys pause and when the
	// person stops. It may be nil.
	Keep func(values []string) error
}

// A Field is one text of a Form.
type Field struct {
	Ask, Hint, Value string
	Check            func(string) error
}

func (f *Form) values() []string {
	var values []string
	for _, field := range f.Fields {
		values = append(values, verbatim.FoldSpace(field.Value))
	}
	return values
}

// Run shows the form on the whole screen, and returns the texts, or ErrStopped.
func (f *Form) Run(ctx context.Context, in, out *os.File) ([]string, error) {
	m := &formScreen{Form: f, input: textinput.New()}
	m.input.Prompt = ""
	m.focus(0)
	err := play(ctx, m, in, out)
	if !m.done {
		return nil, errors.Join(err, m.keepNow(), ErrStopped)
	}
	return f.values(), err
}

// formScreen is the model of a form. A key changes it before the next is looked
// at, so that no letter lands in the wrong field, however fast they come.
type formScreen struct {
	*Form
	input  textinput.Model
	at     int  // the field; behind the last comes the result
	done   bool // the person says that it is right
	note   string
	keys   int
	width  int
	height int
}

func (m *formScreen) Init() tea.Cmd { return nil }

func (m *formScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.input.SetWidth(max(10, m.width-m.label()-3))
	case paused:
		if msg.keys == m.keys {
			if err := m.keepNow(); err != nil {
				m.note = "what you type cannot be kept for the next time: " + err.Error()
			}
		}
	case tea.PasteMsg: // a line of what is pasted is a field, as if it were typed
		for i, line := range strings.Split(strings.ReplaceAll(msg.Content, "\r", "\n"), "\n") {
			if i > 0 && m.asking() {
				m.enter()
			}
			m.typed(tea.PasteMsg{Content: line})
		}
		return m, m.pause()
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return m, nil
}

func (m *formScreen) asking() bool { return m.at < len(m.Fields) }

func (m *formScreen) key(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	key := k.String()
	m.note = ""
	switch {
	case key == "ctrl+c":
		return m, tea.Quit
	case !m.asking():
		switch key {
		case "enter", "y", "Y":
			m.done = true
			return m, tea.Quit
		case "n", "N", "esc", "shift+tab", "up":
			m.focus(0)
		default:
			m.note = "press y if it is right, n to fix it"
		}
	case key == "enter", key == "tab", key == "down":
		m.enter()
	case key == "shift+tab", key == "up":
		m.focus(max(0, m.at-1))
	case key == "ctrl+z":
		return m, func() tea.Msg { _ = suspend(); return nil }
	default:
		m.typed(k)
	}
	return m, m.pause()
}

// typed passes a key or a pasted line to the field.
func (m *formScreen) typed(msg tea.Msg) {
	if m.asking() {
		m.input, _ = m.input.Update(msg)
		m.Fields[m.at].Value = m.input.Value()
	}
}

// pause lets what was typed be kept once the keys pause.
func (m *formScreen) pause() tea.Cmd {
	m.keys++
	now := m.keys
	return tea.Tick(300*time.Millisecond, func(time.Time) tea.Msg { return paused{now} })
}

// enter goes to the next field, if this one is right.
func (m *formScreen) enter() {
	field := &m.Fields[m.at]
	if err := field.Check(verbatim.FoldSpace(field.Value)); err != nil {
		m.note = err.Error()
		return
	}
	m.focus(m.at + 1)
}

func (m *formScreen) focus(at int) {
	if m.at = at; m.asking() {
		m.input.SetValue(m.Fields[at].Value)
		m.input.CursorEnd()
		m.input.Focus()
	}
}

// label is the width of the longest label.
func (m *formScreen) label() int {
	widest := 0
	for _, f := range m.Fields {
		widest = max(widest, layout.Width(f.Ask))
	}
	return widest + 4
}

func (m *formScreen) View() tea.View {
	view := tea.NewView(m.content())
	view.AltScreen = true
	view.WindowTitle = "verbatim"
	return view
}

func (m *formScreen) content() string {
	width := max(20, m.width)
	lines := []string{bar.Width(width).Render(layout.Clip(" "+m.Title, width)), ""}
	focus := 0
	for i, f := range m.Fields {
		mark, value := "  ", layout.Clip(verbatim.Readable(f.Value), max(10, width-m.label()-2))
		if i == m.at {
			mark, value, focus = "> ", m.input.View(), len(lines)
		}
		lines = append(lines, fmt.Sprintf("%s%-*s%s", mark, m.label()-2, f.Ask, value))
		if i == m.at && f.Hint != "" {
			lines = append(lines, dim.Render(layout.Indent(layout.Wrap(f.Hint, width-6), 4)))
		}
		if i == m.at && m.note != "" {
			lines = append(lines, warning.Render(layout.Indent(layout.Wrap(m.note, width-6), 4)))
		}
	}
	hints := "enter next  shift+tab back  ctrl+c stop: what you typed is kept for the next time"
	if !m.asking() {
		focus = len(lines)
		lines = append(lines, "", layout.Wrap(verbatim.Readable(m.Result(m.values())), width-1), "",
			bold.Render("Every question of this book begins like this. Is it right?"), warning.Render(m.note))
		hints = "y or enter: yes, save it  n: no, fix it  ctrl+c stop: what you typed is kept"
	}
	body := strings.Split(strings.Join(lines, "\n"), "\n")
	hints = hintLines(hints, width)
	room := max(1, m.height-strings.Count(hints, "\n")-2)
	if len(body) > room { // a small window shows the lines around the field
		start := max(0, min(focus-room/2, len(body)-room))
		if !m.asking() {
			start = len(body) - room
		}
		body = body[start : start+room]
	}
	return strings.Join(append(body, "", dim.Render(hints)), "\n")
}

// Plain asks line by line. An empty line leaves what is there; a hyphen empties
// it.
func (f *Form) Plain(in io.Reader, out io.Writer) ([]string, error) {
	lines := bufio.NewScanner(in)
	fmt.Fprintf(out, "%s\nAn empty line keeps what is in brackets; - leaves it empty.\n", f.Title)
	for {
		for i := range f.Fields {
			if err := f.askLine(lines, out, &f.Fields[i]); err != nil {
				return nil, errors.Join(err, f.keepNow())
			}
		}
		fmt.Fprintf(out, "\n%s\nEvery question of this book begins like this. Is it right? (y/n) ", verbatim.Readable(f.Result(f.values())))
		if !lines.Scan() {
			return nil, errors.Join(lines.Err(), f.keepNow(), ErrStopped)
		}
		if answer := strings.ToLower(strings.TrimSpace(lines.Text())); answer == "" || strings.HasPrefix(answer, "y") {
			return f.values(), nil
		}
	}
}

func (f *Form) keepNow() error {
	if f.Keep == nil {
		return nil
	}
	return f.Keep(f.values())
}

// askLine asks for one field until it is right.
func (f *Form) askLine(lines *bufio.Scanner, out io.Writer, field *Field) error {
	for {
		hint := ""
		if field.Hint != "" {
			hint = " (" + field.Hint + ")"
		}
		fmt.Fprintf(out, "%s%s [%s]: ", field.Ask, hint, verbatim.Readable(field.Value))
		if !lines.Scan() {
			return errors.Join(lines.Err(), ErrStopped)
		}
		value := field.Value
		switch typed := verbatim.FoldSpace(lines.Text()); typed {
		case "":
		case "-":
			value = ""
		default:
			value = typed
		}
		if err := field.Check(verbatim.FoldSpace(value)); err != nil {
			fmt.Fprintln(out, "!", err)
			continue
		}
		field.Value = value
		return nil
	}
}
