package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/distractor"
	"verbatim/internal/layout"
	"verbatim/internal/parallel"
	"verbatim/workspace"
)

func inspectNegationsCommand() *cobra.Command {
	var n, seed int
	var dir string
	var asJSON bool
	cmd := newCommand("inspect-negations", cobra.ExactArgs(1), func(ctx context.Context, c *console, args []string) error {
		if dir == "" {
			dir = filepath.Join(filepath.Dir(args[0]), "process_files")
		}
		return eachDocument(ctx, c, args, func(path string, doc *verbatim.Document) error {
			return inspectNegations(ctx, c, doc, dir, n, seed, asJSON)
		})
	})
	addModelFlags(cmd)
	cmd.Flags().StringVar(&dir, "dir", "", "the working folder (default: process_files beside the book)")
	cmd.Flags().IntVar(&n, "count", 10, "how many to draw")
	cmd.Flags().IntVar(&seed, "seed", 0, "another seed draws others")
	cmd.Flags().String("negation-model", distractor.DefaultNegator, "label of the model that writes negations")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one object per negation")
	return cmd
}

// negationLine is one negation in JSON.
type negationLine struct {
	Tag      string   `json:"tag"`
	Index    int      `json:"index"` // of the sentence
	Original string   `json:"original"`
	Negation string   `json:"negation"`
	Removed  []string `json:"removed"`
	Added    []string `json:"added"`
	Flag     string   `json:"flag,omitempty"` // unchanged, only not, or why there is none

	sentence string
}

func inspectNegations(ctx context.Context, c *console, doc *verbatim.Document, dir string, n, seed int, asJSON bool) error {
	l, g, err := generatorFor(ctx, c, dir)
	if err != nil {
		return err
	}
	if l.client == nil {
		return errors.New("a language model writes negations, and none is available; see: verbatim models")
	}
	lines, err := drawNegations(c, doc, dir, n, seed)
	if err != nil {
		return err
	}
	files, err := workspace.OpenFolder(dir)
	if err != nil {
		return err
	}
	unlock, err := files.Lock(doc.ID)
	if err != nil {
		return err
	}
	defer unlock()
	model, closeLedger, err := l.book(files.Path(doc.ID, workspace.Ledger))
	if err != nil {
		return err
	}
	defer closeLedger()
	g.Chat = model
	shown := parallel.Map(ctx, l.setup.Workers, lines, func(ctx context.Context, line negationLine) (negationLine, error) {
		return line.negate(ctx, g)
	})
	if asJSON {
		err = verbatim.Write(c.data, shown)
	} else {
		err = printNegations(c.out, shown)
	}
	l.summary()
	return resume(ctx, c, err)
}

// drawNegations draws from what could be masked.
func drawNegations(c *console, doc *verbatim.Document, dir string, n, seed int) (iter.Seq2[negationLine, error], error) {
	t, err := readCards(c, filepath.Join(dir, "rules"), workspace.Cards.Tagger)
	if err != nil {
		return nil, err
	}
	var lines []negationLine
	for _, d := range workspace.DrawTags(t, doc, n, fmt.Sprint(seed), "negations") {
		lines = append(lines, negationLine{Tag: d.Category, Index: d.Index, Original: d.Text, sentence: d.Sentence})
	}
	if len(lines) == 0 && n > 0 {
		return nil, fmt.Errorf("%s: no sentence or clause begins with a connector", doc.ID)
	}
	return verbatim.All(lines), nil
}

func (line negationLine) negate(ctx context.Context, g *distractor.Generator) (negationLine, error) {
	kind := "sentence"
	if strings.HasSuffix(line.Tag, "clause") {
		kind = "clause"
	}
	text, failed, err := g.Negate(ctx, line.Original, kind, line.sentence)
	if err != nil {
		return line, err
	}
	d := distractor.Compare(line.Original, text)
	line.Negation, line.Removed, line.Added, line.Flag = text, d.Removed, d.Added, cmp.Or(failed, d.Flag)
	return line, nil
}

// printNegations shows originals and negations side by side.
func printNegations(out io.Writer, lines iter.Seq2[negationLine, error]) error {
	const column = 38
	shown, flagged := 0, 0
	for line, err := range lines {
		if err != nil {
			return err
		}
		shown++
		title := fmt.Sprintf("%s, sentence %d", line.Tag, line.Index)
		if line.Flag != "" {
			flagged++
			title += "   <-- " + line.Flag
		}
		fmt.Fprintln(out, title)
		before, after := distractor.Compare(line.Original, line.Negation).Bracketed()
		left, right := strings.Split(layout.Wrap(before, column), "\n"), strings.Split(layout.Wrap(after, column), "\n")
		left = append(left, make([]string, max(0, len(right)-len(left)))...)
		right = append(right, make([]string, len(left)-len(right))...)
		for i, text := range left {
			pad := strings.Repeat(" ", max(0, column-layout.Width(text)))
			fmt.Fprintln(out, strings.TrimRight("  "+text+pad+"  "+right[i], " "))
		}
		fmt.Fprintln(out)
	}
	_, err := fmt.Fprintf(out, "%s, %d flagged\n", count(shown, "negation"), flagged)
	return err
}
