package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"charm.land/huh/v2"

	"verbatim/book"
	"verbatim/folder"
)

// complete asks for what is missing, where a person sits at the terminal, and
// saves it. Without one, a catalogue's row will do; else the error says what is
// missing and what to write.
func (k *known) complete(ctx context.Context, c *console, path string, work *folder.Folder, o describeOptions) error {
	missing := k.Missing()
	asked := isTerminal(c.in) && isTerminal(c.out) && !o.asJSON
	switch {
	case asked && o.edit:
		return k.ask(ctx, c, book.Fields, work, o.plain)
	case len(missing) == 0:
		return nil
	case asked && k.saved:
		return k.ask(ctx, c, missing, work, o.plain)
	case asked:
		return k.ask(ctx, c, book.Fields, work, o.plain)
	case k.row != nil && k.Title != "":
		k.StateAll()
		return k.save(work)
	}
	return &notDescribed{known: k, path: path, work: work}
}

// notDescribed is the error of a book that must be described first.
type notDescribed struct {
	known *known
	path  string
	work  *folder.Folder
}

// short is for a list of books.
func (e *notDescribed) short() string {
	var names []string
	for _, f := range e.known.Missing() {
		names = append(names, f.Name)
	}
	return fmt.Sprintf("%s: it is not described yet; missing: %s", e.known.barcode, strings.Join(names, ", "))
}

func (e *notDescribed) Error() string {
	return fmt.Sprintf("%s: %sor take it from a library's list:\n  %s", e.known.barcode, e.known.Explain(e.work.MetadataPath(e.known.barcode)),
		shellLine(append(append([]string{"verbatim", "describe", "--catalogue", "LIST.csv"}, dirFlag(e.work, e.path)...), relative(e.path))...))
}

// Unwrap says that the book was found wanting.
func (e *notDescribed) Unwrap() error { return &Wanting{e.short()} }

// ask shows a form with what is known already filled in, and then the sentence
// that it makes, until the person says that it is right.
func (k *known) ask(ctx context.Context, c *console, fields []book.Field, work *folder.Folder, plain bool) error {
	show := func(group *huh.Group) error {
		return huh.NewForm(group).WithInput(c.in).WithOutput(c.out).
			WithAccessible(plain || os.Getenv("TERM") == "dumb").WithTheme(formTheme()).RunWithContext(ctx)
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
		if err := show(huh.NewGroup(inputs...).Title("verbatim describe").Description("What is known of " + k.barcode + "? Enter goes on, shift+tab back, ctrl+c stops.")); err != nil {
			return err
		}
		for i, f := range fields {
			if err := k.Set(f.Name, answers[i]); err != nil {
				return fmt.Errorf("%s: %w", f.Ask, err)
			}
		}
		right = true
		if err := show(huh.NewGroup(huh.NewConfirm().Title(wrap(k.Frame(), 72, "")).
			Description("Every question of this book begins so. Is it right?").Affirmative("Yes").Negative("No, mend it").Value(&right))); err != nil {
			return err
		}
	}
	return k.save(work)
}

func last(f book.Field) int {
	if f.Name == "source_htid" {
		return 1
	}
	return 0
}

// hint says what to type, and what the catalogue has where that is in doubt.
func (k *known) hint(f book.Field) string {
	if k.row != nil {
		for _, n := range k.row.Notes {
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
