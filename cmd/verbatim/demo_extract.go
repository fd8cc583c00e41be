package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"verbatim"
	"verbatim/journal"
)

// demoExtract runs the extractor on journals (JSON Lines), proves every span,
// explains the items of the first journal, and returns the predictions for the
// scorer.
func demoExtract(ctx context.Context, out io.Writer, journals string) (predictions string, err error) {
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	x := extraction{cards: journal.Cards(), file: "journals.jsonl", workers: 1, messages: out}
	var items bytes.Buffer
	if err := x.run(ctx, strings.NewReader(journals), &items); err != nil {
		return "", err
	}
	predictions = items.String()
	proved, failed, err := verifyItems(strings.NewReader(predictions), strings.NewReader(journals), "items", x.file, out)
	if err != nil {
		return "", err
	}
	if failed > 0 {
		return "", &CheckFailed{count(failed, "proof") + " failed"}
	}
	say("An extractor reads them with rule cards: no model, no network, no list of")
	say("ailments, foods or feelings. It finds %s and proves each one against its", count(proved, "item"))
	say("journal, byte for byte. In the first journal:\n")
	for line := range verbatim.Lines(strings.NewReader(journals), x.file) {
		j, err := readJournal(line)
		if err != nil {
			return "", err
		}
		for _, r := range journal.New(x.cards).Explain(j.Text) {
			say("   %-8s %s", r.What, verbatim.FoldSpace(j.Text[r.Start:r.End]))
			say("            %s", wrap(r.Why, 66, "            "))
		}
		break
	}
	return predictions, nil
}
