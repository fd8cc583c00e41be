package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim"
	"verbatim/clean"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
	"verbatim/journal"
	"verbatim/sentence"
)

// The sample is our own writing, made to look like a scan.
//
//go:embed sample/lamp-keeper.txt
var lampKeeper string

func demoCommand() *cobra.Command {
	var dir string
	cmd := newCommand("demo", cobra.NoArgs, func(ctx context.Context, c *console, _ []string) (err error) {
		if dir == "" {
			dir, err = os.MkdirTemp("", "verbatim-demo-")
		} else {
			err = os.MkdirAll(dir, 0o777)
		}
		if err != nil {
			return fmt.Errorf("cannot create the folder for the demo: %w; choose another with --dir", err)
		}
		if err := checkDemoFolder(dir); err != nil {
			return err
		}
		out := bufio.NewWriter(c.out) // it keeps the first error, so no line is checked
		c.out = out
		for _, part := range []func(context.Context, *console, string) error{demoReading, demoQuestions, demoJournalsToScores} {
			if err := errors.Join(part(ctx, c, dir), out.Flush()); err != nil {
				return err
			}
		}
		return nil
	})
	cmd.Flags().StringVar(&dir, "dir", "", "the folder for its files (default: a new temporary folder)")
	addModelFlags(cmd)
	addScorerFlag(cmd)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name != "dir" && f.Name != "help" })
	if err := cmd.Flags().Set("no-models", "true"); err != nil { // the demo is offline
		panic(err)
	}
	return cmd
}

// checkDemoFolder rejects a folder in which the demo would overwrite files that
// are not its own. A folder with our sample book is from an earlier demo.
func checkDemoFolder(dir string) error {
	ours := map[string]string{"lamp-keeper.txt": lampKeeper, "journals.jsonl": demoJournals, "gold.jsonl": demoGold}
	sample, _ := os.ReadFile(filepath.Join(dir, "lamp-keeper.txt"))
	for _, name := range []string{"lamp-keeper.txt", "journals.jsonl", "gold.jsonl", "predictions.jsonl", "scores.html"} {
		there, err := os.ReadFile(filepath.Join(dir, name))
		text, fixed := ours[name]
		if err == nil && (string(sample) != lampKeeper || fixed && string(there) != text) {
			return fmt.Errorf("%s is not from the demo and would be overwritten; choose a new folder with --dir", filepath.Join(dir, name))
		}
	}
	return nil
}

// demoJournalsToScores extracts items from the sample journals and scores them.
// It leaves the files for the user to try.
func demoJournalsToScores(ctx context.Context, c *console, dir string) error {
	out := c.out
	fmt.Fprint(out, "\nThe second job: three journals, invented for this program.\n\n")
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
Try it with journals.jsonl, gold.jsonl and predictions.jsonl:
   cd %s
   verbatim extract journals.jsonl -o mine.jsonl
   verbatim verify --journals journals.jsonl mine.jsonl
   verbatim score --gold gold.jsonl --pred mine.jsonl --journals journals.jsonl
`, cli.Quote(dir))
	return nil
}

// demoReading cleans the sample scan and proves one of its sentences.
func demoReading(_ context.Context, c *console, _ string) error {
	doc, err := verbatim.NewDocument("lamp-keeper", lampKeeper)
	if err != nil {
		return err
	}
	reading := clean.Read(doc)
	sentences := slices.Collect(sentence.Split(reading.Copy))
	show := slices.MaxFunc(sentences, func(a, b verbatim.Sentence) int { // the one with the most repairs
		return len(reading.Source(a.Span).Repairs) - len(reading.Source(b.Span).Repairs)
	})
	sel := reading.Source(show.Span)
	text := reading.Copy.Quote(show.Span)

	say := func(format string, args ...any) { fmt.Fprintf(c.out, format+"\n", args...) }
	say("The sample is a scan of a book that was invented for this program:")
	say("The Lamp-Keeper's Year, by Ambrose Tillott. It has %d bytes.\n", len(doc.Text))
	say("1. The reading copy. It needed %s:", count(len(reading.Repairs), "repair"))
	say("   %s.\n", kindCounts(reading))
	say("2. Sentences. The copy has %d. Here is one that the scan broke up:\n", len(sentences))
	say("   %s\n", wrap(text, 72, 3))
	say("3. Its place. In the file it is bytes %d to %d:\n", sel.ByteStart, sel.ByteEnd)
	for line := range strings.Lines(sel.Exact) {
		say("   | %s", strings.TrimRight(line, "\n"))
	}
	if err := sel.Prove(doc, text); err != nil {
		return err
	}
	say("\n4. The proof. Those bytes, with the %s stored with the sentence, are", count(len(sel.Repairs), "repair"))
	say("   the sentence, letter for letter. Nothing was invented.")
	say("   To see this for your own text, type:")
	say("   verbatim inspect cleaning  BOOK.txt")
	say("   verbatim inspect sentences BOOK.txt")
	return nil
}

func kindCounts(reading *clean.Reading) string {
	var parts []string
	for _, c := range reading.Counts() {
		parts = append(parts, fmt.Sprintf("%s %d", c.Kind, c.Repairs))
	}
	return wrap(strings.Join(parts, ", "), 72, 3)
}

// demoExtract extracts items from journals (JSON Lines), proves every span,
// explains the items of the first journal and returns all items for scoring.
func demoExtract(ctx context.Context, out io.Writer, journals string) (predictions string, err error) {
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	const file = "journals.jsonl"
	fail := func(err error) { say("%v", err) }
	x := journal.Run{Cards: journal.Cards(), File: file, Workers: 1, Report: fail}
	var items bytes.Buffer
	if err := x.Items(ctx, strings.NewReader(journals), &items); err != nil {
		return "", err
	}
	texts, err := journal.Texts(strings.NewReader(journals), file)
	if err != nil {
		return "", err
	}
	predictions = items.String()
	proved, failed, err := journal.Verify(strings.NewReader(predictions), "items", texts, fail)
	if err != nil {
		return "", err
	}
	if failed > 0 {
		return "", &CheckFailed{count(failed, "proof") + " failed"}
	}
	say("The extractor reads them with rule cards: no model, no network, no list of")
	say("diseases, foods or feelings. It finds %s and proves each one against its", count(proved, "item"))
	say("journal, byte for byte. In the first journal:\n")
	for line := range verbatim.Lines(strings.NewReader(journals), file) {
		j, err := journal.Decode(line)
		if err != nil {
			return "", err
		}
		for _, r := range journal.New(x.Cards).Explain(j.Text) {
			say("   %-8s %s", r.What, verbatim.FoldSpace(j.Text[r.Start:r.End]))
			say("            %s", wrap(r.Why, 66, 12))
		}
		break
	}
	return predictions, nil
}
