package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"verbatim/book"
	"verbatim/review/terminal"
	"verbatim/workspace"
)

type describeOptions struct {
	dir        string
	catalogues []string
	edit       bool
	plain      bool
	asJSON     bool
}

func describeCommand() *cobra.Command {
	var o describeOptions
	cmd := newCommand("describe", cobra.MinimumNArgs(1), func(ctx context.Context, c *console, paths []string) error {
		return describe(ctx, c, paths, o)
	})
	cmd.Flags().StringVar(&o.dir, "dir", "", "the working folder (default: process_files beside the book)")
	cmd.Flags().StringArrayVar(&o.catalogues, "catalogue", nil, "a library's list as CSV with columns barcode_src, title_src and so on; several complete each other")
	cmd.Flags().BoolVar(&o.edit, "edit", false, "ask for every field again, even if it is known")
	cmd.Flags().BoolVar(&o.plain, "plain", false, "ask line by line, for screen readers")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print JSON, one metadata object per line")
	return cmd
}

func describe(ctx context.Context, c *console, paths []string, o describeOptions) error {
	if err := checkNames(paths); err != nil {
		return err
	}
	catalogue, err := readCatalogues(c, o.catalogues, paths)
	if err != nil {
		return err
	}
	jobs, failed := workspace.Jobs(o.dir, paths)
	for _, err := range failed {
		c.warn(err)
	}
	asked := len(jobs) + len(failed)
	for _, job := range jobs {
		d, err := describeOne(ctx, c, job, catalogue, o)
		if errors.Is(err, terminal.ErrStopped) {
			return fmt.Errorf("stopped; what you typed about %s is kept, and is there the next time you are asked", job.Barcode)
		}
		if err != nil {
			failed = append(failed, err)
			if asked > 1 { // the error of a single book is that of the command
				c.warn(err)
			}
			continue
		}
		if err := showDescription(c, d, o.asJSON); err != nil {
			return err
		}
	}
	switch {
	case len(failed) == 0:
		return nil
	case len(failed) == asked:
		return noneDone(failed, "described")
	default:
		return &CheckFailed{fmt.Sprintf("%d of %d books could not be described (see above); the others are done", len(failed), asked)}
	}
}

func describeOne(ctx context.Context, c *console, job workspace.Job, catalogue *book.Catalogue, o describeOptions) (*workspace.Description, error) {
	if _, err := workspace.OpenText(job.Path); err != nil {
		return nil, err
	}
	folder, err := workspace.OpenFolder(job.Dir)
	if err != nil {
		return nil, err
	}
	d, err := folder.Describe(catalogue, job.Barcode)
	if err != nil {
		return nil, err
	}
	return d, completeDescription(ctx, c, folder, d, job.Path, o)
}

// showDescription prints a book's frame and fields, and what a person should check.
func showDescription(c *console, k *workspace.Description, asJSON bool) error {
	if asJSON {
		line, err := k.MarshalJSON() // as in its file, with spaces
		if err == nil {
			_, err = fmt.Fprintf(c.data, "%s\n", line)
		}
		return err
	}
	out := c.out
	fmt.Fprintf(out, "%s\n  %s\n", k.Barcode, wrap(k.Frame(), 76, 2))
	for _, f := range book.Fields {
		fmt.Fprintf(out, "    %-20s %s\n", f.Name, cmp.Or(k.Get(f.Name), "-"))
	}
	if k.Row != nil {
		for _, n := range k.Row.Notes {
			if n.Doubt {
				fmt.Fprintf(out, "  ? %-20s %s (the catalogue has %q)\n", n.Field, n.What, oneLine(n.Raw, 40))
			}
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

// completeDescription asks in a terminal for what is missing, and saves it.
// Elsewhere a catalogue row is enough; without one the error says what is missing.
func completeDescription(ctx context.Context, c *console, folder *workspace.Folder, d *workspace.Description, path string, o describeOptions) error {
	fields := d.Missing()
	if !c.interactive() || o.asJSON || len(fields) == 0 && !o.edit {
		return folder.Complete(d, path)
	}
	if o.edit || !d.Saved {
		fields = book.Fields
	}
	return (&descriptionForm{c, folder, d, o.plain}).show(ctx, fields)
}

// notDescribed says what is missing and how to write it.
func notDescribed(e *workspace.NotDescribedError) string {
	dir := filepath.Dir(filepath.Dir(e.File))
	if e.Unlisted != nil { // a catalogue was given
		return fmt.Sprintf("%s\n%s: %s", e.Unlisted, e.Barcode, e.Explain(e.File))
	}
	return fmt.Sprintf("%s: %sor take it from a library's list:\n  %s", e.Barcode, e.Explain(e.File), bookLine(dir, e.Path, "describe", "--catalogue", "LIST.csv"))
}
