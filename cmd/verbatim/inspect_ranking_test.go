package main

import (
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"verbatim"
	"verbatim/cloze"
	"verbatim/workspace"
)

// ranked checks that the candidates of each draft have the order in which the
// draft offers them, except those in its passage.
func ranked(ts *testscript.TestScript, _ bool, args []string) {
	var due, got []string
	for d, err := range verbatim.Read[cloze.Draft](strings.NewReader(ts.ReadFile(args[0])), args[0]) {
		ts.Check(err)
		for _, o := range append(d.Options, d.Reserve...) {
			due = append(due, o.Text)
		}
	}
	for line, err := range verbatim.Read[rankingLine](strings.NewReader(ts.ReadFile(args[1])), args[1]) {
		ts.Check(err)
		use := ""
		for _, r := range line.Ranking {
			switch {
			case r.Use == workspace.InPassage:
				continue
			case r.Use != "":
				got = append(got, r.Text)
			}
			if use += r.Use + " "; strings.Contains(use, "  ") && r.Use != "" {
				ts.Fatalf("%s: %q is offered after one that is not", line.ID, r.Text)
			}
		}
	}
	if len(due) == 0 || !slices.Equal(got, due) {
		ts.Fatalf("the rankings have %q, and the drafts %q", got, due)
	}
}
