package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/distractor"
	"verbatim/internal/cli"
	"verbatim/lint"
	"verbatim/workspace"
)

type lintFlags struct {
	names, html, out string
	max              []string
	drafts           int
	useDrafts        bool
	asJSON, fast     bool
}

func lintCommand() *cobra.Command {
	var f lintFlags
	cmd := newCommand("lint", cobra.ArbitraryArgs, func(ctx context.Context, c *console, args []string) error {
		return runLint(ctx, c, f, args)
	})
	flags := cmd.Flags()
	flags.StringVar(&f.names, "map", "", "`NAME=FIELD,...`: fields of other people's questions; NAME is question, options, answer, id, book or category")
	flags.BoolVar(&f.useDrafts, "drafts", false, "of a folder: measure the drafts, not the accepted questions")
	flags.IntVar(&f.drafts, "best", 0, "of drafts: measure so many same-book answers, the best first (default: those that the draft offers)")
	flags.StringArrayVar(&f.max, "max", nil, "`NAME=VALUE`: fail if this figure is higher (repeatable): lift, over-luck, ranker, hygiene, ...")
	flags.StringVar(&f.html, "html", "", "write a page with plots; it contains text of the questions")
	flags.BoolVar(&f.asJSON, "json", false, "print the whole report as JSON")
	flags.BoolVar(&f.fast, "fast", false, "no learned attacks")
	addOut(cmd, &f.out, "the report")
	addScorerFlag(cmd)
	return cmd
}

func runLint(ctx context.Context, c *console, f lintFlags, args []string) error {
	reader := &lint.Reader{Drafts: f.drafts}
	var gates []lint.Gate
	for _, text := range f.max {
		gate, err := lint.ParseGate(text)
		if err != nil {
			return fmt.Errorf("--max %w", err)
		}
		gates = append(gates, gate)
	}
	if f.names != "" {
		m, err := lint.ParseMap(f.names)
		if err != nil {
			return fmt.Errorf("--map: %w", err)
		}
		reader.Map = m
	}
	files, err := lintFiles(args, f)
	if err != nil {
		return err
	}
	for _, out := range []string{f.out, f.html} {
		if err := rejectInput(c, out, files...); err != nil {
			return err
		}
	}
	questions, wrong, err := readLint(ctx, c, reader, files)
	if err != nil {
		return err
	}
	if len(questions) == 0 {
		return errors.Join(fmt.Errorf("no questions in %s", strings.Join(files, ", ")), errors.Join(wrong...))
	}
	r, err := c.check(ctx, questions, f.fast, true)
	if err != nil {
		return err
	}
	failed, err := r.Failed(gates)
	if err != nil {
		return fmt.Errorf("--max: %w", err)
	}
	if err := writeLint(c, f, r, questions); err != nil {
		return err
	}
	adviseBalance(c, args, r)
	return lintVerdict(c, wrong, failed)
}

// adviseBalance says what to type where balanced answers would help.
func adviseBalance(c *console, args []string, r *lint.Report) {
	helps := slices.ContainsFunc(r.Advice, func(a lint.Advice) bool { return a.Remedy == lint.RemedyBalance })
	folder, err := workspace.FindFolder(append(slices.Clone(args), ".")[0])
	if !helps || err != nil {
		return
	}
	say(c, "To choose wrong answers that give nothing away, type:\n  %s\nor for new drafts:\n  %s",
		cli.Line("verbatim", "balance", folder.Dir()), cli.Line("verbatim", "make", "--batch", "--choose", "balanced", "BOOK.txt"))
}

// lintFiles are the files to read: those named, or the questions (or else the
// drafts) of the working folders named.
func lintFiles(args []string, f lintFlags) ([]string, error) {
	if len(args) == 0 {
		args = []string{"."}
	}
	var files []string
	for _, arg := range args {
		if info, err := os.Stat(arg); arg == "-" || err != nil || !info.IsDir() {
			files = append(files, arg)
			continue
		}
		folder, err := workspace.FindFolder(arg)
		if err != nil {
			return nil, err
		}
		kind := workspace.Questions
		if f.useDrafts || f.drafts > 0 {
			kind = workspace.Drafts
		}
		found, err := lintInputs(folder, kind)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s has no accepted questions yet; to measure its drafts, type:\n  %s", folder.Dir(), cli.Line("verbatim", "lint", "--drafts", arg))
		}
		files = append(files, found...)
	}
	return files, nil
}

// lintInputs are the files of one kind of all books in a folder, in order.
func lintInputs(folder *workspace.Folder, kind string) ([]string, error) {
	barcodes, err := folder.Books()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, barcode := range slices.Sorted(slices.Values(barcodes)) {
		path := folder.Path(barcode, kind)
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			files = append(files, path)
		}
	}
	return files, nil
}

func readLint(ctx context.Context, c *console, reader *lint.Reader, files []string) (questions []*lint.Question, wrong []error, err error) {
	for _, path := range files {
		err := withInput(ctx, c, path, func(name string, in io.Reader) error {
			found, bad := reader.Read(in, name)
			questions, wrong = append(questions, found...), append(wrong, bad...)
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return questions, wrong, nil
}

// check measures questions with the ranker and the word list inside.
func (c *console) check(ctx context.Context, questions []*lint.Question, fast, ranker bool) (*lint.Report, error) {
	settings := lint.Settings{Fast: fast}
	bar := cli.NewProgress(c.messages)
	defer bar.Clear()
	settings.Progress = func(done, total int) { bar.Show("learned attacks", done, total) }
	if ranker {
		model, err := c.settings(".")
		if err != nil {
			return nil, err
		}
		scorer, err := scorerOf(model)
		if err != nil {
			return nil, err
		}
		if scorer != nil {
			settings.Fit = fitBy(scorer)
		}
	}
	return lint.Check(ctx, questions, settings)
}

// fitBy scores the options of a question with a next-sentence model: in their
// place, or, where there is no mask, after the question.
func fitBy(scorer verbatim.Scorer) func(context.Context, *lint.Question) ([]float64, error) {
	return func(ctx context.Context, q *lint.Question) ([]float64, error) {
		if q.Passage == "" {
			return nil, nil
		}
		if q.Mask == "" {
			var pairs []verbatim.Pair
			for _, o := range q.Options {
				pairs = append(pairs, verbatim.Pair{First: q.Passage, Second: o})
			}
			return scorer.Score(ctx, pairs)
		}
		passage, _, _ := strings.Cut(q.Passage, "\n\nWrite a ")
		ranked, err := distractor.Rank(ctx, scorer, passage, q.Mask, q.Options, "")
		if err != nil || len(ranked) != len(q.Options) {
			return nil, ctx.Err() // two options are the same, or nothing stands around the mask
		}
		fits := make([]float64, len(ranked))
		for _, r := range ranked {
			fits[r.Index] = r.Score
		}
		return fits, nil
	}
}

func writeLint(c *console, f lintFlags, r *lint.Report, questions []*lint.Question) error {
	if f.html != "" {
		if err := writeOut(c, f.html, false, func(w io.Writer) error { return r.WriteHTML(w, questions, "verbatim "+version()) }); err != nil {
			return err
		}
	}
	return writeOut(c, f.out, false, func(w io.Writer) error {
		if !f.asJSON {
			return r.Write(&cli.Readable{Out: w})
		}
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	})
}

// lintVerdict is the error of a lint: bad lines, and the failed gates.
func lintVerdict(c *console, wrong []error, failed []string) error {
	var what []string
	for _, err := range wrong[:min(len(wrong), 10)] {
		c.warn(err)
	}
	if len(wrong) > 0 {
		what = append(what, fmt.Sprintf("%s could not be read and %s left out", count(len(wrong), "line"), wasWere(len(wrong))))
	}
	for _, why := range failed {
		say(c, "gate failed: %s", why)
		figure, _, _ := strings.Cut(why, " ")
		what = append(what, "gate failed: "+figure)
	}
	if len(what) == 0 {
		return nil
	}
	return &CheckFailed{strings.Join(what, "; ")}
}

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// fewest is how many questions a set needs before a line about it means anything.
const fewest = 8

// leakLine says in a line what gives the accepted questions of a folder away, as
// far as that can be seen at once, and what to do. It is empty if there are none.
func leakLine(folder *workspace.Folder) string {
	files, err := lintInputs(folder, workspace.Questions)
	if err != nil {
		return ""
	}
	r := quickLint(files)
	if r == nil {
		return ""
	}
	line := r.Line() + "\n  measured quickly; for the rest, type: " + cli.Line("verbatim", "lint", folder.Dir())
	if r.Chosen < r.Questions {
		line += "\n  chosen by fit alone, which gives answers away; to choose answers that do not, type: " + cli.Line("verbatim", "balance", folder.Dir())
	}
	return line
}

// quickLint measures files of questions or drafts without any model, and without
// learning. It is nil if there are too few.
func quickLint(files []string) *lint.Report {
	var questions []*lint.Question
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil // who needs the file says so
		}
		found, _ := (&lint.Reader{}).Read(bytes.NewReader(text), path)
		questions = append(questions, found...)
	}
	if len(questions) < fewest {
		return nil
	}
	r, err := lint.Check(context.Background(), questions, lint.Settings{Fast: true, Draws: 1})
	if err != nil {
		return nil
	}
	return r
}
