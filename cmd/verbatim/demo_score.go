package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"

	"verbatim/grade"
)

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
