package cloze

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"verbatim"
	"verbatim/book"
	"verbatim/distractor"
)

const (
	groundTruth = "ground_truth" // the type of the right answer
	sameBook    = "same_book"    // the type of a wrong answer that is a quotation
)

// Errors of Check that a reviewer can fix.
var (
	ErrNoPlace    = errors.New("it has no place in the book; an answer that a person wrote or edited is manual_" + sameBook)
	ErrSameAnswer = errors.New("say the same")
)

// Check finds the parts of a question that contradict each other, without
// looking at the book: question, passage, category, answers and their places,
// and the frame that title, author and the other fields make.
func Check(q *verbatim.Question) []error {
	var wrong []error
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if n := len(q.AnswerStrings); n == 0 || n != len(q.AnswerTypes) || n != len(q.AnswerProbabilities) || n != len(q.Verbatim.Answers) {
		say("the lists of answers, types, probabilities and places must have the same length, and contain at least the ground truth")
		return wrong
	}
	if err := checkAsked(q); err != nil {
		say("main_question: %w", err)
	}
	checkAnswers(q, say)
	passage, truth := &q.Verbatim.Passage, &q.Verbatim.GroundTruth
	if !reflect.DeepEqual(*truth, q.Verbatim.Answers[0]) {
		say("verbatim: ground_truth and the first answer are one string with two places")
	}
	if passage.Status != verbatim.Absent && truth.Status != verbatim.Absent && (truth.ByteStart < passage.ByteStart || truth.ByteEnd > passage.ByteEnd) {
		say("verbatim: the ground truth, bytes %d-%d, is outside the passage, bytes %d-%d",
			truth.ByteStart, truth.ByteEnd, passage.ByteStart, passage.ByteEnd)
	}
	if frame := Described(q).Frame(); q.MetadataFrame != frame {
		say("metadata_frame: the fields of this question make %q", frame)
	}
	return wrong
}

func checkAnswers(q *verbatim.Question, say func(format string, args ...any)) {
	for i, kind := range q.AnswerTypes {
		right := i == 0
		if (kind == groundTruth) != right {
			say("answer_types: only the first must be %s; number %d is %q", groundTruth, i+1, kind)
		}
		if p := q.AnswerProbabilities[i]; right && p != 1 || !right && p != 0 {
			say("answer_probabilities: must be 1.0 for the ground truth and 0.0 for all others; number %d is %v", i+1, float64(p))
		}
		if kind == sameBook && q.Verbatim.Answers[i].Status == verbatim.Absent {
			say("answer_types: number %d is %s, but %w", i+1, kind, ErrNoPlace)
		}
		said := func(other string) bool { return SameAnswer(other, q.AnswerStrings[i]) }
		if at := slices.IndexFunc(q.AnswerStrings[:i], said); at >= 0 {
			say("answer_strings: numbers %d and %d %w", at+1, i+1, ErrSameAnswer)
		}
	}
}

// SameAnswer reports whether a reader would call two answers the same.
func SameAnswer(a, b string) bool { return distractor.Same(a, b) }

func checkAsked(q *verbatim.Question) error {
	category, known := CategoryOf(q.QuestionCategory)
	if !known || q.QuestionCategory != "cloze_"+category.Name {
		return fmt.Errorf("unknown question_category %q", q.QuestionCategory)
	}
	masked, ok := strings.CutSuffix(q.MainQuestion, "\n\n"+category.Prompt())
	switch {
	case !ok:
		return fmt.Errorf("must end with a blank line and %q", category.Prompt())
	case strings.Count(masked, category.Mask) != 1:
		return fmt.Errorf("%s occurs %d times in its passage, not once", category.Mask, strings.Count(masked, category.Mask))
	case strings.Replace(masked, category.Mask, q.AnswerStrings[0], 1) != q.Passage:
		return errors.New("it is not the passage with the ground truth masked")
	}
	return nil
}

// Described is what a question says about its book.
func Described(q *verbatim.Question) *book.Metadata {
	return &book.Metadata{HTID: q.SourceHTID, Title: q.SourceTitle, Author: q.SourceAuthor, Date: q.SourceDate, Genre: q.SourceGenre,
		Nationality: q.AuthorNationality, Birth: q.AuthorBirth, Profession: q.AuthorProfession}
}
