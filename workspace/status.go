package workspace

import (
	"bytes"
	"errors"
	"fmt"

	"verbatim"
	"verbatim/cloze"
	"verbatim/internal/durable"
	"verbatim/review"
)

// A Stage says how far a book is.
type Stage string

// The stages of a book, in the order in which a summary lists them.
const (
	InTrouble      Stage = "in trouble"
	NotDescribed   Stage = "not described"
	StageOutOfDate Stage = "out of date"
	NotDrafted     Stage = "not drafted"
	BeingMade      Stage = "being made"
	Disputed       Stage = "disputed"
	WaitingAnswers Stage = "waiting for answers"
	WaitingReview  Stage = "waiting for review"
	Reviewed       Stage = "reviewed"
	NotBegun       Stage = "not begun"
)

// Stages are all stages.
var Stages = []Stage{InTrouble, NotDescribed, StageOutOfDate, NotDrafted, BeingMade, Disputed, WaitingAnswers, WaitingReview, Reviewed, NotBegun}

// A Status is what is known about the state of one book.
type Status struct {
	Barcode   string
	Path      string // of the text; empty if it was not found
	Stage     Stage
	Described bool
	OutOfDate []string // files, each with the reason
	Edited    []string // files that a person edited, each with the reason
	Forced    []string // the edited files that are only rebuilt by force
	Trouble   []error
	AskAgain  []error // accepted questions that the book no longer supports
	Counts    review.Counts
	Questions int     // in the file
	Options   Options // with which its drafts would be made again
}

// Status looks at every book of the folder, and at the texts beside it (or in
// the folder `texts`) that nobody has begun, which come last. goal is how many
// questions a category should have. It changes nothing.
func (ws *Workspace) Status(texts string, goal int) ([]*Status, error) {
	barcodes, err := ws.Books()
	if err != nil {
		return nil, err
	}
	tagger, err := ws.Tagger()
	if err != nil {
		return nil, err
	}
	var all []*Status
	for _, barcode := range barcodes {
		b := &Book{ws: ws, Barcode: barcode, tagger: tagger}
		all = append(all, b.status(texts, goal))
	}
	for _, path := range ws.untouched(texts, barcodes) {
		all = append(all, ws.newStatus(path))
	}
	return all, nil
}

// newStatus is the status of a text that nothing was made from.
func (ws *Workspace) newStatus(path string) *Status {
	s := &Status{Barcode: Barcode(path), Path: path, Stage: NotBegun}
	about, err := ws.Describe(nil, s.Barcode)
	switch {
	case err != nil:
		s.trouble(err)
		s.Stage = InTrouble
	case about.Saved && len(about.Missing()) == 0:
		s.Stage, s.Described = NotDrafted, true
	}
	s.Options, err = ws.Again(s.Barcode)
	s.trouble(err)
	return s
}

func (s *Status) trouble(err error) {
	if err != nil {
		s.Trouble = append(s.Trouble, err)
	}
}

// status looks at the files of a book, which is not locked.
func (b *Book) status(texts string, goal int) *Status {
	s := &Status{Barcode: b.Barcode}
	var err error
	if b.Path, err = b.ws.Text(b.Barcode, texts); err == nil {
		s.Path = b.Path
		b.Source, err = OpenText(b.Path)
	}
	s.trouble(err)
	log, problems, err := b.ws.decisions(b.Barcode)
	b.log = log
	s.trouble(errors.Join(append(problems, err)...))
	b.drafts, err = ReadDrafts(b.File(Drafts))
	s.trouble(err)
	b.About, err = b.ws.Describe(nil, b.Barcode)
	s.trouble(err)
	s.Options, err = b.ws.Again(b.Barcode)
	s.trouble(err)
	lost := map[string]bool{}
	if len(s.Trouble) == 0 {
		s.Described = len(b.About.Missing()) == 0
		s.files(b)
		gone, err := b.goneQuestions(s.Options.Seed)
		s.trouble(err)
		for _, q := range gone {
			lost[q.Draft] = true
			s.AskAgain = append(s.AskAgain, q.Err)
		}
	}
	s.Counts = review.Count(b.log, b.drafts, lost, goal)
	questions, _ := durable.ReadFile(b.File(Questions)) // there may be none
	s.Questions = bytes.Count(questions, []byte("\n"))
	s.decide(b, goal)
	return s
}

// goneQuestions are the accepted questions that a book, which need not be locked,
// no longer supports: they are asked again. The drafts that are in their places now
// are added to the others. The book is read only if a quotation is not in its place.
func (b *Book) goneQuestions(seed int64) ([]LostQuestion, error) {
	if b.sound() {
		return nil, nil
	}
	if err := errors.Join(b.readTags(), b.candidates(seed)); err != nil {
		b.lines = nil // other sentences: ask the cards
		if err := errors.Join(b.findTags(), b.candidates(seed)); err != nil {
			return nil, err
		}
	}
	_, gone := b.Questions()
	b.addReplacements()
	return gone, nil
}

// sound reports whether every accepted quotation is still in its place: then the
// book need not be read.
func (b *Book) sound() bool {
	for standing := range b.log.Standings() {
		if q := standing.Question; standing.Verdict == review.Accepted && q != nil {
			for _, claim := range q.Claims() {
				if err := claim.Selector.Prove(b.Source, claim.Text); err != nil && !errors.Is(err, verbatim.ErrAbsent) {
					return false
				}
			}
		}
	}
	return true
}

// files names the files that are out of date or edited.
func (s *Status) files(b *Book) {
	drafts := b.draftSources(&s.Options)
	if b.ws.recorded(b.Barcode, Drafts, "frame or prompt") != "" {
		drafts["frame or prompt"] = b.writtenFrom()
	}
	for _, f := range []struct {
		name string
		from Sources
	}{{Tagged, b.tagSources(nil)}, {Drafts, drafts}, {Questions, b.questionSources()}} {
		state, why, err := b.ws.State(b.Barcode, f.name, f.from)
		switch {
		case err != nil:
			s.trouble(err)
		case state == OutOfDate:
			s.OutOfDate = append(s.OutOfDate, fmt.Sprintf("%s (%s)", f.name, why))
		case state == Edited && f.name == Tagged:
			s.Edited = append(s.Edited, fmt.Sprintf("%s (%s); it is used as it is", f.name, why))
		case state == Edited:
			s.Edited = append(s.Edited, fmt.Sprintf("%s (%s); it is left as it is", f.name, why))
			s.Forced = append(s.Forced, f.name)
		}
	}
}

// decide finds the stage.
func (s *Status) decide(b *Book, goal int) {
	all := s.Counts.Sum()
	switch {
	case len(s.Trouble) > 0:
		s.Stage = InTrouble
	case !s.Described:
		s.Stage = NotDescribed
	case len(s.OutOfDate) > 0:
		s.Stage = StageOutOfDate
	case all.Disputed > 0:
		s.Stage = Disputed
	case len(b.drafts) == 0 && b.log.Len() == 0:
		s.Stage = NotDrafted
	case len(b.drafts) == 0 && s.unfinished(b, goal):
		s.Stage = BeingMade
	case all.Waiting > 0:
		s.Stage = WaitingReview
	case all.Unmade > 0:
		s.Stage = WaitingAnswers
	default:
		s.Stage = Reviewed
	}
}

// unfinished says of a book that is made on a terminal, without drafts on the
// disk, whether a category may still get its question.
func (s *Status) unfinished(b *Book, goal int) bool {
	tagged, err := readFile[verbatim.Tagged](b.File(Tagged))
	if err != nil {
		return false
	}
	counts := countTags(tagged)
	for _, c := range cloze.Categories {
		n := counts.Sure[c.Name] + counts.Wide[c.Name]
		if n >= s.Options.MinExamples && s.Options.Wants(c.Name) && s.Counts.Of(c.Name).Accepted < goal {
			return true
		}
	}
	return false
}
