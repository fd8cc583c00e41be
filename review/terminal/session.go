// Package terminal lets a person decide about drafts, one at a time: on a
// screen of its own (Run) or line by line, for screen readers and scripts
// (Plain).
//
// What to count on: one key decides, saves and goes on; a decision is on the
// disk before the next question is shown; nothing is lost when the terminal
// closes; and what was undone can be done again, also another day.
package terminal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
)

// A Work is one book on the desk.
type Work struct {
	// Open fills in the rest when the book's turn comes: a folder may hold many
	// books. It may be nil. A book that does not open is left out, with a word.
	Open    func(*Work) error
	Barcode string // of a book that is not open yet
	// Past is what its reviewer did there another day, while it is not open.
	Past Past
	Idle bool // nothing is left to decide: it is opened only to undo or redo

	Book  *cloze.Book
	Frame string // the sentence about the book
	Log   *review.Log
	// Append puts a decision on the disk before it returns.
	Append func(review.Decision) error
	// Drafts gives the drafts of a category, in the order in which to show them.
	Drafts func(category string) iter.Seq[*cloze.Draft]
	// Check says whether a draft may be shown: a language model may know that its
	// connector means something else. It may be nil.
	Check func(context.Context, *cloze.Draft) (bool, error)
	// Distract makes the wrong answers of a draft that has none yet. It may be nil.
	Distract func(context.Context, *cloze.Draft) error
	// Question is the whole question of a state; Save writes the book's questions.
	Question func(category string, s review.State) (*verbatim.Question, error)
	Save     func() error
	// More is what to type for more drafts of a category.
	More func(category string) string
	// Ahead asks language models what the next drafts will need, while the
	// reviewer looks at the first. It may be nil, and runs beside everything else.
	Ahead func(context.Context)
	// Gone are accepted drafts that the book no longer bears out: they do not
	// count.
	Gone map[string]bool
	// Categories to ask about, scarcest first, each with how many drafts there are.
	Categories []string
}

// Past is the decision that undo would take back in a book, and the undo that
// redo would; nil where there is none.
type Past struct{ Last, Undone *review.Decision }

// A Session is one person's work on some books.
type Session struct {
	Works    []*Work
	Reviewer string
	Goal     int // accepted questions per category and book
	Now      func() time.Time

	Decided bool // show drafts that were decided, to decide them again

	Item *Item // what is on the screen; nil when all is done
	Note string
	// Problems are the books that did not open.
	Problems []error
	// Shown are the drafts that were skipped or shown in this session.
	skipped map[string]bool
	since   time.Time
}

// An Item is the draft on the screen.
type Item struct {
	Work     *Work
	Draft    *cloze.Draft
	State    review.State
	Disputes []*review.Decision // two people's decisions that cannot both stand
	Stage    Stage
	At       int // the wrong answer that the keys act on
}

// A Stage is what is asked about a draft.
type Stage int

// The stages of a draft.
const (
	OfPassage Stage = iota // is this a good foundation for a question?
	OfAnswers              // is each of these a good wrong answer?
	OfWhole                // shall this be saved?
)

// Category is the category of the draft.
func (i *Item) Category() cloze.Category { return i.Draft.Kind() }

// Answer is the wrong answer that the keys act on, or nil.
func (i *Item) Answer() *review.Answer {
	if i.Stage == OfAnswers && i.At < len(i.State.Answers) {
		return &i.State.Answers[i.At]
	}
	return nil
}

// Start makes a session ready. Next must follow.
func (s *Session) Start() {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.skipped == nil {
		s.skipped = map[string]bool{}
	}
	s.since = s.Now()
}

// Next finds the draft to show: disputes first, then what was begun, then the
// books in their order and in each the scarcest category first.
func (s *Session) Next(ctx context.Context) error {
	s.Item, s.since = nil, s.Now()
	if s.Decided {
		return s.nextDecided()
	}
	for _, w := range s.Works {
		if !s.ready(w) {
			continue
		}
		for _, find := range []func(context.Context, *Work) (*Item, error){s.disputed, s.begun, s.open, s.flagged} {
			item, err := find(ctx, w)
			if item != nil || err != nil {
				s.Item = item
				return err
			}
		}
	}
	return nil
}

// ready opens a book whose turn has come.
func (s *Session) ready(w *Work) bool {
	if w.Idle {
		return false
	}
	if w.Open != nil {
		if err := w.Open(w); err != nil {
			s.Problems = append(s.Problems, err)
			s.Note = err.Error()
			w.Past = Past{}
		}
		w.Open = nil
	}
	return w.Log != nil
}

func (w *Work) wants(category string) bool {
	return slices.Contains(w.Categories, category)
}

func (s *Session) disputed(_ context.Context, w *Work) (*Item, error) {
	for standing := range w.Log.Standings() {
		if standing.Disputed && w.wants(standing.Category) && !s.skipped[standing.Draft] {
			item := s.item(w, w.draft(standing), standing.State)
			item.Disputes, item.Stage = standing.Heads, OfPassage
			return item, nil
		}
	}
	return nil, nil
}

func (s *Session) begun(ctx context.Context, w *Work) (*Item, error) {
	for standing := range w.Log.Standings() {
		if standing.Verdict == review.Passage && w.wants(standing.Category) && !s.skipped[standing.Draft] {
			item := s.item(w, w.draft(standing), standing.State)
			if item.waits() {
				continue
			}
			return item, s.distract(ctx, item)
		}
	}
	return nil, nil
}

func (s *Session) open(ctx context.Context, w *Work) (*Item, error) {
	for _, category := range w.Categories {
		if w.Accepted(category)+w.Count(category, review.Passage) >= s.Goal {
			continue
		}
		for draft := range w.Drafts(category) {
			standing, decided := w.Log.Of(draft.ID)
			if decided && standing.Verdict != review.Open || s.skipped[draft.ID] {
				continue
			}
			if w.Check != nil {
				keep, err := w.Check(ctx, draft)
				if err != nil {
					return nil, err
				}
				if !keep {
					continue
				}
			}
			state := fresh(draft)
			if decided { // edited or moved, and not yet accepted
				state.Masking = standing.Masking
				if len(standing.Answers) > 0 {
					state.Answers = standing.Answers
				}
			}
			return s.item(w, draft, state), nil
		}
	}
	return nil, nil
}

// flagged are the drafts that somebody wanted to look at later: when nothing
// else is left, it is later.
func (s *Session) flagged(_ context.Context, w *Work) (*Item, error) {
	for standing := range w.Log.Standings() {
		if standing.Verdict == review.Flagged && w.wants(standing.Category) && !s.skipped[standing.Draft] && w.Accepted(standing.Category) < s.Goal {
			return s.item(w, w.draft(standing), standing.State), nil
		}
	}
	return nil, nil
}

// nextDecided shows every decided draft once, the latest decisions last.
func (s *Session) nextDecided() error {
	for _, w := range s.Works {
		if !s.ready(w) {
			continue
		}
		for standing := range w.Log.Standings() {
			if s.skipped[standing.Draft] || !w.wants(standing.Category) {
				continue
			}
			s.Item = s.item(w, w.draft(standing), standing.State)
			s.Item.Stage = OfPassage
			return nil
		}
	}
	return nil
}

// fresh is the state of a draft that nobody has seen.
func fresh(d *cloze.Draft) review.State {
	state := review.State{Masking: d.Masking}
	for _, o := range d.Options {
		state.Answers = append(state.Answers, review.Answer{Option: o})
	}
	return state
}

// item puts a draft on the desk at the stage where its state stands.
func (s *Session) item(w *Work, d *cloze.Draft, state review.State) *Item {
	item := &Item{Work: w, Draft: d, State: state.Clone()}
	if state.Verdict == review.Passage {
		item.Stage = OfAnswers
		item.toOpenAnswer()
	}
	return item
}

// toOpenAnswer moves to the first wrong answer without verdict; when there is
// none, the whole question is shown.
func (i *Item) toOpenAnswer() {
	i.Stage = OfAnswers
	for at, a := range i.State.Answers {
		if a.Verdict == review.Open {
			i.At = at
			return
		}
	}
	i.At = max(0, len(i.State.Answers)-1)
	if i.State.Count(review.Accepted) > 0 {
		i.Stage = OfWhole
	}
}

// draft finds the draft of a decision, or makes it again from what the
// decision holds, for drafts that are gone from the drafts' file.
func (w *Work) draft(standing review.Standing) *cloze.Draft {
	for d := range w.Drafts(standing.Category) {
		if d.ID == standing.Draft {
			return d
		}
	}
	first := standing.Heads[0]
	d := &cloze.Draft{ID: standing.Draft, Barcode: standing.Book, Category: standing.Category, Masking: standing.Masking}
	if first.Before.Masked != "" {
		d.Masking = first.Before.Masking
	}
	d.Place = w.Book.FindPassage(d.Passage)
	for _, a := range standing.Answers {
		d.Options = append(d.Options, a.Option)
	}
	d.Made = len(d.Options) > 0
	return d
}

// Accepted is the number of accepted questions of a category.
func (w *Work) Accepted(category string) int { return w.Count(category, review.Accepted) }

// Refused is the number of refused drafts of a category.
func (w *Work) Refused(category string) int { return w.Count(category, review.Refused) }

// Count is the number of drafts of a category with a verdict; a disputed
// acceptance is none.
func (w *Work) Count(category string, v review.Verdict) int {
	n := 0
	for standing := range w.Log.Standings() {
		if standing.Category == category && standing.Verdict == v && !(v == review.Accepted && (standing.Disputed || w.Gone[standing.Draft])) {
			n++
		}
	}
	return n
}

// truths are the ground truths of accepted questions, but for one draft's.
func (w *Work) truths(but string) map[string]bool {
	truths := map[string]bool{}
	for standing := range w.Log.Standings() {
		if standing.Verdict == review.Accepted && standing.Draft != but {
			truths[standing.Truth] = true
		}
	}
	return truths
}

// distract makes the wrong answers where they are still to be made, and takes
// out those that have become the truth of another question.
func (s *Session) distract(ctx context.Context, item *Item) error {
	if !item.Draft.Made && item.Work.Distract != nil {
		if err := item.Work.Distract(ctx, item.Draft); err != nil {
			return err
		}
	}
	taken := item.Work.truths(item.Draft.ID)
	had := map[string]bool{}
	for _, a := range item.State.Answers {
		had[a.Text], had[a.Was] = true, true
	}
	for _, o := range item.Draft.Options {
		if !had[o.Text] {
			item.State.Answers = append(item.State.Answers, review.Answer{Option: o})
		}
	}
	item.State.Answers = slices.DeleteFunc(item.State.Answers, func(a review.Answer) bool {
		return a.Verdict == review.Open && taken[a.Text]
	})
	for item.open("same_book") < min(2, item.sameBook()) && item.bringUp() {
	}
	item.toOpenAnswer()
	return nil
}

// waits says whether the wrong answers are to be made by another command.
func (i *Item) waits() bool {
	return !i.Draft.Made && len(i.Draft.Options) == 0 && len(i.State.Answers) == 0 && i.Work.Distract == nil
}

// sameBook is how many same-book answers the draft was made with.
func (i *Item) sameBook() int {
	n := 0
	for _, o := range i.Draft.Options {
		if o.Type == "same_book" {
			n++
		}
	}
	return n
}

// open counts the wrong answers of a type that are not refused.
func (i *Item) open(kind string) int {
	n := 0
	for _, a := range i.State.Answers {
		if a.Type == kind && a.Verdict != review.Refused {
			n++
		}
	}
	return n
}

// bringUp adds the next best same-book answer, where one is left.
func (i *Item) bringUp() bool {
	taken := i.Work.truths(i.Draft.ID)
	for _, o := range i.Draft.Reserve {
		known := slices.ContainsFunc(i.State.Answers, func(a review.Answer) bool { return a.Text == o.Text || a.Was == o.Text })
		if !known && !taken[o.Text] && o.Text != i.State.Truth {
			i.State.Answers = append(i.State.Answers, review.Answer{Option: o})
			return true
		}
	}
	return false
}

// decide saves a decision about the item: after is what it leads to.
func (s *Session) decide(act string, after review.State) error {
	w, d := s.Item.Work, s.Item.Draft
	before := fresh(d)
	if standing, ok := w.Log.Of(d.ID); ok {
		before = standing.State
	}
	decision := w.Log.Decide(review.Decision{Reviewer: s.Reviewer, Seconds: s.seconds(), Book: w.Book.Barcode, Category: d.Category,
		Draft: d.ID, Act: act, Before: before, After: after}, s.Now())
	return s.put(w, decision)
}

// put writes first and believes afterwards.
func (s *Session) put(w *Work, d review.Decision) error {
	if err := w.Append(d); err != nil {
		return fmt.Errorf("the decision could not be saved and does not count: %w", err)
	}
	if err := w.Log.Add(d); err != nil {
		return err
	}
	s.since = s.Now()
	if d.Before.Verdict == review.Accepted || d.After.Verdict == review.Accepted {
		return w.Save()
	}
	return nil
}

func (s *Session) seconds() float64 {
	return float64(s.Now().Sub(s.since).Milliseconds()) / 1000
}

// ErrNothing says that a key has nothing to act on.
var ErrNothing = errors.New("there is nothing to act on here")
