package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"verbatim"

	"verbatim/book"
	"verbatim/internal/cli"
	"verbatim/review/terminal"
	"verbatim/workspace"
)

// A descriptionForm asks a person for the metadata of a book.
type descriptionForm struct {
	c      *console
	folder *workspace.Folder
	*workspace.Description
	plain bool
}

// show shows a form with what is known filled in, then the sentence that it
// makes, until the person says that it is right. What a person typed before and
// did not confirm is filled in as well.
func (k *descriptionForm) show(ctx context.Context, fields []book.Field) error {
	// The identifier is already filled in, so it comes last.
	if i := slices.IndexFunc(fields, func(f book.Field) bool { return f.Name == "source_htid" }); i >= 0 {
		fields = slices.Concat(fields[:i], fields[i+1:], fields[i:i+1])
	}
	typed := k.folder.Unsaved(k.Barcode)
	form := k.form(fields, typed)
	var values []string
	var err error
	if k.plain || os.Getenv("TERM") == "dumb" {
		values, err = form.Plain(cli.Interruptible(ctx, k.c.in), k.c.out)
	} else {
		in, _ := k.c.in.(*os.File)
		values, err = form.Run(ctx, in, k.c.screen)
	}
	if err != nil {
		return err
	}
	if err := set(k.Metadata, fields, values); err != nil {
		return err
	}
	if err := k.folder.Save(k.Description); err != nil {
		return err
	}
	return keepFields(typed, fields, make([]string, len(fields)), nil)
}

// form is the form, with what was typed before and not confirmed.
func (k *descriptionForm) form(fields []book.Field, typed *workspace.Unsaved) *terminal.Form {
	form := &terminal.Form{Title: "Metadata of " + k.Barcode + ". Leave a field empty if you do not know it."}
	var known []string
	before := false
	for _, f := range fields {
		value := k.Get(f.Name)
		known = append(known, value)
		if kept := typed.Kept(fieldKey(f)); kept != "" {
			value, before = kept, true
		}
		trial := *k.Metadata
		form.Fields = append(form.Fields, terminal.Field{Ask: f.Ask, Hint: k.hint(f), Value: value,
			Check: func(typed string) error { return trial.Set(f.Name, typed) }})
	}
	if before {
		form.Title = "Metadata of " + k.Barcode + ". What you typed before is filled in."
	}
	form.Result = func(values []string) string {
		trial := *k.Metadata
		if err := set(&trial, fields, values); err != nil {
			return err.Error()
		}
		return verbatim.Readable(trial.Frame())
	}
	form.Keep = func(values []string) error { return keepFields(typed, fields, values, known) }
	return form
}

// set puts the values of a form into metadata.
func set(m *book.Metadata, fields []book.Field, values []string) error {
	for i, f := range fields {
		if err := m.Set(f.Name, values[i]); err != nil {
			return fmt.Errorf("%s: %w", f.Ask, err)
		}
	}
	return nil
}

// keepFields puts on the disk what differs from what is known.
func keepFields(typed *workspace.Unsaved, fields []book.Field, values, known []string) error {
	for i, f := range fields {
		value := values[i]
		if known != nil && value == known[i] {
			value = ""
		}
		if err := typed.Keep(fieldKey(f), value); err != nil {
			return err
		}
	}
	return nil
}

// fieldKey is the name under which what was typed into a field is kept.
func fieldKey(f book.Field) string { return "metadata " + f.Name }

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
