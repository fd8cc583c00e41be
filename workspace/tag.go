package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"verbatim"
	"verbatim/cloze"
	"verbatim/confirm"
	"verbatim/tag"
)

// TagResult is what became of a book's tagged sentences.
type TagResult struct {
	Tags    TagCounts
	Asked   confirm.Counts // what a language model was asked, now
	Current bool           // they were made before, from the same sources
	Rebuilt string         // why the file that was there is out of date; empty if it is not
}

// Tag makes the file of a book's tagged sentences, if it is missing or out of
// date, and confirms with a language model what rules cannot decide, if there is
// one. A file that a person edited is an *EditedError, unless force is set.
func (ws *Workspace) Tag(ctx context.Context, path string, force bool) (result TagResult, err error) {
	b, err := ws.OpenBook(path)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	err = b.during(whileTagging, func() error {
		if err := b.checkOrigin(); err != nil {
			return err
		}
		if err := b.connect(); err != nil {
			return err
		}
		if result, err = b.tag(ctx, b.confirmer, force); err != nil {
			return err
		}
		return ws.noteText(b.Barcode, path)
	})
	return result, err
}

// An EditedError says that a file was not changed because a person edited it.
type EditedError struct{ Path, Why string }

func (e *EditedError) Error() string { return fmt.Sprintf("%s is left as it is: %s", e.Path, e.Why) }

// ErrNoSentence says that a text has no sentence.
var ErrNoSentence = errors.New("it has no sentences")

// tagSources is what the tagged sentences of a book are made from, with the
// answers of a language model or, if c is nil, without.
func (b *Book) tagSources(c *confirm.Confirmer) Sources {
	cards, lists := b.tagger.Hashes()
	from := Sources{"book": b.Source.SHA256, "cards": cards, "sentence lists": lists, "program": b.ws.Program}
	if c != nil {
		from["model"] = confirmSource(c)
	}
	return from
}

// confirmSource is what the model's part of the tagged sentences is made from.
// A file that a model has confirmed is not rebuilt because the model is away.
func confirmSource(c *confirm.Confirmer) string {
	return fmt.Sprintf("%s, %d of a tag, questions %.12s", c.Model, c.Cap, c.Questions.Hash())
}

// tag makes the tagged sentences or reads them. c may be nil: no model.
func (b *Book) tag(ctx context.Context, c *confirm.Confirmer, force bool) (result TagResult, err error) {
	from := b.tagSources(c)
	current := true
	for _, name := range []string{Tagged, Rejected} {
		state, why, err := b.ws.State(b.Barcode, name, from)
		switch {
		case force:
			current = false
		case err != nil:
			return result, err
		case state == Edited:
			return result, &EditedError{b.File(name), why}
		case state == OutOfDate:
			result.Rebuilt = why
		}
		current = current && state == Current
	}
	if current {
		result.Current = true
		err = b.readTags()
		result.Tags = countTags(b.lines)
		return result, err
	}
	find := b.findTags
	if c != nil && !force && b.unconfirmed(from) {
		find, result.Rebuilt = b.readTags, ""
	}
	if err := find(); err != nil {
		return result, err
	}
	if c != nil {
		asking := *c
		asking.Progress = b.ws.progress("questions to " + c.Model + " about " + b.Barcode)
		err := b.during(whileConfirming, func() error {
			no, asked, err := asking.Book(ctx, b.lines)
			if result.Asked = asked; err == nil {
				b.rejectTags(no)
			}
			return err
		})
		if err != nil {
			return result, err
		}
	}
	result.Tags = countTags(b.lines)
	return result, b.writeTags(c)
}

// read makes the reading copy and the sentences, once.
func (b *Book) read() error {
	if b.text == nil {
		err := b.during(whileCleaning, func() error {
			b.text = b.tagger.Open(b.Source)
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(b.text.Sentences) == 0 {
		return fmt.Errorf("%s: %w", b.Path, ErrNoSentence)
	}
	return nil
}

// findTags reads each sentence with the cards, once.
func (b *Book) findTags() error {
	if err := b.read(); err != nil || b.lines != nil {
		return err
	}
	return b.during(whileTagging, func() error {
		b.lines, b.rejected = b.tagger.All(b.text)
		return nil
	})
}

// readTags takes the tagged sentences and the rejected tags from their files; if
// there is none they are found.
func (b *Book) readTags() error {
	lines, err := readFile[verbatim.Tagged](b.File(Tagged))
	switch {
	case err != nil:
		return err
	case lines == nil:
		return b.findTags()
	}
	b.lines = lines
	b.rejected, err = readFile[verbatim.RejectedTag](b.File(Rejected))
	return err
}

// unconfirmed reports whether the files were made from the same sources, but
// without a language model: then only the model's part is left to do.
func (b *Book) unconfirmed(from Sources) bool {
	rules := maps.Clone(from)
	rules["model"] = ""
	for _, name := range []string{Tagged, Rejected} {
		if state, _, err := b.ws.State(b.Barcode, name, rules); err != nil || state != Current {
			return false
		}
	}
	return true
}

// candidates takes the candidates from the tagged sentences. If those are not
// the book's, the error is a *TagsOutOfDateError, and there are no candidates.
func (b *Book) candidates(seed int64) error {
	if err := b.read(); err != nil {
		return err
	}
	lures, err := b.ws.lures()
	if err != nil {
		return err
	}
	book, err := cloze.New(b.text, b.lines, seed)
	if err == nil {
		book.Lures = lures
		b.book.Store(book)
	}
	if old := (*cloze.OutOfDateError)(nil); errors.As(err, &old) {
		return &TagsOutOfDateError{b.File(Tagged), b.Path, old}
	}
	return err
}

// A TagsOutOfDateError says that the tagged sentences in a file are not those of
// its book.
type TagsOutOfDateError struct {
	File, Text string // their paths
	Err        error
}

func (e *TagsOutOfDateError) Error() string { return e.File + " is out of date: " + e.Err.Error() }

func (e *TagsOutOfDateError) Unwrap() error { return e.Err }

// writeJSON writes one record per line. Books are large, so the records write
// themselves.
func writeJSON[T any, P interface {
	*T
	AppendJSON([]byte) []byte
}](w io.Writer, records []T) error {
	var line []byte
	for i := range records {
		line = append(P(&records[i]).AppendJSON(line[:0]), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// TagCounts are the numbers of sentences and tags, by tier and category.
type TagCounts struct {
	Sentences  int
	Sure, Wide map[string]int
}

func countTags(lines []verbatim.Tagged) TagCounts {
	c := TagCounts{Sentences: len(lines), Sure: map[string]int{}, Wide: map[string]int{}}
	for i := range lines {
		for _, t := range lines[i].Tags {
			if t.Tier == verbatim.TierSure {
				c.Sure[t.Name]++
			} else {
				c.Wide[t.Name]++
			}
		}
	}
	return c
}

// Add adds the numbers of another book.
func (c *TagCounts) Add(other TagCounts) {
	if c.Sure == nil {
		c.Sure, c.Wide = map[string]int{}, map[string]int{}
	}
	c.Sentences += other.Sentences
	for name, n := range other.Sure {
		c.Sure[name] += n
	}
	for name, n := range other.Wide {
		c.Wide[name] += n
	}
}

// A Drawn is a sentence or clause that a question could mask.
type Drawn struct {
	Category string
	Index    int    // of its sentence
	Text     string // what would be masked
	Sentence string
	lot      [32]byte
}

// DrawTags draws n sentences or clauses of a book, in the order of the book. The
// place of each in the draw depends only on its own text, so one more candidate
// moves no other.
func DrawTags(t *tag.Tagger, doc *verbatim.Document, n int, seed, purpose string) []Drawn {
	var all []Drawn
	for s := range t.Lines(t.Open(doc)) {
		for _, tag := range s.Tags {
			text := verbatim.FoldSpace(s.Sentence[tag.SentenceStart:tag.SentenceEnd])
			lot := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%s", seed, doc.ID, tag.Name, text, purpose))
			all = append(all, Drawn{tag.Name, s.Index, text, verbatim.FoldSpace(s.Sentence), lot})
		}
	}
	slices.SortFunc(all, func(a, b Drawn) int { return slices.Compare(a.lot[:], b.lot[:]) })
	all = all[:min(len(all), max(0, n))]
	slices.SortFunc(all, func(a, b Drawn) int { return a.Index - b.Index })
	return all
}
