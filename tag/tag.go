// Package tag takes a book from its bytes to tagged sentences in one pass:
// reading copy, sentences, connectors, and back to the bytes of the file.
//
// What to count on: each sentence is read by the cards once, in the order of
// the book; and every place is known both in the sentence and in the source.
package tag

import (
	"io/fs"
	"iter"
	"slices"

	"verbatim"
	"verbatim/clean"
	"verbatim/cue"
	"verbatim/sentence"
)

// A Tagger holds the cards and the sentence lists. The zero value uses the
// embedded English ones. It may be used by several goroutines at once.
type Tagger struct {
	Cards *cue.Cards
	Split *sentence.Rules
}

// Load makes a tagger with a user's own connector cards and sentence lists laid
// over the embedded ones. Either may be nil.
func Load(cards, lists fs.FS) (*Tagger, error) {
	t := &Tagger{Cards: cue.Connectors()}
	var err error
	if cards != nil {
		if t.Cards, err = cue.Load(cards, cue.ConnectorCards(), cue.Words()); err != nil {
			return nil, err
		}
	}
	t.Split, err = sentence.NewRules(lists)
	return t, err
}

// Hashes tell one set of cards and one set of sentence lists from another.
func (t *Tagger) Hashes() (cards, lists string) { return t.Cards.Hash(), t.Split.Hash() }

// A Book is a document with its reading copy and its sentences.
type Book struct {
	Source    *verbatim.Document
	Reading   *clean.Reading
	Sentences []verbatim.Sentence // spans of Reading.Copy
}

// Open makes the reading copy of a document and splits it into sentences.
func (t *Tagger) Open(doc *verbatim.Document) *Book {
	b := &Book{Source: doc, Reading: clean.Read(doc)}
	split := sentence.Split
	if t.Split != nil {
		split = t.Split.Split
	}
	b.Sentences = slices.Collect(split(b.Reading.Copy))
	return b
}

// Text is the text of a sentence, as in the reading copy.
func (b *Book) Text(i int) string { return b.Reading.Copy.Quote(b.Sentences[i].Span) }

// Heading reports whether a sentence is in a heading or crosses one.
func (b *Book) Heading(i int) bool { return b.Reading.Heading(b.Sentences[i].Span) }

// Previous is the text of the sentence before a sentence. It is empty where
// nothing or a heading comes before: a chapter's title starts no argument.
func (b *Book) Previous(i int) string {
	if i == 0 || b.Heading(i-1) {
		return ""
	}
	return b.Text(i - 1)
}

// Fits reports whether a line of tagged sentences describes the sentence that
// the book has at that number: it has the same text, or, where someone
// corrected the text, the same place in the source.
func (b *Book) Fits(line *verbatim.Tagged) bool {
	if line.Index < 0 || line.Index >= len(b.Sentences) {
		return false
	}
	return b.Text(line.Index) == line.Sentence || b.Reading.SourceSpan(b.Sentences[line.Index].Span) == line.Span
}

// Lines gives every sentence with its tags, and the tags that were rejected.
// The line and both slices are valid until the next sentence; see All.
func (t *Tagger) Lines(b *Book) iter.Seq2[*verbatim.Tagged, []verbatim.RejectedTag] {
	cards := t.Cards
	if cards == nil {
		cards = cue.Connectors()
	}
	return func(yield func(*verbatim.Tagged, []verbatim.RejectedTag) bool) {
		reader := cards.NewReader()
		line, rejected := &verbatim.Tagged{}, []verbatim.RejectedTag(nil)
		for i := range b.Sentences {
			tags, no := reader.Tags(b.Previous(i), b.Text(i))
			b.fill(line, i, tags)
			if line.Heading {
				no = append(no, inHeading(tags)...)
			}
			rejected = b.reject(rejected[:0], i, no)
			if !yield(line, rejected) {
				return
			}
		}
	}
}

// All gives the lines of a book in memory, for callers that change them or
// read them twice.
func (t *Tagger) All(b *Book) (lines []verbatim.Tagged, rejected []verbatim.RejectedTag) {
	lines = make([]verbatim.Tagged, 0, len(b.Sentences))
	for line, no := range t.Lines(b) {
		kept := *line
		kept.Tags = slices.Clone(line.Tags)
		lines, rejected = append(lines, kept), append(rejected, no...)
	}
	return lines, rejected
}

// fill writes a sentence and its tags into a line.
func (b *Book) fill(line *verbatim.Tagged, i int, tags []cue.Tag) {
	s := b.Sentences[i]
	*line = verbatim.Tagged{Sentence: b.Text(i), Index: s.Number, Paragraph: s.Paragraph, Span: b.Reading.SourceSpan(s.Span),
		Heading: b.Heading(i), Tags: line.Tags[:0]}
	if line.Heading {
		return // a heading has no tags
	}
	for _, tag := range tags {
		line.Tags = append(line.Tags, verbatim.Tag{Name: tag.Name, Connector: tag.Connector, Word: tag.Word,
			Span: b.source(i, tag.Scope), SentenceStart: tag.Scope.Start, SentenceEnd: tag.Scope.End,
			Tier: tag.Tier, Subtype: tag.Subtype, Card: tag.Card, Scope: tag.ScopeCard, Confirmed: "rules", Sure: tag.Sure})
	}
}

// inHeading rejects the tags of a heading.
func inHeading(tags []cue.Tag) []cue.Tag {
	var rejected []cue.Tag
	for _, tag := range tags {
		tag.Reason, tag.ScopeCard = "it is a heading", ""
		rejected = append(rejected, tag)
	}
	return rejected
}

func (b *Book) reject(rejected []verbatim.RejectedTag, i int, tags []cue.Tag) []verbatim.RejectedTag {
	for _, tag := range tags {
		rejected = append(rejected, verbatim.RejectedTag{Index: b.Sentences[i].Number, Sense: tag.Sense, Connector: tag.Connector,
			Word: tag.Word, Span: b.source(i, tag.Span), Card: tag.Card, Scope: tag.ScopeCard, Reason: tag.Reason})
	}
	return rejected
}

// source is the place in the source of a part of a sentence.
func (b *Book) source(i int, part verbatim.Span) verbatim.Span {
	start := b.Sentences[i].Start
	return b.Reading.SourceSpan(verbatim.Span{Start: start + part.Start, End: start + part.End})
}
