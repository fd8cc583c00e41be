package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/distractor"
)

func inspectRankingCommand() *cobra.Command {
	var asJSON, asText bool
	var dir string
	cmd := &cobra.Command{
		Use:   "ranking [FILE.jsonl]",
		Short: "See how candidates are ranked for a masked place",
		Long: `Rank candidates for a masked place of a passage, the best first: how likely
does each follow the sentence before, and the sentence after follow it? Each
line of the file, or of standard input, is one question:

  {"id": "q1", "passage": "... [masked sentence] ...", "mask": "[masked sentence]",
   "candidates": ["...", "..."], "ground_truth": "..."}

For people, all candidates are listed with two probabilities: that the candidate
follows the previous sentence, and that the next sentence follows it. Their
product gives the order; the share is its part in the sum over all candidates,
the model's answer to "which of these stood here?".

The ground truth, if given, and duplicates are left out of the ranking. With
--json each question has a line {"id", "ranking": [{"candidate", "score",
"previous", "next"}]}: the candidate's place in the list from 0, and natural
logarithms of probabilities, of which score is the sum.`,
		Example: `  verbatim inspect ranking questions.jsonl
  verbatim inspect ranking --json - < questions.jsonl > rankings.jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if file, ok := cmd.InOrStdin().(*os.File); ok && len(args) == 0 && isTerminal(file) {
				return errors.New("name a file with questions, or pipe them in; see: verbatim inspect ranking --help")
			}
			in, name, err := openRequests(cmd, args)
			if err != nil {
				return err
			}
			defer in.Close()
			return inspectRanking(cmd, verbatim.Read[rankingQuestion](in, name), dir, asJSON)
		},
	}
	addScorerFlag(cmd)
	cmd.Flags().StringVar(&dir, "dir", "process_files", "the working folder")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one object for each question")
	cmd.Flags().BoolVar(&asText, "text", false, "print for people (the default)")
	cmd.MarkFlagsMutuallyExclusive("json", "text")
	return cmd
}

type rankingQuestion struct {
	ID          json.RawMessage `json:"id"`
	Passage     string          `json:"passage"`
	Mask        string          `json:"mask"`
	Candidates  []string        `json:"candidates"`
	GroundTruth string          `json:"ground_truth"`
}

type rankingLine struct {
	ID      json.RawMessage `json:"id"`
	Ranking []rankedLine    `json:"ranking"`
	Error   string          `json:"error,omitempty"`

	question rankingQuestion
}

type rankedLine struct {
	Candidate int      `json:"candidate"`
	Score     float64  `json:"score"`
	Previous  *float64 `json:"previous"`
	Next      *float64 `json:"next"`
}

func inspectRanking(cmd *cobra.Command, questions iter.Seq2[rankingQuestion, error], dir string, asJSON bool) error {
	s, err := readSettings(cmd, dir)
	if err != nil {
		return err
	}
	model, from, err := nextSentenceModel(s)
	switch {
	case err != nil:
		return err
	case model == nil && from != "":
		return fmt.Errorf("candidates are ranked by a next-sentence model, and %s wants none", from)
	case model == nil:
		return errors.New("candidates are ranked by a next-sentence model, and this build has none inside; name a folder with --nsp-model")
	case model.Slow():
		fmt.Fprintln(cmd.ErrOrStderr(), "This processor has neither AVX2 nor NEON: a candidate takes about a second.")
	}
	bad := 0
	lines := rankings(cmd, watchedScorer{model, cmd.ErrOrStderr()}, questions, &bad)
	if asJSON {
		err = verbatim.Write(cmd.OutOrStdout(), lines)
	} else {
		err = printRankings(cmd.OutOrStdout(), lines)
	}
	switch {
	case cmd.Context().Err() != nil:
		return fmt.Errorf("stopped; what is printed is whole. To begin again, type:\n  %s", commandLine(cmd))
	case err == nil && bad > 0:
		return &Wanting{count(bad, "question") + " could not be ranked"}
	}
	return err
}

// rankings answers each question before the next is read: the program that asks
// may be waiting. A bad question has a line of its own that says why.
func rankings(cmd *cobra.Command, scorer verbatim.Scorer, questions iter.Seq2[rankingQuestion, error], bad *int) iter.Seq2[rankingLine, error] {
	return func(yield func(rankingLine, error) bool) {
		for q, err := range questions {
			line := rankingLine{ID: q.ID, Ranking: []rankedLine{}, question: q}
			if line.ID == nil {
				line.ID = json.RawMessage("null")
			}
			var ranked []distractor.Ranked
			if err == nil {
				ranked, err = distractor.Rank(cmd.Context(), scorer, q.Passage, q.Mask, q.Candidates, q.GroundTruth)
			} else if place := (*verbatim.LineError)(nil); !errors.As(err, &place) {
				yield(line, err)
				return
			}
			if cmd.Context().Err() != nil {
				yield(line, cmd.Context().Err())
				return
			}
			if err != nil {
				*bad++
				line.Error = err.Error()
			}
			for _, r := range ranked {
				line.Ranking = append(line.Ranking, rankedLine{r.Index, r.Score, r.Previous, r.Next})
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// printRankings shows the passage, the best and the worst candidate under each
// other, and then all of them.
func printRankings(out io.Writer, lines iter.Seq2[rankingLine, error]) error {
	for line, err := range lines {
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, line.text()+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (l rankingLine) text() string {
	var text strings.Builder
	if id := strings.Trim(string(l.ID), `"`); id != "null" {
		fmt.Fprintln(&text, id)
	}
	if l.Error != "" {
		return text.String() + hang("  could not be ranked: ", l.Error)
	}
	text.WriteString(hang("  ", l.question.Passage))
	if n := len(l.Ranking); n > 1 {
		text.WriteString("\n")
		text.WriteString(hang("  best   ", l.candidate(0)))
		text.WriteString(hang("  worst  ", l.candidate(n-1)))
	}
	text.WriteString("\n  rank    share  previous     next  candidate\n")
	for i, r := range l.Ranking {
		share := l.share(i)
		text.WriteString(hang(fmt.Sprintf("  %4d  %7s  %8s  %7s  ", i+1, percent(&share), percent(r.Previous), percent(r.Next)), l.candidate(i)))
	}
	return text.String()
}

func (l rankingLine) candidate(i int) string { return l.question.Candidates[l.Ranking[i].Candidate] }

// share is the logarithm of a candidate's part in the sum of all products.
func (l rankingLine) share(i int) float64 {
	sum, best := 0.0, l.Ranking[0].Score
	for _, r := range l.Ranking {
		sum += math.Exp(r.Score - best)
	}
	return l.Ranking[i].Score - best - math.Log(sum)
}

// percent shows a probability given by its logarithm.
func percent(log *float64) string {
	if log == nil {
		return "-"
	}
	switch p := 100 * math.Exp(*log); {
	case p < 0.001:
		return "<0.001%"
	case p < 0.1:
		return fmt.Sprintf("%.1g%%", p)
	default:
		return fmt.Sprintf("%.1f%%", p)
	}
}

// hang folds a text for a terminal of 80 columns, under its first line.
func hang(first, text string) string {
	var all strings.Builder
	for i, line := range fold(text, 79-len(first)) {
		if i > 0 {
			first = strings.Repeat(" ", len(first))
		}
		fmt.Fprintf(&all, "%s%s\n", first, line)
	}
	return all.String()
}
