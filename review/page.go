package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/cloze"
	"verbatim/internal/period"
)

// A Page is everything that a reviewer must see of a draft.
type Page struct {
	Title string
	Parts []Part
}

// A Part is one paragraph of a page. Its text holds no control characters.
type Part struct {
	Kind Kind
	Text string
}

// A Kind is what a paragraph is; it decides how a view shows it.
type Kind string

// The kinds of paragraphs.
const (
	PartLabel    Kind = "label"    // the heading of what follows
	PartAnswer   Kind = "answer"   // a wrong answer
	PartSelected Kind = "selected" // the wrong answer that is selected
	PartPassage  Kind = "passage"  // with the mask in it
	PartTruth    Kind = "truth"    // the ground truth
	PartWarning  Kind = "warning"  // what the reviewer should read
	PartNote     Kind = "note"     // what a reviewer noted
	PartFaint    Kind = "faint"    // what need not be read every time
	PartFrame    Kind = "frame"    // faint: the sentence about the book
	PartPrompt   Kind = "prompt"   // faint: what the question asks for
	PartOrigin   Kind = "origin"   // faint: where the draft comes from
)

// Page says everything that a reviewer must see, in the order of the
// specification. With reveal, the ground truth takes the place of the mask.
func (i *Item) Page(reveal bool) Page {
	p := Page{Title: fmt.Sprintf("%s  %s  %s", i.Book.Cloze().Barcode, i.Draft.Category, stageNames[i.Stage])}
	for _, d := range i.Disputes {
		p.add(PartWarning, "%s: %s (%s) %s", d.Reviewer, d.After.Verdict, day(d), difference(i.Disputes, d))
	}
	if i.State.Verdict.decided() && len(i.Disputes) == 0 {
		p.add(PartWarning, "%s", i.standingWords())
	}
	for _, d := range i.Book.Log().Notes(i.Draft.ID) {
		p.add(PartNote, "%s", noteWords(d))
	}
	if i.Stage != OfAnswers { // there the answers need the room
		p.add(PartFrame, "%s", i.Book.Frame())
	}
	p.add(PartPassage, "%s", strings.Replace(i.State.Masked, i.Category().Mask, i.Hidden(reveal), 1))
	if i.Stage != OfAnswers {
		p.add(PartPrompt, "%s", i.Category().Prompt())
	}
	p.add(PartLabel, "Ground truth")
	p.add(PartTruth, "%s", i.State.Truth)
	if i.Stage == OfPassage {
		i.addOrigin(&p)
	} else {
		i.addAnswers(&p)
	}
	return p
}

func (p *Page) add(k Kind, format string, args ...any) {
	p.Parts = append(p.Parts, Part{k, verbatim.Readable(fmt.Sprintf(format, args...))})
}

// Hidden is what a passage part shows in place of the ground truth: the mask,
// or the revealed text.
func (i *Item) Hidden(reveal bool) string {
	if reveal {
		return verbatim.Readable("[" + i.State.Truth + "]")
	}
	return i.Category().Mask
}

// addAnswers adds the wrong answers; the whole question has only accepted ones.
func (i *Item) addAnswers(p *Page) {
	p.add(PartLabel, "Wrong answers")
	for n, a := range i.State.Answers {
		if i.Stage == OfWhole && a.Verdict != Accepted {
			continue
		}
		kind, cursor := PartAnswer, "  "
		if i.Stage == OfAnswers && n == i.At {
			kind, cursor = PartSelected, "> "
		}
		if a.Was != "" && !strings.HasPrefix(a.Type, "manual") {
			a.Type += " (edited)"
		}
		words := answerWords[a.Verdict] + " "
		if i.Stage == OfWhole { // there all are accepted
			words = ""
		}
		p.add(kind, "%s%d %s%s: %s", cursor, n+1, words, a.Type, a.Text)
		if modern := i.modern(a); modern != "" {
			p.add(PartWarning, "    younger than the book: %s", modern)
		}
	}
	for _, f := range i.Draft.Failed {
		p.add(PartFaint, "    no %s: %s", f.Type, f.Why)
	}
	switch {
	case len(i.State.Answers) == 0:
		p.add(PartWarning, "There is no wrong answer yet. Write one yourself (n), or ask a language model (w).")
	case i.Stage == OfAnswers && len(i.Draft.Failed) == 0 && !slices.ContainsFunc(i.State.Answers, byModel):
		p.add(PartFaint, "No language model wrote any yet. For more: w asks one, n is your own.")
	}
}

// A Dated book knows in which year it was published.
type Dated interface{ Year() int }

// modern are the words of an answer that a model wrote, and that a book of this
// year could not have: one of them may give the answer away.
func (i *Item) modern(a Answer) string {
	book, dated := i.Book.(Dated)
	if !dated || book.Year() == 0 || a.At.Status != verbatim.Absent || a.Was != "" || strings.HasPrefix(a.Type, "manual") || fromBook(a.Type) {
		return ""
	}
	words, _, _ := period.Modern(a.Text, book.Year())
	return strings.Join(words, ", ")
}

// byModel reports whether a language model wrote an answer, edited or not.
func byModel(a Answer) bool {
	kind := strings.TrimPrefix(strings.TrimPrefix(a.Type, "manual"), "_")
	return kind != "" && kind != sameBook
}

// addOrigin says where the draft comes from and what to look out for.
func (i *Item) addOrigin(p *Page) {
	d := i.Draft
	if d.Instead != "" {
		p.add(PartWarning, "You accepted this before the book was changed here; it is asked again.")
	}
	if d.Connector != "" {
		by := []string{"rule " + d.Card}
		if d.Tier != "" {
			by = append(by, d.Tier)
		}
		if d.ConfirmedBy != "" {
			by = append(by, "confirmed by "+d.ConfirmedBy)
		}
		p.add(PartOrigin, "The connector is %q (%s).", d.Connector, strings.Join(by, ", "))
	}
	if i.State.PassageAt.Status == verbatim.Absent {
		p.add(PartFaint, "The passage was edited: it is no longer a quotation.")
	}
	for standing := range i.Book.Log().Standings() {
		for _, a := range standing.Answers {
			if standing.Verdict == Accepted && a.Verdict == Accepted && a.Text == i.State.Truth {
				p.add(PartWarning, "This text is a wrong answer of an accepted question (%s).", standing.Category)
			}
		}
	}
}

var stageNames = []string{"is this a good question?", "are these good wrong answers?", "save this question?"}

// answerWords say in words what was decided about a wrong answer: a sign such as
// [x] reads as "selected" to one person and as "rejected" to another. They have
// one width, so that the answers begin in one column.
var answerWords = map[Verdict]string{Open: "undecided", Accepted: "accepted ", Rejected: "rejected "}

// standingWords say what was decided about the draft, and by whom.
func (i *Item) standingWords() string {
	words := "Decided already: " + i.State.Verdict.String()
	if i.State.Verdict == Flagged {
		words = "Flagged: somebody wanted to look at this again"
	}
	if s, ok := i.Book.Log().Of(i.Draft.ID); ok {
		d := s.Heads[len(s.Heads)-1]
		words += fmt.Sprintf(" (%s, %s)", d.Reviewer, day(d))
	}
	return words + "."
}

// noteWords are a note with who wrote it, when, and to what.
func noteWords(d *Decision) string {
	to := ""
	if d.Act != noteAct {
		to = ", " + cmp.Or(actWords[d.Act], d.Act)
	}
	return fmt.Sprintf("Note by %s (%s%s): %s", d.Reviewer, day(d), to, d.Note)
}

func day(d *Decision) string { return d.Time.Local().Format("2 Jan 2006 15:04") }

// difference names what two people's acceptances differ in.
func difference(heads []*Decision, d *Decision) string {
	for _, other := range heads {
		if other == d || other.After.Verdict != d.After.Verdict {
			continue
		}
		switch {
		case other.After.Masked != d.After.Masked:
			return "with another passage"
		case other.After.Truth != d.After.Truth:
			return "with another ground truth"
		}
		var texts []string
		for _, o := range d.After.Options() {
			texts = append(texts, o.Text)
		}
		return "with other wrong answers: " + strings.Join(texts, " | ")
	}
	return ""
}

// Progress says in one line how much is done.
func (s *Session) Progress() string {
	item := s.Item()
	if item == nil {
		return ""
	}
	counts, categories := Count(item.Book.Log(), item.Book.Known(), item.Book.Lost(), s.Goal), item.Book.Categories()
	done := 0
	for _, c := range categories {
		done += min(s.Goal, counts.Of(c).Accepted)
	}
	line := fmt.Sprintf("%d of %d questions", done, s.Goal*len(categories))
	if number, of := s.place(item.Book); of > 1 {
		line = fmt.Sprintf("book %d of %d, ", number, of) + line
	}
	t, left := counts.Of(item.Draft.Category), 0
	for _, c := range categories {
		left += counts.Of(c).Waiting
	}
	if left > 0 { // a book whose drafts are drawn one by one has none to count
		line += fmt.Sprintf(", %d drafts left", left)
	}
	line += fmt.Sprintf("; %s: %d of %d accepted, %d rejected", item.Draft.Category, t.Accepted, s.Goal, t.Rejected)
	if f := s.View().Filter; f != (Filter{}) {
		line = fmt.Sprintf("only %s; ", f) + line
	}
	return line
}

// place is the number of a book among those with something to decide.
func (s *Session) place(b Book) (number, of int) {
	s.showing.Lock()
	defer s.showing.Unlock()
	for _, e := range s.books {
		if !e.Idle && (e.Book != nil || e.Open != nil) { // not one that did not open
			of++
			if e.Book == b {
				number = of
			}
		}
	}
	return number, of
}

// Table says how much is done in each category of the open books.
func (s *Session) Table() string {
	var out strings.Builder
	for _, b := range s.open() {
		counts := s.counts(b)
		fmt.Fprintf(&out, "%s\n", b.Cloze().Barcode)
		for _, c := range cloze.Categories {
			if slices.Contains(b.Categories(), c.Name) {
				t := counts.Of(c.Name)
				fmt.Fprintf(&out, "  %-18s accepted %d of %d, rejected %d\n", c.Name, t.Accepted, s.Goal, t.Rejected)
			}
		}
	}
	return out.String()
}
