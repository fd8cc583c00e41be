package review

import (
	"context"
	"errors"
	"iter"
	"slices"

	"verbatim"
	"verbatim/cloze"
)

// Next finds the draft to show: in each book disputes first, then what was
// begun, then the categories in their order, then what was flagged.
func (s *Session) Next(ctx context.Context) error {
	return s.act(func() error { return s.next(ctx) })
}

func (s *Session) next(ctx context.Context) error {
	from := s.item
	s.item, s.since = nil, s.Now()
	if s.filter != (Filter{}) {
		if found, err := s.nextOf(ctx, from); found || err != nil {
			return err
		}
	}
	for _, e := range s.books {
		if e.Idle {
			continue
		}
		if b := s.ready(e); b != nil {
			item, err := s.find(ctx, b)
			if item != nil || err != nil {
				s.item = item
				return err
			}
		}
	}
	return nil
}

// find finds the draft of a book to show, or nil.
func (s *Session) find(ctx context.Context, b Book) (*Item, error) {
	for standing := range s.standings(b) {
		if s.Decided || standing.Disputed {
			item := s.standingItem(b, standing)
			item.Stage = OfPassage
			if !s.Decided {
				item.Disputes = standing.Heads
			}
			return item, nil
		}
	}
	if s.Decided {
		return nil, nil
	}
	for standing := range s.standings(b) {
		if standing.Verdict == Passage {
			item := s.standingItem(b, standing)
			if later, err := s.distract(ctx, item); !later {
				return item, err
			}
		}
	}
	if item, err := s.undecided(ctx, b); item != nil || err != nil {
		return item, err
	}
	counts := s.counts(b)
	for standing := range s.standings(b) {
		if standing.Verdict == Flagged && counts.Of(standing.Category).Accepted < s.Goal {
			return s.standingItem(b, standing), nil
		}
	}
	return nil, nil
}

// standings yields the decided drafts of a book that are asked about.
func (s *Session) standings(b Book) iter.Seq[Standing] {
	return func(yield func(Standing) bool) {
		for standing := range b.Log().Standings() {
			wanted := slices.Contains(b.Categories(), standing.Category) && !s.passed(standing.Draft)
			if wanted && !yield(standing) {
				return
			}
		}
	}
}

func (s *Session) undecided(ctx context.Context, b Book) (*Item, error) {
	counts := s.counts(b)
	for _, category := range b.Categories() {
		if t := counts.Of(category); t.Accepted+t.Begun >= s.Goal {
			continue
		}
		for _, draft := range b.Drafts(category) {
			standing, decided := b.Log().Of(draft.ID)
			lost := isLost(b, draft, standing)
			if decided && standing.Verdict != Open && !lost || s.passed(draft.ID) {
				continue
			}
			draft = s.own(draft)
			if keep, err := b.Confirm(ctx, draft); err != nil {
				return nil, err
			} else if !keep {
				continue
			}
			return openItem(b, draft, standing, decided, lost), nil
		}
	}
	return nil, nil
}

// passed reports whether a draft is not shown now: it was skipped, or another
// person looks at it.
func (s *Session) passed(draft string) bool {
	return s.skipped[draft] || s.Claims.by(draft, s.Reviewer) != ""
}

// isLost reports whether an accepted draft lost one of its wrong answers to a
// correction of the book.
func isLost(b Book, draft *cloze.Draft, standing Standing) bool {
	return standing.Verdict == Accepted && b.Lost()[draft.ID] && holds(b, draft.Category, State{Masking: standing.Masking})
}

// openItem is a draft that is still open. Where it is known, it was edited or
// moved, and not yet accepted. Where it is lost, it was accepted, and one of its
// wrong answers is no longer in the book.
func openItem(b Book, draft *cloze.Draft, standing Standing, known, lost bool) *Item {
	state := fresh(draft)
	switch {
	case lost:
		state.Masking = standing.Masking
		state = withAnswers(still(b, draft, standing.Answers), state)
	case !known:
		state = withAnswers(carried(b, draft), state)
	default:
		state.Masking = standing.Masking
		if len(standing.Answers) > 0 {
			state.Answers = standing.Answers
		}
	}
	return newItem(b, draft, state, standing)
}

// counts counts what was decided in a book.
func (s *Session) counts(b Book) Counts { return Count(b.Log(), nil, b.Lost(), s.Goal) }

// carried are the wrong answers of the accepted draft that this one replaces in a
// changed book, with what was decided about them.
func carried(b Book, d *cloze.Draft) []Answer {
	if old, ok := b.Log().Of(d.Instead); ok && old.Verdict == Accepted {
		return still(b, d, old.Answers)
	}
	return nil
}

// still are the answers that a person or a model wrote, or that are quotations and
// still in the book.
func still(b Book, d *cloze.Draft, answers []Answer) []Answer {
	var kept []Answer
	for _, a := range answers {
		if holds(b, d.Category, State{Masking: d.Masking, Answers: []Answer{{Option: a.Option, Verdict: Accepted}}}) {
			kept = append(kept, a)
		}
	}
	return kept
}

// holds reports whether the book supports a state: its quotations are in it.
func holds(b Book, category string, s State) bool {
	_, err := b.Question(category, s)
	return err == nil
}

// withAnswers puts answers before those of a state; none occurs twice.
func withAnswers(answers []Answer, s State) State {
	before := State{Answers: answers}
	for _, a := range s.Answers {
		if !before.has(a.Text) {
			answers = append(answers, a)
		}
	}
	s.Answers = answers
	return s
}

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
	return newItem(b, s.draft(b, standing.Heads[0], standing.State), standing.State, standing)
}

// draft finds the draft of a decision, or makes it again from the decision and
// the state where the book no longer has it.
func (s *Session) draft(b Book, of *Decision, state State) *cloze.Draft {
	for _, d := range b.Drafts(of.Category) {
		if d.ID == of.Draft {
			return s.own(d)
		}
	}
	d := &cloze.Draft{ID: of.Draft, Barcode: of.Book, Category: of.Category, Masking: state.Masking}
	if of.Before.Masked != "" {
		d.Masking = of.Before.Masking
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
	i.At = slices.IndexFunc(i.State.Answers, func(a Answer) bool { return a.Verdict == Open })
	if i.At < 0 {
		i.At = max(0, len(i.State.Answers)-1)
		if i.State.Count(Accepted) > 0 {
			i.Stage = OfWhole
		}
	}
}

// distract makes the wrong answers where there are none yet, and removes those
// that have become the ground truth of another question. later means that there
// are none, and that they are made at another time.
func (s *Session) distract(ctx context.Context, item *Item) (later bool, err error) {
	if !item.Draft.Made {
		draft := s.own(item.Draft)
		switch err := item.Book.Distract(ctx, draft); {
		case errors.Is(err, ErrLater):
			later = true
		case err != nil:
			return false, err
		default:
			item.Draft, s.made[draft.ID] = draft, draft
		}
	}
	taken := truths(item.Book.Log(), item.Draft.ID)
	before := item.State
	for _, o := range item.Draft.Options {
		if !before.has(o.Text) {
			item.State.Answers = append(item.State.Answers, Answer{Option: o})
		}
	}
	later = later && len(item.Draft.Options)+len(item.State.Answers) == 0
	item.State.Answers = slices.DeleteFunc(item.State.Answers, func(a Answer) bool {
		return a.Verdict == Open && taken[a.Text]
	})
	wanted := count(item.Draft.Options, func(o verbatim.Option) bool { return o.Type == sameBook })
	offered := func(a Answer) bool { return fromBook(a.Type) && a.Verdict != Rejected }
	for count(item.State.Answers, offered) < wanted && item.nextBest() {
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

// nextBest adds the next best same-book answer, where one is left.
func (i *Item) nextBest() bool {
	taken := truths(i.Book.Log(), i.Draft.ID)
	for _, o := range i.Draft.Reserve {
		if !i.State.has(o.Text) && !taken[o.Text] && o.Text != i.State.Truth {
			i.State.Answers = append(i.State.Answers, Answer{Option: o})
			return true
		}
	}
	return false
}
