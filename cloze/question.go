package cloze

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"verbatim"
	"verbatim/book"
	"verbatim/internal/layout"
)

// A GoneError says that the book no longer contains an accepted quotation.
type GoneError struct {
	What string // passage, ground truth, same_book
	Text string
}

func (e *GoneError) Error() string {
	return fmt.Sprintf("the book no longer contains the %s %q", e.What, layout.Clip(e.Text, 60))
}

// Instead finds the draft that replaces an accepted one after the book was
// changed: the one of its category that shares most of its words.
func (b *Book) Instead(category, id, passage, truth string) *Draft {
	had := words(passage + " " + truth)
	var best *Draft
	most := 0.8 // less is another passage
	for _, c := range b.Candidates[category] {
		d, err := b.Draft(c)
		if err != nil || d.ID == id {
			continue
		}
		has, shared := words(d.Passage+" "+d.Truth), 0
		for w := range has {
			if had[w] {
				shared++
			}
		}
		if share := float64(shared) / float64(len(had)+len(has)-shared); share > most {
			best, most = d, share
		}
	}
	if best != nil {
		best.Instead = id
	}
	return best
}

func words(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		set[w] = true
	}
	return set
}

// Question makes the benchmark question of an accepted draft, with the current
// metadata. Every place is checked, or found again, in the current book.
func (b *Book) Question(meta *book.Metadata, category Category, m verbatim.Masking, options []verbatim.Option) (*verbatim.Question, error) {
	q := &verbatim.Question{
		MetadataFrame: meta.Frame(),
		MainQuestion:  m.Masked + "\n\n" + category.Prompt(),
		SourceTitle:   meta.Title, SourceAuthor: meta.Author, SourceDate: meta.Date, SourceGenre: meta.Genre, SourceHTID: meta.HTID,
		AuthorNationality: meta.Nationality, AuthorBirth: meta.Birth, AuthorProfession: meta.Profession,
		QuestionCategory: "cloze_" + category.Name, QuestionProcess: "automatic",
		AnswerTypes: []string{groundTruth}, AnswerStrings: []string{m.Truth}, AnswerProbabilities: []verbatim.Probability{1},
		Passage:  m.Passage,
		Verbatim: verbatim.Provenance{SHA256: b.Source.SHA256},
	}
	var err error
	if q.Verbatim.Passage, err = b.locate("passage", m.Passage, m.PassageAt, m.PassageAt.ByteStart); err != nil {
		return nil, err
	}
	moved := q.Verbatim.Passage.ByteStart - m.PassageAt.ByteStart // the ground truth moves with its passage
	if q.Verbatim.GroundTruth, err = b.locate("ground truth", m.Truth, m.TruthAt, m.TruthAt.ByteStart+moved); err != nil {
		return nil, err
	}
	q.Verbatim.Answers = []verbatim.Selector{q.Verbatim.GroundTruth}
	for _, o := range options {
		at, err := b.locate(o.Type, o.Text, o.At, o.At.ByteStart)
		if err != nil {
			return nil, err
		}
		q.AnswerTypes = append(q.AnswerTypes, o.Type)
		q.AnswerStrings = append(q.AnswerStrings, o.Text)
		q.AnswerProbabilities = append(q.AnswerProbabilities, 0)
		q.Verbatim.Answers = append(q.Verbatim.Answers, at)
	}
	return q, nil
}

// locate proves a selector, or finds its text again if the book has changed
// around it. Of several places it takes the one nearest to byte `near`.
func (b *Book) locate(what, text string, old verbatim.Selector, near int) (verbatim.Selector, error) {
	if old.Status == verbatim.Absent || old.ByteStart == near && b.Reading.Prove(&old, text) == nil {
		return old, nil
	}
	var best verbatim.Selector
	nearest := -1
	try := func(sel verbatim.Selector) {
		far := max(sel.ByteStart-near, near-sel.ByteStart)
		if b.Reading.Prove(&sel, text) == nil && (nearest < 0 || far < nearest) {
			best, nearest = sel, far
		}
	}
	for span := range occurrences(b.Source.Text, old.Exact) {
		try(b.Source.Select(span, shifted(old.Repairs, span.Start-old.ByteStart), text))
	}
	if nearest < 0 { // the line breaks or a running head in it have changed
		for span := range occurrences(b.Reading.Copy.Text, text) {
			_, sel := b.Quote(span)
			try(sel)
		}
	}
	if nearest < 0 {
		return best, &GoneError{what, text}
	}
	return best, nil
}

func shifted(changes []verbatim.Change, by int) []verbatim.Change {
	moved := slices.Clone(changes)
	for i := range moved {
		moved[i].Start += by
		moved[i].End += by
	}
	return moved
}

func occurrences(text, piece string) iter.Seq[verbatim.Span] {
	return func(yield func(verbatim.Span) bool) {
		for start := 0; piece != ""; start++ {
			i := strings.Index(text[start:], piece)
			if start += i; i < 0 || !yield(verbatim.Span{Start: start, End: start + len(piece)}) {
				return
			}
		}
	}
}
