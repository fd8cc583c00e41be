package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"verbatim"
)

// verifyItemFiles proves the items of each file against the journals.
func verifyItemFiles(cmd *cobra.Command, files []string, journals string) error {
	texts, err := os.ReadFile(journals)
	if err != nil {
		return plainPathError(err)
	}
	proved, failed := 0, 0
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return plainPathError(err)
		}
		good, bad, err := verifyItems(file, bytes.NewReader(texts), name, journals, cmd.ErrOrStderr())
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		proved, failed = proved+good, failed+bad
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d proved, %d failed\n", count(proved+failed, "item"), proved, failed)
	if failed > 0 {
		return &Wanting{count(failed, "proof") + " failed (named above)"}
	}
	return nil
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
	for line, err := range verbatim.Lines(items, itemsFile) {
		if err != nil {
			return proved, failed, err
		}
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
