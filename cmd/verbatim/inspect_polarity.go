package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/journal"
	"verbatim/sentence"
)

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
	cmd := newCommand("inspect-polarity", cobra.ExactArgs(1), func(ctx context.Context, c *console, args []string) error {
		if err := checkRulesFlag(c, rules); err != nil {
			return err
		}
		cards, err := readCards(rules, journalCards)
		if err != nil {
			return err
		}
		judge := journal.NewJudge(cards)
		if spans || asJSON && args[0] == "-" {
			return answerLines(ctx, c, args[0], "question", "answered", judge.Answer)
		}
		return eachDocument(ctx, c, args, func(_ string, doc *verbatim.Document) error {
			return showPolarity(c.out, judge, doc, asJSON)
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"polarity","card","start","end","sentence","from","to"} for each`)
	cmd.Flags().BoolVar(&spans, "spans", false, "read questions, one JSON object per line")
	cmd.Flags().StringVar(&rules, "rules", defaultRules, "a folder of your own rule cards")
	return cmd
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
