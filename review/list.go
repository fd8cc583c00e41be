package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"verbatim/cloze"
)

// A Selection is which drafts a list takes by their state.
type Selection string

// The selections. Waiting are the drafts that are still to be decided.
const (
	All          Selection = ""
	OnlyWaiting  Selection = "waiting"
	OnlyFlagged  Selection = "flagged"
	OnlyDisputed Selection = "disputed"
	OnlyAccepted Selection = "accepted"
	OnlyRejected Selection = "rejected"
	OnlyNoted    Selection = "with a note"
)

// Selections are all of them, in the order in which to offer them.
var Selections = []Selection{All, OnlyWaiting, OnlyFlagged, OnlyDisputed, OnlyAccepted, OnlyRejected, OnlyNoted}

// A Filter says which drafts a list holds. An empty field takes all.
type Filter struct {
	State    Selection
	Book     string // a barcode
	Category string
	Reviewer string // who decided about it or wrote a note
	Text     string // in the passage, the ground truth, an answer or a note; in any case
}

// String says in a few words what the filter takes; "" means everything.
func (f Filter) String() string {
	var words []string
	for _, part := range []struct{ name, value string }{{"", string(f.State)}, {"", f.Category}, {"book ", f.Book}, {"by ", f.Reviewer}} {
		if part.value != "" {
			words = append(words, part.name+part.value)
		}
	}
	if f.Text != "" {
		words = append(words, fmt.Sprintf("with %q", f.Text))
	}
	return strings.Join(words, ", ")
}

// A Row is a draft in a list.
type Row struct {
	Book, Category, Draft string
	Verdict               Verdict
	Disputed              bool
	Waiting               bool // review would show it by itself
	Reviewers             []string
	Notes                 []string
	Passage, Truth        string // the passage with its mask
	texts                 []string
}

// State says in one word how far the draft is.
func (r *Row) State() string {
	switch {
	case r.Disputed:
		return "disputed"
	case r.Verdict == Passage:
		return "begun"
	case r.Verdict == Open && r.Waiting:
		return "waiting"
	case r.Verdict == Open:
		return "spare"
	}
	return r.Verdict.String()
}

// Takes reports whether the filter takes a row.
func (f Filter) Takes(r *Row) bool {
	states := map[Selection]bool{All: true, OnlyWaiting: r.Waiting || r.Disputed, OnlyFlagged: r.Verdict == Flagged, OnlyDisputed: r.Disputed,
		OnlyAccepted: r.Verdict == Accepted && !r.Disputed, OnlyRejected: r.Verdict == Rejected && !r.Disputed, OnlyNoted: len(r.Notes) > 0}
	return states[f.State] && (f.Book == "" || f.Book == r.Book) && (f.Category == "" || f.Category == r.Category) &&
		(f.Reviewer == "" || slices.Contains(r.Reviewers, f.Reviewer)) && (f.Text == "" || r.contains(f.Text))
}

func (r *Row) contains(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(slices.Concat([]string{r.Passage, r.Truth}, r.Notes, r.texts), func(t string) bool {
		return strings.Contains(strings.ToLower(t), text)
	})
}

// List lists the drafts of all books of the session that a filter takes, in the
// order of work. A book that is not open is only looked at.
func (s *Session) List(f Filter) []Row {
	var entries []Entry
	s.showing.Lock()
	for _, e := range s.books {
		entries = append(entries, *e)
	}
	s.showing.Unlock()
	var rows []Row
	for _, e := range entries {
		rows = append(rows, s.rows(&e, f)...)
	}
	return rows
}

// rows are the rows of one book.
func (s *Session) rows(e *Entry, f Filter) []Row {
	if f.Book != "" && f.Book != e.Barcode {
		return nil
	}
	log, drafts, lost := s.look(e)
	if log == nil {
		return nil
	}
	counts := Count(log, drafts, lost, s.Goal)
	there := map[string]bool{}
	var all []Row
	add := func(category, id string, masking State, standing Standing, known bool) {
		if there[id] || !s.wanted(e, category) {
			return
		}
		there[id] = true
		all = append(all, newRow(log, e.Barcode, category, id, masking, standing, known, counts.Of(category), s.Goal))
	}
	for _, d := range drafts {
		standing, known := log.Of(d.ID)
		add(d.Category, d.ID, fresh(d), standing, known)
	}
	for standing := range log.Standings() { // decisions outlive their drafts
		if standing.Verdict != Replaced && standing.Verdict != Open {
			add(standing.Category, standing.Draft, standing.State, standing, true)
		}
	}
	all = slices.DeleteFunc(all, func(r Row) bool { return !f.Takes(&r) })
	order := s.order(e)
	slices.SortStableFunc(all, func(a, b Row) int { return order[a.Category] - order[b.Category] })
	return all
}

// look gives what is known of a book without opening it.
func (s *Session) look(e *Entry) (log *Log, drafts []*cloze.Draft, lost map[string]bool) {
	if e.Book != nil {
		return e.Book.Log(), e.Book.Known(), e.Book.Lost()
	}
	if e.Peek == nil {
		return nil, nil, nil
	}
	log, drafts = e.Peek()
	return log, drafts, nil
}

// wanted reports whether a category is asked about in this session.
func (s *Session) wanted(e *Entry, category string) bool {
	return e.Book == nil || slices.Contains(e.Book.Categories(), category)
}

func (s *Session) order(e *Entry) map[string]int {
	names := cloze.CategoryNames()
	if e.Book != nil {
		names = e.Book.Categories()
	}
	order := map[string]int{}
	for i, name := range names {
		order[name] = i
	}
	return order
}

func newRow(log *Log, book, category, id string, state State, standing Standing, known bool, t *Tally, goal int) Row {
	r := Row{Book: book, Category: category, Draft: id, Passage: state.Masked, Truth: state.Truth}
	if known {
		r.Verdict, r.Disputed = standing.Verdict, standing.Disputed
		if standing.Masked != "" {
			r.Passage, r.Truth, state = standing.Masked, standing.Truth, standing.State
		}
	}
	for _, h := range standing.Heads {
		r.Reviewers = append(r.Reviewers, h.Reviewer)
	}
	for _, d := range log.Notes(id) {
		r.Notes, r.Reviewers = append(r.Notes, d.Note), append(r.Reviewers, d.Reviewer)
	}
	slices.Sort(r.Reviewers)
	r.Reviewers = slices.Compact(r.Reviewers)
	for _, a := range state.Answers {
		r.texts = append(r.texts, a.Text)
	}
	switch r.Verdict {
	case Open:
		r.Waiting = t.Accepted+t.Begun < goal
	case Flagged:
		r.Waiting = t.Accepted < goal
	case Passage:
		r.Waiting = true
	}
	return r
}

// Go shows a draft, whatever was decided about it.
func (s *Session) Go(ctx context.Context, book, draft string) error {
	return s.act(func() error { return s.goTo(ctx, book, draft) })
}

func (s *Session) goTo(ctx context.Context, barcode, id string) error {
	at := slices.IndexFunc(s.books, func(e *Entry) bool { return e.Barcode == barcode })
	if at < 0 {
		return fmt.Errorf("there is no book %s in this session", barcode)
	}
	b := s.ready(s.books[at])
	if b == nil {
		return errors.New(s.message)
	}
	delete(s.skipped, id)
	item, err := s.itemOf(ctx, b, id)
	if err != nil {
		return err
	}
	s.item, s.since = item, s.Now()
	if item.State.Verdict == Passage {
		_, err = s.distract(ctx, item)
	}
	return err
}

// itemOf is a draft of an open book as it is now.
func (s *Session) itemOf(ctx context.Context, b Book, id string) (*Item, error) {
	standing, decided := b.Log().Of(id)
	known := b.Known()
	at := slices.IndexFunc(known, func(d *cloze.Draft) bool { return d.ID == id })
	lost := at >= 0 && isLost(b, known[at], standing)
	if decided && standing.Verdict != Open && !lost {
		item := s.standingItem(b, standing)
		if standing.Disputed {
			item.Disputes = standing.Heads
		}
		return item, nil
	}
	if at < 0 {
		return nil, fmt.Errorf("the draft %s is no longer there", id)
	}
	draft := s.own(known[at])
	if keep, err := b.Confirm(ctx, draft); err != nil {
		return nil, err
	} else if !keep {
		return nil, errors.New("a language model says that the connector of this draft means something else")
	}
	return openItem(b, draft, standing, decided, lost), nil
}

// Step shows the next draft of the list that a filter takes, or with -1 the
// previous one. It decides nothing.
func (s *Session) Step(ctx context.Context, by int) error {
	return s.onItem(func(item *Item) error {
		barcode := item.Book.Cloze().Barcode
		at := slices.IndexFunc(s.books, func(e *Entry) bool { return e.Barcode == barcode })
		rows := s.rows(s.books[at], s.filter)
		here := slices.IndexFunc(rows, func(r Row) bool { return r.Draft == item.Draft.ID })
		if here < 0 && by < 0 {
			here = len(rows) // it is no longer in the selection; the last is before it
		}
		for here+by < 0 || here+by >= len(rows) {
			if at += by; at < 0 || at >= len(s.books) {
				return errors.New(map[bool]string{true: "this is the first draft of the list", false: "this is the last draft of the list"}[by < 0])
			}
			rows, here = s.rows(s.books[at], s.filter), -1
			if by < 0 {
				here = len(rows)
			}
		}
		row := rows[here+by]
		return s.goTo(ctx, row.Book, row.Draft)
	})
}

// Choosing limits the session to the drafts that a filter takes, from now on:
// Next and Step stay within them. The empty filter is the usual order of work.
func (s *Session) Choosing(f Filter) error {
	return s.act(func() error {
		s.filter, s.past = f, map[string]bool{}
		return nil
	})
}

// nextOf shows the next draft that the filter takes, after the one that is shown
// or from the start again. When none is left, the filter ends.
func (s *Session) nextOf(ctx context.Context, from *Item) (found bool, err error) {
	f := s.filter
	if f.State == All {
		f.State = OnlyWaiting // what is decided is shown only on request
	}
	var rows []Row
	for _, e := range s.books {
		rows = append(rows, s.rows(e, f)...)
	}
	start := s.after(rows, from)
	for i := range rows {
		r := rows[(start+i)%len(rows)]
		if s.past[r.Draft] || s.Claims.by(r.Draft, s.Reviewer) != "" || from != nil && from.Draft.ID == r.Draft {
			continue
		}
		if err := s.goTo(ctx, r.Book, r.Draft); err != nil {
			s.message = err.Error()
			continue
		}
		return true, nil
	}
	s.message = fmt.Sprintf("nothing more to decide in your selection (%s); here is the usual order again", s.filter)
	s.filter = Filter{}
	return false, nil
}

// after is the number of the first row behind an item, in the order of work.
func (s *Session) after(rows []Row, item *Item) int {
	if item == nil {
		return 0
	}
	barcode := item.Book.Cloze().Barcode
	whole := map[string]int{}
	for _, e := range s.books {
		if e.Barcode == barcode {
			for i, r := range s.rows(e, Filter{}) {
				whole[r.Draft] = i
			}
		}
	}
	books := map[string]int{}
	for i, e := range s.books {
		books[e.Barcode] = i
	}
	for i, r := range rows {
		if books[r.Book] > books[barcode] || r.Book == barcode && whole[r.Draft] > whole[item.Draft.ID] {
			return i
		}
	}
	return 0
}
