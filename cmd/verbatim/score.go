package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/grade"
	"verbatim/grade/report"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
)

type scoreFlags struct {
	gold, pred, journals, against string
	out, html, schema             string
	min, maxDrop, explain, runs   []string
	redact                        bool
	draws, workers                int
	seed                          uint64
}

func scoreCommand() *cobra.Command {
	var f scoreFlags
	cmd := newCommand("score", nil, func(ctx context.Context, c *console, args []string) error {
		if len(f.runs) > 0 {
			f.runs = append(f.runs, args...)
			return runStability(ctx, c, f)
		}
		if len(args) > 0 {
			return fmt.Errorf("%q is not expected here; name predictions with --pred, several runs with --runs", args[0])
		}
		return runScore(ctx, c, f)
	})
	flags := cmd.Flags()
	flags.StringVar(&f.gold, "gold", "", "gold items, one journal per line")
	flags.StringVar(&f.pred, "pred", "", "predicted items, one journal per line")
	flags.StringVar(&f.journals, "journals", "", "texts of the journals, for coverage and overlap")
	flags.StringVar(&f.against, "against", "", "items of another system to compare with")
	flags.StringVarP(&f.out, "out", "o", "", "write the summary to this file or folder")
	flags.StringVar(&f.html, "html", "", "write a page with the figures, the worst journals and the comparison; it contains the journals' text")
	flags.StringVar(&f.schema, "schema", "", "JSON Schema with other domains or attributes (see: verbatim schema journal-items)")
	flags.StringArrayVar(&f.min, "min", nil, "`NAME=VALUE`: fail if this figure is lower (repeatable)")
	flags.StringArrayVar(&f.maxDrop, "max-drop", nil, "`NAME=VALUE`: fail if this figure is lower than that of --against by more than this (repeatable)")
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
	case f.draws < 0:
		return errors.New("--draws must be 0 or more")
	}
	files, err := openScoreFiles(ctx, c, f, "per_journal_scores.jsonl", f.gold, f.pred, f.journals, f.against)
	defer files.close()
	if err != nil {
		return err
	}
	if f.journals == "" {
		say(c, "no --journals: without the texts, coverage and overlap are null")
	}
	o := grade.Options{Schema: files.schema, Gold: files.in[0], Pred: files.in[1], Journals: files.in[2], Against: files.in[3],
		Draws: f.draws, Seed: f.seed, Workers: f.workers}
	bar := cli.NewProgress(c.messages)
	o.Progress = func(done, all int) {
		if bar.Show("journals", done, all); done == all {
			bar.Clear()
		}
	}
	var r *grade.Result
	var failed []grade.FailedGate
	if err := files.out.Write(func(rows io.Writer) (summary grade.Object, err error) {
		o.PerJournal = rows
		if r, err = grade.Score(ctx, o); err != nil {
			return nil, err
		}
		summary = r.Summary("verbatim " + version())
		failed, err = grade.CheckGates(files.gates, summary)
		return summary, err
	}); err != nil {
		return listProblems(c, err)
	}
	if err := showScore(c, f, r); err != nil {
		return err
	}
	return scoreVerdict(c, inputProblems(c, r), failed)
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

// inputProblems lists the problems of the predictions.
func inputProblems(c *console, r *grade.Result) (wrong []string) {
	for _, s := range []*grade.System{r.Pred, r.Against} {
		if s == nil {
			continue
		}
		wrong = append(wrong, sayProblems(c, s.Name, s.Problems)...)
		for _, u := range s.Unknown {
			say(c, "%s:%d: journal %q is not in the gold; its items (%d) are counted separately", s.Name, u.Line, u.ID, u.Items)
		}
	}
	if r.GoldWithoutPlace > 0 {
		say(c, "gold spans that are not in their journal: %d; they cannot match in overlap", r.GoldWithoutPlace)
	}
	return wrong
}

func say(c *console, format string, args ...any) { fmt.Fprintf(c.messages, format+"\n", args...) }

// listProblems prints every problem of the input.
func listProblems(c *console, err error) error {
	var input *grade.InputError
	if errors.As(err, &input) && len(input.Problems) > 1 {
		for _, problem := range input.Problems {
			say(c, "%v", problem)
		}
	}
	return err
}

func sayProblems(c *console, name string, problems []error) []string {
	for _, problem := range problems {
		say(c, "%v", problem)
	}
	if len(problems) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s has %s (listed above)", name, count(len(problems), "problem"))}
}

// scoreVerdict is the error of a score: what is wrong with its input, and the
// failed gates.
func scoreVerdict(c *console, wrong []string, gates []grade.FailedGate) error {
	for _, gate := range gates {
		say(c, "gate failed: %s", gate.Why)
		wrong = append(wrong, "gate failed: "+gate.Figure)
	}
	if len(wrong) == 0 {
		return nil
	}
	return &CheckFailed{strings.Join(wrong, "; ")}
}

// runStability compares several runs of one system.
func runStability(ctx context.Context, c *console, f scoreFlags) error {
	switch {
	case f.pred != "" || f.against != "" || len(f.maxDrop) > 0:
		return errors.New("--runs compares runs with each other; remove --pred, --against and --max-drop")
	case f.html != "" || len(f.explain) > 0:
		return errors.New("--html and --explain show one system; remove them, or use --pred instead of --runs")
	}
	files, err := openScoreFiles(ctx, c, f, "per_journal_stability.jsonl", append([]string{f.gold}, f.runs...)...)
	defer files.close()
	if err != nil {
		return err
	}
	var s *grade.Stability
	var failed []grade.FailedGate
	if err := files.out.Write(func(rows io.Writer) (summary grade.Object, err error) {
		s, err = grade.CompareRuns(ctx, grade.RunOptions{Schema: files.schema, Gold: files.in[0], Runs: files.in[1:], Workers: f.workers, PerJournal: rows})
		if err != nil {
			return nil, err
		}
		summary = s.Summary("verbatim " + version())
		failed, err = grade.CheckGates(files.gates, summary)
		return summary, err
	}); err != nil {
		return listProblems(c, err)
	}
	if err := s.WriteTable(c.out); err != nil {
		return err
	}
	return scoreVerdict(c, sayProblems(c, "the set of runs", s.Problems), failed)
}

// scoreFiles are the inputs and outputs of a score.
type scoreFiles struct {
	in     []*grade.Source // nil if no file was named
	schema *grade.Schema
	out    grade.Outputs
	gates  []grade.Gate
}

// openScoreFiles opens the inputs and checks that no output replaces an input or
// another output.
func openScoreFiles(ctx context.Context, c *console, f scoreFlags, rows string, inputs ...string) (s scoreFiles, err error) {
	if err := cmp.Or(onlyOneInput(inputs...), s.nameOutputs(f, rows), s.parseGates(f)); err != nil {
		return s, err
	}
	for _, path := range inputs {
		var source *grade.Source
		if path == "-" {
			text, readErr := io.ReadAll(cli.Interruptible(ctx, c.in))
			source, err = grade.FromString("standard input", string(text)), readErr
		} else if path != "" {
			source, err = grade.OpenSource(path)
		}
		if err != nil {
			return s, durable.CannotRead(err)
		}
		s.in = append(s.in, source)
	}
	for _, out := range []string{s.out.Summary, s.out.Rows, f.html} {
		if rejectInput(c, out, inputs...) != nil {
			return s, fmt.Errorf("%s is an input and would be overwritten; choose another name", out)
		}
	}
	s.schema, err = grade.ReadSchema(f.schema)
	return s, durable.CannotRead(err)
}

func (s *scoreFiles) nameOutputs(f scoreFlags, rows string) (err error) {
	switch {
	case f.html == "-":
		return errors.New("--html -: the page contains the text of journals; name a file, which only you can read")
	case f.out == "-":
		return errors.New("--out -: score writes two files, the summary and the scores of each journal; name a file or a folder")
	}
	if s.out, err = grade.NewOutputs(f.out, rows); err != nil {
		return fmt.Errorf("--out %s: %w", f.out, err)
	}
	if html := filepath.Clean(f.html); f.html != "" && (html == filepath.Clean(s.out.Summary) || html == filepath.Clean(s.out.Rows)) {
		return fmt.Errorf("--html %s: --out writes a file of this name; choose another", f.html)
	}
	return nil
}

func (s *scoreFiles) parseGates(f scoreFlags) error {
	add := func(flag string, texts []string) error {
		for _, text := range texts {
			gate, err := grade.ParseGate(text)
			if err != nil {
				return fmt.Errorf("%s: %w", flag, err)
			}
			gate.MaxDrop = flag == "--max-drop"
			s.gates = append(s.gates, gate)
		}
		return nil
	}
	return cmp.Or(add("--min", f.min), add("--max-drop", f.maxDrop))
}

func (s scoreFiles) close() {
	for _, source := range s.in {
		if source != nil {
			source.Close()
		}
	}
}
