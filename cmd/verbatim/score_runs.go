package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/grade"
)

// runStability compares several runs of one system.
func runStability(cmd *cobra.Command, f scoreFlags) error {
	switch {
	case f.pred != "" || f.against != "" || len(f.maxDrop) > 0:
		return errors.New("--runs compares runs with each other; leave --pred, --against and --max-drop out")
	case f.html != "" || len(f.explain) > 0:
		return errors.New("--html and --explain show one system; leave them out, or name it with --pred instead of --runs")
	}
	files := &scoreFiles{}
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
	s, err := stabilityTo(cmd, o, rows)
	if err != nil {
		return listFaults(cmd, err)
	}
	summary := s.Summary("verbatim "+version(), grade.Object{{Name: "schema", Value: schema.name}})
	gates, err := minGates(f.min, summary)
	if err != nil {
		return err
	}
	if out != "" {
		if err := writeObject(out, summary); err != nil {
			return err
		}
	}
	if err := s.WriteTable(cmd.OutOrStdout()); err != nil {
		return err
	}
	return stabilityVerdict(cmd, s, gates)
}

func stabilityTo(cmd *cobra.Command, o grade.RunOptions, rows string) (s *grade.Stability, err error) {
	if rows == "" {
		return grade.CompareRuns(cmd.Context(), o)
	}
	if err := os.MkdirAll(filepath.Dir(rows), 0o777); err != nil {
		return nil, err
	}
	err = verbatim.Replace(rows, func(w io.Writer) error {
		o.PerJournal = w
		var err error
		s, err = grade.CompareRuns(cmd.Context(), o)
		return err
	})
	return s, err
}

func stabilityVerdict(cmd *cobra.Command, s *grade.Stability, gates []gate) error {
	var wanting []string
	for _, problem := range s.Problems {
		say(cmd, "%v", problem)
	}
	if n := len(s.Problems); n > 0 {
		wanting = append(wanting, fmt.Sprintf("the runs have faults (%d, named above)", n))
	}
	for _, g := range gates {
		if why := g.missed(); why != "" {
			say(cmd, "gate missed: %s", why)
			wanting = append(wanting, "gate missed: "+g.name)
		}
	}
	if len(wanting) > 0 {
		return &Wanting{strings.Join(wanting, "; ")}
	}
	return nil
}
