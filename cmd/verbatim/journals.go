package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"verbatim/cue"
	"verbatim/internal/durable"
	"verbatim/workspace"
)

// readJournalCards reads the cards for journals of a user's folder.
func readJournalCards(dir string) (*cue.Cards, error) {
	own, err := workspace.ReadCards(dir)
	if err != nil {
		return nil, err
	}
	return journalCards(own)
}

// eachInput opens each file; "-" is standard input.
func eachInput(ctx context.Context, c *console, paths []string, work func(file string, in io.Reader) error) error {
	if err := onlyOneInput(paths...); err != nil {
		return err
	}
	for _, path := range paths {
		if path == "-" {
			if err := work("standard input", standardInput(ctx, c)); err != nil {
				return err
			}
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			return durable.CannotRead(err)
		}
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return errors.Join(fmt.Errorf("%s is a folder; name the files in it", path), file.Close())
		}
		if err := errors.Join(work(path, file), file.Close()); err != nil {
			return err
		}
	}
	return nil
}
