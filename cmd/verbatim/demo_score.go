package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"

	"verbatim/grade"
)

// Three journals of our own writing, what a person finds in them, and what two
// systems find: one that reads, and one that gives the whole text as evidence.
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

// demoScore scores the two systems and leaves the report of the first at
// `page`.
func demoScore(ctx context.Context, out io.Writer, page string) error {
	good, err := demoResult(ctx, "good.jsonl", demoGood)
	if err != nil {
		return err
	}
	bad, err := demoResult(ctx, "bad.jsonl", demoBad)
	if err != nil {
		return err
	}
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	say("Three journals, invented for this program, and the items of two systems:")
	say("one reads, the other gives the whole text as evidence for everything.\n")
	say("%-34s %8s %8s", "", "reads", "copies")
	first, second := good.Summary("demo", nil), bad.Summary("demo", nil)
	for _, row := range []struct{ name, path string }{
		{"F1 by containment, the usual rule", "micro.f1"},
		{"F1 of exact spans", "exact.f1"},
		{"F1 by place, half in common", "overlap.f1"},
		{"polarity right", "attributes.polarity.accuracy"},
		{"spans that stand in the journal", "coverage"},
	} {
		a, _ := first.Figure(row.path)
		b, _ := second.Figure(row.path)
		say("%-34s %8.3f %8.3f", row.name, a, b)
	}
	say("\nThe rule alone takes the copier for a reader; exact spans and places do not.")
	say("Of the reader, the journal with the most mistakes is %q:\n", good.Worst[0].ID)
	e, err := good.Explain(good.Worst[0].ID)
	if err != nil {
		return err
	}
	say("   found %d, missed %d, invented %d: F1 %.3f\n", e.TP, e.FN, e.FP, e.Rates.F1)
	if err := writeHTML(page, false, func(w io.Writer) error { return good.WriteHTML(w, false) }); err != nil {
		return err
	}
	say("The page with every span drawn in its text: %s", page)
	say("Now with files of your own:")
	say("   verbatim score --gold GOLD.jsonl --pred PRED.jsonl --journals JOURNALS.jsonl")
	return nil
}

func demoResult(ctx context.Context, name, pred string) (*grade.Result, error) {
	return grade.Score(ctx, grade.Options{Gold: grade.FromString("gold.jsonl", demoGold), Pred: grade.FromString(name, pred),
		Journals: grade.FromString("journals.jsonl", demoJournals), Draws: 1000, Workers: 1})
}
