package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/chat"
	"verbatim/distractor"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
	"verbatim/workspace"
)

func distractCommand() *cobra.Command {
	var batch, schema, estimate bool
	var out, ledger, dir string
	cmd := newCommand("distract", cobra.MaximumNArgs(1), func(ctx context.Context, c *console, args []string) error {
		if schema {
			_, err := fmt.Fprintf(c.data, "%s%s", distractor.RequestSchema, distractor.AnswersSchema)
			return err
		}
		if len(args) == 0 {
			args = []string{"-"}
		}
		if err := rejectInput(c, out, args[0], distractLedger(dir, ledger)); err != nil {
			return err
		}
		return withInput(ctx, c, args[0], func(name string, in io.Reader) error {
			requests := verbatim.Read[distractor.Request](in, name)
			if estimate {
				return estimateCalls(ctx, c, requests, dir, ledger)
			}
			return distract(ctx, c, requests, dir, batch, out, ledger)
		})
	})
	addModelFlags(cmd)
	cmd.Flags().StringVar(&dir, "dir", "process_files", "the working folder")
	cmd.Flags().BoolVar(&batch, "batch", false, "read all requests first, then ask one model after the other")
	addOut(cmd, &out, "the answers")
	cmd.Flags().StringVar(&ledger, "ledger", "", "the file that records every call (default: distract-ledger.jsonl in the working folder)")
	cmd.Flags().String("negation-model", distractor.DefaultNegator, "label of the model that writes negations")
	addScorerFlag(cmd)
	addChoose(cmd)
	cmd.Flags().BoolVar(&estimate, "estimate", false, "print how many calls this would take, and make none")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of a request and of its answers")
	return cmd
}

func distract(ctx context.Context, c *console, requests iter.Seq2[distractor.Request, error], dir string, batch bool, out, ledger string) error {
	l, g, err := generatorFor(ctx, c, dir)
	if err != nil {
		return err
	}
	if ledger == "" { // in a folder that may be somebody else's
		if err := durable.Within(dir, distractLedger(dir, "")); err != nil {
			return err
		}
	}
	ledger = distractLedger(dir, ledger)
	unlock, err := lockLedger(ledger)
	if err != nil {
		return err
	}
	defer unlock()
	model, closeLedger, err := l.book(ledger)
	if err != nil {
		return err
	}
	defer closeLedger()
	g.Chat = model
	if requests, err = balanceRequests(g, l.Or("choose", "best"), requests); err != nil {
		return err
	}
	report := &distractReport{failed: map[string]int{}, why: map[string]string{}}
	answers := g.Serve(ctx, requests)
	if batch {
		bar := cli.NewProgress(c.messages)
		defer bar.Clear()
		g.Progress = func(done, total int) { bar.Show("calls", done, total) }
		answers = g.ServeAll(ctx, requests)
	}
	err = writeOut(c, out, false, func(w io.Writer) error { return report.write(w, answers) })
	l.summary()
	if err != nil {
		return resume(ctx, c, err)
	}
	return report.verdict(c)
}

// generatorFor makes wrong answers with the settings of a folder, which need not
// exist.
func generatorFor(ctx context.Context, c *console, dir string) (*language, *distractor.Generator, error) {
	space, err := newSpaces(c, true, nil).in(ctx, workspace.FolderAt(dir))
	if err != nil {
		return nil, nil, err
	}
	g, err := space.Generator()
	return space.language, g, err
}

// distractLedger is the named file, or the default one.
func distractLedger(dir, named string) string {
	return cmp.Or(named, filepath.Join(dir, "distract-ledger.jsonl"))
}

// estimateCalls says, per model, how many calls a run would make.
func estimateCalls(ctx context.Context, c *console, requests iter.Seq2[distractor.Request, error], dir, ledger string) error {
	space, err := newSpaces(c, false, nil).in(ctx, workspace.FolderAt(dir))
	if err != nil {
		return err
	}
	l := &language{Settings: space.Settings, c: c, replay: true}
	if err := l.plan(); err != nil {
		return err
	}
	g, err := space.Generator()
	if err != nil {
		return err
	}
	g.Negator = l.Or("negation-model", distractor.DefaultNegator)
	stored, err := chat.ReadLedger(distractLedger(dir, ledger))
	if err != nil {
		return err
	}
	type cost struct{ calls, tokens, known int }
	costs := map[string]cost{}
	for r, err := range requests {
		if err != nil {
			return err
		}
		prompts, err := g.Planned(r)
		if err != nil {
			return err
		}
		for _, p := range prompts {
			of := costs[p.Model]
			if has, tokens := l.client.Has(stored, p); has {
				of.known++
			} else {
				of.calls, of.tokens = of.calls+1, of.tokens+tokens
			}
			costs[p.Model] = of
		}
	}
	for _, label := range slices.Sorted(maps.Keys(costs)) {
		of := costs[label]
		noun := "calls"
		if of.calls == 1 {
			noun = "call"
		}
		fmt.Fprintf(c.out, "%-22s %6d %s, about %d tokens to read; %d are in the ledger\n", label, of.calls, noun, of.tokens, of.known)
	}
	return nil
}

// distractReport counts for the summary.
type distractReport struct {
	requests, made, bad int
	failed              map[string]int
	why                 map[string]string
}

// write writes each line as soon as it is there, and counts.
func (d *distractReport) write(w io.Writer, answers iter.Seq2[distractor.Answers, error]) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for a, err := range answers {
		if err != nil {
			return err
		}
		d.requests++
		d.made += max(0, len(a.Strings)-1)
		if a.Error != "" {
			d.bad++
		}
		for _, f := range a.Failed {
			d.failed[f.Type]++
			d.why[f.Type] = f.Reason
		}
		if err := enc.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

func (d *distractReport) verdict(c *console) error {
	fmt.Fprintf(c.messages, "%s for %s\n", count(d.made, "distractor"), count(d.requests, "request"))
	for _, name := range slices.Sorted(maps.Keys(d.failed)) {
		fmt.Fprintf(c.messages, "missing: %d of %s (the last one: %s)\n", d.failed[name], name, d.why[name])
	}
	if d.bad > 0 {
		return &CheckFailed{fmt.Sprintf("%d of %s could not be answered; their lines say why", d.bad, count(d.requests, "request"))}
	}
	return nil
}
