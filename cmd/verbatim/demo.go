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
	"text/template"
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

//go:embed sample/demo.txt
var demoWords string

var demoText = template.Must(template.New("demo").Funcs(template.FuncMap{"count": count, "wrap": wrap, "fold": verbatim.FoldSpace}).Parse(demoWords))

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
	items, err := demoExtract(ctx, out, demoJournals)
	if err != nil {
		return err
	}
	if err := demoScore(ctx, out, filepath.Join(dir, "scores.html"), items); err != nil {
		return err
	}
	for name, text := range map[string]string{"journals": demoJournals, "gold": demoGold, "predictions": items} {
		if err := replaceText(filepath.Join(dir, name+".jsonl"), text); err != nil {
			return err
		}
	}
	return demoText.ExecuteTemplate(out, "try", cli.Quote(dir))
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
	var kinds []string
	for _, c := range reading.Counts() {
		kinds = append(kinds, fmt.Sprintf("%s %d", c.Kind, c.Repairs))
	}
	if err := sel.Prove(doc, text); err != nil {
		return err
	}
	return demoText.ExecuteTemplate(c.out, "reading", map[string]any{"Bytes": len(doc.Text), "Repairs": len(reading.Repairs), "Kinds": strings.Join(kinds, ", "),
		"Sentences": len(sentences), "Text": text, "Place": sel, "Lines": strings.Split(strings.TrimRight(sel.Exact, "\n"), "\n")})
}

// demoExtract extracts items from journals (JSON Lines), proves every span,
// explains the items of the first journal and returns all items for scoring.
func demoExtract(ctx context.Context, out io.Writer, journals string) (predictions string, err error) {
	const file = "journals.jsonl"
	fail := func(err error) { fmt.Fprintln(out, err) }
	x := journal.Run{Cards: journal.Cards(), Workers: 1, MadeBy: madeBy(journal.Cards()), Report: fail}
	var items bytes.Buffer
	if err := x.Items(ctx, verbatim.Lines(strings.NewReader(journals), file), &items); err != nil {
		return "", err
	}
	texts, err := journal.Texts(verbatim.Lines(strings.NewReader(journals), file))
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
	type item struct{ What, Text, Why string }
	var first []item
	for line := range verbatim.Lines(strings.NewReader(journals), file) {
		j, err := journal.Decode(line)
		if err != nil {
			return "", err
		}
		for _, r := range journal.New(x.Cards).Explain(j.Text) {
			first = append(first, item{r.What, j.Text[r.Start:r.End], r.Why})
		}
		break
	}
	return predictions, demoText.ExecuteTemplate(out, "items", map[string]any{"Proved": proved, "Items": first})
}

// Metadata of the sample book, whose author is invented.
const lampKeeperMetadata = `{"source_htid": "demo.lamp-keeper", "source_title": "The Lamp-Keeper's Year", "source_author": "Ambrose Tillott",
"source_date": 1881, "author_nationality": "British", "source_genre": "memoir", "author_birth": 1820, "author_profession": "lighthouse keeper"}`

// demoQuestions makes questions from the sample book, as make and review do, and
// leaves the files in dir.
func demoQuestions(ctx context.Context, c *console, dir string) error {
	path := filepath.Join(dir, "lamp-keeper.txt")
	if err := layOutSample(dir, path); err != nil {
		return err
	}
	run, err := newMakeRun(c, workspace.DirOf("", path), true, nil, nil)
	if err != nil {
		return err
	}
	run.o.Drafts, run.reviewer, run.plain = 2, "the demo", true
	b, err := run.draft(ctx, workspace.Job{Path: path, Dir: workspace.DirOf("", path)})
	if err != nil {
		return err
	}
	defer b.Close()
	drafts := map[string]int{}
	for _, d := range b.AllDrafts() {
		drafts[d.Category]++
	}
	var categories []string
	for _, c := range cloze.Categories {
		categories = append(categories, fmt.Sprintf("%-18s %2d candidates, %d drafts", c.Name, len(b.Cloze().Candidates[c.Name]), drafts[c.Name]))
	}
	err = demoText.ExecuteTemplate(c.out, "connectors", map[string]any{"Frame": b.Frame(), "Categories": categories})
	if err := errors.Join(err, demoReview(ctx, c.out, run, b)); err != nil {
		return err
	}
	return demoProof(ctx, c.out, b)
}

// layOutSample writes the sample book and its metadata.
func layOutSample(dir, path string) error {
	m, err := book.Parse([]byte(lampKeeperMetadata), "the sample's metadata")
	if err != nil {
		return err
	}
	metadata := workspace.FolderAt(filepath.Join(dir, workspace.Usual)).MetadataPath("lamp-keeper")
	if err := makeFolder(metadata); err != nil {
		return err
	}
	return errors.Join(replaceText(path, lampKeeper), replaceText(metadata, string(m.File())))
}

func replaceText(path, text string) error {
	return durable.Replace(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// demoReview runs a scripted reviewer: in each category the first draft is
// rejected and the second accepted, with its wrong answers.
func demoReview(ctx context.Context, out io.Writer, run *makeRun, b *workspace.Book) error {
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
			if err := demoText.ExecuteTemplate(out, "draft", s.Item().Draft); err != nil {
				return err
			}
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
	written := "But the butter had been entered under Sundries."
	if s.Item().Category().Clause() {
		written = "because the butter had been entered under Sundries"
	}
	add := s.AcceptRest
	if len(s.Item().State.Answers) == 0 { // no model could rank
		add = func() error { return s.Add(written) }
	}
	if err := add(); err != nil {
		return err
	}
	return s.Accept(ctx)
}

// demoProof verifies what was written.
func demoProof(ctx context.Context, out io.Writer, b *workspace.Book) error {
	counts, err := workspace.Verify(ctx, []string{b.File(workspace.Questions)}, "", func(workspace.Proof) {})
	if err != nil {
		return err
	}
	if err := demoText.ExecuteTemplate(out, "proof", map[string]any{"Decisions": b.Log().Len(), "File": workspace.Name(b.Barcode, workspace.Decisions),
		"Summary": slices.Collect(strings.Lines(proofSummary(counts)))}); err != nil {
		return err
	}
	if counts.Failed > 0 {
		return &CheckFailed{count(counts.Failed, "proof") + " failed"}
	}
	if r := quickLint([]string{b.File(workspace.Drafts)}); r != nil {
		fmt.Fprintf(out, "\nWhat the options of these drafts give away without the passage (verbatim lint):\n%s",
			hang("  ", r.Line()))
	}
	return demoText.ExecuteTemplate(out, "next", b.Workspace().Dir())
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
	var rows []string
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
		rows = append(rows, fmt.Sprintf("%-34s %9.3f %9.3f %9.3f", row.name, figures[0], figures[1], figures[2]))
	}
	if err := writeReport(&console{out: out}, page, results[0], false); err != nil {
		return err
	}
	return demoText.ExecuteTemplate(out, "scores", map[string]any{"Rows": rows, "Page": page})
}

func demoResult(ctx context.Context, name, pred string) (*grade.Result, error) {
	return grade.Score(ctx, grade.Options{Gold: grade.FromString("gold.jsonl", demoGold), Pred: grade.FromString(name, pred),
		Journals: grade.FromString("journals.jsonl", demoJournals), Draws: 1000, Workers: 1})
}
