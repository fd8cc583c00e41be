package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"verbatim/grade"
	"verbatim/grade/report"
	"verbatim/internal/cli"
)

type scoreFlags struct {
	intakeFlags
	gold, pred, against, baseline     string
	journals                          []string
	out, html, schema, junit, summary string
	min, max, maxDrop, explain, runs  []string
	gates                             string
	redact                            bool
	draws, workers                    int
	seed                              uint64
}

func scoreCommand() *cobra.Command {
	var f scoreFlags
	cmd := newCommand("score", nil, func(ctx context.Context, c *console, args []string) error {
		if len(f.runs) > 0 {
			f.runs = append(f.runs, args...)
			return runStability(ctx, c, f)
		}
		if err := f.takeFolders(c, args); err != nil {
			return err
		}
		if f.gold == "" && f.pred != "" {
			return runWatch(ctx, c, f)
		}
		return runScore(ctx, c, f)
	})
	flags := cmd.Flags()
	flags.StringVar(&f.gold, "gold", "", "gold items, one journal per line")
	flags.StringVar(&f.pred, "pred", "", "predicted items, one journal per line")
	flags.StringArrayVar(&f.journals, "journals", nil, "texts of the journals, for coverage and overlap: JSON Lines, a JSON array, CSV or a folder of .txt files (repeatable)")
	addIntake(cmd, &f.intakeFlags)
	flags.StringVar(&f.against, "against", "", "items of another system to compare with")
	flags.StringVar(&f.baseline, "baseline", "", "without --gold: earlier predictions to compare with")
	flags.StringVarP(&f.out, "out", "o", "", "write the summary to this file or folder")
	flags.StringVar(&f.html, "html", "", "write a page with the figures, the worst journals and the comparison; it contains the journals' text")
	flags.StringVar(&f.schema, "schema", "", "JSON Schema with other domains or attributes (see: verbatim schema journal-items)")
	flags.StringArrayVar(&f.min, "min", nil, "`NAME=VALUE`: fail if this figure is lower (repeatable)")
	flags.StringArrayVar(&f.max, "max", nil, "`NAME=VALUE`: fail if this figure is higher (repeatable)")
	flags.StringArrayVar(&f.maxDrop, "max-drop", nil, "`NAME=VALUE`: fail if this figure is lower than that of --against by more than this (repeatable)")
	flags.StringVar(&f.gates, "gates", "", "a `FILE` of gates, one per line, such as: min micro.f1=0.6")
	flags.StringVar(&f.junit, "junit", "", "write the gates to this `FILE` as JUnit XML")
	flags.StringVar(&f.summary, "markdown", "", "write figures and gates to this `FILE` as Markdown")
	flags.StringArrayVar(&f.explain, "explain", nil, "print the pairs of this journal, with its text (repeatable)")
	flags.StringArrayVar(&f.runs, "runs", nil, "compare several runs of one system")
	flags.BoolVar(&f.redact, "redact", false, "leave the journals' text out of --html and --explain")
	flags.IntVar(&f.draws, "draws", 1000, "bootstrap draws for 95 % intervals; 0 for none")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the bootstrap")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "number of journals to score in parallel; does not change the result")
	return cmd
}

func runScore(ctx context.Context, c *console, f scoreFlags) error {
	switch {
	case f.gold == "" || f.pred == "":
		return errors.New("score needs --gold FILE and --pred FILE")
	case len(f.maxDrop) > 0 && f.against == "":
		return errors.New("--max-drop needs --against FILE to compare with")
	case f.baseline != "":
		return errors.New("--baseline compares without gold; use --against to compare two systems on the same gold")
	case f.draws < 0:
		return errors.New("--draws must be 0 or more")
	}
	files, err := openScoreFiles(ctx, c, f, "per_journal_scores.jsonl", f.gold, f.pred, f.against)
	defer files.close()
	if err != nil {
		return listProblems(c, err)
	}
	if len(f.journals) == 0 {
		say(c, "no --journals: without the texts, coverage and overlap are null")
	}
	o := grade.Options{Schema: files.schema, Gold: files.in[0], Pred: files.in[1], Against: files.in[2], Journals: files.journals,
		Draws: f.draws, Seed: f.seed, Workers: f.workers}
	bar := cli.NewProgress(c.messages)
	o.Progress = func(done, all int) {
		if bar.Show("journals", done, all); done == all {
			bar.Clear()
		}
	}
	var r *grade.Result
	var checked []grade.CheckedGate
	if err := files.out.Write(func(rows io.Writer) (summary grade.Object, err error) {
		o.PerJournal = rows
		if r, err = grade.Score(ctx, o); err != nil {
			return nil, err
		}
		summary = r.Summary("verbatim " + version())
		checked, err = grade.CheckGates(files.gates, summary)
		return summary, err
	}); err != nil {
		return listProblems(c, err)
	}
	if err := showScore(c, f, r); err != nil {
		return err
	}
	wrong := inputProblems(c, r)
	err = writeCI(c, f, checked, wrong, func(w io.Writer) error { return r.WriteMarkdown(w, checked, wrong) })
	return cmp.Or(err, scoreVerdict(c, wrong, checked))
}

func showScore(c *console, f scoreFlags, r *grade.Result) error {
	if f.html != "" {
		if err := writeReport(c, f.html, r, f.redact); err != nil {
			return err
		}
		if !f.redact {
			say(c, "%s contains the text of journals (only you can read it); --redact leaves the text out", f.html)
		}
	}
	if len(f.explain) == 0 {
		return r.WriteTable(c.out)
	}
	if !f.redact {
		say(c, "the output contains the text of journals; --redact leaves the text out")
	}
	for i, id := range f.explain {
		e, err := r.Explain(id)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		if err := e.Write(c.out, f.redact); err != nil {
			return err
		}
	}
	return nil
}

// writeReport writes the page. With the journals' text, it is private.
func writeReport(c *console, path string, r *grade.Result, redact bool) error {
	return writeOut(c, path, !redact, func(w io.Writer) error { return report.WriteHTML(w, r, redact) })
}

// runStability compares several runs of one system.
func runStability(ctx context.Context, c *console, f scoreFlags) error {
	switch {
	case f.pred != "" || f.against != "" || f.baseline != "" || len(f.maxDrop) > 0:
		return errors.New("--runs compares runs with each other; remove --pred, --against, --baseline and --max-drop")
	case f.html != "" || len(f.explain) > 0:
		return errors.New("--html and --explain show one system; remove them, or use --pred instead of --runs")
	}
	files, err := openScoreFiles(ctx, c, f, "per_journal_stability.jsonl", append([]string{f.gold}, f.runs...)...)
	defer files.close()
	if err != nil {
		return listProblems(c, err)
	}
	var s *grade.Stability
	var checked []grade.CheckedGate
	if err := files.out.Write(func(rows io.Writer) (summary grade.Object, err error) {
		s, err = grade.CompareRuns(ctx, grade.RunOptions{Schema: files.schema, Gold: files.in[0], Runs: files.in[1:], Workers: f.workers, PerJournal: rows})
		if err != nil {
			return nil, err
		}
		summary = s.Summary("verbatim " + version())
		checked, err = grade.CheckGates(files.gates, summary)
		return summary, err
	}); err != nil {
		return listProblems(c, err)
	}
	if err := s.WriteTable(c.out); err != nil {
		return err
	}
	wrong := sayProblems(c, "the set of runs", s.Problems)
	err = writeCI(c, f, checked, wrong, func(w io.Writer) error {
		return grade.WriteMarkdownGates(w, "Stability of "+count(len(f.runs), "run"), checked, wrong)
	})
	return cmp.Or(err, scoreVerdict(c, wrong, checked))
}
