package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/cue"
	"verbatim/internal/parallel"
	"verbatim/journal"
)

func extractCommand() *cobra.Command {
	var out, rules string
	var workers int
	var explain bool
	cmd := &cobra.Command{
		Use:   "extract JOURNALS.jsonl",
		Short: "Find evidence-backed items in personal health journals",
		Long: `Find items (symptoms, food, emotions, states of mind) in personal health
journals with rule cards: offline, without a model, and with the same output for
any number of workers. Every item carries its evidence from the journal, the
place of the evidence in bytes and code points, and the card that made it.

Each input line is one journal, {"journal_id", "text"}; other fields are ignored.
The output has one line per journal, in the same order. A bad line is reported
with its number and skipped, and the exit status is 1. Messages name journals by
their id and never quote them. Only --explain prints text from the journals.`,
		Example: `  verbatim extract journals.jsonl -o predictions.jsonl
  verbatim extract --explain journals.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, c := cmd.Context(), consoleOf(cmd)
			if err := checkNamed(c, rules); err != nil {
				return err
			}
			cards, err := readJournalCards(rules)
			if err != nil {
				return err
			}
			if err := refuseInput(c, out, args...); err != nil {
				return err
			}
			return eachInput(ctx, c, args, func(file string, in io.Reader) error {
				x := extraction{cards: cards, file: file, workers: workers, messages: c.messages}
				work := x.run
				if explain {
					work = x.explain
				}
				if err := writePrivate(c, out, func(w io.Writer) error { return work(ctx, in, w) }); err != nil {
					return err
				}
				return x.verdict() // bad lines do not prevent writing the good ones
			})
		},
	}
	addOut(cmd, &out, "the items")
	cmd.Flags().StringVar(&rules, "rules", usualRules, "a folder of your own rule cards (journals/ in it)")
	cmd.Flags().IntVar(&workers, "workers", runtime.NumCPU(), "how many journals to process at the same time")
	cmd.Flags().BoolVar(&explain, "explain", false, "print each item with its cards and each rejected piece with its reason, for people to read")
	return cmd
}

// An extraction is one run over one file.
type extraction struct {
	cards    *cue.Cards
	file     string
	workers  int
	messages io.Writer

	bad, done int
	ids       idSet
}

// extracted is the result for one input line.
type extracted struct {
	line int
	id   string
	json []byte // the line to write
}

func (x *extraction) run(ctx context.Context, in io.Reader, out io.Writer) error {
	pool := sync.Pool{New: func() any { return journal.New(x.cards) }}
	work := func(_ context.Context, line verbatim.Line) (extracted, error) {
		j, err := readJournal(line)
		if err != nil {
			return extracted{}, err
		}
		e := pool.Get().(*journal.Extractor)
		defer pool.Put(e)
		text, err := itemsLine(j.ID, e.Items(j.Text))
		return extracted{line.Number, j.ID, text}, err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	for result, err := range parallel.Map(ctx, x.workers, verbatim.Lines(in, x.file), work) {
		skip, err := x.check(err, result.id, result.line)
		if skip {
			continue
		}
		if err == nil {
			_, err = w.Write(result.json)
		}
		if err != nil {
			return errors.Join(err, w.Flush())
		}
	}
	return w.Flush()
}

// itemsLine is the output line of a journal: verbatim.JournalItems with cards.
func itemsLine(id string, items []journal.Item) ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		ID    string         `json:"journal_id"`
		Items []journal.Item `json:"items"`
	}{id, items})
	return line.Bytes(), err
}

// check counts a line. It reports a bad line or a second journal with the same id
// and skips it; any other error comes back.
func (x *extraction) check(err error, id string, line int) (skip bool, _ error) {
	if err == nil {
		if first := x.ids.first(id, line); first > 0 {
			err = &verbatim.LineError{File: x.file, Line: line, What: fmt.Sprintf("journal_id %q is already in line %d", id, first),
				Remedy: "give each journal its own id"}
		}
	}
	if bad := (*verbatim.LineError)(nil); errors.As(err, &bad) {
		x.bad++
		fmt.Fprintln(x.messages, "verbatim:", err)
		return true, nil
	}
	if err == nil {
		x.done++
	}
	return false, err
}

// verdict is the error of a run that skipped lines.
func (x *extraction) verdict() error {
	if x.bad == 0 {
		return nil
	}
	return &CheckFailed{fmt.Sprintf("%s: %s skipped (named above); %s done", x.file, count(x.bad, "line"), count(x.done, "journal"))}
}

func are(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " is"
	}
	return fmt.Sprintf("%d %s are", n, many)
}

// readJournal decodes a line and rejects a journal without an id or a text.
func readJournal(line verbatim.Line) (verbatim.Journal, error) {
	j, err := verbatim.Decode[verbatim.Journal](line)
	if err != nil {
		return j, err
	}
	bad := verbatim.LineError{File: line.File, Line: line.Number, Remedy: `each line must be {"journal_id": "...", "text": "..."}`}
	switch {
	case strings.TrimSpace(j.ID) == "":
		bad.What = "the journal has no journal_id"
	case strings.TrimSpace(j.Text) == "":
		bad.What = fmt.Sprintf("journal %q has no text", j.ID)
	default:
		return j, nil
	}
	return j, &bad
}

// explain prints each item with its cards and each rejected piece with its
// reason, for people to read.
func (x *extraction) explain(ctx context.Context, in io.Reader, out io.Writer) error {
	e := journal.New(x.cards)
	w := bufio.NewWriter(&readable{out: out})
	for line, err := range verbatim.Lines(in, x.file) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		j, err := readJournal(line)
		skip, err := x.check(err, j.ID, line.Number)
		if err != nil {
			return err
		}
		if skip {
			continue
		}
		fmt.Fprintf(w, "%s\n", j.ID)
		for _, r := range e.Explain(j.Text) {
			fmt.Fprintf(w, "  %-8s %s\n           %s\n", r.What, verbatim.FoldSpace(j.Text[r.Start:r.End]), r.Why)
		}
	}
	return w.Flush()
}
