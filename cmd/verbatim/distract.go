package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/chat"
	"verbatim/distractor"
	"verbatim/internal/durable"
	"verbatim/workspace"
)

func distractCommand() *cobra.Command {
	var batch, schema, estimate bool
	var out, ledger, dir string
	cmd := &cobra.Command{
		Use:   "distract [REQUESTS.jsonl]",
		Short: "Make wrong answers: a request as JSON in, answer lists as JSON out",
		Long: `Make wrong answers for masked passages, for use by other programs. Each line
of the input is a request, each line of the output its answers, in order:

  {"id": "1", "metadata_prefix": "The following passage comes from ...",
   "passage": "... [masked sentence describing a tension or contrast] ...",
   "prompt": "Write a sentence appropriate for this book that could stand in the
   position marked by [masked sentence describing a tension or contrast]:",
   "mask": "[masked sentence describing a tension or contrast]",
   "ground_truth": "But ...", "answer_type": "sentence",
   "candidates": ["But ...", "Yet ..."], "types": ["negation", "same_book"]}

  {"id": "1", "answer_strings": ["But ...", ...], "answer_types":
   ["ground_truth", ...], "answer_probabilities": [1.0, 0.0, ...]}

The three lists begin with the ground truth and are of one length. What could
not be made is left out and named in "failed". --schema prints the JSON Schema
of both. Without a file, standard input is read; a request is answered as soon
as its line has come. With --batch all requests are read first and the models
are asked one after the other, which spares a laptop from loading two large
models in turns.

Every call is written to a ledger before its answer is used. The same command
again repeats no call, and goes on where a broken-off run stopped.`,
		Example: `  verbatim distract requests.jsonl --batch --out answers.jsonl
  my-program | verbatim distract | my-other-program`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, c := cmd.Context(), consoleOf(cmd)
			if schema {
				_, err := fmt.Fprintf(c.out, "%s%s", distractor.RequestSchema, distractor.AnswersSchema)
				return err
			}
			if len(args) == 0 {
				args = []string{"-"}
			}
			if err := refuseInput(c, out, args[0], distractLedger(dir, ledger)); err != nil {
				return err
			}
			in, name, err := openRequests(ctx, c, args)
			if err != nil {
				return err
			}
			defer in.Close()
			if estimate {
				return estimateCalls(ctx, c, verbatim.Read[distractor.Request](in, name), dir, ledger)
			}
			return distract(ctx, c, verbatim.Read[distractor.Request](in, name), dir, batch, out, ledger)
		},
	}
	addModelFlags(cmd)
	cmd.Flags().StringVar(&dir, "dir", "process_files", "the working folder")
	cmd.Flags().BoolVar(&batch, "batch", false, "read all requests first, and ask one model after the other")
	addOut(cmd, &out, "the answers")
	cmd.Flags().StringVar(&ledger, "ledger", "", "the file in which every call is kept (default distract-ledger.jsonl in the working folder)")
	cmd.Flags().String("negation-model", distractor.DefaultNegator, "label of the model that writes negations")
	addScorerFlag(cmd)
	cmd.Flags().BoolVar(&estimate, "estimate", false, "say how many calls this would take, and make none")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of a request and of its answers")
	return cmd
}

func openRequests(ctx context.Context, c *console, args []string) (io.ReadCloser, string, error) {
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(standardInput(ctx, c)), "standard input", nil
	}
	file, err := os.Open(args[0])
	if err != nil {
		return nil, "", durable.CannotRead(err)
	}
	return file, args[0], nil
}

func distract(ctx context.Context, c *console, requests iter.Seq2[distractor.Request, error], dir string, batch bool, out, ledger string) error {
	l, g, err := generatorFor(ctx, c, dir)
	if err != nil {
		return err
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
	report := &distractReport{failed: map[string]int{}}
	answers := oneByOne(ctx, c, g, requests)
	if batch {
		answers = allTogether(ctx, c, g, requests)
	}
	err = writeAnswers(ctx, c, out, report.watch(answers))
	l.summary()
	if err != nil {
		return resume(ctx, c, err)
	}
	return report.verdict(ctx, c)
}

// generatorFor is the maker of wrong answers with the settings of a folder, which
// need not exist.
func generatorFor(ctx context.Context, c *console, dir string) (*language, *distractor.Generator, error) {
	space, err := newSpaces(c, true, nil).in(ctx, workspace.FolderAt(dir))
	if err != nil {
		return nil, nil, err
	}
	g, err := space.Generator()
	return space.language, g, err
}

// distractLedger is the file that was named, or the usual one.
func distractLedger(dir, named string) string {
	return cmp.Or(named, filepath.Join(dir, "distract-ledger.jsonl"))
}

// estimateCalls says, model by model, what a run would ask.
func estimateCalls(ctx context.Context, c *console, requests iter.Seq2[distractor.Request, error], dir, ledger string) error {
	space, err := newSpaces(c, false, nil).in(ctx, workspace.FolderAt(dir))
	if err != nil {
		return err
	}
	l := &language{Settings: space.Settings, c: c, replay: true}
	if err := l.connect(); err != nil {
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
		if _, err := fmt.Fprintf(c.out, "%-22s %6d calls, about %d tokens to read; %d stand in the ledger\n", label, of.calls, of.tokens, of.known); err != nil {
			return err
		}
	}
	return nil
}

// oneByOne answers each request before the next is read: the program that asks
// may be waiting for the answer.
func oneByOne(ctx context.Context, c *console, g *distractor.Generator, requests iter.Seq2[distractor.Request, error]) iter.Seq2[distractor.Answers, error] {
	return func(yield func(distractor.Answers, error) bool) {
		for r, err := range requests {
			answers := distractor.Answers{ID: r.ID}
			if unreadable(err) {
				yield(answers, err)
				return
			}
			if err == nil {
				if err = r.Check(); err == nil {
					if answers, err = g.Make(ctx, r); err != nil {
						yield(answers, err)
						return
					}
				}
			}
			if answers, err = served(answers, err); !yield(answers, err) || err != nil {
				return
			}
		}
	}
}

// allTogether reads all requests and asks one model after the other.
func allTogether(ctx context.Context, c *console, g *distractor.Generator, requests iter.Seq2[distractor.Request, error]) iter.Seq2[distractor.Answers, error] {
	return func(yield func(distractor.Answers, error) bool) {
		var all []distractor.Request
		var bad []error
		for r, err := range requests {
			if unreadable(err) {
				yield(distractor.Answers{}, err)
				return
			}
			if err == nil {
				err = r.Check()
			}
			all, bad = append(all, r), append(bad, err)
		}
		bar := newProgress(c.messages, "calls", 0)
		g.Progress = func(_, total int) { bar.total = total; bar.step() }
		defer bar.clear()
		at := 0
		for answers, err := range g.MakeAll(ctx, all) {
			if err != nil && (at >= len(bad) || bad[at] == nil) {
				yield(answers, err) // a model is lost
				return
			}
			if answers, err = served(answers, bad[at]); !yield(answers, err) {
				return
			}
			at++
		}
	}
}

// unreadable says that the input itself failed, and not one line of it.
func unreadable(err error) bool {
	line := (*verbatim.LineError)(nil)
	return err != nil && !errors.As(err, &line)
}

// served turns the error of one request into its line of output, so that the
// answers of a program that counts lines stay in step.
func served(a distractor.Answers, err error) (distractor.Answers, error) {
	if err == nil {
		return a, nil
	}
	a.Error = err.Error()
	a.Strings, a.Types, a.Probabilities = []string{}, []string{}, []distractor.Probability{}
	return a, nil
}

// writeAnswers writes each line as soon as it is there, or a file as a whole.
func writeAnswers(ctx context.Context, c *console, out string, answers iter.Seq2[distractor.Answers, error]) error {
	return writeOut(c, out, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for a, err := range answers {
			if err != nil {
				return err
			}
			if err := enc.Encode(a); err != nil {
				return err
			}
		}
		return nil
	})
}

// distractReport counts what a person should hear at the end.
type distractReport struct {
	requests, made, bad int
	failed              map[string]int
	why                 map[string]string
}

func (d *distractReport) watch(answers iter.Seq2[distractor.Answers, error]) iter.Seq2[distractor.Answers, error] {
	d.why = map[string]string{}
	return func(yield func(distractor.Answers, error) bool) {
		for a, err := range answers {
			if err == nil {
				d.requests++
				d.made += max(0, len(a.Strings)-1)
				if a.Error != "" {
					d.bad++
				}
				for _, f := range a.Failed {
					d.failed[f.Type]++
					d.why[f.Type] = f.Reason
				}
			}
			if !yield(a, err) {
				return
			}
		}
	}
}

func (d *distractReport) verdict(ctx context.Context, c *console) error {
	words := c.messages
	fmt.Fprintf(words, "%s for %s\n", count(d.made, "distractor"), count(d.requests, "request"))
	for _, name := range slices.Sorted(maps.Keys(d.failed)) {
		fmt.Fprintf(words, "missing: %d of %s (the last one: %s)\n", d.failed[name], name, d.why[name])
	}
	if d.bad > 0 {
		return &CheckFailed{fmt.Sprintf("%d of %s could not be served; their lines say why", d.bad, count(d.requests, "request"))}
	}
	return nil
}
