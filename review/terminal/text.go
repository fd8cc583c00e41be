package terminal

import (
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
)

// A page is an item in words, for the screen and for the line mode.
type page struct {
	title string
	parts []part
}

// A part is a paragraph with what it is; the kind decides its looks.
type part struct {
	kind kind
	text string
}

type kind int

const (
	label   kind = iota // what follows
	plain               // prose
	passage             // with a mask in it
	truth               // the right answer
	faint               // what one need not read every time
	frame               // faint: the sentence about the book
	prompt              // faint: what the question asks for
	about               // faint: where the draft comes from
	warn                // what one should read
	chosen              // the line that the keys act on
)

// pageOf says all that a reviewer must see, in the order of the specification.
func (s *Session) pageOf(item *Item, reveal bool) page {
	p := page{title: fmt.Sprintf("%s  %s  %s", item.Work.Book.Barcode, item.Draft.Category, stageNames[item.Stage])}
	add := func(k kind, format string, args ...any) {
		p.parts = append(p.parts, part{k, verbatim.Readable(fmt.Sprintf(format, args...))})
	}
	for _, d := range item.Disputes {
		add(warn, "%s: %s (%s) %s", d.Reviewer, verdictName(d.After), d.Time.Local().Format("2 Jan 15:04"), difference(item.Disputes, d))
	}
	if item.State.Verdict != review.Open && item.State.Verdict != review.Passage && len(item.Disputes) == 0 {
		add(warn, "decided already: %s", item.State.Verdict)
	}
	if item.Stage != OfAnswers { // there the answers need the room
		add(frame, "%s", item.Work.Frame)
	}
	shown := item.State.Masked
	if reveal {
		shown = strings.Replace(shown, item.Category().Mask, "["+item.State.Truth+"]", 1)
	}
	add(passage, "%s", shown)
	if item.Stage != OfAnswers {
		add(prompt, "%s", item.Category().Prompt())
	}
	add(label, "Ground truth")
	add(truth, "%s", item.State.Truth)
	if item.Stage == OfPassage {
		s.aboutDraft(item, add)
		return p
	}
	add(label, "Wrong answers")
	for i, a := range item.State.Answers {
		if item.Stage == OfWhole && a.Verdict != review.Accepted {
			continue
		}
		k, cursor := plain, "  "
		if item.Stage == OfAnswers && i == item.At {
			k, cursor = chosen, "> "
		}
		add(k, "%s%d %s %s%s: %s", cursor, i+1, verdictMark[a.Verdict], a.Type, edited(a), a.Text)
	}
	for _, f := range item.Draft.Failed {
		add(faint, "    no %s: %s", f.Type, f.Why)
	}
	if len(item.State.Answers) == 0 {
		add(warn, "There is no wrong answer yet; write one by hand.")
	}
	return p
}

// aboutDraft says where the draft comes from and what to look out for.
func (s *Session) aboutDraft(item *Item, add func(kind, string, ...any)) {
	d := item.Draft
	if d.Instead != "" {
		add(warn, "You accepted this before the book was changed here; it is asked again.")
	}
	if d.Connector != "" {
		add(about, "%s %q by %s (%s)", d.Category, d.Connector, d.Card, strings.Join(slices.DeleteFunc([]string{d.Tier, d.ConfirmedBy}, func(s string) bool { return s == "" }), ", "))
	}
	if item.State.PassageAt.Status == verbatim.Absent {
		add(faint, "The passage was edited: it is no quotation any more.")
	}
	for standing := range item.Work.Log.Standings() {
		for _, a := range standing.Answers {
			if standing.Verdict == review.Accepted && a.Verdict == review.Accepted && a.Text == item.State.Truth {
				add(warn, "This text is a wrong answer of an accepted question (%s).", standing.Category)
			}
		}
	}
}

var stageNames = []string{"is this a good question?", "are these good wrong answers?", "save this question?"}

var verdictMark = map[review.Verdict]string{review.Open: "[ ]", review.Accepted: "[+]", review.Refused: "[x]"}

func verdictName(s review.State) string {
	if s.Verdict == review.Open {
		return "open"
	}
	return string(s.Verdict)
}

// difference names what two people's acceptances differ in.
func difference(heads []*review.Decision, d *review.Decision) string {
	for _, other := range heads {
		if other == d || other.After.Verdict != d.After.Verdict {
			continue
		}
		switch {
		case other.After.Masked != d.After.Masked:
			return "with another passage"
		case other.After.Truth != d.After.Truth:
			return "with another truth"
		}
		return "with other wrong answers: " + strings.Join(acceptedTexts(d.After), " | ")
	}
	return ""
}

func acceptedTexts(s review.State) []string {
	var texts []string
	for _, a := range s.Answers {
		if a.Verdict == review.Accepted {
			texts = append(texts, a.Text)
		}
	}
	return texts
}

func edited(a review.Answer) string {
	if a.Was != "" && !strings.HasPrefix(a.Type, "manual") {
		return " (edited)"
	}
	return ""
}

// progress says how far the work is, in one line.
func (s *Session) progress() string {
	if s.Item == nil {
		return ""
	}
	w, c := s.Item.Work, s.Item.Draft.Category
	done := 0
	for _, c := range w.Categories {
		done += min(s.Goal, w.Accepted(c))
	}
	line := fmt.Sprintf("%d of %d questions", done, s.Goal*len(w.Categories))
	if books := s.books(); len(books) > 1 {
		line = fmt.Sprintf("book %d of %d, ", slices.Index(books, w)+1, len(books)) + line
	}
	line += fmt.Sprintf("; %s: %d of %d accepted, %d refused", c, w.Accepted(c), s.Goal, w.Refused(c))
	return line
}

// books are those in which something is to be decided.
func (s *Session) books() []*Work {
	return slices.DeleteFunc(slices.Clone(s.Works), func(w *Work) bool { return w.Idle })
}

// Table says how far each book and category is.
func (s *Session) Table() string {
	var out strings.Builder
	for _, w := range s.Works {
		if w.Log == nil {
			continue
		}
		fmt.Fprintf(&out, "%s\n", w.Book.Barcode)
		for _, c := range cloze.Categories {
			if slices.Contains(w.Categories, c.Name) {
				fmt.Fprintf(&out, "  %-18s accepted %d of %d, refused %d\n", c.Name, w.Accepted(c.Name), s.Goal, w.Refused(c.Name))
			}
		}
	}
	return out.String()
}

// keys are the hints that are always on the screen, by stage.
var keyHints = []string{
	"a accept  x refuse  space skip  t hidden text  e edit  [ ] { } move clause  f flag  u undo  ? help  q quit",
	"a accept  x refuse  e edit  m my own instead  n one more  A all  1-9 j k choose  enter preview  u undo  ? help",
	"a or enter save  x refuse the question  esc back  e edit  u undo  ? help  q quit",
}

// Help explains the keys.
const Help = `One key decides, saves and goes on. Nothing is lost when you quit.

  a          accept: the passage, the wrong answer, the whole question
  x          refuse it; a refused same-book answer brings up the next best
  space      skip: the draft comes again another time
  f          flag for later
  u          undo, as often as you like, also what you did another day
  U          redo what was undone
  t          show the hidden text in its place
  e          edit the passage, or the wrong answer behind the >
  E          the same in your own editor ($EDITOR)
  T          edit the ground truth
  [ ]        move the clause's start one word to the left, to the right
  { }        move its end
  m          write a wrong answer in the place of this one
  n          write one more wrong answer
  A          accept all wrong answers that are left
  1-9, j k   choose a wrong answer; arrows too
  enter      go on to the whole question; there, save it
  esc        back
  p          how far each category is
  pgup pgdn  scroll
  q          quit; the command that goes on here is printed

While you type into a field, keys write letters: enter takes the text, esc
leaves it as it was. Edited text has no place in the book any more, and the
question says so.

Title, author and year are wrong? Quit, and type: verbatim describe --edit BOOK.txt`
