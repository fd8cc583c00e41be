package main

import (
	"iter"

	"verbatim"
	"verbatim/clean"
	"verbatim/cue"
	"verbatim/folder"
	"verbatim/sentence"
)

// A tagger takes a book from bytes to tagged sentences: reading copy,
// sentences, connectors, and back to the bytes of the file.
type tagger struct {
	cards *cue.Cards
	split *sentence.Rules
}

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
	return &tagger{cards, split}, nil
}

// sources is what the tagged sentences of a book are made from, but for the
// answers of a language model.
func (t *tagger) sources(doc *verbatim.Document) folder.Sources {
	return folder.Sources{"book": doc.SHA256, "cards": t.cards.Hash(), "sentence lists": t.split.Hash(), "program": version()}
}

const isHeading = "it is a heading"

// sentences gives every sentence of a book in order, with its tags and with
// what was refused. The slices are good until the next sentence.
func (t *tagger) sentences(doc *verbatim.Document) iter.Seq2[*verbatim.Tagged, []verbatim.RefusedTag] {
	return func(yield func(*verbatim.Tagged, []verbatim.RefusedTag) bool) {
		reading := clean.Read(doc)
		r := t.cards.NewReader()
		previous := ""
		var line verbatim.Tagged
		var refused []verbatim.RefusedTag
		for s := range t.split.Split(reading.Copy) {
			text := reading.Copy.Quote(s.Span)
			line = verbatim.Tagged{Sentence: text, Index: s.Number, Paragraph: s.Paragraph, Span: reading.SourceSpan(s.Span),
				Heading: reading.Heading(s.Span), Tags: line.Tags[:0]}
			refused = refused[:0]
			source := func(part verbatim.Span) verbatim.Span {
				return reading.SourceSpan(verbatim.Span{Start: s.Start + part.Start, End: s.Start + part.End})
			}
			tags, no := r.Tags(previous, text)
			for _, tag := range tags {
				if line.Heading {
					tag.Reason, tag.Name, tag.ScopeCard = isHeading, tag.Sense, ""
					no = append(no, tag)
					continue
				}
				line.Tags = append(line.Tags, verbatim.Tag{Name: tag.Name, Connector: tag.Connector, Word: tag.Word,
					Span: source(tag.Scope), From: tag.Scope.Start, To: tag.Scope.End, Tier: tag.Tier, Subtype: tag.Subtype,
					Rule: tag.Card, Scope: tag.ScopeCard, Confirmed: "rules", Sure: tag.Sure})
			}
			for _, tag := range no {
				refused = append(refused, verbatim.RefusedTag{Index: s.Number, Category: tag.Sense, Connector: tag.Connector,
					Word: tag.Word, Span: source(tag.Span), Rule: tag.Card, Scope: tag.ScopeCard, Reason: tag.Reason})
			}
			if !yield(&line, refused) {
				return
			}
			previous = text
			if line.Heading {
				previous = "" // a chapter's title asks no question
			}
		}
	}
}
