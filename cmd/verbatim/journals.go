package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"verbatim/cue"
	"verbatim/journal"
)

// journalCards loads the embedded cards for journals and a user's cards over them.
func journalCards(dir string) (*cue.Cards, error) {
	rules, err := ruleFiles(dir)
	if err != nil {
		return nil, err
	}
	return rules.journalCards()
}

func (r ruleFolder) journalCards() (*cue.Cards, error) {
	if r.journals == nil {
		return journal.Cards(), nil
	}
	return journal.Load(r.journals)
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
			return plainPathError(err)
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
