package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"verbatim"
	"verbatim/book"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
	"verbatim/workspace"
)

// spaces are the working folders of one command, each opened once: books in
// different folders have settings, cards and models of their own.
type spaces struct {
	c         *console
	models    bool // connect language models
	catalogue *book.Catalogue
	open      map[string]*space
	bar       *cli.Progress
}

type space struct {
	*workspace.Workspace
	language *language // nil if the command needs none
}

func newSpaces(c *console, models bool, catalogue *book.Catalogue) *spaces {
	return &spaces{c: c, models: models, catalogue: catalogue, open: map[string]*space{}, bar: cli.NewProgress(c.messages)}
}

// at opens the working folder at a path, and creates it if there is none.
func (s *spaces) at(ctx context.Context, dir string) (*space, error) {
	if one := s.open[dir]; one != nil {
		return one, nil
	}
	if _, err := s.c.settings(dir); err != nil {
		return nil, err
	}
	folder, err := workspace.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	return s.in(ctx, folder)
}

// in opens a working folder that exists.
func (s *spaces) in(ctx context.Context, folder *workspace.Folder) (*space, error) {
	ws, err := workspace.In(folder)
	if err != nil {
		return nil, err
	}
	one := &space{Workspace: ws}
	ws.Settings.Override, ws.Catalogue, ws.Program = s.c.override, s.catalogue, version()
	ws.Corrected = s.c.flags["corrected"] == "true"
	ws.Notice = func(message string) { s.c.warn(message) }
	ws.Progress = s.bar.Show
	ws.Scorer = func() (verbatim.Scorer, error) { return scorerOf(ws.Settings) }
	ws.ScorerID = scorerID
	if s.models {
		if one.language, err = openLanguage(ctx, s.c, ws.Settings); err != nil {
			return nil, err
		}
		if ws.Models, err = one.language.forWorkspace(); err != nil {
			return nil, err
		}
	}
	s.open[folder.Dir()] = one
	return one, nil
}

// summaries say what the models of each folder did.
func (s *spaces) summaries() {
	s.bar.Clear()
	for _, dir := range slices.Sorted(maps.Keys(s.open)) {
		if l := s.open[dir].language; l != nil {
			l.summary()
		}
	}
}

// checkNames rejects standard input for a book.
func checkNames(paths []string) error {
	if slices.Contains(paths, "-") {
		return errors.New("standard input (-) has no name, but the files of a book are named after it; save the text in a file first")
	}
	return nil
}

// checkTexts rejects a folder of --texts that does not exist.
func checkTexts(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case dir == "" || err == nil && info.IsDir():
		return nil
	case err == nil:
		return fmt.Errorf("--texts %s is a file; name the folder with the texts", dir)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--texts %s: no such folder", dir)
	}
	return fmt.Errorf("--texts %w", durable.CannotRead(err))
}

// readCatalogues reads all of --catalogue for some books, and says what was found
// and which rows are bad.
func readCatalogues(c *console, paths, books []string) (*book.Catalogue, error) {
	catalogue, err := workspace.ReadCatalogues(paths, books)
	if err != nil {
		return nil, err
	}
	for _, listing := range catalogue.Listings {
		c.warn(listing.String())
		for _, note := range listing.Notes {
			c.warn(listing.File + ": " + note)
		}
	}
	const most = 20
	for i, problem := range catalogue.Problems {
		if i == most {
			c.warn(fmt.Sprintf("%d more rows have problems", len(catalogue.Problems)-most))
			break
		}
		c.warn(problem)
	}
	return catalogue, nil
}
