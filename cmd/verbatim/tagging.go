package main

import (
	"verbatim"
	"verbatim/folder"
	"verbatim/sentence"
	"verbatim/tag"
)

// A tagger is a tag.Tagger with the rules of a working folder.
type tagger struct{ tag.Tagger }

// newTagger reads the user's rules, if any, from a folder.
func newTagger(ruleDir string) (*tagger, error) {
	rules, err := ruleFiles(ruleDir)
	if err != nil {
		return nil, err
	}
	cards, err := rules.cards()
	if err != nil {
		return nil, err
	}
	split, err := sentence.NewRules(rules.sentences)
	if err != nil {
		return nil, err
	}
	return &tagger{tag.Tagger{Cards: cards, Split: split}}, nil
}

// sources is what the tagged sentences of a book are made from, except the
// answers of a language model.
func (t *tagger) sources(doc *verbatim.Document) folder.Sources {
	return folder.Sources{"book": doc.SHA256, "cards": t.Cards.Hash(), "sentence lists": t.Split.Hash(), "program": version()}
}

// A pass is what the rules say about a book: it is made once, and used for the
// candidates and for the tagged file.
type pass struct {
	book     *tag.Book
	lines    []verbatim.Tagged
	rejected []verbatim.RejectedTag
}

func (t *tagger) pass(doc *verbatim.Document) *pass {
	p := &pass{book: t.Open(doc)}
	p.lines, p.rejected = t.All(p.book)
	return p
}
