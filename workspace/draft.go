package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"verbatim/cloze"
	"verbatim/distractor"
)

// A TooShortError says that a book gives no questions.
type TooShortError struct {
	Path      string
	Sentences int
	Need      int    // examples that a category needs
	Best      string // the category with the most; empty if there is none
	Most      int
	Rejected  string // what a language model rejected, and why; empty if nothing
}

func (e *TooShortError) Error() string {
	if e.Best == "" {
		return fmt.Sprintf("%s: no questions, because none of its sentences (%d) has a connector of the categories wanted%s", e.Path, e.Sentences, e.Rejected)
	}
	return fmt.Sprintf("%s: no questions, because no category has the %d examples that it needs (the best, %s, has %d); the text is too short%s", e.Path, e.Need, e.Best, e.Most, e.Rejected)
}

// Draft makes the drafts of a book and ranks what the book itself can answer. It
// asks nobody: a book that is not described is a *NotDescribedError. The caller
// closes the book.
func (ws *Workspace) Draft(ctx context.Context, path string, o *Options, force bool) (*Book, error) {
	b, err := ws.Prepare(ctx, path, o, true, func(b *Book) error { return ws.Complete(b.About, path) })
	if err != nil {
		return nil, err
	}
	return b.unless(b.Draft(ctx, o, force))
}

// Prepare opens a book and takes it as far as its candidates. In between,
// describe completes what is known about it: the book is read first, so that
// nobody is asked about one without questions. If confirm is set, a
// language model confirms the connectors. The caller closes the book.
func (ws *Workspace) Prepare(ctx context.Context, path string, o *Options, confirm bool, describe func(*Book) error) (*Book, error) {
	b, err := ws.OpenBook(path)
	if err != nil {
		return nil, err
	}
	return b.unless(b.cannot(b.during(whileTagging, func() error { return b.prepare(ctx, o, confirm, describe) })))
}

// unless is the book, or the error, and then the book is closed.
func (b *Book) unless(err error) (*Book, error) {
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *Book) prepare(ctx context.Context, o *Options, confirm bool, describe func(*Book) error) error {
	if err := b.checkOrigin(); err != nil {
		return err
	}
	if err := b.firstLook(o); err != nil {
		return err
	}
	var err error
	if b.About, err = b.ws.Describe(b.ws.Catalogue, b.Barcode); err != nil {
		return err
	}
	if err := describe(b); err != nil {
		return err
	}
	if err := b.ws.noteText(b.Barcode, b.Path); err != nil {
		return err
	}
	if err := b.connect(); err != nil || b.edited {
		return err
	}
	asked := b.confirmer
	if !confirm {
		asked = nil
	}
	if _, err := b.tag(ctx, asked, false); err != nil {
		return err
	}
	return b.candidates(o.Seed)
}

// firstLook finds the tags, those of an edited file as they are, and fails if
// the book cannot give a question.
func (b *Book) firstLook(o *Options) error {
	state, why, err := b.ws.State(b.Barcode, Tagged, b.tagSources(nil))
	if err != nil {
		return err
	}
	find := b.findTags
	if b.edited = state == Edited; b.edited {
		b.Note("%s is used as it is: %s", Name(b.Barcode, Tagged), why)
	}
	if b.edited || state == Current {
		find = b.readTags
	}
	if err := find(); err != nil {
		return err
	}
	if err := b.candidates(o.Seed); err != nil {
		return err
	}
	if len(b.enough(o)) == 0 {
		return b.tooShort(o)
	}
	return nil
}

// enough are the categories that can give questions.
func (b *Book) enough(o *Options) []string {
	var names []string
	for _, c := range cloze.Categories {
		if o.Wants(c.Name) && len(b.Cloze().Candidates[c.Name]) >= o.MinExamples {
			names = append(names, c.Name)
		}
	}
	return names
}

func (b *Book) scarcestFirst(categories []string) {
	slices.SortStableFunc(categories, func(x, y string) int { return len(b.Cloze().Candidates[x]) - len(b.Cloze().Candidates[y]) })
}

func (b *Book) tooShort(o *Options) error {
	e := &TooShortError{Path: b.Path, Sentences: len(b.text.Sentences), Need: o.MinExamples}
	for _, c := range cloze.Categories {
		if n := len(b.Cloze().Candidates[c.Name]); o.Wants(c.Name) && n > e.Most {
			e.Best, e.Most = c.Name, n
		}
	}
	if kept, rejected := b.said(); rejected > 0 {
		e.Rejected = fmt.Sprintf("; a language model rejected %d of %d connectors (%s)", rejected, kept+rejected, b.reasons(""))
	}
	return e
}

// Sources of drafts that say how many there are: the drafts themselves are the
// same whatever these say.
const (
	numberOfDrafts     = "number of drafts"
	choiceOfCategories = "choice of categories"
)

// draftSources is what drafts are made from, but for the answers of models.
func (b *Book) draftSources(o *Options) Sources {
	from := b.tagSources(nil)
	tagged, err := hashFile(b.File(Tagged))
	if err != nil {
		tagged = hashOf("") // there is none
	}
	sameBook, _ := o.types()
	maps.Copy(from, Sources{
		"tags": tagged, "scorer": b.ws.scorerID(o),
		"seed": strconv.FormatInt(o.Seed, 10), numberOfDrafts: strconv.Itoa(o.Drafts), "number of examples": strconv.Itoa(o.MinExamples),
		choiceOfCategories: strings.Join(o.Categories, ","), "choice of distractors": o.Distractors, "number of same-book answers": strconv.Itoa(len(sameBook)),
	})
	from["lures"] = "" // the built-in ones
	if lures, err := b.ws.lures(); err == nil && lures.Hash() != distractor.DefaultLures().Hash() {
		from["lures"] = lures.Hash()
	}
	if o.balanced() {
		from[choiceOfAnswers] = o.Choose
	}
	return from
}

// Draft makes the drafts of a prepared book and ranks what the book itself can
// answer. Drafts that were made from the same sources are read instead. The
// answers of language models come later, with WriteAnswers.
func (b *Book) Draft(ctx context.Context, o *Options, force bool) error {
	return b.during(whileDrafting, func() error { return b.draft(ctx, o, force) })
}

func (b *Book) draft(ctx context.Context, o *Options, force bool) error {
	categories := b.enough(o)
	if len(categories) == 0 {
		return b.tooShort(o)
	}
	b.scarcestFirst(categories)
	g, err := b.ws.Generator()
	if err != nil {
		return err
	}
	from := b.draftSources(o)
	state, why, err := b.ws.State(b.Barcode, Drafts, from)
	current := state == Current && !force
	switch {
	case err != nil:
		return err
	case state == Edited && !force:
		return &EditedError{b.File(Drafts), why}
	case current:
		err = b.readDrafts(o)
	default:
		others, same := b.otherDrafts(o, from)
		if state == OutOfDate && !same {
			b.Note("the drafts were out of date (%s) and were rebuilt", why)
		}
		err = b.drawDrafts(ctx, o, categories, others)
	}
	if err != nil {
		return err
	}
	b.addReplacements()
	unranked := slices.DeleteFunc(b.unmade(o), func(d *cloze.Draft) bool { return len(d.Options) > 0 || len(d.Failed) > 0 })
	if current && len(unranked) == 0 {
		return nil
	}
	if err := b.during(whileRanking, func() error { return b.rank(ctx, o, g, unranked) }); err != nil {
		return err
	}
	return b.during(whileSaving, func() error { return b.saveDrafts(o) })
}

// otherDrafts are the drafts, made from the same sources, of categories that
// this run does not ask for; they stay. same says that only the number of drafts
// is different.
func (b *Book) otherDrafts(o *Options, from Sources) (others []*cloze.Draft, same bool) {
	from = maps.Clone(from)
	delete(from, numberOfDrafts)
	delete(from, choiceOfCategories)
	if state, _, err := b.ws.State(b.Barcode, Drafts, from); err != nil || state != Current {
		return nil, false
	}
	drafts, err := ReadDrafts(b.File(Drafts))
	if err != nil {
		return nil, false // they are made again
	}
	return slices.DeleteFunc(drafts, func(d *cloze.Draft) bool { return o.Wants(d.Category) }), true
}

// drawDrafts draws as many drafts of each category as are wanted, and puts them
// before the others.
func (b *Book) drawDrafts(ctx context.Context, o *Options, categories []string, others []*cloze.Draft) error {
	b.drafts = nil
	for _, category := range categories {
		n := 0
		for d := range b.Cloze().Drafts(category) {
			keep, err := b.Confirm(ctx, d)
			if err != nil {
				return err
			}
			if keep {
				b.drafts = append(b.drafts, d)
				if n++; n == o.Drafts {
					break
				}
			}
		}
	}
	b.drafts = append(b.drafts, others...)
	return b.saveTags()
}

// readDrafts reads drafts that were made from the same sources. What models
// wrote from other prompts or another frame is dropped.
func (b *Book) readDrafts(o *Options) (err error) {
	if b.drafts, err = ReadDrafts(b.File(Drafts)); err != nil || b.chat == nil {
		return err // without models, what a model wrote another day stays
	}
	state, _, err := b.ws.State(b.Barcode, Drafts, Sources{"answers": b.answerSource(o)})
	if err != nil || state == Current {
		return err
	}
	for _, d := range b.drafts {
		d.Forget()
	}
	return nil
}

// replacements are the drafts that are now where accepted ones were lost.
func (b *Book) replacements() map[string][]*cloze.Draft {
	of := map[string][]*cloze.Draft{}
	lost := b.Lost()
	for s := range b.log.Standings() {
		if lost[s.Draft] {
			if d := b.Cloze().Instead(s.Category, s.Draft, s.Passage, s.Truth); d != nil {
				of[s.Category] = append(of[s.Category], d)
			}
		}
	}
	return of
}

// addReplacements puts them before the other drafts, if they are not there yet.
// What they replace is not a draft any more.
func (b *Book) addReplacements() {
	replacements := b.replacements()
	for _, list := range replacements {
		for _, d := range list {
			b.drafts = slices.DeleteFunc(b.drafts, func(x *cloze.Draft) bool { return x.ID == d.Instead })
		}
	}
	for _, category := range cloze.Categories {
		for _, d := range replacements[category.Name] {
			at := slices.IndexFunc(b.drafts, func(x *cloze.Draft) bool { return x.ID == d.ID })
			if at < 0 {
				b.drafts = slices.Insert(b.drafts, 0, d)
			} else {
				b.drafts[at].Instead = d.Instead
			}
		}
	}
}
