package workspace

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
)

// A LostQuestion is an accepted draft that the book no longer supports.
type LostQuestion struct {
	Draft string // its id
	Err   error  // why
}

// Questions are the accepted questions of a book: from the decisions, with
// today's metadata and places. lost are accepted ones that the book no longer
// supports. Disputed ones wait until somebody settles them.
func (b *Book) Questions() (questions []*verbatim.Question, lost []LostQuestion) {
	for _, category := range cloze.Categories {
		for s := range b.log.Standings() {
			if s.Category != category.Name || s.Verdict != review.Accepted || s.Disputed {
				continue
			}
			options, choice := b.answersOf(&s)
			q, err := b.question(category.Name, s.State, options, choice)
			if err != nil {
				lost = append(lost, LostQuestion{s.Draft, fmt.Errorf("%s: %w", category.Name, err)})
				continue
			}
			questions = append(questions, q)
		}
	}
	return questions, lost
}

// Question is the whole question of a state, accepted or not.
func (b *Book) Question(category string, s review.State) (*verbatim.Question, error) {
	return b.question(category, s, s.Options(), choiceOf(s.Options()))
}

func (b *Book) question(category string, s review.State, options []verbatim.Option, choice *verbatim.Choice) (*verbatim.Question, error) {
	kind, known := cloze.CategoryOf(category)
	if !known {
		return nil, fmt.Errorf("there is no category %q", category)
	}
	q, err := b.Cloze().Question(b.About.Metadata, kind, s.Masking, options)
	if err == nil {
		q.Choice = choice
	}
	return q, err
}

// choiceOfAnswers is the name of a source of drafts and questions.
const choiceOfAnswers = "choice of answers"

// questionSources is what the file of questions is made from.
func (b *Book) questionSources() Sources {
	from := Sources{"book": b.Source.SHA256, "metadata": b.About.hash(), "set of decisions": acceptances(b.log), "program": b.ws.Program}
	choice := b.choiceSource()
	if choice != "" || b.ws.recorded(b.Barcode, Questions, choiceOfAnswers) != "" {
		from[choiceOfAnswers] = choice
	}
	return from
}

// acceptances is a hash of the decisions that accept something: others do not
// make a file of questions out of date.
func acceptances(log *review.Log) string {
	var ids []string
	for s := range log.Standings() {
		if s.Verdict == review.Accepted {
			for _, head := range s.Heads {
				ids = append(ids, head.ID)
			}
		}
	}
	slices.Sort(ids)
	return hashOf(strings.Join(ids, " "))
}

// Lost are the ids of accepted drafts that the book no longer supports.
func (b *Book) Lost() map[string]bool {
	lost := map[string]bool{}
	_, gone := b.Questions()
	for _, q := range gone {
		lost[q.Draft] = true
	}
	return lost
}

// SaveQuestions writes the book's file of questions, if it is missing or out of date. A
// file that a person edited is an *EditedError, unless force is set.
func (b *Book) SaveQuestions(force bool) error {
	from := b.questionSources()
	state, why, err := b.ws.State(b.Barcode, Questions, from)
	switch {
	case err != nil:
		return err
	case state == Current:
		return nil
	case state == Edited && !force:
		return &EditedError{b.File(Questions), why}
	}
	questions, lost := b.Questions()
	for _, q := range lost {
		b.Note("an accepted question is left out and will be asked again: %w", q.Err)
	}
	if state == Absent && len(questions) == 0 {
		return nil
	}
	return b.ws.write(b.Barcode, from, nil, map[string]func(io.Writer) error{Questions: lines(questions)})
}
