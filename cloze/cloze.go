// Package cloze makes cloze questions of a book: it finds the sentences and
// clauses that carry an argument, draws some, hides each in its passage and
// puts wrong answers beside it.
//
// What to count on: every text of a draft that comes from the book carries its
// place there; the mask is set by that place and never by a search; and every
// draw has a generator of its own, so that one candidate more, another order
// of work or a resumed run moves no other draw.
package cloze

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/tag"
)

// A Book is a text with its candidates.
type Book struct {
	*tag.Book
	Barcode string
	// Candidates by category, in the order of the text.
	Candidates map[string][]Candidate

	seed int64
}

// A Candidate is a sentence or clause that could be hidden. Its span is of the
// reading copy.
type Candidate struct {
	verbatim.Span
	Category    string
	Sentence    int // the number of the sentence that it is or ends
	Connector   string
	Word        int // the white-space word at which it begins
	Tier        string
	Card        string // the card that decided the sense
	Sure        bool   // the rules need no language model to decide the sense
	Text        string // with white space folded
	ConfirmedBy string // who confirmed the sense: rules, or a language model
}

// New takes the candidates from tagged sentences: those of a file, or those
// that a tag.Tagger has just made. A tag that nobody confirmed gives no
// candidate. The error is an *OutOfDateError.
func New(text *tag.Book, lines []verbatim.Tagged, seed int64) (*Book, error) {
	b := &Book{Book: text, Barcode: text.Source.ID, Candidates: map[string][]Candidate{}, seed: seed}
	for i := range lines {
		line := &lines[i]
		if !text.Fits(line) {
			return nil, &OutOfDateError{Sentence: line.Index}
		}
		for _, t := range line.Tags {
			if err := b.add(line, t); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

// An OutOfDateError says that tagged sentences are not those of the book: it
// has another edition, or was split by other lists.
type OutOfDateError struct {
	Sentence int    // its number
	Tag      string // the tag that is outside its sentence; empty where the sentence is another
}

func (e *OutOfDateError) Error() string {
	if e.Tag != "" {
		return fmt.Sprintf("the tag %s is outside its sentence %d", e.Tag, e.Sentence)
	}
	return fmt.Sprintf("the book has a different sentence %d now", e.Sentence)
}

func (b *Book) add(line *verbatim.Tagged, t verbatim.Tag) error {
	category, known := CategoryOf(t.Name)
	if !known || t.Confirmed == "" {
		return nil
	}
	s := b.Sentences[line.Index]
	span := s.Span // the whole sentence, with quotation marks that the tagger may leave out
	if category.Clause() {
		part, ok := carry(t.InSentence(), line.Sentence, b.Text(line.Index))
		if !ok {
			return &OutOfDateError{Sentence: line.Index, Tag: t.Name}
		}
		span = verbatim.Span{Start: s.Start + part.Start, End: s.Start + part.End}
	}
	b.Candidates[category.Name] = append(b.Candidates[category.Name], Candidate{
		Span: span, Category: category.Name, Sentence: line.Index, Connector: t.Connector, Word: t.Word,
		Tier: t.Tier, Card: t.Card, Sure: t.Sure, Text: verbatim.FoldSpace(b.Reading.Copy.Quote(span)), ConfirmedBy: t.Confirmed,
	})
	return nil
}

// carry moves a place in a line's sentence to the sentence of the book. They
// differ where someone corrected the line; then both ends of the place must be
// in what stayed the same, before or after the correction.
func carry(part verbatim.Span, line, book string) (verbatim.Span, bool) {
	same, tail := 0, 0
	for same < min(len(line), len(book)) && line[same] == book[same] {
		same++
	}
	for tail < min(len(line), len(book))-same && line[len(line)-1-tail] == book[len(book)-1-tail] {
		tail++
	}
	move := func(at int) int {
		switch {
		case at <= same:
			return at
		case len(line)-at <= tail:
			return at + len(book) - len(line)
		}
		return -1
	}
	inside := part.Start >= 0 && part.Start < part.End && part.End <= len(line)
	moved := verbatim.Span{Start: move(part.Start), End: move(part.End)}
	return moved, inside && moved.Start >= 0 && moved.End > moved.Start && runeStart(book, moved.Start) && runeStart(book, moved.End)
}

func runeStart(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// Tagged is the sentence of a draft with its tag, and the sentence before it,
// for anyone who must judge its sense. found is false where the book no longer
// has the draft's candidate.
func (b *Book) Tagged(d *Draft) (previous string, s verbatim.Tagged, t verbatim.Tag, found bool) {
	i := slices.IndexFunc(b.Candidates[d.Category], func(c Candidate) bool { return c.Sentence == d.Sentence && c.Text == d.Truth })
	if i < 0 {
		return "", s, t, false
	}
	c := b.Candidates[d.Category][i]
	at := b.Sentences[c.Sentence]
	t = verbatim.Tag{Name: c.Category, Connector: c.Connector, Word: c.Word, SentenceStart: c.Start - at.Start, SentenceEnd: c.End - at.Start,
		Tier: c.Tier, Card: c.Card, Sure: c.Sure, Confirmed: d.ConfirmedBy}
	s = verbatim.Tagged{Sentence: b.Text(c.Sentence), Index: at.Number, Paragraph: at.Paragraph, Tags: []verbatim.Tag{t}}
	return b.Previous(c.Sentence), s, t, true
}

// draw is a number between 0 and 1 for one choice: from the seed, the book and
// what is chosen, and from nothing else.
func (b *Book) draw(purpose string, what ...string) float64 {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d\x00%s\x00%s", b.seed, b.Barcode, purpose)
	for _, w := range what {
		fmt.Fprintf(sum, "\x00%s", w)
	}
	return float64(binary.BigEndian.Uint64(sum.Sum(nil))>>11) / (1 << 53)
}

// Drawn gives the candidates of a category in the order in which they are
// drawn: those that the rules are sure of first.
func (b *Book) Drawn(category string) []Candidate {
	order := slices.Clone(b.Candidates[category])
	key := map[string]float64{}
	for _, c := range order {
		key[c.Text] = b.draw("order", category, c.Text)
	}
	slices.SortStableFunc(order, func(x, y Candidate) int {
		return cmp.Or(cmp.Compare(tierRank(x.Tier), tierRank(y.Tier)), cmp.Compare(key[x.Text], key[y.Text]))
	})
	return order
}

func tierRank(tier string) int {
	if tier == verbatim.TierSure {
		return 0
	}
	return 1
}

// Drafts gives the drafts of a category in the order of the draw. A candidate
// whose passage cannot be had is refused and the next one is drawn.
func (b *Book) Drafts(category string) iter.Seq[*Draft] {
	return func(yield func(*Draft) bool) {
		seen := map[string]bool{}
		for _, c := range b.Drawn(category) {
			draft, err := b.Draft(c)
			if err == nil && !seen[draft.ID] {
				seen[draft.ID] = true
				if !yield(draft) {
					return
				}
			}
		}
	}
}

// A Draft is a question as it is proposed.
type Draft struct {
	ID       string `json:"id"` // a hash of what its reviewer sees
	Barcode  string `json:"barcode"`
	Category string `json:"category"`
	verbatim.Masking
	Connector string `json:"connector"`
	Card      string `json:"card"`
	Tier      string `json:"tier"`
	Sentence  int    `json:"sentence"`
	Sure      bool   `json:"sense_sure"`
	// ConfirmedBy says who confirmed the connector: rules, or a language model.
	ConfirmedBy string `json:"confirmed_by"`
	// Place is the passage's span in the reading copy.
	Place verbatim.Span `json:"place"`
	// Options are the wrong answers; Reserve the next best of the same book,
	// for when one is refused. Made says that they were looked for.
	Options []verbatim.Option `json:"options"`
	Reserve []verbatim.Option `json:"reserve,omitempty"`
	Failed  []Failure         `json:"failed,omitempty"`
	Made    bool              `json:"made"`
	// Instead is the id of an accepted draft that stood here before the book was
	// changed.
	Instead string `json:"instead,omitempty"`
}

// UnmarshalJSON reads a draft. It also reads the key checked_by of version
// 0.1.0.
func (d *Draft) UnmarshalJSON(data []byte) error {
	type plain Draft
	line := struct {
		*plain
		CheckedBy string `json:"checked_by"`
	}{plain: new(plain)}
	if err := json.Unmarshal(data, &line); err != nil {
		return err
	}
	*d = Draft(*line.plain)
	d.ConfirmedBy = cmp.Or(d.ConfirmedBy, line.CheckedBy)
	return nil
}

// A Failure is a wrong answer that was asked for and did not come.
type Failure struct {
	Type string `json:"type"`
	Why  string `json:"why"`
}

// Kind is the draft's category.
func (d *Draft) Kind() Category {
	c, _ := CategoryOf(d.Category)
	return c
}

// ID is the hash of what a reviewer sees, so that re-tagging, or a letter
// mended elsewhere in the book, loses no decision.
func ID(barcode, category, passage, truth string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{barcode, category, passage, truth}, "\x00")))
	return hex.EncodeToString(sum[:8])
}
