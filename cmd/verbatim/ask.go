package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"charm.land/huh/v2"

	"verbatim/book"
	"verbatim/workspace"
)

// completeDescription asks for what is missing, if a person is at the terminal,
// and saves it. Otherwise a catalogue's row is enough; without one the error
// says what is missing.
func completeDescription(ctx context.Context, c *console, folder *workspace.Folder, d *workspace.Description, path string, o describeOptions) error {
	missing := d.Missing()
	ask := &descriptionForm{c, folder, d, o.plain}
	asked := c.interactive() && !o.asJSON
	switch {
	case asked && o.edit:
		return ask.show(ctx, book.Fields)
	case asked && len(missing) > 0 && d.Saved:
		return ask.show(ctx, missing)
	case asked && len(missing) > 0:
		return ask.show(ctx, book.Fields)
	}
	return folder.Complete(d, path)
}

// notDescribed says what is missing and how to write it.
func notDescribed(e *workspace.NotDescribedError) string {
	dir := filepath.Dir(filepath.Dir(e.File))
	return fmt.Sprintf("%s: %sor take it from a library's list:\n  %s", e.Barcode, e.Explain(e.File), describeLine(dir, e.Path, "--catalogue", "LIST.csv"))
}

// A descriptionForm asks a person what is known about a book.
type descriptionForm struct {
	c      *console
	folder *workspace.Folder
	*workspace.Description
	plain bool
}

// show shows a form with what is known already filled in, and then the sentence
// that it makes, until the person says that it is right.
func (k *descriptionForm) show(ctx context.Context, fields []book.Field) error {
	show := func(group *huh.Group) error {
		return huh.NewForm(group).WithInput(k.c.in).WithOutput(k.c.out).
			WithAccessible(k.plain || os.Getenv("TERM") == "dumb").WithTheme(formTheme()).RunWithContext(ctx)
	}
	// The identifier is filled in; what nobody knows yet comes first.
	fields = slices.Clone(fields)
	slices.SortStableFunc(fields, func(a, b book.Field) int { return cmp.Compare(last(a), last(b)) })
	for right := false; !right; {
		answers := make([]string, len(fields))
		var inputs []huh.Field
		for i, f := range fields {
			answers[i] = k.Get(f.Name)
			trial := *k.Metadata
			inputs = append(inputs, huh.NewInput().Key(f.Name).Title(f.Ask).Description(k.hint(f)).Value(&answers[i]).
				Validate(func(typed string) error { return trial.Set(f.Name, typed) }))
		}
		if err := show(huh.NewGroup(inputs...).Title("verbatim describe").Description("What is known about " + k.Barcode + "? Enter: next, shift+tab: back, ctrl+c: stop.")); err != nil {
			return err
		}
		for i, f := range fields {
			if err := k.Set(f.Name, answers[i]); err != nil {
				return fmt.Errorf("%s: %w", f.Ask, err)
			}
		}
		right = true
		if err := show(huh.NewGroup(huh.NewConfirm().Title(wrap(k.Frame(), 72, "")).
			Description("Every question of this book begins so. Is it right?").Affirmative("Yes").Negative("No, fix it").Value(&right))); err != nil {
			return err
		}
	}
	return k.folder.Save(k.Description)
}

func last(f book.Field) int {
	if f.Name == "source_htid" {
		return 1
	}
	return 0
}

// hint says what to type, and what the catalogue has where that is in doubt.
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

func formTheme() huh.Theme {
	if os.Getenv("NO_COLOR") != "" {
		return huh.ThemeFunc(huh.ThemeBase)
	}
	return huh.ThemeFunc(huh.ThemeCharm)
}
