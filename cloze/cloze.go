// Package cloze makes cloze questions from the tagged sentences of a book: it
// draws sentences and clauses, masks each in its passage, and adds wrong
// answers.
//
// What to count on: every quotation in a draft has its place in the book; the
// mask is set by that place, never by a search; and every draw depends only on
// the seed, the book and what is drawn, so an additional candidate, another
// order of work or a resumed run changes no other draw.
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
	"sync"
	"unicode/utf8"

	"verbatim"
	"verbatim/distractor"
	"verbatim/tag"
)

// A Book is a text with its candidates.
type Book struct {
	*tag.Book
	Barcode string
	// Candidates by category, in the order of the text.
	Candidates map[string][]Candidate
	// Lures say which passages are clean and which wrong answers are good; the
	// built-in ones if nil.
	Lures *distractor.Lures

	seed     int64
	contents func() contents // read when it is first needed
	memory   distractor.Memory
}

// A Candidate is a span of the reading copy that could be masked.
type Candidate struct {
	verbatim.Span
	Category    string
	Sentence    int // number of the sentence that it is, or that it ends
	Connector   string
	Word        int // white-space word at which its connector starts, from 0
	Tier        string
	Card        string // the card that decided the sense
	Sure        bool   // the rules need no language model to decide the sense
	Text        string // with white space folded
	ConfirmedBy string // who confirmed the sense: rules, or a language model
}

// New takes the candidates from tagged sentences: those of a file, or those
// that a tag.Tagger has just made. Only confirmed tags outside headings become
// candidates, one per sentence and category. The error is an *OutOfDateError.
func New(text *tag.Book, lines []verbatim.Tagged, seed int64) (*Book, error) {
	b := &Book{Book: text, Barcode: text.Source.ID, Candidates: map[string][]Candidate{}, seed: seed}
	b.contents = sync.OnceValue(func() contents { return readContents(text) })
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
	for name, list := range b.Candidates { // a person may have moved or repeated a line of the file
		slices.SortStableFunc(list, func(x, y Candidate) int { return x.Sentence - y.Sentence })
		b.Candidates[name] = slices.CompactFunc(list, func(x, y Candidate) bool { return x.Sentence == y.Sentence })
	}
	return b, nil
}

// An OutOfDateError says that tagged sentences are not those of the book: they
// come from another edition, or from other sentence lists.
type OutOfDateError struct {
	Sentence int    // its number
	Tag      string // the tag that is outside its sentence; empty if the sentence is a different one
}

func (e *OutOfDateError) Error() string {
	if e.Tag != "" {
		return fmt.Sprintf("the tag %s is outside its sentence %d", e.Tag, e.Sentence)
	}
	return fmt.Sprintf("the book has a different sentence %d now", e.Sentence)
}

func (b *Book) add(line *verbatim.Tagged, t verbatim.Tag) error {
	category, known := CategoryOf(t.Name)
	if !known || t.Confirmed == "" || b.Heading(line.Index) {
		return nil
	}
	whole := verbatim.Span{End: len(line.Sentence)}
	part, ok := t.InSentence(), t.SentenceStart < t.SentenceEnd && whole.Contains(t.InSentence())
	s := b.Sentences[line.Index]
	span := s.Span // the whole sentence, with quotation marks that the tagger may leave out
	if ok && category.Clause() {
		part, ok = carry(part, line.Sentence, b.Text(line.Index))
		span = verbatim.Span{Start: s.Start + part.Start, End: s.Start + part.End}
	}
	if !ok {
		return &OutOfDateError{Sentence: line.Index, Tag: t.Name}
	}
	b.Candidates[category.Name] = append(b.Candidates[category.Name], Candidate{
		Span: span, Category: category.Name, Sentence: line.Index, Connector: t.Connector, Word: t.Word,
		Tier: t.Tier, Card: t.Card, Sure: t.Sure, Text: verbatim.FoldSpace(b.Reading.Copy.Quote(span)), ConfirmedBy: t.Confirmed,
	})
	return nil
}

// carry converts a place in a line's sentence to one in the book's sentence, if
// someone corrected the line elsewhere.
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
	moved := verbatim.Span{Start: move(part.Start), End: move(part.End)}
	return moved, moved.Start >= 0 && moved.End > moved.Start && runeStart(book, moved.Start) && runeStart(book, moved.End)
}

func runeStart(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// Tagged is what is needed to judge the sense of a draft: its sentence with its tag,
// and the one before. found is false if the book no longer has its candidate.
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

// draw is a number between 0 and 1 that depends only on the arguments, book and seed.
func (b *Book) draw(purpose string, what ...string) float64 {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d\x00%s\x00%s", b.seed, b.Barcode, purpose)
	for _, w := range what {
		fmt.Fprintf(sum, "\x00%s", w)
	}
	return float64(binary.BigEndian.Uint64(sum.Sum(nil))>>11) / (1 << 53)
}

// unsureLast is 1 for a candidate whose sense only a language model can decide.
func unsureLast(c Candidate) int {
	if c.Sure {
		return 0
	}
	return 1
}

// drawn gives the candidates in the order of the draw: those of sure extent first,
// then those of sure sense.
func (b *Book) drawn(category string) []Candidate {
	sureFirst := map[string]int{verbatim.TierSure: -1}
	order := slices.Clone(b.Candidates[category])
	key := map[string]float64{}
	for _, c := range order {
		key[c.Text] = b.draw("order", category, c.Text)
	}
	slices.SortStableFunc(order, func(x, y Candidate) int {
		return cmp.Or(cmp.Compare(sureFirst[x.Tier], sureFirst[y.Tier]), unsureLast(x)-unsureLast(y), cmp.Compare(key[x.Text], key[y.Text]))
	})
	return order
}

// Drafts gives the drafts of a category, in the order of the draw: those with
// clean passages first, then those with small slips, damaged ones last. Among
// these, the sure ones come first, and among those the ones for which the book
// has good wrong answers.
func (b *Book) Drafts(category string) iter.Seq[*Draft] {
	return func(yield func(*Draft) bool) {
		seen := map[string]bool{}
		var few []*Draft // clean, of the tier that is being drawn
		var later [conditions][]*Draft
		tier, tries := "", 0
		for _, c := range b.drawn(category) {
			if c.Tier != tier && !yieldAll(few, yield) {
				return
			} else if c.Tier != tier {
				tier, few = c.Tier, nil
			}
			draft, err := b.Draft(c)
			if err != nil || seen[draft.ID] {
				continue
			}
			seen[draft.ID] = true
			if how := b.inspect(draft); how != clean {
				later[how] = append(later[how], draft)
			} else if tries++; tries <= mostTries && !b.hasLures(draft) {
				few = append(few, draft)
			} else if !yield(draft) {
				return
			}
		}
		for _, list := range append([][]*Draft{few}, later[:]...) {
			if !yieldAll(list, yield) {
				return
			}
		}
	}
}

func yieldAll(list []*Draft, yield func(*Draft) bool) bool {
	for _, draft := range list {
		if !yield(draft) {
			return false
		}
	}
	return true
}

// A Draft is a proposed question.
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

	ConfirmedBy string            `json:"confirmed_by"`      // who confirmed the connector: rules, or a language model
	Place       verbatim.Span     `json:"place"`             // of the passage, in the reading copy
	Options     []verbatim.Option `json:"options"`           // the wrong answers
	Reserve     []verbatim.Option `json:"reserve,omitempty"` // the next best same-book ones, to replace rejected ones
	Failed      []Failure         `json:"failed,omitempty"`
	Made        bool              `json:"made"`                // all wrong answers were requested
	Slips       []string          `json:"slips,omitempty"`     // what is wrong with the passage, as `name: text`
	Instead     string            `json:"instead,omitempty"`   // the accepted draft that this one replaces in a changed book
	TruthFit    float64           `json:"truth_fit,omitempty"` // how well the ground truth fits, in the eyes of the ranker; 0 if unknown
}

// UnmarshalJSON also reads the key checked_by of version 0.1.0.
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

// A Failure is a wrong answer that was requested and could not be made.
type Failure struct {
	Type string `json:"type"`
	Why  string `json:"why"`
}

// Kind is the draft's category.
func (d *Draft) Kind() Category {
	c, _ := CategoryOf(d.Category)
	return c
}

// draftID depends on what a reviewer sees, so tagging again loses no decision.
func draftID(barcode, category, passage, truth string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{barcode, category, passage, truth}, "\x00")))
	return hex.EncodeToString(sum[:8])
}
