package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"verbatim"
)

// verifyItemFiles proves the items of each file against the journals.
func verifyItemFiles(ctx context.Context, c *console, files []string, journals string) error {
	texts, err := os.ReadFile(journals)
	if err != nil {
		return plainPathError(err)
	}
	proved, failed, unread := 0, 0, 0
	for _, name := range files {
		good, bad, err := verifyItemFile(name, bytes.NewReader(texts), journals, c.messages)
		if err != nil && len(files) == 1 {
			return err
		}
		if err != nil { // it does not stop the others
			unread++
			fmt.Fprintln(c.messages, "verbatim:", err)
		}
		proved, failed = proved+good, failed+bad
	}
	if unread == len(files) {
		return fmt.Errorf("none of the %d files could be proved (named above)", unread)
	}
	fmt.Fprintf(c.out, "%s: %d proved, %d failed\n", count(proved+failed, "item"), proved, failed)
	if failed+unread > 0 {
		return &Wanting{count(failed+unread, "proof") + " failed (named above)"}
	}
	return nil
}

// verifyItemFile opens a file for verifyItems.
func verifyItemFile(name string, journals io.Reader, journalsFile string, words io.Writer) (proved, failed int, err error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, 0, plainPathError(err)
	}
	defer file.Close()
	return verifyItems(file, journals, name, journalsFile, words)
}

// verifyItems proves every evidence span of an items file against the journals
// it was found in: the words stand at their place, byte for byte, and code
// points and bytes tell the same place. It names each item that fails by journal
// and number, never by its words, and says how many were proved.
func verifyItems(items, journals io.Reader, itemsFile, journalsFile string, words io.Writer) (proved, failed int, err error) {
	docs := map[string]*verbatim.Document{}
	fail := func(format string, args ...any) {
		failed++
		fmt.Fprintf(words, "verbatim: "+format+"\n", args...)
	}
	for line, err := range verbatim.Lines(journals, journalsFile) {
		if err != nil {
			return proved, failed, err
		}
		j, err := readJournal(line)
		if err != nil {
			continue // extract has named it; an item of it fails below
		}
		doc, err := verbatim.NewDocument(*j.ID, *j.Text)
		if err == nil && docs[*j.ID] == nil { // of two with one name extract takes the first
			docs[*j.ID] = doc
		}
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
		return 0, 0, &Wanting{itemsFile + " holds no items, so that nothing was proved"}
	}
	return proved, failed, nil
}

// proveItem holds an item against its journal. An item without a place is
// proved where its words occur; one with a place, in bytes or code points or
// both, at that place and no other.
func proveItem(doc *verbatim.Document, item *verbatim.Item) error {
	span, found := item.Locate(doc.Text)
	switch {
	case item.EvidenceSpan == "":
		return errors.New("it has no evidence_span")
	case !found:
		return errors.New("its evidence_span does not stand in the journal, letter by letter")
	case item.Place == nil:
		return nil
	}
	inBytes, inPoints := item.ByteEnd != 0, item.End != 0 // no words end at 0
	switch {
	case (inBytes || !inPoints) && (span.Start != item.ByteStart || span.End != item.ByteEnd):
		return fmt.Errorf("its words do not stand at bytes %d to %d", item.ByteStart, item.ByteEnd)
	case inPoints && (doc.CodePoint(span.Start) != item.Start || doc.CodePoint(span.End) != item.End):
		if inBytes {
			return fmt.Errorf("code points %d to %d are not bytes %d to %d", item.Start, item.End, item.ByteStart, item.ByteEnd)
		}
		return fmt.Errorf("its words do not stand at code points %d to %d", item.Start, item.End)
	}
	return nil
}
