package terminal

import (
	"fmt"
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
	lines := []string{m.header + m.body.View()}
	if m.list != nil {
		lines = []string{m.listHeader() + m.body.View()}
	}
	if more := m.more(); more != "" && m.noteLine() != "" {
		lines = append(lines, dim.Render(layout.Clip(more, m.width)))
	} else if more != "" {
		return strings.Join(append(lines, dim.Render(layout.Clip(more, m.width)), dim.Render(hintLines(m.hints(), m.width))), "\n")
	}
	return strings.Join(append(lines, m.noteLine(), dim.Render(hintLines(m.hints(), m.width))), "\n")
}

// arrange gives the body the lines that the note and the keys leave. Where it is
// longer than that, one line says that there is more, whatever the note says.
func (m *screen) arrange() {
	if m.width == 0 || m.field != nil {
		return
	}
	free := m.height - 2 - strings.Count(m.noteLine(), "\n") - 1 - strings.Count(hintLines(m.hints(), m.width), "\n") - 1
	if m.body.TotalLineCount() > free && free > 3 && m.noteLine() != "" {
		free--
	}
	m.body.SetHeight(max(1, free))
	m.body.SetYOffset(m.body.YOffset()) // not past the end
}

// more says in which direction there is more than the screen shows.
func (m *screen) more() string {
	switch above, below := !m.body.AtTop(), !m.body.AtBottom(); {
	case m.body.Height() < 3:
		return ""
	case above && below:
		return "--- more above: pgup --- more below: pgdn ---"
	case above:
		return "--- more above: pgup ---"
	case below:
		return "--- more below: pgdn ---"
	}
	return ""
}

// writing is the screen while a field is open: what the reviewer must see, as
// far as there is room, and the field below it.
func (m *screen) writing() string {
	above := strings.Split(m.render(review.Page{Parts: m.what.above}), "\n")
	note := m.noteLine()
	room := m.height - m.field.Height() - 4 - strings.Count(note, "\n")
	if len(above) > room && room > 0 { // the end holds the mask and the ground truth
		above = append([]string{dim.Render(" …")}, above[len(above)-room+1:]...)
	}
	lines := []string{bar.Width(m.width).Render(layout.Clip(" "+m.what.asking, m.width))}
	if room > 0 {
		lines = append(append(lines, above...), "")
	}
	lines = append(lines, m.field.View(), note, dim.Render(layout.Clip(fieldHints, m.width)))
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
	if m.note == "" && m.session.Busy() == "" {
		return ""
	}
	if m.note == "" {
		return dim.Render(layout.Clip(m.session.Busy(), m.width))
	}
	return warning.Render(layout.Wrap(m.note, max(20, m.width)))
}

func (m *screen) hints() string {
	switch {
	case m.list != nil:
		return m.list.hints()
	case m.over != "":
		return "pgdn pgup scroll  any other key closes this"
	}
	item := m.session.Item()
	if m.giveUp != nil {
		return "esc gives up  ctrl+c stops"
	}
	if m.busy != "" || item == nil {
		return "ctrl+c stops"
	}
	return hintText(item.Stage)
}

// fill puts the page into the body, while no act is running.
func (m *screen) fill() {
	if m.width == 0 || m.busy != "" {
		return
	}
	if m.list != nil {
		m.fillList()
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
	p.Parts = slices.Concat(m.alerts(), p.Parts)
	m.header = bar.Width(m.width).Render(layout.Clip(" "+p.Title, m.width)) + "\n" + dim.Render(layout.Clip(" "+m.session.Progress(), m.width)) + "\n"
	content := m.render(p)
	// On a small screen, what is the same for every question makes room for the
	// passage and its ground truth; the preview shows all.
	for _, spare := range []review.Kind{review.PartOrigin, review.PartPrompt, review.PartFrame} {
		m.body.SetContent(content)
		m.arrange()
		if item.Stage == review.OfPassage && m.body.TotalLineCount() > m.body.Height() {
			p.Parts = slices.DeleteFunc(p.Parts, func(x review.Part) bool { return x.Kind == spare })
			content = m.render(p)
		}
	}
	m.body.SetContent(content)
	m.arrange()
	m.body.SetYOffset(top)
}

// alerts are what the reviewer should know before reading the draft.
func (m *screen) alerts() []review.Part {
	var parts []review.Part
	if other := m.session.View().Other; other != "" {
		parts = append(parts, review.Part{Kind: review.PartWarning, Text: other + " is looking at this draft now."})
	}
	for _, f := range m.session.Unsaved() {
		parts = append(parts, review.Part{Kind: review.PartWarning, Text: fmt.Sprintf("You typed a text here (%s) and did not save it. It is kept: %s opens it.", f.Does, f.Key)})
	}
	return parts
}

// render returns the paragraphs, and remembers the lines of the selected answer
// and the last one of the passage.
func (m *screen) render(p review.Page) string {
	var out strings.Builder
	line := 0
	m.selected = [2]int{}
	before := review.PartLabel
	for i, part := range p.Parts {
		if i > 0 && before != review.PartLabel && !(isAnswer(part.Kind) && isAnswer(before)) {
			out.WriteString("\n")
			line++
		}
		text := m.renderPart(part, m.textWidth())
		last := line + strings.Count(text, "\n")
		if part.Kind == review.PartSelected {
			m.selected = [2]int{line, last}
		}
		if part.Kind == review.PartPassage {
			m.passageEnd = last
		}
		out.WriteString(text + "\n")
		before, line = part.Kind, last+1
	}
	return strings.TrimRight(out.String(), "\n")
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
	case review.PartWarning, review.PartNote:
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
	if item.Stage == review.OfPassage {
		m.body.GotoTop()
		return
	}
	// The passage was read before: all answers, the ground truth and the end of the
	// passage come first. Where that is too much, it begins there.
	m.body.SetYOffset(max(0, min(m.passageEnd-1, m.body.TotalLineCount()-m.body.Height())))
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
	{Key: "Z", Does: "suspend: back to the shell; there, fg comes back here"},
	{Key: "q", Does: "quit; the command to continue is printed"},
}

// help explains the keys.
func help(s *review.Session, width int) string {
	var out strings.Builder
	out.WriteString("One key decides, saves and continues. Nothing is lost when you quit.\n\n")
	for _, keys := range [][]review.Key{review.Keys, ownKeys} {
		for _, k := range keys {
			fmt.Fprintf(&out, "  %-10s %s\n", k.Key, layout.Hang(k.Does, max(40, width), 13))
		}
	}
	paragraphs := []string{fieldHelp}
	if s.HelpNote != "" {
		paragraphs = append(paragraphs, s.HelpNote)
	}
	for _, p := range paragraphs {
		out.WriteString("\n" + layout.Wrap(p, max(40, width)) + "\n")
	}
	return strings.TrimSuffix(out.String(), "\n")
}

const fieldHelp = "While you type into a field, keys write letters: enter saves the text, esc changes nothing, ctrl+z undoes what you typed. " +
	"If you stop with ctrl+c, or the terminal closes, what you typed is kept and is there the next time. " +
	"Edited text is no longer a quotation, and the question says so."

// hintText is the line of keys that is always on the screen.
func hintText(stage review.Stage) string {
	var all []string
	for _, k := range review.Hints[stage] {
		all = append(all, k.Key+" "+k.Does)
	}
	return strings.Join(all, "  ")
}
