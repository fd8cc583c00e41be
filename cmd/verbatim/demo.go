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
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim"
	"verbatim/book"
	"verbatim/clean"
	"verbatim/cloze"
	"verbatim/grade"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
	"verbatim/journal"
	"verbatim/review"
	"verbatim/sentence"
	"verbatim/workspace"
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

// Metadata of the sample book, whose author is invented.
const lampKeeperMetadata = `{"source_htid": "demo.lamp-keeper", "source_title": "The Lamp-Keeper's Year", "source_author": "Ambrose Tillott",
"source_date": 1881, "author_nationality": "British", "source_genre": "memoir", "author_birth": 1820, "author_profession": "lighthouse keeper"}`

// demoQuestions makes questions from the sample book, as make and review do, and
// leaves the files in dir.
func demoQuestions(ctx context.Context, c *console, dir string) error {
	say := func(format string, args ...any) { fmt.Fprintf(c.out, format+"\n", args...) }
	path := filepath.Join(dir, "lamp-keeper.txt")
	if err := layOutSample(dir, path); err != nil {
		return err
	}
	run, err := newMakeRun(c, "", path, nil)
	if err != nil {
		return err
	}
	run.o.Drafts, run.reviewer, run.plain = 2, "the demo", true
	b, err := run.draft(ctx, workspace.Job{Path: path, Dir: workspace.DirOf("", path)})
	if err != nil {
		return err
	}
	defer b.Close()
	say("\nFrom book to benchmark question\n")
	say("5. The metadata of the book become a sentence:\n\n   %s\n", wrap(b.Frame(), 72, 3))
	say("6. Connectors. Sentences and clauses that carry the argument:\n")
	drafts := map[string]int{}
	for _, d := range b.AllDrafts() {
		drafts[d.Category]++
	}
	for _, c := range cloze.Categories {
		say("   %-18s %2d candidates, %d drafts", c.Name, len(b.Cloze().Candidates[c.Name]), drafts[c.Name])
	}
	if err := demoReview(ctx, run, b, say); err != nil {
		return err
	}
	return demoProof(ctx, b, say)
}

// layOutSample writes the sample book and its metadata.
func layOutSample(dir, path string) error {
	m, err := book.Parse([]byte(lampKeeperMetadata), "the sample's metadata")
	if err != nil {
		return err
	}
	files := workspace.FolderAt(filepath.Join(dir, workspace.Usual))
	if err := makeFolder(files.MetadataPath("lamp-keeper")); err != nil {
		return err
	}
	return errors.Join(
		durable.Replace(path, func(out io.Writer) error { _, err := io.WriteString(out, lampKeeper); return err }),
		durable.Replace(files.MetadataPath("lamp-keeper"), func(out io.Writer) error { _, err := out.Write(m.File()); return err }),
	)
}

// demoReview runs a scripted reviewer: in each category the first draft is
// rejected and the second accepted, with its wrong answers.
func demoReview(ctx context.Context, run *makeRun, b *workspace.Book, say func(string, ...any)) error {
	book, err := b.Drafted(&workspace.ReviewOptions{})
	if err != nil {
		return err
	}
	clock := time.Now()
	s := &review.Session{Entries: []review.Entry{{Barcode: b.Barcode, Book: book}}, Reviewer: run.reviewer, Goal: 1,
		Now: func() time.Time { clock = clock.Add(time.Second); return clock }}
	s.Start()
	if err := s.Next(ctx); err != nil {
		return err
	}
	rejected, shown := "", false
	for s.Item() != nil {
		if category := s.Item().Draft.Category; category != rejected {
			rejected = category
			if err := s.Reject(ctx); err != nil {
				return err
			}
			continue
		}
		if !shown {
			shown = true
			demoDraft(s.Item(), say)
		}
		if err := demoAccept(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// demoAccept accepts a draft, its wrong answers and the whole question.
func demoAccept(ctx context.Context, s *review.Session) error {
	if err := s.Accept(ctx); err != nil {
		return err
	}
	var err error
	if len(s.Item().State.Answers) == 0 { // no model could rank
		err = s.Add(demoManual(s.Item().Category()))
	} else {
		err = s.AcceptRest()
	}
	if err != nil {
		return err
	}
	return s.Accept(ctx)
}

func demoManual(c cloze.Category) string {
	if c.Clause() {
		return "because the butter had been entered under Sundries"
	}
	return "But the butter had been entered under Sundries."
}

// demoDraft shows a draft as its reviewer sees it.
func demoDraft(item *review.Item, say func(string, ...any)) {
	d := item.Draft
	say("\n7. A draft, as its reviewer sees it (%s):\n", d.Category)
	say("   %s\n", wrap(d.Masked, 72, 3))
	say("   %s\n", wrap(d.Kind().Prompt(), 72, 3))
	say("   ground truth: %s\n", wrap(d.Truth, 58, 6))
	for _, o := range append(d.Options[:len(d.Options):len(d.Options)], d.Reserve...) {
		say("   %s: %s", o.Type, wrap(o.Text, 66, 6))
	}
	if len(d.Options) > 0 {
		say("\n   These are other passages of the book, the best fit first; the first %d are\n   offered, and rejecting one brings up the next.", len(d.Options))
	}
}

// demoProof verifies what was written.
func demoProof(ctx context.Context, b *workspace.Book, say func(string, ...any)) error {
	say("\n8. Decisions. A scripted reviewer made %d decisions; each is a line of", b.Log().Len())
	say("   %s and can be undone.\n", workspace.Name(b.Barcode, workspace.Decisions))
	say("9. Questions, and their proof against the bytes of the book:\n")
	counts, err := workspace.Verify(ctx, []string{b.File(workspace.Questions)}, "", func(workspace.Proof) {})
	if err != nil {
		return err
	}
	for line := range strings.Lines(proofSummary(counts)) {
		say("   %s", wrap(line, 72, 3))
	}
	if counts.Failed > 0 {
		return &CheckFailed{count(counts.Failed, "proof") + " failed"}
	}
	say("\nAll files are in\n   %s", b.Workspace().Dir())
	say("\nNow with a book of your own:\n   verbatim make BOOK.txt\n\nOr for many books overnight, to review in the morning:")
	say("   verbatim make --batch --catalogue LIST.csv *.txt\n   verbatim review")
	return nil
}

// Three sample journals, their gold, and the items of two systems: a careful
// one, and one that gives the whole text as evidence.
var (
	//go:embed sample/journals.jsonl
	demoJournals string
	//go:embed sample/gold.jsonl
	demoGold string
	//go:embed sample/good.jsonl
	demoGood string
	//go:embed sample/bad.jsonl
	demoBad string
)

// demoScore scores the items of the extractor and of the two systems, and writes
// the report of the extractor to page.
func demoScore(ctx context.Context, out io.Writer, page, extracted string) error {
	var results []*grade.Result
	for _, system := range []struct{ name, items string }{{"extracted.jsonl", extracted}, {"good.jsonl", demoGood}, {"bad.jsonl", demoBad}} {
		result, err := demoResult(ctx, system.name, system.items)
		if err != nil {
			return err
		}
		results = append(results, result)
	}
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	say("Scored against gold, next to two other systems: a careful one, and one that")
	say("gives the whole text as evidence for everything.\n")
	say("%-34s %9s %9s %9s", "", "extractor", "careful", "copier")
	for _, row := range []struct{ name, path string }{
		{"F1 by containment, the main rule", "micro.f1"},
		{"F1 of exact spans", "exact.f1"},
		{"F1 by place, at least half shared", "overlap.f1"},
		{"polarity right", "attributes.polarity.accuracy"},
		{"spans that are in the journal", "coverage"},
	} {
		var figures [3]float64
		for i, result := range results {
			figures[i], _ = result.Summary("demo").Figure(row.path)
		}
		say("%-34s %9.3f %9.3f %9.3f", row.name, figures[0], figures[1], figures[2])
	}
	say("\nBy the main rule alone, the copier looks like a good reader. Exact spans and")
	say("places show that it is not.")
	if err := writeReport(&console{out: out}, page, results[0], false); err != nil {
		return err
	}
	say("The page with every span marked in its text:\n   %s", page)
	return nil
}

func demoResult(ctx context.Context, name, pred string) (*grade.Result, error) {
	return grade.Score(ctx, grade.Options{Gold: grade.FromString("gold.jsonl", demoGold), Pred: grade.FromString(name, pred),
		Journals: grade.FromString("journals.jsonl", demoJournals), Draws: 1000, Workers: 1})
}
