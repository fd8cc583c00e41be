package review

import (
	"context"
	"errors"
	"slices"

	"verbatim/cloze"
)

// Next finds the draft to show: in each book disputes first, then what was
// begun, then the categories in their order, then what was flagged.
func (s *Session) Next(ctx context.Context) error {
	return s.act(func() error { return s.next(ctx) })
}

func (s *Session) next(ctx context.Context) error {
	s.item, s.since = nil, s.Now()
	finders := []func(context.Context, Book) (*Item, error){s.disputed, s.begun, s.undecided, s.flagged}
	if s.Decided {
		finders = finders[:0]
		finders = append(finders, s.decided)
	}
	for _, e := range s.books {
		b := s.ready(e)
		if b == nil {
			continue
		}
		for _, find := range finders {
			item, err := find(ctx, b)
			if item != nil || err != nil {
				s.item = item
				return err
			}
		}
	}
	return nil
}

// find is the first standing draft of a book that is asked about and for which
// want holds.
func (s *Session) find(b Book, want func(Standing) bool) (Standing, bool) {
	for standing := range b.Log().Standings() {
		if slices.Contains(b.Categories(), standing.Category) && !s.skipped[standing.Draft] && want(standing) {
			return standing, true
		}
	}
	return Standing{}, false
}

func (s *Session) disputed(_ context.Context, b Book) (*Item, error) {
	standing, ok := s.find(b, func(st Standing) bool { return st.Disputed })
	if !ok {
		return nil, nil
	}
	item := s.standingItem(b, standing)
	item.Disputes, item.Stage = standing.Heads, OfPassage
	return item, nil
}

func (s *Session) begun(ctx context.Context, b Book) (item *Item, err error) {
	s.find(b, func(st Standing) bool {
		if st.Verdict != Passage {
			return false
		}
		var later bool
		item = s.standingItem(b, st)
		if later, err = s.distract(ctx, item); later {
			item = nil
		}
		return item != nil
	})
	return item, err
}

func (s *Session) undecided(ctx context.Context, b Book) (*Item, error) {
	counts := s.counts(b)
	for _, category := range b.Categories() {
		if t := counts.Of(category); t.Accepted+t.Begun >= s.Goal {
			continue
		}
		for _, draft := range b.Drafts(category) {
			standing, decided := b.Log().Of(draft.ID)
			if decided && standing.Verdict != Open || s.skipped[draft.ID] {
				continue
			}
			draft = s.own(draft)
			if keep, err := b.Confirm(ctx, draft); err != nil {
				return nil, err
			} else if !keep {
				continue
			}
			state := fresh(draft)
			if decided { // edited or moved, and not yet accepted
				state.Masking = standing.Masking
				if len(standing.Answers) > 0 {
					state.Answers = standing.Answers
				}
			}
			return newItem(b, draft, state, standing), nil
		}
	}
	return nil, nil
}

// flagged are the drafts that someone wanted to look at later: later is when
// nothing else is left.
func (s *Session) flagged(_ context.Context, b Book) (*Item, error) {
	counts := s.counts(b)
	standing, ok := s.find(b, func(st Standing) bool { return st.Verdict == Flagged && counts.Of(st.Category).Accepted < s.Goal })
	if !ok {
		return nil, nil
	}
	return s.standingItem(b, standing), nil
}

// decided shows every decided draft once, in the order of the first decision.
func (s *Session) decided(_ context.Context, b Book) (*Item, error) {
	standing, ok := s.find(b, func(Standing) bool { return true })
	if !ok {
		return nil, nil
	}
	item := s.standingItem(b, standing)
	item.Stage = OfPassage
	return item, nil
}

// counts counts what was decided in a book.
func (s *Session) counts(b Book) Counts { return Count(b.Log(), nil, b.Lost(), s.Goal) }

// fresh is the state of a draft that nobody has seen.
func fresh(d *cloze.Draft) State {
	state := State{Masking: d.Masking}
	for _, o := range d.Options {
		state.Answers = append(state.Answers, Answer{Option: o})
	}
	return state
}

// own is a copy of a draft that can be changed: books and views share drafts.
// A draft whose wrong answers were made in this session has them.
func (s *Session) own(d *cloze.Draft) *cloze.Draft {
	if made := s.made[d.ID]; made != nil {
		d = made
	}
	own := *d
	own.Options, own.Reserve, own.Failed = slices.Clone(d.Options), slices.Clone(d.Reserve), slices.Clone(d.Failed)
	return &own
}

// newItem is a draft at the stage that its state has reached. Nothing was
// decided about it where standing is empty.
func newItem(b Book, d *cloze.Draft, state State, standing Standing) *Item {
	item := &Item{Book: b, Draft: d, State: state.Clone(), before: standing.State, known: ids(standing.Heads)}
	if len(standing.Heads) == 0 {
		item.before = fresh(d)
	}
	if state.Verdict == Passage {
		item.toOpenAnswer()
	}
	return item
}

func (s *Session) standingItem(b Book, standing Standing) *Item {
	return newItem(b, s.draft(b, standing.Category, standing.Draft, standing.State, standing.Heads[0]), standing.State, standing)
}

// draft finds the draft of a decision, or makes it again from the decision
// where the book no longer has it.
func (s *Session) draft(b Book, category, id string, state State, first *Decision) *cloze.Draft {
	for _, d := range b.Drafts(category) {
		if d.ID == id {
			return s.own(d)
		}
	}
	d := &cloze.Draft{ID: id, Barcode: first.Book, Category: category, Masking: state.Masking}
	if first.Before.Masked != "" {
		d.Masking = first.Before.Masking
	}
	d.Place = b.Cloze().FindPassage(d.Passage)
	for _, a := range state.Answers {
		d.Options = append(d.Options, a.Option)
	}
	d.Made = len(d.Options) > 0
	return d
}

// toOpenAnswer selects the first wrong answer without verdict. When there is
// none, the whole question is shown.
func (i *Item) toOpenAnswer() {
	i.Stage = OfAnswers
	for at, a := range i.State.Answers {
		if a.Verdict == Open {
			i.At = at
			return
		}
	}
	i.At = max(0, len(i.State.Answers)-1)
	if i.State.Count(Accepted) > 0 {
		i.Stage = OfWhole
	}
}

// distract makes the wrong answers where there are none yet, and removes those
// that have become the ground truth of another question. later means that there
// are none, and that they are made at another time.
func (s *Session) distract(ctx context.Context, item *Item) (later bool, err error) {
	if !item.Draft.Made {
		draft := s.own(item.Draft)
		err := item.Book.Distract(ctx, draft)
		later = errors.Is(err, ErrLater)
		if err != nil && !later {
			return false, err
		}
		if !later {
			item.Draft, s.made[draft.ID] = draft, draft
		}
	}
	taken := truths(item.Book.Log(), item.Draft.ID)
	had := map[string]bool{}
	for _, a := range item.State.Answers {
		had[a.Text], had[a.Was] = true, true
	}
	for _, o := range item.Draft.Options {
		if !had[o.Text] {
			item.State.Answers = append(item.State.Answers, Answer{Option: o})
		}
	}
	later = later && len(item.Draft.Options)+len(item.State.Answers) == 0
	item.State.Answers = slices.DeleteFunc(item.State.Answers, func(a Answer) bool {
		return a.Verdict == Open && taken[a.Text]
	})
	for item.sameBookAnswers() < item.sameBookOptions() && item.nextBest() {
	}
	item.toOpenAnswer()
	return later, nil
}

// truths are the ground truths of accepted questions, without one draft's.
func truths(log *Log, except string) map[string]bool {
	truths := map[string]bool{}
	for standing := range log.Standings() {
		if standing.Verdict == Accepted && standing.Draft != except {
			truths[standing.Truth] = true
		}
	}
	return truths
}

const sameBook = "same_book"

// fromBook reports whether a wrong answer's type is a quotation of the book, or
// what a person wrote in place of one.
func fromBook(kind string) bool { return kind == sameBook || kind == manual(sameBook) }

// sameBookOptions is how many same-book answers the draft was made with.
func (i *Item) sameBookOptions() int {
	n := 0
	for _, o := range i.Draft.Options {
		if o.Type == sameBook {
			n++
		}
	}
	return n
}

// sameBookAnswers is how many of them are not rejected.
func (i *Item) sameBookAnswers() int {
	n := 0
	for _, a := range i.State.Answers {
		if fromBook(a.Type) && a.Verdict != Rejected {
			n++
		}
	}
	return n
}

// nextBest adds the next best same-book answer, where one is left.
func (i *Item) nextBest() bool {
	taken := truths(i.Book.Log(), i.Draft.ID)
	for _, o := range i.Draft.Reserve {
		known := slices.ContainsFunc(i.State.Answers, func(a Answer) bool { return a.Text == o.Text || a.Was == o.Text })
		if !known && !taken[o.Text] && o.Text != i.State.Truth {
			i.State.Answers = append(i.State.Answers, Answer{Option: o})
			return true
		}
	}
	return false
}
