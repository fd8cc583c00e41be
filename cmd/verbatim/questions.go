package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"verbatim"
	"verbatim/cloze"
	"verbatim/folder"
	"verbatim/review"
)

// A lostQuestion is an accepted draft that the book no longer bears out, and why.
type lostQuestion struct {
	draft string
	err   error
}

// questions are the accepted questions of a book: from the decisions, with the
// metadata and the places of now. lost are accepted ones that the book no
// longer bears out; disputed ones wait until somebody settles them.
func (w *workbook) questions() (questions []*verbatim.Question, lost []lostQuestion) {
	for _, category := range cloze.Categories {
		for s := range w.log.Standings() {
			if s.Category != category.Name || s.Verdict != review.Accepted || s.Disputed {
				continue
			}
			q, err := w.question(category.Name, s.State)
			if err != nil {
				lost = append(lost, lostQuestion{s.Draft, fmt.Errorf("%s: %w", category.Name, err)})
				continue
			}
			questions = append(questions, q)
		}
	}
	return questions, lost
}

// question is the whole question of a state, whether or not it is accepted.
func (w *workbook) question(category string, s review.State) (*verbatim.Question, error) {
	kind, known := cloze.CategoryOf(category)
	if !known {
		return nil, fmt.Errorf("there is no category %q", category)
	}
	return w.book.Question(w.about.Metadata, kind, s.Masking, s.Options())
}

// questionSources is what the file of questions is made from.
func (w *workbook) questionSources() folder.Sources {
	return folder.Sources{"book": w.doc.SHA256, "metadata": w.about.hash(), "set of decisions": acceptances(w.log), "program": version()}
}

// acceptances is a hash of the decisions that accept something: others do not
// make a file of questions stale.
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
	return hashOf([]byte(strings.Join(ids, " ")))
}

// lost are the accepted drafts that the book no longer bears out.
func (w *workbook) lost() map[string]bool {
	lost := map[string]bool{}
	_, gone := w.questions()
	for _, q := range gone {
		lost[q.draft] = true
	}
	return lost
}

// saveQuestions writes the benchmark file of a book, where it is not there or
// stale. A file that a person has changed is left as it is.
func (w *workbook) saveQuestions(force bool) error {
	from := w.questionSources()
	state, why, err := w.files.State(w.barcode, folder.Questions, from)
	switch {
	case err != nil:
		return err
	case state == folder.Fresh:
		return nil
	case state == folder.Changed && !force:
		return fmt.Errorf("%s is left as it is: %s. The decisions are saved; to write the file anew, move it away or type: %s",
			w.files.Path(w.barcode, folder.Questions), why, remakeCommand(w.files, w.barcode, w.path, "--force"))
	}
	questions, lost := w.questions()
	for _, q := range lost {
		w.note("an accepted question is left out and asked again: %v", q.err)
	}
	if state == folder.Absent && len(questions) == 0 {
		return nil
	}
	return w.files.Write(w.barcode, from, map[string]func(io.Writer) error{
		folder.Questions: func(out io.Writer) error {
			return verbatim.Write(out, func(yield func(*verbatim.Question, error) bool) {
				for _, q := range questions {
					if !yield(q, nil) {
						return
					}
				}
			})
		},
	})
}

// uniqueNotes are the notes of the summary, once each.
func uniqueNotes(notes []string) []string {
	var once []string
	for _, n := range notes {
		if !slices.Contains(once, n) {
			once = append(once, n)
		}
	}
	return once
}
