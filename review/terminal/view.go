package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"verbatim/internal/layout"
	"verbatim/review"
)

func (m *screen) View() tea.View {
	view := tea.NewView(m.content())
	view.AltScreen = true
	view.WindowTitle = "verbatim review"
	return view
}

func (m *screen) content() string {
	if m.width == 0 {
		return ""
	}
	switch {
	case m.field != nil:
		return m.writing()
	case m.busy != "" && m.body.TotalLineCount() == 0:
		return m.busyText()
	}
	note := m.noteLine()
	body := strings.Split(m.body.View(), "\n") // a long note, such as a command to type, takes its last lines
	body = body[:max(1, len(body)-strings.Count(note, "\n"))]
	return m.header + strings.Join(append(body, note, dim.Render(hintLines(m.hints(), m.width))), "\n")
}

// writing is the screen while a field is open: what the reviewer must see, as
// far as there is room, and the field below it.
func (m *screen) writing() string {
	content, _ := m.render(review.Page{Parts: m.what.above})
	above := strings.Split(content, "\n")
	note := m.noteLine()
	room := m.height - m.field.Height() - 4 - strings.Count(note, "\n")
	if len(above) > room && room > 0 { // the end holds the mask and the ground truth
		above = append([]string{dim.Render(" …")}, above[len(above)-room+1:]...)
	}
	lines := []string{bar.Width(m.width).Render(layout.Clip(" "+m.what.asking, m.width))}
	if room > 0 {
		lines = append(append(lines, above...), "")
	}
	lines = append(lines, m.field.View(), note, dim.Render(layout.Clip("enter saves the text  esc changes nothing", m.width)))
	return strings.Join(lines, "\n")
}

// busyText says what the reviewer waits for, and how far that is.
func (m *screen) busyText() string {
	if asked := m.session.Busy(); asked != "" {
		return layout.Clip(m.busy+" ... "+asked, m.width)
	}
	return m.busy + " ..."
}

func (m *screen) noteLine() string {
	if m.busy != "" {
		return dim.Render(m.busyText())
	}
	if m.note == "" && m.field == nil && !m.body.AtBottom() {
		return dim.Render("more below: pgdn")
	}
	if m.note == "" {
		return dim.Render(layout.Clip(m.session.Busy(), m.width))
	}
	return warning.Render(layout.Wrap(m.note, max(20, m.width)))
}

func (m *screen) hints() string {
	if m.over != "" {
		return "pgdn pgup scroll  any other key closes this"
	}
	item := m.session.Item()
	if m.busy != "" || item == nil {
		return "ctrl+c stops"
	}
	return hintText(item.Stage)
}

// footerHeight is how many lines the longest hints take.
func (m *screen) footerHeight() int {
	lines := 1
	for stage := range review.Hints {
		lines = max(lines, strings.Count(hintLines(hintText(review.Stage(stage)), m.width), "\n")+1)
	}
	return lines
}

// fill puts the page into the body, while no act is running.
func (m *screen) fill() {
	if m.width == 0 || m.busy != "" {
		return
	}
	if m.over != "" {
		m.body.SetContent(m.over)
		return
	}
	item := m.session.Item()
	if item == nil {
		return
	}
	top := m.body.YOffset()
	p := item.Page(m.reveal)
	m.header = bar.Width(m.width).Render(layout.Clip(" "+p.Title, m.width)) + "\n" + dim.Render(layout.Clip(" "+m.session.Progress(), m.width)) + "\n"
	var content string
	content, m.selected = m.render(p)
	// On a small screen, what is the same for every question makes room for the
	// passage and its ground truth; the preview shows all.
	for _, spare := range []review.Kind{review.PartOrigin, review.PartPrompt, review.PartFrame} {
		if item.Stage == review.OfPassage && strings.Count(content, "\n") >= m.body.Height() {
			p.Parts = slices.DeleteFunc(p.Parts, func(x review.Part) bool { return x.Kind == spare })
			content, m.selected = m.render(p)
		}
	}
	m.body.SetContent(content)
	m.body.SetYOffset(top)
}

// render returns the paragraphs, and the lines of the selected answer.
func (m *screen) render(p review.Page) (content string, selected [2]int) {
	var out strings.Builder
	line := 0
	before := review.PartLabel
	for i, part := range p.Parts {
		if i > 0 && before != review.PartLabel && !(isAnswer(part.Kind) && isAnswer(before)) {
			out.WriteString("\n")
			line++
		}
		text := m.renderPart(part, m.textWidth())
		last := line + strings.Count(text, "\n")
		if part.Kind == review.PartSelected {
			selected = [2]int{line, last}
		}
		out.WriteString(text + "\n")
		before, line = part.Kind, last+1
	}
	return strings.TrimRight(out.String(), "\n"), selected
}

func isAnswer(k review.Kind) bool { return k == review.PartAnswer || k == review.PartSelected }

func (m *screen) renderPart(p review.Part, width int) string {
	switch p.Kind {
	case review.PartLabel:
		return " " + bold.Render(p.Text)
	case review.PartAnswer:
		return layout.Hang(p.Text, width, 4)
	case review.PartSelected:
		return bold.Render(layout.Hang(p.Text, width, 4))
	}
	text := layout.Wrap(p.Text, width-1)
	switch p.Kind {
	case review.PartPassage:
		text = withMask(text, m.session.Item().Hidden(m.reveal))
	case review.PartTruth:
		text = right.Render(text)
	case review.PartWarning:
		text = warning.Render(text)
	default:
		text = dim.Render(text)
	}
	return layout.Indent(text, 1)
}

// withMask highlights the mask, or the text in its place. The text is wrapped, so
// the mask may take several lines.
func withMask(text, hidden string) string {
	folded := strings.ReplaceAll(text, "\n", " ")
	at := strings.Index(folded, hidden)
	if at < 0 {
		return text
	}
	var lines []string
	for line := range strings.SplitSeq(text[at:at+len(hidden)], "\n") {
		lines = append(lines, masked.Render(line))
	}
	return text[:at] + strings.Join(lines, "\n") + text[at+len(hidden):]
}

// toCursor scrolls to the selected answer.
func (m *screen) toCursor() {
	item := m.session.Item()
	if item == nil || m.width == 0 {
		return
	}
	if item.Stage != review.OfAnswers {
		m.body.GotoTop()
		return
	}
	first, last := m.selected[0], m.selected[1]
	if last >= m.body.YOffset()+m.body.Height() {
		m.body.SetYOffset(last - m.body.Height() + 1)
	}
	if first > 0 && first < m.body.YOffset() { // 0: there is none
		m.body.SetYOffset(first)
	}
}

// hintLines breaks the hints between keys, never inside one.
func hintLines(hints string, width int) string {
	var out strings.Builder
	column := 0
	for hint := range strings.SplitSeq(hints, "  ") {
		size := layout.Width(hint)
		switch {
		case column == 0:
		case column+2+size > max(20, width):
			out.WriteByte('\n')
			column = 0
		default:
			out.WriteString("  ")
			column += 2
		}
		out.WriteString(hint)
		column += size
	}
	return out.String()
}

// ownKeys are those that only a terminal has.
var ownKeys = []review.Key{
	{Key: "E", Does: "edit in your own editor ($EDITOR)"},
	{Key: "pgup pgdn", Does: "scroll"},
	{Key: "q", Does: "quit; the command to continue is printed"},
}

// help explains the keys.
func help(s *review.Session) string {
	var out strings.Builder
	out.WriteString("One key decides, saves and continues. Nothing is lost when you quit.\n\n")
	for _, keys := range [][]review.Key{review.Keys, ownKeys} {
		for _, k := range keys {
			fmt.Fprintf(&out, "  %-10s %s\n", k.Key, k.Does)
		}
	}
	out.WriteString(`
While you type into a field, keys write letters: enter saves the text, esc
changes nothing. Edited text is no longer a quotation, and the question says so.`)
	if s.HelpNote != "" {
		out.WriteString("\n\n" + s.HelpNote)
	}
	return out.String()
}

// hintText is the line of keys that is always on the screen.
func hintText(stage review.Stage) string {
	var all []string
	for _, k := range review.Hints[stage] {
		all = append(all, k.Key+" "+k.Does)
	}
	return strings.Join(all, "  ")
}

// Plain prints each question as plain text and reads one command per line. A
// command that takes a text has it on the same line: "m because the sea was
// calm".
func Plain(ctx context.Context, s *review.Session, in io.Reader, out io.Writer) error {
	s.Start()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	if err := s.Next(ctx); err != nil {
		return err
	}
	for s.Item() != nil {
		show(s, out)
		if ctx.Err() != nil {
			return nil // nobody saw it
		}
		if !lines.Scan() {
			return lines.Err()
		}
		name, text, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		switch name {
		case "q":
			return nil
		case "?":
			fmt.Fprintln(out, plainHints[s.Item().Stage])
			continue
		}
		err := command(ctx, s, name, strings.TrimSpace(text))
		switch {
		case ctx.Err() != nil:
			return nil // every decision is on the disk
		case err != nil:
			fmt.Fprintln(out, "!", err)
			if s.Item() == nil {
				return err
			}
		case s.Message() != "":
			fmt.Fprintln(out, "!", s.Message())
		}
	}
	return nil
}

// show prints the item as plain lines.
func show(s *review.Session, out io.Writer) {
	item := s.Item()
	p := item.Page(false)
	fmt.Fprintf(out, "\n%s\n%s\n\n", p.Title, s.Progress())
	for _, part := range p.Parts {
		text := part.Text
		if part.Kind == review.PartLabel {
			text += ":"
		}
		fmt.Fprintln(out, text)
	}
	fmt.Fprintf(out, "\n%s\n", plainHints[item.Stage])
}

var plainHints = []string{
	"a accept, x reject, s skip, e TEXT edit passage, T TEXT edit ground truth, [ ] { } move clause, f flag, u undo, U redo, ? help, q quit",
	"a accept, x reject, e TEXT edit, m TEXT my own instead, n TEXT one more, A all, 1-9 select, p preview, b back, u undo, U redo, q quit",
	"a save, x reject the question, b back, u undo, U redo, q quit",
}

// plainKeys are the commands whose key on the screen is no letter.
var plainKeys = map[string]string{"s": "space", "p": "enter", "b": "esc"}

func command(ctx context.Context, s *review.Session, name, text string) error {
	if text == "" && slices.Contains([]string{"e", "T", "m", "n"}, name) {
		return errors.New("write the text on the same line, after the letter")
	}
	err := s.Press(ctx, cmp.Or(plainKeys[name], name), text)
	if errors.Is(err, review.ErrNoKey) {
		return fmt.Errorf("there is no command %q; ? shows them", name)
	}
	return err
}
