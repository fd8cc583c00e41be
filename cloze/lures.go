package cloze

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/distractor"
	"verbatim/internal/near"
	"verbatim/internal/period"
	"verbatim/tag"
)

// pages is how many sentences before and after a mask are the pages around it.
const pages = 40

// Surround tells a request about its place in the book: what is known about its
// candidates, which are those of the list, and the text around the ground truth.
// The sentences are those of the book, in order.
func Surround(r *distractor.Request, truth Candidate, list []Candidate, sentences []string, words Vocabulary) {
	r.Details = make([]distractor.Detail, len(list))
	for i, c := range list {
		distance := max(c.Sentence-truth.Sentence, truth.Sentence-c.Sentence)
		kin := c.Tier == truth.Tier && c.Sure == truth.Sure && c.family() == truth.family()
		r.Details[i] = distractor.Detail{Kin: kin, Distance: distance}
	}
	first, last := max(0, truth.Sentence-pages), min(len(sentences), truth.Sentence+pages+1)
	if first < last {
		r.Around = strings.Join(sentences[first:last], " ")
	}
	r.Known = words.Knows
}

// family tells apart how candidates of one category mark their role: by a noun
// (the result was), as the answer to a question, or by a joint (so, for, but).
func (c Candidate) family() string {
	switch name, _, _ := strings.Cut(c.Card, "/"); {
	case name == "noun":
		return name
	case c.Connector == "why":
		return "answer"
	}
	return "joint"
}

// A Vocabulary counts the words of a book.
type Vocabulary map[string]int

// NewVocabulary counts the words of sentences.
func NewVocabulary(sentences []string) Vocabulary {
	words := Vocabulary{}
	for _, s := range sentences {
		for word := range period.Words(s) {
			words[period.Key(word)]++
		}
	}
	return words
}

// Knows reports whether a word that the period does not know belongs to the book:
// it occurs at least three times and is no misreading of a common word.
func (v Vocabulary) Knows(word string) bool {
	const least = 3
	return v[word] >= least && !v.misread(word)
}

// misread reports whether a word looks like a slip of the scan that the book
// repeats: one letter or a pair of letters that scans confuse makes a word that is
// much more frequent or that the period knows, or it is short and close to one of
// the commonest words.
func (v Vocabulary) misread(word string) bool {
	often := 10 * v[word]
	for i := range len(word) {
		for c := byte('a'); c <= 'z'; c++ {
			if other := word[:i] + string(c) + word[i+1:]; v[other] >= often && other != word {
				return true
			}
		}
	}
	for _, pair := range confused {
		if other := strings.Replace(word, pair[0], pair[1], 1); other != word && period.Known(other) && v[other] > 0 {
			return true
		}
	}
	common := func(other string) bool { return near.Distance(word, other) <= 2 }
	return len(word) > 2 && len(word) <= 5 && slices.ContainsFunc(commonest, common)
}

// confused are letters that scans confuse: read as the first, printed as the second.
var confused = [][2]string{{"av", "w"}, {"rn", "m"}, {"m", "rn"}, {"li", "h"}, {"tl", "th"}, {"ii", "u"}, {"vv", "w"}, {"cl", "d"}, {"hc", "he"}, {"ic", "e"}}

// commonest are words that every page has.
var commonest = []string{"the", "and", "that", "with", "which", "this", "they", "from", "have"}

// contents are the texts of a book's sentences, and how often it has each word.
type contents struct {
	sentences []string
	words     Vocabulary
}

func readContents(text *tag.Book) contents {
	var c contents
	for i := range text.Sentences {
		c.sentences = append(c.sentences, text.Text(i))
	}
	c.words = NewVocabulary(c.sentences)
	return c
}

// mostTries is for how many drafts of a category good wrong answers are looked
// for. It costs as much as the book has candidates, for each of them.
const mostTries = 40

// hasLures reports whether the book has a few wrong answers for a draft that
// nobody excludes at a glance, because they speak of what the passage speaks of.
func (b *Book) hasLures(d *Draft) bool {
	const few = 3
	r := b.Request(d, "", nil, nil)
	return distractor.GoodLures(&r) >= few
}

// lures are the user's or the built-in ones.
func (b *Book) lures() *distractor.Lures { return cmp.Or(b.Lures, distractor.DefaultLures()) }

// The conditions of a passage, in the order of the draw.
const (
	clean = iota
	smallSlips
	damaged
	conditions
)

// inspect says what is wrong with a draft's passage, and how much that is.
func (b *Book) inspect(d *Draft) (condition int) {
	weight := 0
	d.Slips = nil
	for _, s := range b.lures().Slips(d.Passage, b.contents().words.Knows) {
		weight += s.Weight
		d.Slips = append(d.Slips, s.Name+": "+s.Text)
	}
	if first, _ := utf8.DecodeRuneInString(d.Truth); d.Kind().Clause() && unicode.IsUpper(first) { // a sentence in a sentence
		weight++
		d.Slips = append(d.Slips, "capital: "+d.Truth)
	}
	if b.lures().HalfPair(d.Truth) { // no wrong answer can look like that
		weight++
		d.Slips = append(d.Slips, "half a pair: "+d.Truth)
	}
	switch {
	case weight == 0:
		return clean
	case weight < distractor.Damaged:
		return smallSlips
	}
	return damaged
}
