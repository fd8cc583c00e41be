package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/internal/cli"
	"verbatim/workspace"
)

func inspectRankingCommand() *cobra.Command {
	var o rankingOptions
	cmd := newCommand("inspect-ranking", cobra.MaximumNArgs(1), func(ctx context.Context, c *console, args []string) error {
		switch {
		case len(args) == 0 && cli.IsTerminal(c.in):
			return errors.New("name a book, a file of drafts or a file of questions; see: verbatim inspect ranking --help")
		case len(args) == 0:
			args = []string{"-"}
		}
		return o.run(ctx, c, args[0])
	})
	addScorerFlag(cmd)
	addOut(cmd, &o.out, "the rankings")
	cmd.Flags().StringVar(&o.dir, "dir", "", "the working folder (default: the one of the book or the drafts)")
	cmd.Flags().StringVar(&o.category, "category", "", "only drafts of this category")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print JSON, one object per question")
	cmd.Flags().Bool("text", false, "print for people (the default)")
	cmd.MarkFlagsMutuallyExclusive("json", "text")
	return cmd
}

type rankingOptions struct {
	dir, out, category string
	asJSON             bool
}

// run opens a file of drafts or questions, that of a book if a book was named.
func (o rankingOptions) run(ctx context.Context, c *console, path string) error {
	if _, known := cloze.CategoryOf(o.category); o.category != "" && !known {
		return fmt.Errorf("--category %s: unknown category; the categories are %s", o.category, strings.Join(cloze.CategoryNames(), ", "))
	}
	paths, err := draftsOf(path, o.dir)
	if err != nil {
		return err
	}
	if err := rejectInput(c, o.out, paths...); err != nil {
		return err
	}
	if o.dir == "" {
		o.dir = workspace.Usual
		if workspace.HasTags(paths[0]) {
			o.dir = filepath.Dir(paths[0])
		}
	}
	if len(paths) == 1 {
		return withInput(ctx, c, paths[0], func(name string, in io.Reader) error {
			return o.inspect(ctx, c, in, func(in io.Reader) iter.Seq2[workspace.RankQuestion, error] {
				return workspace.RankQuestions(in, name, o.category)
			})
		})
	}
	return o.inspect(ctx, c, strings.NewReader(""), func(io.Reader) iter.Seq2[workspace.RankQuestion, error] { return o.allQuestions(ctx, c, paths) })
}

// allQuestions are those of several files, one after the other.
func (o rankingOptions) allQuestions(ctx context.Context, c *console, paths []string) iter.Seq2[workspace.RankQuestion, error] {
	return func(yield func(workspace.RankQuestion, error) bool) {
		for _, path := range paths {
			more := true
			err := withInput(ctx, c, path, func(name string, in io.Reader) error {
				for q, err := range workspace.RankQuestions(in, name, o.category) {
					if more = yield(q, err); !more {
						break
					}
				}
				return nil
			})
			if err != nil {
				more = more && yield(workspace.RankQuestion{}, err)
			}
			if !more {
				return
			}
		}
	}
}

type rankingLine struct {
	ID      json.RawMessage `json:"id"`
	Ranking []rankedLine    `json:"ranking"`
	Error   string          `json:"error,omitempty"`

	question workspace.RankQuestion
}

type rankedLine struct {
	Candidate int      `json:"candidate"`
	Score     float64  `json:"score"`
	Previous  *float64 `json:"previous"`
	Next      *float64 `json:"next"`
	Text      string   `json:"text,omitempty"` // of a draft's candidate, which is in no list
	Use       string   `json:"use,omitempty"`
	Tied      []string `json:"tied,omitempty"`
	Total     float64  `json:"total,omitempty"` // of a draft's candidate that was ranked
	Topic     float64  `json:"topic,omitempty"`
	Kin       bool     `json:"kin,omitempty"`
	Reason    string   `json:"set_aside,omitempty"` // why it was set aside
	Found     string   `json:"found,omitempty"`     // the word or mark that shows it
}

func (o rankingOptions) inspect(ctx context.Context, c *console, in io.Reader, questions func(io.Reader) iter.Seq2[workspace.RankQuestion, error]) error {
	s, err := c.settings(o.dir)
	if err != nil {
		return err
	}
	model, from, err := nextSentenceModel(s)
	switch {
	case err != nil:
		return err
	case model == nil && from != "":
		return fmt.Errorf("a next-sentence model ranks candidates, and %s says none", from)
	case model == nil:
		return errors.New("a next-sentence model ranks candidates, and this build has none; name a folder with --nsp-model")
	case model.Slow():
		fmt.Fprintln(c.messages, "This processor has neither AVX2 nor NEON: a candidate takes about a second.")
	}
	bad := 0
	err = writeOut(c, o.out, false, func(w io.Writer) error {
		in, answers := cli.Answering(in, w)
		lines := rankings(ctx, watchedScorer{model, c.messages}, questions(in), &bad)
		if o.asJSON {
			return verbatim.Write(answers, lines)
		}
		return printRankings(&cli.Readable{Out: w}, lines)
	})
	switch {
	case ctx.Err() != nil && o.out != "":
		return fmt.Errorf("stopped; %s was not written. To start again, type:\n  %s", o.out, c.typed)
	case ctx.Err() != nil:
		return fmt.Errorf("stopped; the rankings above are complete. To start again, type:\n  %s", c.typed)
	case err == nil && bad > 0:
		return &CheckFailed{count(bad, "question") + " could not be ranked"}
	}
	return err
}

// rankings answers each question before the next is read: the program that asks
// may be waiting. A bad question has a line of its own that says why.
func rankings(ctx context.Context, scorer verbatim.Scorer, questions iter.Seq2[workspace.RankQuestion, error], bad *int) iter.Seq2[rankingLine, error] {
	return func(yield func(rankingLine, error) bool) {
		for q, err := range questions {
			line := rankingLine{ID: q.ID, Ranking: []rankedLine{}, question: q}
			if line.ID == nil {
				line.ID = json.RawMessage("null")
			}
			if err == nil {
				line.Ranking, err = rankOne(ctx, scorer, &q)
			} else if !is[*verbatim.LineError](err) {
				yield(line, err)
				return
			}
			if ctx.Err() != nil {
				yield(line, ctx.Err())
				return
			}
			if err != nil {
				*bad++
				line.Ranking, line.Error = []rankedLine{}, err.Error()
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// rankOne ranks the candidates of a question. For a draft, those that drafting
// ranks come first, in its order; then the others, with the reason why they were
// set aside, by probability alone.
func rankOne(ctx context.Context, scorer verbatim.Scorer, q *workspace.RankQuestion) ([]rankedLine, error) {
	lines := []rankedLine{}
	rest, reasons := slices.Clone(q.Candidates), map[int]distractor.Aside{}
	if q.Draft {
		ranked, aside, err := distractor.RankLures(ctx, scorer, q.Request(), cloze.Ranked)
		if err != nil {
			return nil, err
		}
		for _, r := range ranked {
			rest[r.Index] = "" // Rank leaves it out
			lines = append(lines, shownLine(q, r, r.Reason, ""))
		}
		for _, a := range aside {
			reasons[a.Index] = a
		}
	}
	others, err := distractor.Rank(ctx, scorer, q.Passage, q.Mask, rest, q.GroundTruth)
	if err != nil {
		return nil, err
	}
	for _, r := range others {
		lines = append(lines, shownLine(q, r, reasons[r.Index].Reason, reasons[r.Index].Found))
	}
	return lines, nil
}

func shownLine(q *workspace.RankQuestion, r distractor.Ranked, reason, found string) rankedLine {
	line := rankedLine{Candidate: r.Index, Score: r.Score, Previous: r.Previous, Next: r.Next, Tied: r.Tied}
	if q.Draft {
		line.Text, line.Use = r.Candidate, q.Use(r.Candidate)
		line.Total, line.Topic, line.Kin, line.Reason, line.Found = r.Total, r.Topic, r.Kin, reason, found
	}
	return line
}

// printRankings shows the passage, the best and the worst candidate, then all of
// them.
func printRankings(out io.Writer, lines iter.Seq2[rankingLine, error]) error {
	legend := useLegend + "\n\n"
	for line, err := range lines {
		if err != nil {
			return err
		}
		text := line.text() + "\n"
		if line.question.Draft {
			text, legend = legend+text, ""
		}
		if _, err := io.WriteString(out, text); err != nil {
			return err
		}
	}
	return nil
}

func (l rankingLine) text() string {
	var text strings.Builder
	if id := strings.Trim(string(l.ID), `"`); l.question.Draft && id != l.question.Category {
		fmt.Fprintln(&text, id, l.question.Category)
	} else if id != "null" {
		fmt.Fprintln(&text, id)
	}
	if l.Error != "" {
		return text.String() + hang("  could not be ranked: ", l.Error)
	}
	text.WriteString(hang("  ", l.question.Passage))
	if l.question.Draft {
		text.WriteString("\n" + hang("  ground truth  ", l.question.Truth))
	}
	if n := len(l.Ranking); n > 1 {
		text.WriteString("\n")
		text.WriteString(hang("  best   ", l.candidate(0)))
		text.WriteString(hang("  worst  ", l.candidate(n-1)))
	}
	text.WriteString("\n  rank    share  previous     next  candidate\n")
	for i, r := range l.Ranking {
		share, sign := l.share(i), ""
		if l.question.Draft {
			sign = useSigns[r.Use]
		}
		why := ""
		if r.Reason != "" {
			why = "[" + strings.TrimSuffix(r.Reason+": "+r.Found, ": ") + "] "
		}
		text.WriteString(hang(fmt.Sprintf("  %4d  %7s  %8s  %7s  ", i+1, percent(&share), percent(r.Previous), percent(r.Next))+sign, why+l.candidate(i)))
	}
	return text.String() + l.ties()
}

// ties names the candidates that the model cannot tell apart because of their length.
func (l rankingLine) ties() string {
	text := ""
	for _, half := range []string{"previous", "next"} {
		var ranks []string
		for i, r := range l.Ranking {
			if slices.Contains(r.Tied, half) {
				ranks = append(ranks, strconv.Itoa(i+1))
			}
		}
		if len(ranks) > 0 {
			text += hang("  tied   ", fmt.Sprintf("For %s, %q is the same as for another candidate: the model reads only a part of so long a sentence. "+
				"The other probability decides, or else the order of the list.", strings.Join(ranks, ", "), half))
		}
	}
	return text
}

func (l rankingLine) candidate(i int) string { return l.question.Candidates[l.Ranking[i].Candidate] }

// share is the logarithm of a candidate's part in the sum of all products.
func (l rankingLine) share(i int) float64 {
	sum, best := 0.0, l.Ranking[0].Score
	for _, r := range l.Ranking {
		best = max(best, r.Score)
	}
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

var useSigns = map[string]string{workspace.Offered: "+ ", workspace.InReserve: ". ", workspace.InPassage: "- ", "": "  "}

const useLegend = "+ offered to the reviewer, . in reserve, - in the passage and not used; [why it was set aside]"

// draftsOf is the file of drafts of a book, or the file that was named; of a folder,
// the drafts of all its books.
func draftsOf(path, dir string) ([]string, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder, err := workspace.FindFolder(path)
		if err != nil {
			return nil, err
		}
		all, err := filepath.Glob(filepath.Join(globbed(folder.Dir()), "*-"+workspace.Drafts))
		if err == nil && len(all) == 0 {
			err = fmt.Errorf("%s has no drafts yet; to make them, type: verbatim make --batch BOOK.txt", folder.Dir())
		}
		return all, err
	}
	if !strings.EqualFold(filepath.Ext(path), ".txt") {
		return []string{path}, nil
	}
	drafts := workspace.FolderAt(workspace.DirOf(dir, path)).Path(workspace.Barcode(path), workspace.Drafts)
	if _, err := os.Stat(drafts); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no drafts yet; to make them, type: verbatim make --batch %s", path, cli.Quote(path))
	}
	return []string{drafts}, nil
}

// globbed is a path as a pattern that matches itself alone.
func globbed(path string) string {
	return strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(path)
}
