package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"verbatim"
	"verbatim/cloze"
)

// A Book is one book under review. Its methods must be safe for concurrent use,
// but for Append and Save, of which one runs at a time for one Log.
type Book interface {
	Cloze() *cloze.Book
	Frame() string // the sentence about the book
	Log() *Log
	// Append puts a decision on the disk before it returns.
	Append(Decision) error
	// Save writes the question file from the decisions in the log.
	Save() error
	// Categories are those to ask about, in the order of work.
	Categories() []string
	// Known are the drafts that are there now: it waits for nothing and draws none.
	Known() []*cloze.Draft
	// Drafts are those of a category, in the order in which to show them. Nobody
	// changes them after they are returned.
	Drafts(category string) []*cloze.Draft
	// Confirm reports whether a draft may be shown: a language model may know that
	// its connector means something else. It may note in d who confirmed it.
	Confirm(ctx context.Context, d *cloze.Draft) (bool, error)
	// Distract makes the wrong answers of a draft that has none and sets d.Made. It
	// returns ErrLater where they are made at another time.
	Distract(ctx context.Context, d *cloze.Draft) error
	// Question is the whole question of a state, accepted or not.
	Question(category string, s State) (*verbatim.Question, error)
	// Lost are accepted drafts that the book no longer supports; they do not count.
	// It is called often.
	Lost() map[string]bool
}

// An Ahead is a Book that can ask language models for what the next drafts
// will need, while a person looks at the first.
type Ahead interface {
	Ahead(context.Context)
	Busy() string // what is asked now, or ""
}

// An Entry is a book on the list of a session.
type Entry struct {
	Barcode string
	// Book is an open book. Where it is nil, Open opens it when its turn comes. A
	// book that does not open is left out, and Problems says why.
	Book Book
	Open func() (Book, error)
	// Peek looks at the decisions and drafts of a book that is not open, for lists.
	// It may be nil.
	Peek func() (*Log, []*cloze.Draft)
	// Past is what the reviewer did in a book that is not open yet.
	Past Past
	Idle bool // nothing is left to decide: it is opened only to undo or redo
}

// A Session is one person's work on some books. Set the fields, then call Start
// and Next. Its acts run one at a time; a view can be read at any time, also
// while an act waits for a language model.
type Session struct {
	Entries  []Entry
	Reviewer string
	Goal     int    // accepted questions per category and book
	Decided  bool   // show decided drafts, to decide them again
	Only     Filter // what to show at first, as if Choosing had chosen it
	Now      func() time.Time
	// Claims are shared with the sessions of other people; nil: there are none.
	Claims *Claims
	// More is what to type for more drafts of a category. It may be nil.
	More func(barcode, category string) string
	// ModelHelp is how to set up a language model, for a person who asks for one.
	ModelHelp string
	// HelpNote is a last paragraph for the help, such as how to correct what is
	// known of a book.
	HelpNote string

	*work
	seen int // 0: acts apply to whatever is shown
}

// work is what the copies of a session made by At share.
type work struct {
	acting  sync.Mutex // held for a whole act; guards what follows
	books   []*Entry
	item    *Item
	message string
	reason  string // why the reviewer does the act that is running
	filter  Filter
	past    map[string]bool // drafts of the filter that were shown
	claimed string          // the draft that Claims hold for this session
	// skipped are drafts that do not come again in this session; made, those whose
	// wrong answers were made in it.
	skipped map[string]bool
	made    map[string]*cloze.Draft
	since   time.Time

	showing sync.Mutex // held briefly; guards what follows, and opened books
	view    View
	bad     []error
}

// A View is what a session shows at one moment. It does not change.
type View struct {
	Version int    // grows with every act
	Item    *Item  // nil when nothing is left to decide
	Message string // what the last act has to say, or ""
	Other   string // who else looks at the draft now, or ""
	Filter  Filter // what the session is limited to
}

// An Item is the draft that is shown.
type Item struct {
	Book     Book
	Draft    *cloze.Draft
	State    State
	Disputes []*Decision // two people's decisions that cannot both hold
	Stage    Stage
	At       int // the wrong answer that is selected

	before State    // what the log says of the draft, as the reviewer knows it
	known  []string // the ids of its decisions
}

// A Stage is what is asked about a draft.
type Stage int

// The stages of a draft.
const (
	OfPassage Stage = iota // is this a good basis for a question?
	OfAnswers              // is each of these a good wrong answer?
	OfWhole                // should this be saved?
)

// Category is the category of the draft.
func (i *Item) Category() cloze.Category { return i.Draft.Kind() }

// Answer is the wrong answer that is selected, or nil.
func (i *Item) Answer() *Answer {
	if i.Stage == OfAnswers && i.At < len(i.State.Answers) {
		return &i.State.Answers[i.At]
	}
	return nil
}

// Errors that views tell apart.
var (
	// ErrNothing means that there is nothing to act on.
	ErrNothing = errors.New("there is nothing to act on here")
	// ErrLater means that the wrong answers of a draft are made at another time.
	ErrLater = errors.New("the wrong answers are made later")
	// ErrChanged means that the session shows something else than its reviewer saw.
	ErrChanged = errors.New("this was decided or changed in another window; look again")
)

// A NotSavedError says that a decision is not on the disk and does not count.
type NotSavedError struct{ Err error }

func (e *NotSavedError) Error() string {
	return fmt.Sprintf("NOT SAVED: the decision could not be saved and does not count: %v", e.Err)
}

func (e *NotSavedError) Unwrap() error { return e.Err }

// A NotWrittenError says that a decision is saved, but the question file could
// not be written from it.
type NotWrittenError struct{ Err error }

func (e *NotWrittenError) Error() string {
	return fmt.Sprintf("the decision is saved, but the question file could not be written: %v", e.Err)
}

func (e *NotWrittenError) Unwrap() error { return e.Err }

// Start makes a session ready. Next shows its first draft.
func (s *Session) Start() {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.work == nil {
		s.work = &work{skipped: map[string]bool{}, made: map[string]*cloze.Draft{}, filter: s.Only, past: map[string]bool{}}
		for _, e := range s.Entries {
			s.books = append(s.books, &e)
		}
	}
	s.since = s.Now()
}

// View is what the session shows now.
func (s *Session) View() View {
	s.showing.Lock()
	defer s.showing.Unlock()
	return s.view
}

// Item is the draft that is shown, or nil.
func (s *Session) Item() *Item { return s.View().Item }

// Message is what the last act has to say, or "".
func (s *Session) Message() string { return s.View().Message }

// Problems are the errors of the books that did not open.
func (s *Session) Problems() []error {
	s.showing.Lock()
	defer s.showing.Unlock()
	return slices.Clone(s.bad)
}

// At returns the session for a person who looks at a certain View: its acts
// return ErrChanged, and do nothing, when the session has moved on.
func (s *Session) At(version int) *Session {
	at := *s
	at.seen = version
	return &at
}

// Ahead lets the open books ask language models for what the next drafts will
// need. It runs beside everything else, until done or cancelled.
func (s *Session) Ahead(ctx context.Context) {
	for _, b := range s.open() {
		if b, ok := b.(Ahead); ok {
			b.Ahead(ctx)
		}
	}
}

// Busy says what the open books ask language models now, or "".
func (s *Session) Busy() string {
	for _, b := range s.open() {
		if b, ok := b.(Ahead); ok && b.Busy() != "" {
			return b.Busy()
		}
	}
	return ""
}

// open are the books that are open.
func (s *Session) open() []Book {
	s.showing.Lock()
	defer s.showing.Unlock()
	var books []Book
	for _, e := range s.books {
		if e.Book != nil {
			books = append(books, e.Book)
		}
	}
	return books
}

// act runs one act and publishes what it leads to.
func (s *Session) act(do func() error) error {
	s.acting.Lock()
	defer s.acting.Unlock()
	if s.seen != 0 && s.seen != s.View().Version {
		return ErrChanged
	}
	s.message = ""
	err := do()
	s.reason = ""
	view := View{Message: s.message, Filter: s.filter}
	if s.item != nil {
		item := *s.item
		item.State = item.State.Clone()
		view.Item = &item
	}
	s.claim(&view)
	s.showing.Lock()
	defer s.showing.Unlock()
	view.Version = s.view.Version + 1
	s.view = view
	return err
}

// claim holds the draft that is shown, and sees who else does.
func (s *Session) claim(view *View) {
	if s.Claims == nil {
		return
	}
	draft := ""
	if view.Item != nil {
		draft = view.Item.Draft.ID
		view.Other = s.Claims.by(draft, s.Reviewer)
	}
	s.Claims.move(s.Reviewer, s.claimed, draft)
	s.claimed = draft
}

// ready opens a book whose turn has come. A book that does not open is nil.
func (s *Session) ready(e *Entry) Book {
	if open := e.Open; e.Book == nil && open != nil {
		e.Open = nil // it is tried once
		b, err := open()
		s.showing.Lock()
		defer s.showing.Unlock()
		if err != nil {
			s.bad = append(s.bad, err)
			s.message, e.Past = err.Error(), Past{}
			return nil
		}
		e.Book = b
	}
	return e.Book
}

// decide saves a decision about the item: after is what it leads to.
func (s *Session) decide(act string, after State) error {
	item := s.item
	after = after.Clone() // the log keeps it; the item's answers still change
	d, err := s.put(item.Book, func(*Log) *Decision {
		return &Decision{Seconds: float64(s.Now().Sub(s.since).Milliseconds()) / 1000, Book: item.Book.Cloze().Barcode,
			Category: item.Draft.Category, Draft: item.Draft.ID, Act: act, Replaces: item.known, Note: s.reason, Before: item.before, After: after}
	})
	if d.ID != "" {
		item.known, item.before = []string{d.ID}, after
		s.crossed(item)
	}
	return err
}

// crossed says that another person decided about the draft meanwhile.
func (s *Session) crossed(item *Item) {
	standing, _ := item.Book.Log().Of(item.Draft.ID)
	for _, h := range standing.Heads {
		if h.Reviewer != s.Reviewer && standing.Disputed {
			s.message = fmt.Sprintf("%s decided about this draft meanwhile: %s; the two decisions disagree, and it will be asked again", h.Reviewer, h.After.Verdict)
		}
	}
}

// put makes a decision, writes it and only then counts it. The decision has no
// id where it does not count; it may count although the question file could not
// be saved.
func (s *Session) put(b Book, decide func(*Log) *Decision) (Decision, error) {
	log := b.Log()
	log.writing.Lock()
	defer log.writing.Unlock()
	made := decide(log)
	if made == nil {
		return Decision{}, ErrNothing
	}
	made.Reviewer = s.Reviewer
	d := log.stamp(*made, s.Now())
	if err := b.Append(d); err != nil {
		return Decision{}, &NotSavedError{err}
	}
	if err := log.Add(d); err != nil {
		return Decision{}, err
	}
	s.since = s.Now()
	if d.Before.Verdict == Accepted || d.After.Verdict == Accepted {
		if err := b.Save(); err != nil {
			return d, &NotWrittenError{err}
		}
	}
	return d, nil
}
