package workspace

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/review"
)

// ReviewOptions say what of a working folder is to be reviewed.
type ReviewOptions struct {
	Texts      string   // the folder with the texts; empty: beside the working folder
	Books      []string // only these barcodes; empty: all
	Categories []string // only these; empty: all
	Goal       int      // accepted questions per category and book
	Reviewer   string
	Decided    bool // what was decided before, to decide it again
	All        bool // also books in which nothing is left to decide
}

func (o *ReviewOptions) wants(category string) bool { return wants(o.Categories, category) }

// A Review is the books of a folder in a review session. Each is opened when
// its turn comes; the caller closes them all.
type Review struct {
	Entries []review.Entry
	Waiting int // entries with something left to decide; they come first

	mu     sync.Mutex
	opened map[string]*Book // by barcode
}

// Review lists the books in which something is left to decide, those with
// disputes first, and after them the others, in which a person may want to undo
// what they did another day. A book is read for it only if an accepted quotation
// is no longer in its place.
func (ws *Workspace) Review(o ReviewOptions) (*Review, error) {
	barcodes := o.Books
	if len(barcodes) == 0 {
		var err error
		if barcodes, err = ws.Books(); err != nil {
			return nil, err
		}
	}
	r := &Review{opened: map[string]*Book{}}
	var disputed, waiting, idle []review.Entry
	for _, barcode := range barcodes {
		log, counts, err := ws.count(barcode, &o) // opening the book says what is wrong with it
		left, disputes := 0, 0
		for category, n := range counts {
			if o.wants(category) {
				left, disputes = left+n.Waiting+n.Unmade, disputes+n.Disputed
			}
		}
		entry := review.Entry{Barcode: barcode, Past: log.Past(o.Reviewer)}
		entry.Peek = func() (*review.Log, []*cloze.Draft) { return ws.peek(barcode, &o) }
		entry.Open = func() (review.Book, error) { return r.open(ws, barcode, &o) }
		switch {
		case disputes > 0:
			disputed = append(disputed, entry)
		case o.All, o.Decided && log.Len() > 0, !o.Decided && (left > 0 || err != nil || ws.moved(barcode, o.Texts)):
			waiting = append(waiting, entry)
		case log.Len() > 0:
			entry.Idle = true
			idle = append(idle, entry)
		}
	}
	r.Waiting = len(disputed) + len(waiting)
	r.Entries = slices.Concat(disputed, waiting, idle)
	return r, nil
}

// count counts the drafts of a book as Status does, without opening it.
func (ws *Workspace) count(barcode string, o *ReviewOptions) (*review.Log, review.Counts, error) {
	b := &Book{ws: ws, Barcode: barcode}
	log, _, logErr := ws.decisions(barcode)
	drafts, draftErr := ReadDrafts(b.File(Drafts))
	b.log, b.drafts = log, drafts
	lost := map[string]bool{}
	if b.lookAt(o.Texts) == nil { // without its text, nothing can be said to be lost
		gone, _ := b.goneQuestions(0)
		for _, q := range gone {
			lost[q.Draft] = true
		}
	}
	return b.log, review.Count(b.log, b.drafts, lost, o.Goal), errors.Join(logErr, draftErr)
}

// lookAt reads the text of a book, which is not locked, and what is known about it.
func (b *Book) lookAt(texts string) (err error) {
	if b.tagger, err = b.ws.Tagger(); err != nil {
		return err
	}
	if b.Path, err = b.ws.Text(b.Barcode, texts); err != nil {
		return err
	}
	if b.Source, err = OpenText(b.Path); err != nil {
		return err
	}
	b.About, err = b.ws.Describe(b.ws.Catalogue, b.Barcode)
	return err
}

// peek reads what is known of a book that is not open. What cannot be read is
// left out: opening the book says why.
func (f *Folder) peek(barcode string, o *ReviewOptions) (*review.Log, []*cloze.Draft) {
	log, _, _ := f.decisions(barcode)
	drafts, _ := ReadDrafts(f.Path(barcode, Drafts))
	return log, slices.DeleteFunc(drafts, func(d *cloze.Draft) bool { return !o.wants(d.Category) })
}

// moved reports whether a book has changed since its questions were written.
func (f *Folder) moved(barcode, texts string) bool {
	was := f.recorded(barcode, Questions, "book")
	path, err := f.Text(barcode, texts)
	if was == "" || err != nil {
		return false
	}
	now, _ := hashFile(path)
	return was != now
}

// Opened are the books that were opened, in the order of the entries.
func (r *Review) Opened() []*Book {
	r.mu.Lock()
	defer r.mu.Unlock()
	var books []*Book
	for _, entry := range r.Entries {
		if b := r.opened[entry.Barcode]; b != nil {
			books = append(books, b)
		}
	}
	return books
}

// Failed is how many books with something left to decide were not opened.
func (r *Review) Failed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	failed := 0
	for _, entry := range r.Entries[:r.Waiting] {
		if r.opened[entry.Barcode] == nil {
			failed++
		}
	}
	return failed
}

// Close closes all books.
func (r *Review) Close() error {
	var errs []error
	for _, b := range r.Opened() {
		errs = append(errs, b.Close())
	}
	return errors.Join(errs...)
}

// open opens a book that has drafts.
func (r *Review) open(ws *Workspace, barcode string, o *ReviewOptions) (review.Book, error) {
	path, err := ws.Text(barcode, o.Texts)
	if err != nil {
		return nil, err
	}
	b, err := ws.OpenBook(path)
	if err != nil {
		return nil, err
	}
	book, err := b.Drafted(o)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opened[barcode] = b
	return book, nil
}

// Drafted is an open book for the review of the drafts in its file.
func (b *Book) Drafted(o *ReviewOptions) (review.Book, error) {
	var err error
	if b.About, err = b.ws.Describe(b.ws.Catalogue, b.Barcode); err != nil {
		return nil, err
	}
	if b.About.Title == "" {
		return nil, &NotDescribedError{b.About, b.Path}
	}
	if b.Cloze() == nil {
		if err := b.reviewTags(); err != nil {
			return nil, err
		}
	}
	if b.drafts, err = ReadDrafts(b.File(Drafts)); err != nil {
		return nil, err
	}
	b.addReplacements()
	under := &underReview{Book: b, drafts: map[string][]*cloze.Draft{}, typed: b.ws.Unsaved(b.Barcode)}
	under.setLost()
	there := map[string]bool{}
	for _, d := range b.drafts {
		under.drafts[d.Category] = append(under.drafts[d.Category], d)
		there[d.Category] = true
	}
	for s := range b.log.Standings() { // decisions outlive their drafts
		there[s.Category] = true
	}
	for _, c := range cloze.Categories {
		if there[c.Name] && o.wants(c.Name) {
			under.categories = append(under.categories, c.Name)
		}
	}
	b.scarcestFirst(under.categories)
	b.Reviewed = under.categories
	return under, nil
}

// reviewTags takes the candidates from the file of tagged sentences. If it is
// out of date, the drafts can still be reviewed, and a note says so.
func (b *Book) reviewTags() error {
	if err := errors.Join(b.read(), b.readTags()); err != nil {
		return err
	}
	err := b.candidates(0)
	if old := (*TagsOutOfDateError)(nil); errors.As(err, &old) {
		b.Note("%w", err)
		b.lines = nil
		return errors.Join(b.findTags(), b.candidates(0))
	}
	return err
}

// Live is a prepared book for a person who makes questions now: drafts are
// drawn one by one, and wrong answers are made when a passage is accepted. A
// category is shown when a language model has confirmed its connectors; the
// categories come in their fixed order, or, if quick is set, those that need no
// model first.
func (b *Book) Live(ctx context.Context, o *Options, quick bool) (review.Book, error) {
	g, err := b.ws.Generator()
	if err != nil {
		return nil, err
	}
	b.beginConfirming()
	ctx, b.left.stop = context.WithCancel(ctx)
	g.Chat = b.chat
	under := &underReview{Book: b, drafts: b.replacements(), categories: b.drawable(o), typed: b.ws.Unsaved(b.Barcode),
		live: &live{ctx: ctx, o: o, g: g, drawn: map[string]bool{}}}
	under.setLost()
	if quick {
		atOnce := slices.DeleteFunc(slices.Clone(under.categories), b.waits)
		under.categories = append(atOnce, slices.DeleteFunc(under.categories, func(c string) bool { return !b.waits(c) })...)
	}
	return under, nil
}

// drawable are the categories of which at least one draft can be drawn, as those in
// the file of a batch: what can have no question is no part of the goal.
func (b *Book) drawable(o *Options) []string {
	return slices.DeleteFunc(b.enough(o), func(category string) bool {
		for range b.Cloze().Drafts(category) {
			return false
		}
		return true
	})
}

// live is what a book needs whose drafts are drawn while a person reviews them.
type live struct {
	ctx   context.Context // of the command: Drafts has none
	o     *Options
	g     *distractor.Generator
	mu    sync.Mutex
	drawn map[string]bool
}

// underReview is a book under review. It implements review.Book.
type underReview struct {
	*Book
	categories []string
	drafts     map[string][]*cloze.Draft
	lost       atomic.Pointer[map[string]bool]
	changed    bool  // some were lost when the book was opened
	live       *live // nil: the drafts are those of the file
	typed      *Unsaved

	tried sync.Mutex
	tries map[string]int // answers of a model that could not be used
}

func (u *underReview) Categories() []string  { return u.categories }
func (u *underReview) Lost() map[string]bool { return *u.lost.Load() }

// Save writes the questions. A lost question that was accepted again is not lost
// any more.
func (u *underReview) Save() error {
	if u.changed {
		u.setLost()
	}
	return u.SaveQuestions(false)
}

func (u *underReview) setLost() {
	lost := u.Book.Lost()
	u.changed = u.changed || len(lost) > 0
	u.lost.Store(&lost)
}

// Known are the drafts of the file, or those that were drawn.
func (u *underReview) Known() []*cloze.Draft {
	if u.live != nil {
		u.live.mu.Lock()
		defer u.live.mu.Unlock()
	}
	var all []*cloze.Draft
	for _, category := range u.categories {
		all = append(all, u.drafts[category]...)
	}
	return all
}

// Drafts are those of the file, or else drawn now. If the category is not
// confirmed yet, this waits; Confirm reports why it could not be.
func (u *underReview) Drafts(category string) []*cloze.Draft {
	if u.live == nil {
		return u.drafts[category]
	}
	if err := u.confirmCategory(u.live.ctx, category, u.live.o.Seed); err != nil {
		return slices.Collect(u.Cloze().Drafts(category))
	}
	u.live.mu.Lock()
	defer u.live.mu.Unlock()
	if !u.live.drawn[category] {
		u.live.drawn[category] = true
		if len(u.Cloze().Candidates[category]) >= u.live.o.MinExamples {
			u.drafts[category] = slices.AppendSeq(u.drafts[category], u.Cloze().Drafts(category))
		}
	}
	return u.drafts[category]
}

func (u *underReview) Confirm(ctx context.Context, d *cloze.Draft) (bool, error) {
	if u.live == nil {
		return true, nil
	}
	if u.waits(d.Category) {
		u.left.mu.Lock()
		defer u.left.mu.Unlock()
		return false, u.left.err
	}
	return u.Book.Confirm(ctx, d)
}

// Distract makes the wrong answers of one draft while its reviewer waits.
func (u *underReview) Distract(ctx context.Context, d *cloze.Draft) error {
	if u.live == nil {
		return review.ErrLater
	}
	var taken []string // the ground truths of accepted questions
	for s := range u.log.Standings() {
		if s.Verdict == review.Accepted && s.Draft != d.ID {
			taken = append(taken, s.Truth)
		}
	}
	if err := u.sameBookNow(ctx, d, taken); err != nil {
		return err
	}
	if written := u.written(u.live.o); len(written) > 0 {
		r := u.Cloze().Request(d, u.Frame(), written, taken)
		r.Candidates, r.Chat = nil, u.chat
		u.drawAnswers(u.live.o, d, &r)
		made, err := u.live.g.Make(ctx, r)
		if err != nil {
			return err
		}
		d.TakeWritten(made)
	}
	d.Made = true
	return nil
}

// Ahead confirms the categories that wait, one after the other: first those under
// review, then the others, so that the tagged file is the one that tag makes.
func (u *underReview) Ahead(ctx context.Context) {
	if u.live == nil {
		return
	}
	for _, category := range slices.Concat(u.categories, cloze.CategoryNames()) {
		if err := u.confirmCategory(ctx, category, u.live.o.Seed); err != nil {
			return // when the category is needed, it is tried again
		}
	}
}

// Busy says what the book is asking a language model, for a person who waits.
func (u *underReview) Busy() string {
	u.left.mu.Lock()
	defer u.left.mu.Unlock()
	return u.left.busy
}

// EndLive ends what is still asked in the background, writes what the language
// model said, and notes of which categories it left too little.
func (b *Book) EndLive(o *Options) error {
	b.left.stop()
	b.left.asking.Lock()
	defer b.left.asking.Unlock()
	for _, category := range slices.Sorted(maps.Keys(b.left.done)) {
		n := b.left.done[category]
		if left := len(b.Cloze().Candidates[category]); n.Rejected > 0 && left < o.MinExamples {
			b.Note("%s: a language model rejected %d of %d connectors; %d of the %d examples needed are left (%s)",
				category, n.Rejected, n.Asked, left, o.MinExamples, b.reasons(category))
		}
	}
	return b.saveTags()
}
