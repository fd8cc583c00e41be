package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"verbatim"
	"verbatim/internal/layout"
	"verbatim/review"
)

// A list is the list of drafts on the screen.
type list struct {
	all    []review.Row
	rows   []review.Row // those that the filter takes
	filter review.Filter
	at     int    // the selected row
	number string // typed so far
	typing bool   // letters go into the text to search for
}

func (m *screen) openList(search bool) {
	item := m.session.Item()
	l := &list{all: m.session.List(review.Filter{}), filter: m.session.View().Filter, typing: search}
	if search {
		l.filter.Text = ""
	}
	m.list, m.note = l, ""
	l.narrow()
	l.at = max(0, slices.IndexFunc(l.rows, func(r review.Row) bool { return r.Draft == item.Draft.ID }))
	m.fill()
}

// narrow finds the rows that the filter takes, and keeps the selected one.
func (l *list) narrow() {
	selected := ""
	if l.at < len(l.rows) {
		selected = l.rows[l.at].Draft
	}
	l.rows, l.at, l.number = nil, 0, ""
	for _, r := range l.all {
		if l.filter.Takes(&r) {
			if r.Draft == selected {
				l.at = len(l.rows)
			}
			l.rows = append(l.rows, r)
		}
	}
}

func (l *list) hints() string {
	if l.typing {
		return "type words to search for  enter done  esc show all"
	}
	return "enter open  s state  f flagged only  c category  r reviewer  b book  / search  a all  0-9 number  esc close"
}

// listKey is what each key does while the list is open.
func (m *screen) listKey(key string, k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	l := m.list
	m.note = ""
	switch {
	case l.typing:
		l.search(key, k)
	case key == "enter":
		return m.openRow()
	case slices.Contains([]string{"esc", "L", "q"}, key):
		m.list = nil
		m.fill()
		m.toCursor()
		return m, nil
	case key == "/":
		l.typing = true
	case len(key) == 1 && key >= "0" && key <= "9":
		l.number += key
		if n, err := strconv.Atoi(l.number); err == nil && n <= len(l.rows) {
			l.at = max(0, n-1)
		} else {
			l.number = key
			m.note = fmt.Sprintf("the list has %d drafts", len(l.rows))
		}
	case !l.move(key, m.body.Height()) && !l.choose(key):
		m.note = "enter opens the draft, esc closes the list"
	}
	m.fill()
	return m, nil
}

// search adds letters to the text, and narrows the list with each.
func (l *list) search(key string, k tea.KeyPressMsg) {
	switch {
	case key == "enter":
		l.typing = false
		return
	case key == "esc":
		l.typing, l.filter.Text = false, ""
	case key == "backspace":
		runes := []rune(l.filter.Text)
		l.filter.Text = string(runes[:max(0, len(runes)-1)])
	default:
		l.filter.Text += k.Text
	}
	l.narrow()
}

// move selects another row.
func (l *list) move(key string, page int) bool {
	steps := map[string]int{"down": 1, "j": 1, ">": 1, "up": -1, "k": -1, "<": -1, "pgdown": page, "pgup": -page, "home": -len(l.rows), "end": len(l.rows)}
	step, is := steps[key]
	if is {
		l.at, l.number = max(0, min(len(l.rows)-1, l.at+step)), ""
	}
	return is
}

// choose changes the filter: each key goes to the next of its values.
func (l *list) choose(key string) bool {
	f := &l.filter
	switch key {
	case "s":
		f.State = review.Selections[(slices.Index(review.Selections, f.State)+1)%len(review.Selections)]
	case "f":
		f.State = map[bool]review.Selection{true: review.All, false: review.OnlyFlagged}[f.State == review.OnlyFlagged]
	case "c":
		f.Category = l.following(f.Category, func(r review.Row) []string { return []string{r.Category} })
	case "b":
		f.Book = l.following(f.Book, func(r review.Row) []string { return []string{r.Book} })
	case "r":
		f.Reviewer = l.following(f.Reviewer, func(r review.Row) []string { return r.Reviewers })
	case "a":
		*f = review.Filter{}
	default:
		return false
	}
	l.narrow()
	return true
}

// following is the value after this one among all rows; "" follows the last.
func (l *list) following(now string, of func(review.Row) []string) string {
	values := []string{""}
	for _, r := range l.all {
		for _, v := range of(r) {
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	return values[(slices.Index(values, now)+1)%len(values)]
}

// openRow shows the selected draft. From then on the session stays within what
// the list showed.
func (m *screen) openRow() (tea.Model, tea.Cmd) {
	l := m.list
	if len(l.rows) == 0 {
		m.note = "the list is empty; a shows all drafts"
		return m, nil
	}
	row := l.rows[l.at]
	m.list = nil
	return m, m.do("opening the draft", func(ctx context.Context) error {
		return errors.Join(m.session.Choosing(l.filter), m.session.Go(ctx, row.Book, row.Draft))
	})
}

func (m *screen) listHeader() string {
	l := m.list
	shown := " showing all of them"
	if l.filter != (review.Filter{}) || l.typing {
		shown = fmt.Sprintf(" showing %d: %s", len(l.rows), cmp.Or(l.filter.String(), "all"))
	}
	if l.typing {
		shown += " _"
	}
	return bar.Width(m.width).Render(layout.Clip(" "+summary(l.all), m.width)) + "\n" + dim.Render(layout.Clip(shown, m.width)) + "\n"
}

// summary counts the rows: how many there are, and how many remain.
func summary(rows []review.Row) string {
	waiting, flagged, disputed := 0, 0, 0
	for _, r := range rows {
		if r.Waiting {
			waiting++
		}
		if r.Verdict == review.Flagged {
			flagged++
		}
		if r.Disputed {
			disputed++
		}
	}
	text := fmt.Sprintf("%d drafts, %d left to decide, %d flagged", len(rows), waiting, flagged)
	if disputed > 0 {
		text += fmt.Sprintf(", %d disputed", disputed)
	}
	return text
}

// fillList puts the list into the body, with the selected row in sight.
func (m *screen) fillList() {
	l := m.list
	lines := rowLines(l.rows, m.width)
	if l.at < len(lines) {
		lines[l.at] = bold.Render(">" + lines[l.at][1:])
	}
	if len(lines) == 0 {
		lines = []string{"  no draft is like this; a shows all"}
	}
	m.body.SetContent(strings.Join(lines, "\n"))
	m.arrange()
	top := m.body.YOffset()
	m.body.SetYOffset(max(min(top, l.at), l.at-m.body.Height()+1))
}

// rowLines are one line per draft: its number, how far it is, its category, its
// book where there are several, and its ground truth.
func rowLines(rows []review.Row, width int) []string {
	books := map[string]bool{}
	widest := 0
	for _, r := range rows {
		books[r.Book] = true
		widest = max(widest, layout.Width(r.Book))
	}
	var lines []string
	for i, r := range rows {
		line := fmt.Sprintf("  %*d %-8s  %-17s ", len(strconv.Itoa(len(rows))), i+1, r.State(), r.Category)
		if len(books) > 1 {
			line += fmt.Sprintf("%-*s ", min(widest, 16), layout.Clip(r.Book, 16))
		}
		if n := len(r.Notes); n > 0 {
			line += fmt.Sprintf("(note: %s) ", r.Notes[n-1])
		}
		lines = append(lines, layout.Clip(verbatim.Readable(line+r.Truth), max(20, width)))
	}
	return lines
}

// list prints the drafts, or those with a text, or goes to one by its number in
// the whole list.
func (p *plain) list(ctx context.Context, name, text string) error {
	all := p.s.List(review.Filter{})
	if name == "g" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > len(all) {
			return fmt.Errorf("write a number from 1 to %d after g; L lists the drafts", len(all))
		}
		return p.s.Go(ctx, all[n-1].Book, all[n-1].Draft)
	}
	if name == "/" && text == "" {
		return errors.New("write the words to search for on the same line")
	}
	filter, err := plainFilter(name, text, all)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.out, summary(all))
	for i, line := range rowLines(all, 1<<10) {
		if filter.Takes(&all[i]) {
			fmt.Fprintln(p.out, line)
		}
	}
	if name == "L" { // what follows stays within it
		return p.s.Choosing(filter)
	}
	return nil
}

// plainFilter reads what L lists: words that are a state, a category, a book or
// a reviewer.
func plainFilter(name, text string, all []review.Row) (f review.Filter, err error) {
	if name == "/" {
		return review.Filter{Text: text}, nil
	}
	for _, word := range strings.Fields(text) {
		has := func(of func(review.Row) bool) bool { return slices.ContainsFunc(all, of) }
		switch {
		case slices.Contains(review.Selections, review.Selection(word)):
			f.State = review.Selection(word)
		case word == "noted":
			f.State = review.OnlyNoted
		case word == "all":
			f = review.Filter{}
		case has(func(r review.Row) bool { return r.Category == word }):
			f.Category = word
		case has(func(r review.Row) bool { return r.Book == word }):
			f.Book = word
		case has(func(r review.Row) bool { return slices.Contains(r.Reviewers, word) }):
			f.Reviewer = word
		default:
			return f, fmt.Errorf("%q is no state (waiting, flagged, disputed, accepted, rejected, noted), category, book or reviewer of these drafts", word)
		}
	}
	return f, nil
}
