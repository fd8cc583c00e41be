package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"charm.land/huh/v2"
	"github.com/spf13/cobra"

	"verbatim"
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
		if errors.Is(err, huh.ErrUserAborted) {
			return fmt.Errorf("stopped; what you confirmed is saved")
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

// A descriptionForm asks a person for the metadata of a book.
type descriptionForm struct {
	c      *console
	folder *workspace.Folder
	*workspace.Description
	plain bool
}

// show shows a form with what is known filled in, then the sentence that it makes,
// until the person says that it is right.
func (k *descriptionForm) show(ctx context.Context, fields []book.Field) error {
	theme := huh.ThemeCharm
	if os.Getenv("NO_COLOR") != "" {
		theme = huh.ThemeBase
	}
	show := func(group *huh.Group) error {
		return huh.NewForm(group).WithInput(k.c.in).WithOutput(k.c.screen).
			WithAccessible(k.plain || os.Getenv("TERM") == "dumb").WithTheme(huh.ThemeFunc(theme)).RunWithContext(ctx)
	}
	// The identifier is already filled in, so it comes last.
	if i := slices.IndexFunc(fields, func(f book.Field) bool { return f.Name == "source_htid" }); i >= 0 {
		fields = slices.Concat(fields[:i], fields[i+1:], fields[i:i+1])
	}
	for right := false; !right; {
		answers := make([]string, len(fields))
		var inputs []huh.Field
		for i, f := range fields {
			answers[i] = k.Get(f.Name)
			trial := *k.Metadata
			inputs = append(inputs, huh.NewInput().Key(f.Name).Title(f.Ask).Description(k.hint(f)).Value(&answers[i]).
				Validate(func(typed string) error { return trial.Set(f.Name, typed) }))
		}
		if err := show(huh.NewGroup(inputs...).Title("verbatim describe").Description("Metadata of " + k.Barcode + ". Enter: next, shift+tab: back, ctrl+c: stop.")); err != nil {
			return err
		}
		for i, f := range fields {
			if err := k.Set(f.Name, answers[i]); err != nil {
				return fmt.Errorf("%s: %w", f.Ask, err)
			}
		}
		right = true
		if err := show(huh.NewGroup(huh.NewConfirm().Title(wrap(verbatim.Readable(k.Frame()), 72, 0)).
			Description("Every question of this book begins like this. Is it right?").Affirmative("Yes").Negative("No, fix it").Value(&right))); err != nil {
			return err
		}
	}
	return k.folder.Save(k.Description)
}

// hint says what to type, or what the catalogue has if that is doubtful.
func (k *descriptionForm) hint(f book.Field) string {
	if k.Row != nil {
		for _, n := range k.Row.Notes {
			if n.Doubt && n.Field == f.Name {
				return fmt.Sprintf("the catalogue has %q: %s", oneLine(n.Raw, 40), n.What)
			}
		}
	}
	return f.Hint
}
