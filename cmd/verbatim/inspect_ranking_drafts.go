package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"verbatim"
	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/internal/durable"
	"verbatim/workspace"
)

// How a draft uses a candidate.
const (
	offered   = "offered"        // the reviewer sees it as a wrong answer
	inReserve = "reserve"        // it comes up when one is refused
	inPassage = "in the passage" // the reader sees it anyway: it is not used
)

var useSigns = map[string]string{offered: "+ ", inReserve: ". ", inPassage: "- ", "": "  "}

const useLegend = "+ offered to the reviewer, . in reserve, - in the passage and not used"

// draftFields are those of a draft, or of a question of the benchmark, from
// which a question about the ranking is made.
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

// fromDraft fills in what a draft or a question leaves to its book: the mask by
// its category, and as candidates all of that category.
func (q *rankingQuestion) fromDraft(of func(category string) ([]string, error)) (err error) {
	if q.Masked == "" && len(q.AnswerStrings) > 0 {
		q.Category, q.Truth = q.QuestionCategory, q.AnswerStrings[0]
		q.Masked, _, _ = strings.Cut(q.MainQuestion, "\n\n")
		for i, text := range q.AnswerStrings {
			if i < len(q.AnswerTypes) && q.AnswerTypes[i] == "same_book" {
				q.Options = append(q.Options, verbatim.Option{Type: "same_book", Text: text})
			}
		}
	}
	category, known := cloze.CategoryOf(q.Category)
	if q.Mask != "" || q.Masked == "" || !known {
		return nil // a question as it stands
	}
	if q.ID == nil {
		q.ID = json.RawMessage(fmt.Sprintf("%q", category.Name))
	}
	q.draft, q.Category = true, category.Name
	q.Passage, q.Mask, q.GroundTruth = q.Masked, category.Mask, q.Truth
	q.Candidates, err = of(category.Name)
	return err
}

// use says what the draft does with a candidate.
func (q *rankingQuestion) use(candidate string) string {
	is := func(o verbatim.Option) bool { return o.Type == "same_book" && o.Text == candidate }
	switch {
	case !q.draft:
		return ""
	case slices.ContainsFunc(q.Options, is):
		return offered
	case slices.ContainsFunc(q.Reserve, is):
		return inReserve
	case distractor.InPassage(q.Passage, candidate):
		return inPassage
	}
	return ""
}

// draftsOf is the file of drafts of a book, where one was named; else the name
// as it stands.
func draftsOf(path, dir string) (string, error) {
	if !strings.EqualFold(filepath.Ext(path), ".txt") {
		return path, nil
	}
	drafts := workspace.FolderAt(workspace.DirOf(dir, path)).Path(workspace.Barcode(path), workspace.Drafts)
	if _, err := os.Stat(drafts); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: there are no drafts yet; make them with: verbatim make --batch %s", path, shellQuote(path))
	}
	return drafts, nil
}

// candidatesOf reads, when it is first asked, the file of tagged sentences that
// lies beside a file of drafts or questions: all candidates of each category, in
// the order of the book.
func candidatesOf(path string) func(category string) ([]string, error) {
	var all map[string][]string
	return func(category string) ([]string, error) {
		if all != nil {
			return all[category], nil
		}
		tagged, err := taggedBeside(path)
		if err != nil {
			return nil, err
		}
		file, err := os.Open(tagged)
		if err != nil {
			return nil, fmt.Errorf("the candidates are in the book's tagged sentences: %w", durable.CannotRead(err))
		}
		defer file.Close()
		all = map[string][]string{}
		for line, err := range verbatim.Read[verbatim.Tagged](file, tagged) {
			if err != nil {
				return nil, err
			}
			for _, tag := range line.Tags {
				if tag.SentenceStart < 0 || tag.SentenceStart > tag.SentenceEnd || tag.SentenceEnd > len(line.Sentence) {
					return nil, fmt.Errorf("%s: the tag %s of sentence %d lies outside of it; make the file anew with: verbatim tag --force", tagged, tag.Name, line.Index)
				}
				all[tag.Name] = append(all[tag.Name], candidateText(line.Sentence, tag))
			}
		}
		return all[category], nil
	}
}

func taggedBeside(path string) (string, error) {
	for _, kind := range []string{workspace.Drafts, workspace.Questions} {
		if book, is := strings.CutSuffix(filepath.Base(path), workspace.Name("", kind)); is {
			return workspace.FolderAt(filepath.Dir(path)).Path(book, workspace.Tagged), nil
		}
	}
	return "", fmt.Errorf("name the file of drafts itself, BARCODE%s: the candidates are in %s beside it",
		workspace.Name("", workspace.Drafts), "BARCODE"+workspace.Name("", workspace.Tagged))
}

// candidateText is what a tag would mask: the clause, or the whole sentence.
func candidateText(sentence string, tag verbatim.Tag) string {
	if category, _ := cloze.CategoryOf(tag.Name); category.Clause() {
		return verbatim.FoldSpace(sentence[tag.SentenceStart:tag.SentenceEnd])
	}
	return verbatim.FoldSpace(sentence)
}
