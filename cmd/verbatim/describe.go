package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"charm.land/huh/v2"
	"github.com/spf13/cobra"

	"verbatim/book"
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
	cmd := &cobra.Command{
		Use:   "describe BOOK.txt...",
		Short: "Say what is known of a book: title, author, year, ...",
		Long: `Say what is known of each book, so that its questions can begin with a sentence
about it. What is known comes from process_files/metadata/BARCODE.json, or else
from a library's list (--catalogue). On a terminal you are asked for the rest,
and what you answer is saved for next time; otherwise what is missing is listed.
An answer may be empty: then nobody knows, and the question does not speak of it.`,
		Example: `  verbatim describe --catalogue primary_metadata.csv *.txt
  verbatim describe --edit HWWJNQ.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			return describe(cmd.Context(), consoleOf(cmd), paths, o)
		},
	}
	cmd.Flags().StringVar(&o.dir, "dir", "", "the working folder (default: process_files beside the book)")
	cmd.Flags().StringArrayVar(&o.catalogues, "catalogue", nil, "a library's list as CSV with columns barcode_src, title_src, ...; several fill each other's gaps")
	cmd.Flags().BoolVar(&o.edit, "edit", false, "ask for every field again, also where it is known")
	cmd.Flags().BoolVar(&o.plain, "plain", false, "ask line by line, for screen readers")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one metadata object a line")
	return cmd
}

func describe(ctx context.Context, c *console, paths []string, o describeOptions) error {
	if err := checkNames(paths); err != nil {
		return err
	}
	catalogue, err := readCatalogues(c, o.catalogues)
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
		if errors.Is(err, huh.ErrUserAborted) {
			return fmt.Errorf("stopped; what you had confirmed is saved")
		}
		if err != nil {
			failed = append(failed, err)
			if asked > 1 { // the error of a single book is the command's
				c.warn(err)
			}
			continue
		}
		if err := showDescription(c.out, d, o.asJSON); err != nil {
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

// showDescription prints a book's frame and fields, and what a person should look at.
func showDescription(out io.Writer, k *workspace.Description, asJSON bool) error {
	if asJSON {
		line, err := k.MarshalJSON()
		if err == nil {
			_, err = fmt.Fprintf(out, "%s\n", line)
		}
		return err
	}
	fmt.Fprintf(out, "%s\n  %s\n", k.Barcode, wrap(k.Frame(), 76, "  "))
	for _, f := range book.Fields {
		value := k.Get(f.Name)
		if value == "" {
			value = "-"
		}
		fmt.Fprintf(out, "    %-20s %s\n", f.Name, value)
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
