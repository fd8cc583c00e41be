package journal

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"

	"verbatim"
	"verbatim/align"
	"verbatim/cue"
	"verbatim/internal/parallel"
)

// A Run extracts the items of journals, one per line. A bad line, a
// second journal with the same id, or one on which the program crashes (a
// *parallel.PanicError) is reported and skipped.
type Run struct {
	Cards   *cue.Cards
	Workers int
	MadeBy  string      // what each line of items says about the program; may be empty
	Report  func(error) // is called with each bad line

	Bad, Done int // lines

	ids   idSet
	files []fileLines // that were read so far
}

// A fileLines says how many lines were in the files before a file.
type fileLines struct {
	name         string
	before, last int
}

// Items writes the items of each journal, one line per journal in the same order.
// The output is the same for any number of workers.
func (x *Run) Items(ctx context.Context, in iter.Seq2[verbatim.Line, error], out io.Writer) error {
	type record struct {
		line verbatim.Line
		id   string
		json []byte // the line to write
	}
	pool := sync.Pool{New: func() any { return New(x.Cards) }}
	work := func(_ context.Context, line verbatim.Line) (record, error) {
		j, err := Decode(line)
		if err != nil {
			return record{}, err
		}
		var text []byte
		err = crashAt(line, func() (err error) {
			e := pool.Get().(*Extractor)
			text, err = itemsLine(j.ID, x.MadeBy, e.Items(j.Text))
			pool.Put(e) // not one that panicked
			return err
		})
		line.Text = nil
		return record{line, j.ID, text}, err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	for r, err := range parallel.Map(ctx, x.Workers, in, work) {
		skip, err := x.check(err, r.id, r.line)
		if skip {
			continue
		}
		if err == nil {
			_, err = w.Write(r.json)
		}
		if err != nil {
			return errors.Join(err, w.Flush())
		}
	}
	return w.Flush()
}

// itemsLine is the output line of a journal: verbatim.JournalItems with cards.
func itemsLine(id, madeBy string, items []Item) ([]byte, error) {
	line, err := verbatim.MarshalPlain(struct {
		ID     string `json:"journal_id"`
		Items  []Item `json:"items"`
		MadeBy string `json:"made_by,omitempty"`
	}{id, items, madeBy})
	return append(line, '\n'), err
}

// Explain prints each item with its cards and each rejected piece with its
// reason, for people to read.
func (x *Run) Explain(ctx context.Context, in iter.Seq2[verbatim.Line, error], out io.Writer) error {
	var e *Extractor
	w := bufio.NewWriter(out)
	for line, err := range in {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var j verbatim.Journal
		if err == nil {
			j, err = Decode(line)
		}
		skip, err := x.check(err, j.ID, line)
		if err != nil {
			return err
		}
		if skip {
			continue
		}
		var reasons []Reason
		err = crashAt(line, func() error {
			if e == nil {
				e = New(x.Cards)
			}
			reasons = e.Explain(j.Text)
			return nil
		})
		if err != nil {
			e = nil // not one that panicked
			x.Done--
			_, _ = x.check(err, j.ID, line) // reports it
			continue
		}
		fmt.Fprintf(w, "%s\n", j.ID)
		for _, r := range reasons {
			fmt.Fprintf(w, "  %-8s %s\n           %s\n", r.What, oneLine.Replace(j.Text[r.Start:r.End]), r.Why)
		}
	}
	return w.Flush()
}

// oneLine keeps a piece on its line, and its spaces as they are.
var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// crashAt names the line on which the program crashed; the others are done.
func crashAt(line verbatim.Line, do func() error) error {
	err := parallel.Guard(do)
	if _, crashed := errors.AsType[*parallel.PanicError](err); crashed {
		return fmt.Errorf("%s:%d: %w", line.File, line.Number, err)
	}
	return err
}

// check counts a line. It reports a bad line or a second journal with the same id
// and skips it; any other error comes back.
func (x *Run) check(err error, id string, line verbatim.Line) (skip bool, _ error) {
	if err == nil {
		if first := x.first(id, line); first != "" {
			err = &verbatim.LineError{File: line.File, Line: line.Number, What: fmt.Sprintf("journal_id %q is already in %s", id, first),
				Remedy: "give each journal its own id"}
		}
	}
	_, crashed := errors.AsType[*parallel.PanicError](err)
	if bad := (*verbatim.LineError)(nil); crashed || errors.As(err, &bad) {
		x.Bad++
		x.Report(err)
		return true, nil
	}
	if err == nil {
		x.Done++
	}
	return false, err
}

// first says where an id occurred before. If it is new, it returns "".
func (x *Run) first(id string, line verbatim.Line) string {
	if n := len(x.files); n == 0 {
		x.files = append(x.files, fileLines{name: line.File})
	} else if f := x.files[n-1]; f.name != line.File {
		x.files = append(x.files, fileLines{name: line.File, before: f.before + f.last})
	}
	this := &x.files[len(x.files)-1]
	this.last = line.Number
	at := x.ids.first(id, this.before+line.Number)
	if at == 0 {
		return ""
	}
	n, _ := slices.BinarySearchFunc(x.files, at, func(f fileLines, at int) int { return f.before - at })
	n-- // the last file that begins before the line
	if f := x.files[n]; f.name != line.File {
		return fmt.Sprintf("%s, line %d", f.name, at-f.before)
	}
	return fmt.Sprintf("line %d", at-this.before)
}

// Decode reads a line and rejects a journal without an id or a text.
func Decode(line verbatim.Line) (verbatim.Journal, error) {
	j, err := verbatim.Decode[verbatim.Journal](line)
	if err != nil {
		return j, err
	}
	bad := verbatim.LineError{File: line.File, Line: line.Number, Remedy: `each line must be {"journal_id": "...", "text": "..."}`}
	switch {
	case strings.TrimSpace(j.ID) == "":
		bad.What = "the journal has no journal_id"
	case strings.TrimSpace(j.Text) == "":
		bad.What = fmt.Sprintf("journal %q has no text", j.ID)
	default:
		return j, nil
	}
	return j, &bad
}

// An idSet remembers the line in which each id first occurred. It stores 128-bit
// hashes instead of the ids, so its size does not depend on their length: 27 to 45
// bytes per id. Two ids will not have the same hash.
type idSet struct{ lines map[[16]byte]uint32 }

// first returns the line in which the id occurred before. If it is new, first
// remembers the line and returns 0.
func (s *idSet) first(id string, line int) int {
	if s.lines == nil {
		s.lines = map[[16]byte]uint32{}
	}
	sum := sha256.Sum256([]byte(id))
	key := [16]byte(sum[:])
	if first, ok := s.lines[key]; ok {
		return int(first)
	}
	s.lines[key] = uint32(min(line, math.MaxUint32))
	return 0
}

// A Reason explains one item or one rejected piece.
type Reason struct {
	verbatim.Span
	What string // the domain, or "rejected"
	Why  string
}

// Explain returns, in text order, the cards that made each item and the reason
// for each rejected piece.
func (e *Extractor) Explain(text string) []Reason {
	e.explain = true
	defer func() { e.explain = false }()
	claims, rejections := e.find(text)
	var reasons []Reason
	for _, c := range claims {
		why := c.polarity + ", " + c.degree + ", " + c.time + "; by " + c.card.Name
		if len(c.cards) > 0 {
			why += ", " + strings.Join(c.cards, ", ")
		}
		reasons = append(reasons, Reason{c.Span, c.domain, why})
	}
	for _, r := range rejections {
		why := r.reason
		if r.card != "" {
			why += "; by " + r.card
		}
		reasons = append(reasons, Reason{r.Span, "rejected", why})
	}
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(a.Start, b.Start) })
	return reasons
}

// ErrNoItems says that a file of items is empty, so nothing was proved.
var ErrNoItems = errors.New("has no items, so nothing was proved")

// Texts reads journals by id. Bad lines are left out: Run reports
// them, and their items fail.
func Texts(journals iter.Seq2[verbatim.Line, error]) (map[string]*verbatim.Document, error) {
	docs := map[string]*verbatim.Document{}
	for line, err := range journals {
		if bad := (*verbatim.LineError)(nil); errors.As(err, &bad) {
			continue
		}
		if err != nil {
			return nil, err
		}
		j, err := Decode(line)
		if err != nil || docs[j.ID] != nil { // of two with the same id, Run uses the first
			continue
		}
		if doc, err := verbatim.NewDocument(j.ID, j.Text); err == nil {
			docs[j.ID] = doc
		}
	}
	return docs, nil
}

// Verify proves every evidence span of an items file against its journal: the
// words are at their place, and code points and bytes are the same place. It
// reports each item that fails by journal and number, and never quotes it.
func Verify(items io.Reader, file string, texts map[string]*verbatim.Document, report func(error)) (proved, failed int, err error) {
	fail := func(err error) { failed++; report(err) }
	empty := true
	for line, err := range verbatim.Lines(items, file) {
		if err != nil {
			return proved, failed, err
		}
		empty = false
		record, err := verbatim.Decode[verbatim.JournalItems](line)
		if err != nil {
			fail(err)
			continue
		}
		doc, ok := texts[record.ID]
		if !ok {
			fail(fmt.Errorf("%s:%d: there is no journal %q", file, line.Number, record.ID))
			continue
		}
		for i, item := range record.Items {
			if err := Prove(doc, &item); err != nil {
				fail(fmt.Errorf("%s:%d: journal %q, item %d: %w", file, line.Number, record.ID, i+1, err))
				continue
			}
			proved++
		}
	}
	if empty {
		return 0, 0, fmt.Errorf("%s %w", file, ErrNoItems)
	}
	return proved, failed, nil
}

// Prove proves an item against its journal. The words of an item without a place
// must occur in the journal. An item with a place, in bytes or code points or
// both, must be at that place.
func Prove(doc *verbatim.Document, item *verbatim.Item) error {
	span, found := item.Locate(doc.Text)
	switch {
	case item.EvidenceSpan == "":
		return errors.New("it has no evidence_span")
	case !found:
		if near := align.NewText(doc.Text).Find(item.EvidenceSpan, 0); near.Kind != align.Absent {
			return fmt.Errorf("its evidence_span is nearly verbatim; what differs: %s", near.Words())
		}
		return errors.New("its evidence_span does not occur verbatim in the journal")
	case item.Place == nil:
		return nil
	}
	inBytes, inPoints := item.ByteEnd != 0, item.End != 0 // no span ends at 0
	switch {
	case (inBytes || !inPoints) && (span.Start != item.ByteStart || span.End != item.ByteEnd):
		return fmt.Errorf("its evidence_span is not at bytes %d to %d", item.ByteStart, item.ByteEnd)
	case inPoints && (doc.CodePoint(span.Start) != item.Start || doc.CodePoint(span.End) != item.End):
		if inBytes {
			return fmt.Errorf("code points %d to %d are not bytes %d to %d", item.Start, item.End, item.ByteStart, item.ByteEnd)
		}
		return fmt.Errorf("its evidence_span is not at code points %d to %d", item.Start, item.End)
	}
	return nil
}
