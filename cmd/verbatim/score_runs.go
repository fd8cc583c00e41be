package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"verbatim/grade"
)

// runStability compares several runs of one system.
func runStability(ctx context.Context, c *console, f scoreFlags) error {
	switch {
	case f.pred != "" || f.against != "" || len(f.maxDrop) > 0:
		return errors.New("--runs compares runs with each other; leave --pred, --against and --max-drop out")
	case f.html != "" || len(f.explain) > 0:
		return errors.New("--html and --explain show one system; leave them out, or name it with --pred instead of --runs")
	}
	if err := onlyOneInput(append(f.runs, f.gold)...); err != nil {
		return err
	}
	files := &scoreFiles{in: standardInput(ctx, c)}
	defer files.close()
	o := grade.RunOptions{Workers: f.workers, Gold: files.open(f.gold)}
	for _, path := range f.runs {
		o.Runs = append(o.Runs, files.open(path))
	}
	schema := files.schema(f.schema)
	out, rows, err := f.outputs()
	if err := errors.Join(files.err, err); err != nil {
		return err
	}
	if rows != "" {
		rows = filepath.Join(filepath.Dir(rows), "per_journal_stability.jsonl")
	}
	if err := files.refuse(out, rows); err != nil {
		return err
	}
	o.Schema = schema.Schema
	var summary grade.Object
	var gates []gate
	s, err := stabilityTo(ctx, c, o, rows, func(s *grade.Stability) (err error) {
		summary = s.Summary("verbatim "+version(), grade.Object{{Name: "schema", Value: schema.name}})
		gates, err = minGates(f.min, summary)
		return err
	})
	if err != nil {
		return listFaults(ctx, c, err)
	}
	if out != "" {
		if err := writeObject(out, summary); err != nil {
			return err
		}
	}
	if err := s.WriteTable(c.out); err != nil {
		return err
	}
	return stabilityVerdict(ctx, c, s, gates)
}

// stabilityTo compares and writes the per-journal file, whole or not at all.
func stabilityTo(ctx context.Context, c *console, o grade.RunOptions, rows string, check func(*grade.Stability) error) (*grade.Stability, error) {
	var s *grade.Stability
	compare := func(w io.Writer) (err error) {
		o.PerJournal = w
		if s, err = grade.CompareRuns(ctx, o); err != nil {
			return err
		}
		return check(s)
	}
	err := rowsTo(rows, compare)
	return s, err
}

func stabilityVerdict(ctx context.Context, c *console, s *grade.Stability, gates []gate) error {
	var wanting []string
	for _, problem := range s.Problems {
		say(ctx, c, "%v", problem)
	}
	if n := len(s.Problems); n > 0 {
		wanting = append(wanting, fmt.Sprintf("the runs have faults (%d, named above)", n))
	}
	for _, g := range gates {
		if why := g.missed(); why != "" {
			say(ctx, c, "gate missed: %s", why)
			wanting = append(wanting, "gate missed: "+g.name)
		}
	}
	if len(wanting) > 0 {
		return &CheckFailed{strings.Join(wanting, "; ")}
	}
	return nil
}
