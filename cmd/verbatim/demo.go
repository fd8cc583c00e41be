package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim"
	"verbatim/clean"
	"verbatim/internal/durable"
	"verbatim/sentence"
)

// The sample is our own writing, made to look like a scan.
//
//go:embed sample/lamp-keeper.txt
var lampKeeper string

func demoCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show both jobs on samples inside the binary, offline",
		Long: `Show both jobs on samples inside the binary, offline: a scan made readable and
questions made of it with a scripted reviewer; journals, the items found in them,
and how they score. The files it makes are left for you to look at.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			ctx, c := cmd.Context(), consoleOf(cmd)
			if dir == "" {
				dir, err = os.MkdirTemp("", "verbatim-demo-")
			} else {
				err = os.MkdirAll(dir, 0o777)
			}
			if err != nil {
				return fmt.Errorf("the folder for the demo cannot be made: %w; choose another with --dir", err)
			}
			if err := spareOthers(dir); err != nil {
				return err
			}
			out := bufio.NewWriter(c.out) // it remembers an error, so no line need be checked
			c.out = out
			for _, part := range []func(context.Context, *console, string) error{demoReading, demoQuestions, demoJournalsToScores} {
				if err := errors.Join(part(ctx, c, dir), out.Flush()); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "where to leave the files (default: a new temporary folder)")
	addModelFlags(cmd)
	addScorerFlag(cmd)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name != "dir" && f.Name != "help" })
	if err := cmd.Flags().Set("no-models", "true"); err != nil { // the demo is offline
		panic(err)
	}
	return cmd
}

// spareOthers refuses a folder in which the demo would write over what is not
// its own. A folder with our sample book is an older demo's.
func spareOthers(dir string) error {
	ours := map[string]string{"lamp-keeper.txt": lampKeeper, "journals.jsonl": demoJournals, "gold.jsonl": demoGold}
	sample, _ := os.ReadFile(filepath.Join(dir, "lamp-keeper.txt"))
	for _, name := range []string{"lamp-keeper.txt", "journals.jsonl", "gold.jsonl", "predictions.jsonl", "scores.html"} {
		there, err := os.ReadFile(filepath.Join(dir, name))
		text, fixed := ours[name]
		if err == nil && (string(sample) != lampKeeper || fixed && string(there) != text) {
			return fmt.Errorf("%s is not the demo's and would be written over; choose a new folder with --dir", filepath.Join(dir, name))
		}
	}
	return nil
}

// demoJournalsToScores takes the sample journals to items and the items to
// scores, and leaves all three to try things out on.
func demoJournalsToScores(ctx context.Context, c *console, dir string) error {
	out := c.out
	fmt.Fprint(out, "\nThe second job. Three journals, invented for this program.\n\n")
	items, err := demoExtract(ctx, out, demoJournals)
	if err != nil {
		return err
	}
	fmt.Fprintln(out)
	if err := demoScore(ctx, out, filepath.Join(dir, "scores.html"), items); err != nil {
		return err
	}
	for name, text := range map[string]string{"journals": demoJournals, "gold": demoGold, "predictions": items} {
		write := func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
		if err := durable.Replace(filepath.Join(dir, name+".jsonl"), write); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, `
Try it: journals.jsonl, gold.jsonl and predictions.jsonl lie there.
   cd %s
   verbatim extract journals.jsonl -o mine.jsonl
   verbatim verify --journals journals.jsonl mine.jsonl
   verbatim score --gold gold.jsonl --pred mine.jsonl --journals journals.jsonl
`, shellQuote(dir))
	return nil
}

// demoReading takes the sample scan from bytes to a sentence that is proved.
func demoReading(ctx context.Context, c *console, _ string) error {
	doc, err := verbatim.NewDocument("lamp-keeper", lampKeeper)
	if err != nil {
		return err
	}
	reading := clean.Read(doc)
	var sentences []verbatim.Sentence
	for s := range sentence.Split(reading.Copy) {
		sentences = append(sentences, s)
	}
	show := mostRepaired(reading, sentences)
	sel := reading.Source(show.Span)
	text := reading.Copy.Quote(show.Span)

	say := func(format string, args ...any) { fmt.Fprintf(c.out, format+"\n", args...) }
	say("The sample is a scan of a book that was invented for this program:")
	say("The Lamp-Keeper's Year, by Ambrose Tillott. It has %d bytes.\n", len(doc.Text))
	say("1. A reading copy. %s were made to read it:", count(len(reading.Repairs), "repair"))
	say("   %s.\n", kindCounts(reading))
	say("2. Sentences. The copy has %d. Here is one that the scan had cut:\n", len(sentences))
	say("   %s\n", wrap(text, 72, "   "))
	say("3. Its place. In the file it is bytes %d to %d, where one reads:\n", sel.ByteStart, sel.ByteEnd)
	for line := range strings.Lines(sel.Exact) {
		say("   | %s", strings.TrimRight(line, "\n"))
	}
	if err := sel.Prove(doc, text); err != nil {
		return err
	}
	say("\n4. The proof. Those bytes, with the %s that the sentence carries, are", count(len(sel.Repairs), "repair"))
	say("   the sentence, letter for letter. Nothing was invented.")
	say("   Look so at a text of your own:")
	say("   verbatim inspect cleaning  BOOK.txt")
	say("   verbatim inspect sentences BOOK.txt")
	return nil
}

// mostRepaired is the sentence that needed the most repairs to be read.
func mostRepaired(reading *clean.Reading, sentences []verbatim.Sentence) (best verbatim.Sentence) {
	most := -1
	for _, s := range sentences {
		if n := len(reading.Source(s.Span).Repairs); n > most {
			best, most = s, n
		}
	}
	return best
}

func kindCounts(reading *clean.Reading) string {
	var parts []string
	for _, c := range reading.Counts() {
		parts = append(parts, fmt.Sprintf("%s %d", c.Kind, c.Repairs))
	}
	return wrap(strings.Join(parts, ", "), 72, "   ")
}

// wrap breaks a text into lines of at most `width`, the later ones indented.
func wrap(text string, width int, indent string) string {
	var out strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		if column > 0 && column+1+len(word) > width {
			out.WriteString("\n" + indent)
			column = 0
		} else if column > 0 {
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += len(word)
	}
	return out.String()
}
