package main

import (
	"bufio"
	"context"
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
		Long: `Find items (symptoms, food, feelings, states of mind) in personal health
journals, by rule cards alone: offline, no model, the same bytes for any number
of workers. Every item carries the words of its journal that prove it, their
place in bytes and code points, and the card that made it.

A journal is a line {"journal_id", "text"}; other fields are borne. The output
is one line a journal, in the same order. A bad line is named by its number and
left out, the others are done, and the exit status is 1. Nothing of a journal
but its id is ever printed, unless --explain asks for the reasons.`,
		Example: `  verbatim extract journals.jsonl -o predictions.jsonl
  verbatim extract --explain journals.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, c := cmd.Context(), consoleOf(cmd)
			if err := checkNamed(c, rules); err != nil {
				return err
			}
			cards, err := journalCards(rules)
			if err != nil {
				return err
			}
			if err := refuseInput(c, out, args...); err != nil {
				return err
			}
			return eachInput(ctx, c, args, func(file string, in io.Reader) error {
				x := extraction{cards: cards, file: file, workers: workers, words: c.messages}
				work := x.run
				if explain {
					work = x.explain
				}
				err := writePrivate(c, out, func(w io.Writer) error { return work(ctx, in, w) })
				if err != nil {
					return err
				}
				return x.verdict() // bad lines do not keep the good ones from being written
			})
		},
	}
	addOut(cmd, &out, "the items")
	cmd.Flags().StringVar(&rules, "rules", usualRules, "a folder of your own rule cards (journals/ in it)")
	cmd.Flags().IntVar(&workers, "workers", runtime.NumCPU(), "work on so many journals at a time")
	cmd.Flags().BoolVar(&explain, "explain", false, "for people: each item with its cards, each refused piece with its reason")
	return cmd
}

// An extraction is one run over one file.
type extraction struct {
	cards   *cue.Cards
	file    string
	workers int
	words   io.Writer

	bad, done int
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
		return extracted{line.Number, *j.ID, e.AppendLine(make([]byte, 0, 2*len(line.Text)), *j.ID, *j.Text)}, nil
	}
	w := bufio.NewWriterSize(out, 1<<16)
	var ids idSet
	for answer, err := range parallel.Map(ctx, x.workers, verbatim.Lines(in, x.file), work) {
		if err == nil {
			err = x.once(&ids, answer.id, answer.line)
		}
		if bad := (*verbatim.LineError)(nil); errors.As(err, &bad) {
			x.bad++
			fmt.Fprintln(x.words, "verbatim:", err)
			continue
		}
		if err == nil {
			_, err = w.Write(answer.items)
		}
		if err != nil {
			return errors.Join(err, w.Flush())
		}
		x.done++
	}
	return w.Flush()
}

// verdict is the error of a run that left lines out.
func (x *extraction) verdict() error {
	if x.bad == 0 {
		return nil
	}
	return &Wanting{fmt.Sprintf("%s: %s not be used (named above); %s done", x.file, could(x.bad, "line", "lines"), are(x.done, "journal", "journals"))}
}

func are(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " is"
	}
	return fmt.Sprintf("%d %s are", n, many)
}

// extracted is the answer to one line: the line to write.
type extracted struct {
	line  int
	id    string
	items []byte
}

// once holds that no two journals have one id.
func (x *extraction) once(ids *idSet, id string, line int) error {
	if first := ids.first(id, line); first > 0 {
		return &verbatim.LineError{File: x.file, Line: line, What: fmt.Sprintf("journal_id %q stands already in line %d", id, first),
			Remedy: "give each journal an id of its own"}
	}
	return nil
}

// aJournal is a line before it is known to be a journal: what is missing can be
// told from what is empty.
type aJournal struct {
	ID   *string `json:"journal_id"`
	Text *string `json:"text"`
}

func readJournal(line verbatim.Line) (aJournal, error) {
	j, err := verbatim.Decode[aJournal](line)
	if err != nil {
		return j, err
	}
	wanting := func(what, remedy string) error {
		return &verbatim.LineError{File: line.File, Line: line.Number, What: what, Remedy: remedy}
	}
	switch {
	case j.ID == nil || strings.TrimSpace(*j.ID) == "":
		return j, wanting("the journal has no journal_id", `each line is {"journal_id": "...", "text": "..."}`)
	case j.Text == nil:
		return j, wanting(fmt.Sprintf("journal %q has no text", *j.ID), `each line is {"journal_id": "...", "text": "..."}`)
	case strings.TrimSpace(*j.Text) == "":
		return j, wanting(fmt.Sprintf("the text of journal %q is empty", *j.ID), "take the line out, or fill it in")
	}
	return j, nil
}

// explain prints, for people, what was found, by which cards, and what was
// refused and why.
func (x *extraction) explain(ctx context.Context, in io.Reader, out io.Writer) error {
	e := journal.New(x.cards)
	w := bufio.NewWriter(&readable{out: out})
	var ids idSet
	for line, err := range verbatim.Lines(in, x.file) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		j, err := readJournal(line)
		if err == nil {
			err = x.once(&ids, *j.ID, line.Number)
		}
		if err != nil {
			x.bad++
			fmt.Fprintln(x.words, "verbatim:", err)
			continue
		}
		x.done++
		fmt.Fprintf(w, "%s\n", *j.ID)
		for _, r := range e.Explain(*j.Text) {
			fmt.Fprintf(w, "  %-8s %s\n           %s\n", r.What, verbatim.FoldSpace((*j.Text)[r.Start:r.End]), r.Why)
		}
	}
	return w.Flush()
}
