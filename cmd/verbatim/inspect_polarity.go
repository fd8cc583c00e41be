package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/journal"
	"verbatim/sentence"
)

// polarityQuestion asks for the polarity of one span of a text.
type polarityQuestion struct {
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

// scopeLine is one negation or doubt in JSON. Span is the sentence's place in the
// file; from and to are the scope in the sentence.
type scopeLine struct {
	Polarity string `json:"polarity"`
	Card     string `json:"card"`
	verbatim.Span
	Sentence   string `json:"sentence"`
	ScopeStart int    `json:"from"`
	ScopeEnd   int    `json:"to"`
}

func inspectPolarityCommand() *cobra.Command {
	var asJSON, spans bool
	var rules string
	cmd := &cobra.Command{
		Use:   "polarity FILE",
		Short: "Show the negations and doubts in a text",
		Long: `Show the negations and doubts in a text: each one with its card and, in
[brackets], its scope.

With --spans the file contains questions from other programs, one per line:
{"id","text","start","end"}, where start and end are bytes of the text. The answer
is {"id","polarity","card"}: present, absent or uncertain, and the card that
decided, if any. "--json -" is short for "--spans -".`,
		Example: `  verbatim inspect polarity notes.txt
  verbatim inspect polarity --spans spans.jsonl
  verbatim inspect polarity --json - < spans.jsonl`,
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
			judge := journal.NewJudge(cards)
			if spans || asJSON && args[0] == "-" {
				return eachInput(ctx, c, args, func(file string, in io.Reader) error {
					return answerPolarity(ctx, c, judge, in, file)
				})
			}
			return eachDocument(ctx, c, args, func(_ string, doc *verbatim.Document) error {
				return showPolarity(c.out, judge, doc, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"polarity","card","start","end","sentence","from","to"} for each`)
	cmd.Flags().BoolVar(&spans, "spans", false, "read questions, one JSON object per line")
	cmd.Flags().StringVar(&rules, "rules", usualRules, "a folder of your own rule cards")
	return cmd
}

func answerPolarity(ctx context.Context, c *console, judge *journal.Judge, in io.Reader, file string) error {
	in, out := answering(in, c.out)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	bad, done := 0, 0
	for line, err := range verbatim.Lines(in, file) {
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		q, err := verbatim.Decode[polarityQuestion](line)
		if err == nil && (q.Start < 0 || q.End > len(q.Text) || q.Start >= q.End) {
			err = &verbatim.LineError{File: file, Line: line.Number, What: fmt.Sprintf("question %q has no valid span", q.ID),
				Remedy: fmt.Sprintf("start and end must be bytes of its text, which has %d", len(q.Text))}
		}
		if err != nil {
			bad++
			c.warn(err)
			continue
		}
		polarity, card := judge.Polarity(q.Text, verbatim.Span{Start: q.Start, End: q.End})
		if err := enc.Encode(polarityAnswer{q.ID, polarity, card}); err != nil {
			return err
		}
		done++
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if bad > 0 {
		return &CheckFailed{fmt.Sprintf("%s skipped (named above); %s answered", count(bad, "line"), count(done, "question"))}
	}
	return nil
}

func could(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " could"
	}
	return fmt.Sprintf("%d %s could", n, many)
}

// showPolarity prints each negation and doubt in its sentence.
func showPolarity(out io.Writer, judge *journal.Judge, doc *verbatim.Document, asJSON bool) error {
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for s := range sentence.Split(doc) {
		text := verbatim.FoldSpace(doc.Quote(s.Span))
		for _, r := range judge.Scopes(text) {
			var err error
			if asJSON {
				err = enc.Encode(scopeLine{r.Sense, r.Card, s.Span, text, r.Scope.Start, r.Scope.End})
			} else {
				_, err = fmt.Fprintf(w, "%-10s %-22s %s\n", r.Sense, r.Card, bracketed(text, r.Scope))
			}
			if err != nil {
				return err
			}
		}
	}
	return w.Flush()
}
