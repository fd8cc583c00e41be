package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"verbatim/internal/durable"

	"verbatim"
)

// verifyItemFiles proves the items of each file against the journals.
func verifyItemFiles(ctx context.Context, c *console, files []string, journals string) error {
	texts, err := os.ReadFile(journals)
	if err != nil {
		return durable.CannotRead(err)
	}
	proved, failed, unread := 0, 0, 0
	for _, name := range files {
		good, bad, err := verifyItemFile(name, bytes.NewReader(texts), journals, c.messages)
		if err != nil && len(files) == 1 {
			return err
		}
		if err != nil { // continue with the other files
			unread++
			c.warn(err)
		}
		proved, failed = proved+good, failed+bad
	}
	if unread == len(files) {
		return fmt.Errorf("none of the %d files could be proved (named above)", unread)
	}
	fmt.Fprintf(c.out, "%s: %d proved, %d failed\n", count(proved+failed, "item"), proved, failed)
	if failed+unread > 0 {
		return &CheckFailed{count(failed+unread, "proof") + " failed (named above)"}
	}
	return nil
}

func verifyItemFile(name string, journals io.Reader, journalsFile string, messages io.Writer) (proved, failed int, err error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, 0, durable.CannotRead(err)
	}
	defer file.Close()
	return verifyItems(file, journals, name, journalsFile, messages)
}

// verifyItems proves every evidence span of an items file against its journal:
// the words are at their place, and code points and bytes are the same place. It
// reports each item that fails by journal and number, and never quotes it.
func verifyItems(items, journals io.Reader, itemsFile, journalsFile string, messages io.Writer) (proved, failed int, err error) {
	docs, err := journalDocuments(journals, journalsFile)
	if err != nil {
		return 0, 0, err
	}
	fail := func(format string, args ...any) {
		failed++
		fmt.Fprintf(messages, "verbatim: "+format+"\n", args...)
	}
	empty := true
	for line, err := range verbatim.Lines(items, itemsFile) {
		if err != nil {
			return proved, failed, err
		}
		empty = false
		record, err := verbatim.Decode[verbatim.JournalItems](line)
		if err != nil {
			fail("%v", err)
			continue
		}
		doc, ok := docs[record.ID]
		if !ok {
			fail("%s:%d: journal %q is not in %s", itemsFile, line.Number, record.ID, journalsFile)
			continue
		}
		for i, item := range record.Items {
			if err := proveItem(doc, &item); err != nil {
				fail("%s:%d: journal %q, item %d: %v", itemsFile, line.Number, record.ID, i+1, err)
				continue
			}
			proved++
		}
	}
	if empty {
		return 0, 0, &CheckFailed{itemsFile + " has no items: nothing was proved"}
	}
	return proved, failed, nil
}

// journalDocuments reads the journals by id. Bad lines are skipped: extract
// reports them, and their items fail.
func journalDocuments(journals io.Reader, file string) (map[string]*verbatim.Document, error) {
	docs := map[string]*verbatim.Document{}
	for line, err := range verbatim.Lines(journals, file) {
		if err != nil {
			return nil, err
		}
		j, err := readJournal(line)
		if err != nil || docs[j.ID] != nil { // of two with the same id, extract uses the first
			continue
		}
		if doc, err := verbatim.NewDocument(j.ID, j.Text); err == nil {
			docs[j.ID] = doc
		}
	}
	return docs, nil
}

// proveItem proves an item against its journal. The words of an item without a
// place must occur in the journal. An item with a place, in bytes or code points
// or both, must be at that place.
func proveItem(doc *verbatim.Document, item *verbatim.Item) error {
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
