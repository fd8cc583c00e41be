// Package fake is a book for tests of review and of its views: six winter nights
// at a lighthouse, with drafts of two categories, kept in memory.
package fake

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
	"verbatim/tag"
)

// night is what happens in one night; %[1]s is its name, %[2]d a number.
const night = "On the %[1]s night of the frost the keeper of the rock climbed the hundred and forty stairs without a rest " +
	"and lit the lamp at dusk, with his own hands, as he had promised the Board. " +
	"He trimmed the wick on the %[1]s night with the small brass scissors of his father and wiped the glass until it shone like water. " +
	"The %[1]s boat stayed in the harbour that night, because the pilots trusted nothing that %[2]d winters had not proved. " +
	"But the %[1]s mate went down to the quay alone and listened to the ice for %[2]d hours. " +
	"Nobody spoke of it afterwards in the %[1]s house.\n\n"

var categories = []string{"causalclause", "contrastsentence"}

// A Book is a review.Book in memory. Set its fields before a session starts.
type Book struct {
	Decisions *review.Log
	Disk      []review.Decision // what was appended
	Saved     int               // how often the questions were written
	ByName    map[string][]*cloze.Draft
	Full      error // what the next Append returns: a full disk
	// Make makes the wrong answers of a draft; nil means later.
	Make func(context.Context, *cloze.Draft) error

	// Model writes more wrong answers; nil means that no model is set up.
	Model func(*cloze.Draft) []verbatim.Option
	// Typed is what was typed and not saved.
	Typed map[string]string

	book *cloze.Book
	busy sync.Mutex // Append and Save find it free: they run one at a time
}

// NewBook returns the book with drafts that have wrong answers, and with the
// decisions that are on the disk.
func NewBook(disk ...review.Decision) *Book {
	var winter strings.Builder
	for i, name := range []string{"first", "second", "third", "fourth", "fifth", "sixth"} {
		fmt.Fprintf(&winter, night, name, i+2)
	}
	doc, err := verbatim.NewDocument("lamp", winter.String())
	check(err)
	tagger := &tag.Tagger{}
	text := tagger.Open(doc)
	lines, _ := tagger.All(text)
	book, err := cloze.New(text, lines, 0)
	check(err)
	b := &Book{Decisions: review.NewLog(), Disk: disk, ByName: map[string][]*cloze.Draft{}, Typed: map[string]string{}, book: book}
	for _, d := range disk {
		check(b.Decisions.Add(d))
	}
	for _, category := range categories {
		for d := range b.book.Drafts(category) {
			b.rank(d)
			b.ByName[category] = append(b.ByName[category], d)
		}
		if n := len(b.ByName[category]); n < 4 {
			panic(fmt.Sprintf("the text has only %d drafts of %s", n, category))
		}
	}
	return b
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// rank gives a draft two wrong answers and two in reserve, as a scorer would.
func (b *Book) rank(d *cloze.Draft) {
	for _, c := range b.book.Candidates[d.Category] {
		if c.Text == d.Truth || strings.Contains(d.Passage, c.Text) {
			continue
		}
		_, at := b.book.Quote(c.Span)
		option := verbatim.Option{Type: "same_book", Text: c.Text, At: at}
		if len(d.Options) < 2 {
			d.Options = append(d.Options, option)
		} else if len(d.Reserve) < 2 {
			d.Reserve = append(d.Reserve, option)
		}
	}
	d.Made = true
}

// Session returns Ada's session at its first draft. Its clock moves at each look.
func (b *Book) Session() *review.Session {
	clock := time.Date(1881, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(b.Decisions.Len()) * time.Hour)
	s := &review.Session{Entries: []review.Entry{{Barcode: "lamp", Book: underReview{b}}}, Reviewer: "Ada", Goal: 1,
		Now:  func() time.Time { clock = clock.Add(time.Second); return clock },
		More: func(_, category string) string { return "more of " + category }}
	s.Start()
	check(s.Next(context.Background()))
	return s
}

// Count counts the drafts of a category.
func (b *Book) Count(category string) *review.Tally {
	return review.Count(b.Decisions, nil, nil, 1).Of(category)
}

// underReview is the book as a session sees it.
type underReview struct{ *Book }

func (b underReview) Cloze() *cloze.Book                                  { return b.book }
func (b underReview) Frame() string                                       { return "The following passage comes from The Lamp." }
func (b underReview) Log() *review.Log                                    { return b.Decisions }
func (b underReview) Categories() []string                                { return categories }
func (b underReview) Drafts(category string) []*cloze.Draft               { return b.ByName[category] }
func (b underReview) Confirm(context.Context, *cloze.Draft) (bool, error) { return true, nil }
func (b underReview) Known() []*cloze.Draft {
	return slices.Concat(b.ByName[categories[0]], b.ByName[categories[1]])
}
func (b underReview) Lost() map[string]bool { return nil }

func (b underReview) Append(d review.Decision) error {
	defer b.alone()()
	if err := b.Full; err != nil {
		b.Full = nil
		return err
	}
	b.Disk = append(b.Disk, d)
	return nil
}

func (b underReview) Save() error {
	defer b.alone()()
	b.Saved++
	return nil
}

func (b underReview) alone() (unlock func()) {
	if !b.busy.TryLock() {
		panic("Append and Save must run one at a time")
	}
	return b.busy.Unlock
}

func (b underReview) Distract(ctx context.Context, d *cloze.Draft) error {
	if b.Make == nil {
		return review.ErrLater
	}
	return b.Make(ctx, d)
}

func (b underReview) Write(_ context.Context, d *cloze.Draft, _ review.State) ([]verbatim.Option, error) {
	if b.Model == nil {
		return nil, review.ErrNoModel
	}
	return b.Model(d), nil
}

func (b underReview) Kept(key string) string { return b.Typed[key] }

func (b underReview) Keep(key, text string) error {
	b.Typed[key] = text
	return nil
}

func (b underReview) Question(_ string, s review.State) (*verbatim.Question, error) {
	q := &verbatim.Question{Passage: s.Passage, AnswerStrings: []string{s.Truth}}
	for _, o := range s.Options() {
		q.AnswerStrings = append(q.AnswerStrings, o.Text)
	}
	return q, nil
}
