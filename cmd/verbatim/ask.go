package main

import (
	"fmt"
	"os"
	"strings"

	"charm.land/huh/v2"
	"github.com/spf13/cobra"

	"verbatim/book"
	"verbatim/folder"
)

// complete asks for what is missing, where a person sits at the terminal, and
// saves it. Without one, a catalogue's row will do; else the error says what is
// missing and what to write.
func (k *known) complete(path string, work *folder.Folder, cmd *cobra.Command, o describeOptions) error {
	missing := k.Missing()
	asked := isTerminal(cmd.InOrStdin()) && isTerminal(cmd.OutOrStdout()) && !o.asJSON
	switch {
	case asked && o.edit:
		return k.ask(book.Fields, work, cmd, o.plain)
	case len(missing) == 0:
		return nil
	case asked && k.saved:
		return k.ask(missing, work, cmd, o.plain)
	case asked:
		return k.ask(book.Fields, work, cmd, o.plain)
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

// ask shows a form with what is known already filled in.
func (k *known) ask(fields []book.Field, work *folder.Folder, cmd *cobra.Command, plain bool) error {
	answers := make([]string, len(fields))
	var inputs []huh.Field
	for i, f := range fields {
		answers[i] = k.Get(f.Name)
		trial := *k.Metadata
		inputs = append(inputs, huh.NewInput().Key(f.Name).Title(f.Ask).Description(k.hint(f)).Value(&answers[i]).
			Validate(func(typed string) error { return trial.Set(f.Name, typed) }))
	}
	form := huh.NewForm(huh.NewGroup(inputs...).Title(k.barcode).Description("What is known of this book? Enter goes on, shift+tab back, ctrl+c stops.")).
		WithInput(cmd.InOrStdin()).WithOutput(cmd.OutOrStdout()).WithAccessible(plain || os.Getenv("TERM") == "dumb").WithTheme(formTheme())
	if err := form.RunWithContext(cmd.Context()); err != nil {
		return err
	}
	for i, f := range fields {
		if err := k.Set(f.Name, answers[i]); err != nil {
			return fmt.Errorf("%s: %w", f.Ask, err)
		}
	}
	return k.save(work)
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
