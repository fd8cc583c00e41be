package main

import (
	"context"
	"fmt"
	"io"
	"verbatim/workspace"

	"verbatim"
)

// openDocument reads one text; "-" is standard input.
func openDocument(path string, in io.Reader) (*verbatim.Document, error) {
	if path == "-" {
		return workspace.ReadText(in, "standard input", "standard input")
	}
	return workspace.OpenText(path)
}

// eachDocument does a piece of work for each file. One bad file does not stop
// the others: it is named at once, and the error at the end counts it again.
func eachDocument(ctx context.Context, c *console, paths []string, work func(path string, doc *verbatim.Document) error) error {
	if err := onlyOneInput(paths...); err != nil {
		return err
	}
	var bad []error
	for _, path := range paths {
		doc, err := openDocument(path, standardInput(ctx, c))
		if err != nil {
			bad = append(bad, err)
			if len(paths) > 1 {
				fmt.Fprintln(c.messages, "verbatim:", err)
			}
			continue
		}
		if err := work(path, doc); err != nil {
			return err // the output failed; no other file would fare better
		}
	}
	switch {
	case len(bad) == 0:
		return nil
	case len(paths) == 1:
		return bad[0]
	case len(bad) == len(paths):
		return fmt.Errorf("none of the %d files could be read", len(paths))
	default:
		return &CheckFailed{fmt.Sprintf("%d of %d files could not be read (named above); the others are done", len(bad), len(paths))}
	}
}
