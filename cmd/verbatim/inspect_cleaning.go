package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/clean"
)

// repairLine is one repair as JSON; Source is the original text.
type repairLine struct {
	File string `json:"file,omitempty"` // only if several files are read
	Kind string `json:"kind"`
	verbatim.Span
	Source string `json:"source"`
	Text   string `json:"text"`
}

func inspectCleaningCommand() *cobra.Command {
	var asJSON bool
	var limit int
	var kinds []string
	cmd := newCommand("inspect-cleaning", cobra.MinimumNArgs(1), func(ctx context.Context, c *console, files []string) error {
		names := clean.KindNames()
		for _, kind := range kinds {
			if !slices.Contains(names, kind) {
				return fmt.Errorf("--kind %q: unknown kind; the kinds are %s", kind, strings.Join(names, ", "))
			}
		}
		return eachDocument(ctx, c, files, func(file string, doc *verbatim.Document) error {
			reading := clean.Read(doc)
			if asJSON {
				name := ""
				if len(files) > 1 {
					name = file
				}
				return writeRepairs(c.out, name, doc, reading, kinds)
			}
			return printRepairs(c.out, file, reading, kinds, limit)
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"kind","start","end","source","text"} for each repair`)
	cmd.Flags().IntVar(&limit, "limit", 5, "how many of each kind to show; 0 for all")
	cmd.Flags().StringSliceVar(&kinds, "kind", nil, "only these kinds of repair, by their names")
	return cmd
}

func chosen(kinds []string, kind clean.Kind) bool {
	return len(kinds) == 0 || slices.Contains(kinds, kind.String())
}

func writeRepairs(out io.Writer, file string, doc *verbatim.Document, reading *clean.Reading, kinds []string) error {
	var lines []repairLine
	for _, r := range reading.Repairs {
		if chosen(kinds, r.Kind) {
			lines = append(lines, repairLine{file, r.Kind.String(), r.Span, doc.Quote(r.Span), r.Text})
		}
	}
	return verbatim.Write(out, verbatim.All(lines))
}

// printRepairs prints some repairs of each kind in context, then headings.
func printRepairs(w io.Writer, file string, reading *clean.Reading, kinds []string, limit int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s, %s\n", file, count(len(reading.Repairs), "repair"), count(len(reading.Headings), "heading"))
	of := map[clean.Kind][]string{}
	for place := range reading.Places(24) {
		if shown := of[place.Kind]; chosen(kinds, place.Kind) && (limit == 0 || len(shown) < limit) {
			of[place.Kind] = append(shown, fmt.Sprintf("%10d  %s", place.Start, inContext(place)))
		}
	}
	for _, c := range reading.Counts() {
		if chosen(kinds, c.Kind) {
			printSome(out, c.Kind.String(), of[c.Kind], c.Repairs)
		}
	}
	if len(kinds) == 0 && len(reading.Headings) > 0 {
		var headings []string
		for _, h := range reading.Headings {
			if limit == 0 || len(headings) < limit {
				headings = append(headings, fmt.Sprintf("%10d  %s", reading.SourceSpan(h).Start, oneLine(reading.Copy.Quote(h), 60)))
			}
		}
		printSome(out, "heading", headings, len(reading.Headings))
	}
	return out.Flush()
}

func printSome(out io.Writer, name string, lines []string, all int) {
	fmt.Fprintf(out, "\n%s: %d\n", name, all)
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
	if more := all - len(lines); more > 0 {
		fmt.Fprintf(out, "            and %d more (--limit 0 shows all)\n", more)
	}
}

// inContext shows a repair on one line: before [original]→[replacement] after.
func inContext(p clean.Place) string {
	shown := lineEnds.Replace(p.Before) + "[" + oneLine(p.Source, 60) + "]"
	if strings.TrimSpace(p.Text) != "" {
		shown += "→[" + p.Text + "]"
	}
	return shown + lineEnds.Replace(p.After)
}
