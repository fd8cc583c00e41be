package terminal

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"verbatim"
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
	var out strings.Builder
	switch {
	case m.field != nil:
		return m.writing()
	case m.busy != "" && m.body.TotalLineCount() == 0:
		return m.busy + " ..."
	}
	note := m.noteLine()
	body := strings.Split(m.body.View(), "\n") // a long note, such as a command to type, takes its last lines
	out.WriteString(m.header + strings.Join(body[:max(1, len(body)-strings.Count(note, "\n"))], "\n"))
	out.WriteString("\n" + note + "\n")
	out.WriteString(dim.Render(hintLines(m.hints(), m.width)))
	return out.String()
}

// writing is the screen while a field is open: what one must see, as far as
// there is room, and the field below it.
func (m *screen) writing() string {
	above := strings.Split(m.render(page{parts: m.what.above}), "\n")
	note := m.noteLine()
	room := m.height - m.field.Height() - 4 - strings.Count(note, "\n")
	if len(above) > room && room > 0 { // the end holds the mask and the truth
		above = append([]string{dim.Render(" …")}, above[len(above)-room+1:]...)
	}
	lines := []string{bar.Width(m.width).Render(clip(" "+m.what.asking, m.width))}
	if room > 0 {
		lines = append(append(lines, above...), "")
	}
	lines = append(lines, m.field.View(), note, dim.Render(clip("enter takes the text  esc leaves it as it was", m.width)))
	return strings.Join(lines, "\n")
}

func (m *screen) noteLine() string {
	if m.busy != "" {
		return dim.Render(m.busy + " ...")
	}
	if m.note == "" && m.field == nil && !m.body.AtBottom() {
		return dim.Render("more below: pgdn")
	}
	return warning.Render(wrapped(m.note, max(20, m.width)))
}

func (m *screen) hints() string {
	if m.over != "" {
		return "pgdn pgup scroll  any other key goes back"
	}
	if m.busy != "" || m.session.Item == nil {
		return "ctrl+c stops"
	}
	return keyHints[m.session.Item.Stage]
}

// footerHeight is how many lines the longest hints take.
func (m *screen) footerHeight() int {
	lines := 1
	for _, hints := range keyHints {
		lines = max(lines, strings.Count(hintLines(hints, m.width), "\n")+1)
	}
	return lines
}

// fill puts the page into the body. It runs only while no act is running: acts
// change what it reads.
func (m *screen) fill() {
	if m.width == 0 || m.busy != "" {
		return
	}
	if m.over != "" {
		m.body.SetContent(m.over)
		return
	}
	if m.session.Item == nil {
		return
	}
	top := m.body.YOffset()
	p := m.session.pageOf(m.session.Item, m.reveal)
	m.header = bar.Width(m.width).Render(clip(" "+p.title, m.width)) + "\n" + dim.Render(clip(" "+m.session.progress(), m.width)) + "\n"
	content := m.render(p)
	// On a small screen what is the same for every question makes room for the
	// passage and its truth; the preview shows all.
	for _, spare := range []kind{about, prompt, frame} {
		if m.session.Item.Stage == OfPassage && strings.Count(content, "\n") >= m.body.Height() {
			p.parts = slices.DeleteFunc(p.parts, func(x part) bool { return x.kind == spare })
			content = m.render(p)
		}
	}
	m.body.SetContent(content)
	m.body.SetYOffset(top)
}

func (m *screen) render(p page) string {
	var out strings.Builder
	width := m.textWidth()
	before := label
	for i, part := range p.parts {
		list := part.kind == plain || part.kind == chosen
		if i > 0 && !(before == label) && !(list && (before == plain || before == chosen)) {
			out.WriteString("\n")
		}
		out.WriteString(m.renderPart(part, width) + "\n")
		before = part.kind
	}
	return strings.TrimRight(out.String(), "\n")
}

func (m *screen) renderPart(p part, width int) string {
	switch p.kind {
	case label:
		return " " + bold.Render(p.text)
	case passage:
		return indent(withMask(wrapped(p.text, width-1), m.session.Item, m.reveal), 1)
	case truth:
		return indent(right.Render(wrapped(p.text, width-1)), 1)
	case faint, frame, prompt, about:
		return indent(dim.Render(wrapped(p.text, width-1)), 1)
	case warn:
		return indent(warning.Render(wrapped(p.text, width-1)), 1)
	case chosen:
		return bold.Render(hanging(p.text, width, 4))
	default:
		return hanging(p.text, width, 4)
	}
}

// withMask lets the mask, or the text in its place, stand out. It was wrapped
// before, so its words may stand on several lines.
func withMask(text string, item *Item, reveal bool) string {
	hidden := item.Category().Mask
	if reveal {
		hidden = verbatim.Readable("[" + item.State.Truth + "]")
	}
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

// toCursor scrolls so that the line that the keys act on can be seen.
func (m *screen) toCursor() {
	if m.session.Item == nil || m.width == 0 {
		return
	}
	if m.session.Item.Stage != OfAnswers {
		m.body.GotoTop()
		return
	}
	lines := strings.Split(m.body.GetContent(), "\n")
	for i, line := range lines {
		if strings.Contains(line, "> ") && strings.Contains(line, "[") && strings.HasPrefix(strings.TrimSpace(plainText(line)), "> ") {
			last := i
			for last+1 < len(lines) && strings.HasPrefix(plainText(lines[last+1]), "    ") {
				last++
			}
			if last >= m.body.YOffset()+m.body.Height() {
				m.body.SetYOffset(last - m.body.Height() + 1)
			}
			if i < m.body.YOffset() {
				m.body.SetYOffset(i)
			}
			return
		}
	}
}

// plainText takes the colours out of a line.
func plainText(line string) string {
	var out strings.Builder
	skip := false
	for _, r := range line {
		switch {
		case r == '\x1b':
			skip = true
		case skip:
			skip = !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// wrapped breaks a text into lines at white space, which it otherwise keeps.
func wrapped(text string, width int) string {
	var out strings.Builder
	column := 0
	for i, word := range strings.Split(text, " ") {
		size := lipgloss.Width(word)
		if i > 0 {
			if column+1+size > width {
				out.WriteByte('\n')
				column = 0
			} else {
				out.WriteByte(' ')
				column++
			}
		}
		out.WriteString(word)
		column += size
	}
	return out.String()
}

// hintLines breaks the hints between keys, never inside one.
func hintLines(hints string, width int) string {
	var out strings.Builder
	column := 0
	for hint := range strings.SplitSeq(hints, "  ") {
		size := lipgloss.Width(hint)
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

// hanging is wrapped with the later lines indented.
func hanging(text string, width, by int) string {
	return strings.ReplaceAll(wrapped(text, width-by), "\n", "\n"+strings.Repeat(" ", by))
}

func indent(text string, by int) string {
	space := strings.Repeat(" ", by)
	return space + strings.ReplaceAll(text, "\n", "\n"+space)
}

func clip(text string, width int) string {
	if lipgloss.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && lipgloss.Width(string(runes)) > width-1 {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
