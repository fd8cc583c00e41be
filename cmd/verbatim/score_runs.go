package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"verbatim/grade"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
)

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
	return checkFailed(append(sayProblems(c, "the set of runs", s.Problems), sayGates(c, failed)...))
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
		source, err := openScoreInput(ctx, c, path)
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

func openScoreInput(ctx context.Context, c *console, path string) (*grade.Source, error) {
	switch path {
	case "":
		return nil, nil
	case "-":
		text, err := io.ReadAll(cli.Interruptible(ctx, c.in))
		return grade.FromString("standard input", string(text)), err
	}
	return grade.OpenSource(path)
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
	switch filepath.Clean(f.html) {
	case filepath.Clean(s.out.Summary), filepath.Clean(s.out.Rows):
		if f.html != "" {
			return fmt.Errorf("--html %s: --out writes a file of this name; choose another", f.html)
		}
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
