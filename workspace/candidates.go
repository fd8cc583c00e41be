package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"verbatim"
	"verbatim/cloze"
	"verbatim/internal/durable"
)

// HasTags reports whether a file is named like a book's drafts or questions, so
// that the book's tagged sentences are beside it.
func HasTags(path string) bool {
	_, err := tagsBeside(path)
	return err == nil
}

// Candidates are all candidates of a book, by category and in the order of the
// book. They come from the tagged sentences beside a file of its drafts or
// questions.
func Candidates(path string) (map[string][]string, error) {
	tagged, err := tagsBeside(path)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(tagged)
	if err != nil {
		return nil, fmt.Errorf("the candidates are in the book's tagged sentences: %w", durable.CannotRead(err))
	}
	defer file.Close()
	all := map[string][]string{}
	for line, err := range verbatim.Read[verbatim.Tagged](file, tagged) {
		if err != nil {
			return nil, err
		}
		for _, tag := range line.Tags {
			if tag.SentenceStart < 0 || tag.SentenceStart > tag.SentenceEnd || tag.SentenceEnd > len(line.Sentence) {
				return nil, damaged(tagged, fmt.Errorf("the tag %s of sentence %d is outside the sentence", tag.Name, line.Index))
			}
			text := line.Sentence
			if category, _ := cloze.CategoryOf(tag.Name); category.Clause() {
				text = text[tag.SentenceStart:tag.SentenceEnd]
			}
			all[tag.Name] = append(all[tag.Name], verbatim.FoldSpace(text))
		}
	}
	return all, nil
}

func tagsBeside(path string) (string, error) {
	for _, kind := range []string{Drafts, Questions} {
		if barcode, is := strings.CutSuffix(filepath.Base(path), Name("", kind)); is {
			return FolderAt(filepath.Dir(path)).Path(barcode, Tagged), nil
		}
	}
	return "", fmt.Errorf("%s: name the file of drafts itself, BARCODE%s: the candidates are in BARCODE%s beside it",
		path, Name("", Drafts), Name("", Tagged))
}
