package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/journal"
	"verbatim/sentence"
)

// polarityAsk is one question: is what this span names there?
type polarityAsk struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

type polarityAnswer struct {
	ID       string `json:"id"`
	Polarity string `json:"polarity"`
	Card     string `json:"card,omitempty"`
}

func inspectPolarityCommand() *cobra.Command {
	var asJSON bool
	var rules string
	cmd := &cobra.Command{
		Use:   "polarity FILE",
		Short: "Show what a text denies and what it doubts",
		Long: `Show what a text denies and what it doubts: each denial or doubt with the card
that knows it and [in brackets] how far it reaches.

"--json FILE" (or "-") reads {"id","text","start","end"} lines, where start and
end are bytes of the text, and prints {"id","polarity","card"} for each:
present, absent or uncertain, and the card that decided, if one did.`,
		Example: `  verbatim inspect polarity notes.txt
  verbatim inspect polarity --json - < spans.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cards, err := journalCards(rules)
			if err != nil {
				return err
			}
			judge := journal.NewJudge(cards)
			if !asJSON {
				return eachDocument(cmd, args, func(_ string, doc *verbatim.Document) error {
					return showPolarity(cmd.OutOrStdout(), judge, doc)
				})
			}
			return eachInput(cmd, args, func(file string, in io.Reader) error {
				return answerPolarity(cmd, judge, in, file)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer questions, one object a line")
	cmd.Flags().StringVar(&rules, "rules", usualRules, "a folder of your own rule cards")
	return cmd
}

func answerPolarity(cmd *cobra.Command, judge *journal.Judge, in io.Reader, file string) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	bad := 0
	for line, err := range verbatim.Lines(in, file) {
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		ask, err := verbatim.Decode[polarityAsk](line)
		if err == nil && (ask.Start < 0 || ask.End > len(ask.Text) || ask.Start >= ask.End) {
			err = &verbatim.LineError{File: file, Line: line.Number, What: fmt.Sprintf("the question %s has no span", ask.ID),
				Remedy: fmt.Sprintf("start and end are bytes of its text, which has %d", len(ask.Text))}
		}
		if err != nil {
			bad++
			fmt.Fprintln(cmd.ErrOrStderr(), "verbatim:", err)
			continue
		}
		polarity, card := judge.Polarity(ask.Text, verbatim.Span{Start: ask.Start, End: ask.End})
		if err := enc.Encode(polarityAnswer{ask.ID, polarity, card}); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if bad > 0 {
		return &Wanting{fmt.Sprintf("%s not be answered (named above); the others are", could(bad, "question", "questions"))}
	}
	return nil
}

func could(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " could"
	}
	return fmt.Sprintf("%d %s could", n, many)
}

// showPolarity prints each denial and doubt under its sentence.
func showPolarity(out io.Writer, judge *journal.Judge, doc *verbatim.Document) error {
	w := bufio.NewWriter(out)
	for s := range sentence.Split(doc) {
		text := verbatim.FoldSpace(doc.Quote(s.Span))
		for _, r := range judge.Reaches(text) {
			fmt.Fprintf(w, "%-10s %-22s %s[%s]%s\n", r.Sense, r.Card, text[:r.Scope.Start], text[r.Scope.Start:r.Scope.End], text[r.Scope.End:])
		}
	}
	return w.Flush()
}
