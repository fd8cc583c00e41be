package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/cli"
	"verbatim/workspace"
	"verbatim/workspace/fsck"
)

func fsckCommand() *cobra.Command {
	o := fsck.Options{}
	var asJSON bool
	cmd := newCommand("fsck", cobra.MaximumNArgs(1), func(ctx context.Context, c *console, args []string) error {
		folder, err := workspace.FindFolder(slices.Concat(args, []string{"."})[0])
		if err := errors.Join(err, checkTexts(o.Texts)); err != nil {
			return err
		}
		bar := cli.NewProgress(c.messages)
		o.Progress = func(done, total int) { bar.Show("books", done, total) }
		report, err := fsck.Check(ctx, folder, o)
		bar.Clear()
		if report == nil {
			return err
		}
		if asJSON {
			enc := json.NewEncoder(c.out)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			err = errors.Join(err, enc.Encode(report))
		} else {
			fmt.Fprint(c.out, fsckPage(report, o.Texts))
		}
		switch wrong := fsckCount(report, (*fsck.Finding).Wrong); {
		case err != nil:
			return err
		case wrong > 0:
			return &CheckFailed{count(wrong, "finding") + " (see above)"}
		}
		return nil
	})
	cmd.Flags().BoolVar(&o.Repair, "repair", false, "set aside what is damaged; never deletes")
	cmd.Flags().StringVar(&o.Texts, "texts", "", "the folder with the texts (default: beside the working folder)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func fsckCount(r *fsck.Report, is func(*fsck.Finding) bool) (n int) {
	for i := range r.Findings {
		if is(&r.Findings[i]) {
			n++
		}
	}
	return n
}

// fsckPage is a report as people read it.
func fsckPage(r *fsck.Report, texts string) string {
	var text strings.Builder
	for i := range r.Findings {
		text.WriteString(fsckFinding(r.Folder, &r.Findings[i]))
	}
	wrong := fsckCount(r, (*fsck.Finding).Wrong)
	aside := fsckCount(r, func(f *fsck.Finding) bool { return f.SetTo != "" })
	notes := fsckCount(r, func(f *fsck.Finding) bool { return f.Effect == fsck.Note })
	fmt.Fprintf(&text, "%s in %s: %s with %s checked, %s, %s", count(r.Books, "book"), r.Folder, count(r.Files, "file"), count(r.Records, "record"),
		count(wrong, "finding"), count(notes, "note"))
	if aside > 0 {
		fmt.Fprintf(&text, ", %d set aside", aside)
	}
	text.WriteString("\n" + fsckVerdict(r))
	pending := func(f *fsck.Finding) bool { return f.Repairs && f.SetTo == "" }
	if fsckCount(r, pending) > 0 {
		words := []string{"verbatim", "fsck", "--repair"}
		if texts != "" {
			words = append(words, "--texts", texts)
		}
		fmt.Fprintf(&text, "To set aside what is damaged, type: %s\n", cli.Line(append(words, r.Folder)...))
	}
	return text.String()
}

// fsckFinding is the lines about one finding.
func fsckFinding(folder string, f *fsck.Finding) string {
	kind := string(f.Kind)
	if f.Effect == fsck.Note {
		kind = "note: " + kind
	}
	text := verbatim.Readable(fmt.Sprintf("%s: %s: %s", filepath.Join(folder, filepath.FromSlash(f.Place())), kind, f.What)) + "\n"
	aside := ""
	if f.SetTo != "" {
		aside = filepath.Join(folder, filepath.FromSlash(f.SetTo))
	}
	for _, part := range []struct{ name, says string }{{"means", f.Means}, {"do", f.Do}, {"set aside", aside}} {
		if part.says != "" {
			text += hang("    "+part.name+": ", verbatim.Readable(part.says))
		}
	}
	return text
}

// fsckVerdict says plainly whether somebody's work is affected.
func fsckVerdict(r *fsck.Report) string {
	affected := r.Affected()
	if len(affected) == 0 {
		return "Nothing is lost.\n"
	}
	const most = 5
	var places []string
	for _, f := range affected[:min(most, len(affected))] {
		places = append(places, fmt.Sprintf("%s (%s)", f.Place(), f.Kind))
	}
	if more := len(affected) - most; more > 0 {
		places = append(places, fmt.Sprintf("%d more", more))
	}
	return wrap("Affected is what people wrote in "+verbatim.Readable(strings.Join(places, ", "))+". Everything else is whole.", 75, 4) + "\n"
}
