package journal

import (
	"errors"
	"fmt"
	"io"

	"verbatim"
)

// ErrNoItems says that a file of items is empty, so nothing was proved.
var ErrNoItems = errors.New("has no items, so nothing was proved")

// Texts reads the journals of a file by id. Bad lines are left out: Run reports
// them, and their items fail.
func Texts(journals io.Reader, file string) (map[string]*verbatim.Document, error) {
	docs := map[string]*verbatim.Document{}
	for line, err := range verbatim.Lines(journals, file) {
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
