package workspace

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"verbatim"
	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/internal/durable"
)

// A RankQuestion asks how candidates rank for the mask in a passage. It is the
// user's own, or made from a draft or a benchmark question and its book.
type RankQuestion struct {
	ID          json.RawMessage `json:"id"`
	Passage     string          `json:"passage"`
	Mask        string          `json:"mask"`
	Candidates  []string        `json:"candidates"`
	GroundTruth string          `json:"ground_truth"`
	draftFields
	Draft bool `json:"-"` // made from a draft or a benchmark question

	pool *pool
}

// A pool is what the tagged sentences of a book say: its candidates by category,
// in the order of the book, and all its sentences and words.
type pool struct {
	lists     map[string][]cloze.Candidate
	sentences []string
	words     cloze.Vocabulary
	lures     *distractor.Lures
}

// RankQuestions reads questions, drafts or benchmark questions, one per line. The
// candidates of drafts are in the tagged sentences beside the file. If category is
// not empty, drafts of other categories are left out.
func RankQuestions(in io.Reader, file, category string) iter.Seq2[RankQuestion, error] {
	all := sync.OnceValues(func() (*pool, error) { return readPool(file) })
	only, _ := cloze.CategoryOf(category)
	return func(yield func(RankQuestion, error) bool) {
		for q, err := range verbatim.Read[RankQuestion](in, file) {
			if err == nil {
				err = q.fromDraft(all)
			}
			if q.Draft && category != "" && q.Category != only.Name {
				continue
			}
			if !yield(q, err) {
				return
			}
		}
	}
}

// How a draft uses a candidate of its book.
const (
	Offered   = "offered"        // the reviewer sees it as a wrong answer
	InReserve = "reserve"        // it comes up when another is rejected
	InPassage = "in the passage" // not used, because the reader sees it
)

// draftFields are the fields of a draft or a benchmark question that a ranking
// needs.
type draftFields struct {
	Category string            `json:"category"`
	Masked   string            `json:"masked"`
	Truth    string            `json:"truth"`
	Options  []verbatim.Option `json:"options"`
	Reserve  []verbatim.Option `json:"reserve"`

	QuestionCategory string   `json:"question_category"`
	MainQuestion     string   `json:"main_question"`
	AnswerTypes      []string `json:"answer_types"`
	AnswerStrings    []string `json:"answer_strings"`
}

// fromDraft fills in what a draft or a question does not say: the mask of its
// category, and all candidates of that category.
func (q *RankQuestion) fromDraft(all func() (*pool, error)) error {
	if q.Masked == "" && len(q.AnswerStrings) > 0 {
		q.Category, q.Truth = q.QuestionCategory, q.AnswerStrings[0]
		q.Masked, _, _ = strings.Cut(q.MainQuestion, "\n\n")
		for i, text := range q.AnswerStrings {
			if i < len(q.AnswerTypes) && q.AnswerTypes[i] == sameBookType {
				q.Options = append(q.Options, verbatim.Option{Type: sameBookType, Text: text})
			}
		}
	}
	category, known := cloze.CategoryOf(q.Category)
	if q.Mask != "" || q.Masked == "" || !known {
		return nil // a question of the user's own
	}
	if q.ID == nil {
		q.ID = json.RawMessage(fmt.Sprintf("%q", category.Name))
	}
	q.Draft, q.Category = true, category.Name
	q.Passage, q.Mask, q.GroundTruth = q.Masked, category.Mask, q.Truth
	pool, err := all()
	if err != nil {
		return err
	}
	q.pool = pool
	for _, c := range pool.lists[category.Name] {
		q.Candidates = append(q.Candidates, c.Text)
	}
	return nil
}

// Request is the request for the wrong answers of a draft, as drafting makes it.
func (q *RankQuestion) Request() *distractor.Request {
	r := &distractor.Request{Passage: q.Passage, Mask: q.Mask, GroundTruth: q.GroundTruth, Candidates: q.Candidates}
	if q.pool == nil {
		return r
	}
	list := q.pool.lists[q.Category]
	if i := slices.Index(q.Candidates, q.Truth); i >= 0 {
		cloze.Surround(r, list[i], list, q.pool.sentences, q.pool.words)
	}
	r.Lures = q.pool.lures
	return r
}

// Use says how the draft uses a candidate; it is empty for a question of the
// user's own and for a candidate that is not used.
func (q *RankQuestion) Use(candidate string) string {
	is := func(o verbatim.Option) bool { return o.Type == sameBookType && o.Text == candidate }
	switch {
	case !q.Draft:
		return ""
	case slices.ContainsFunc(q.Options, is):
		return Offered
	case slices.ContainsFunc(q.Reserve, is):
		return InReserve
	case distractor.InPassage(q.Passage, candidate):
		return InPassage
	}
	return ""
}

// HasTags reports whether a file is named like a book's drafts or questions, so
// that the book's tagged sentences are beside it.
func HasTags(path string) bool {
	_, err := tagsBeside(path)
	return err == nil
}

// readPool reads the tagged sentences beside a file of drafts or questions.
func readPool(path string) (*pool, error) {
	tagged, err := tagsBeside(path)
	if err != nil {
		return nil, err
	}
	file, err := durable.Open(tagged)
	if err != nil {
		return nil, fmt.Errorf("the candidates are in the book's tagged sentences: %w", durable.CannotRead(err))
	}
	defer file.Close()
	all := &pool{lists: map[string][]cloze.Candidate{}}
	for line, err := range verbatim.Read[verbatim.Tagged](file, tagged) {
		if err != nil {
			return nil, err
		}
		all.sentences = append(all.sentences, line.Sentence)
		for _, tag := range line.Tags {
			if tag.SentenceStart < 0 || tag.SentenceStart > tag.SentenceEnd || tag.SentenceEnd > len(line.Sentence) {
				return nil, damaged(tagged, fmt.Errorf("the tag %s of sentence %d is outside the sentence", tag.Name, line.Index))
			}
			text := line.Sentence
			if category, _ := cloze.CategoryOf(tag.Name); category.Clause() {
				text = text[tag.SentenceStart:tag.SentenceEnd]
			}
			all.lists[tag.Name] = append(all.lists[tag.Name], cloze.Candidate{
				Category: tag.Name, Sentence: line.Index, Connector: tag.Connector, Tier: tag.Tier, Card: tag.Card, Sure: tag.Sure, Text: verbatim.FoldSpace(text)})
		}
	}
	all.words = cloze.NewVocabulary(all.sentences)
	rules := FolderAt(filepath.Dir(path)).rules("lures")
	if all.lures, err = distractor.LoadLures(durable.DirFS(rules)); err != nil {
		return nil, fmt.Errorf("%s: %w", rules, err)
	}
	return all, nil
}

func tagsBeside(path string) (string, error) {
	if barcode, is := bookOf(path, Drafts, Questions); is {
		return FolderAt(filepath.Dir(path)).Path(barcode, Tagged), nil
	}
	return "", fmt.Errorf("%s: name the file of drafts itself, BARCODE%s: the candidates are in BARCODE%s beside it",
		path, Name("", Drafts), Name("", Tagged))
}
