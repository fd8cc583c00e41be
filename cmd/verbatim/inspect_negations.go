package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/distractor"
	"verbatim/internal/parallel"
	"verbatim/workspace"
)

func inspectNegationsCommand() *cobra.Command {
	var n, seed int
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "negations BOOK",
		Short: "Look at how a language model turns sentences of a book round",
		Long: `Draw sentences and clauses of a book that could be masked, let the language
model negate them, and show both side by side with the changed words in
[brackets]. Negations that change nothing, or that only add "not", are flagged:
the prompt asks for better ones. The calls go into the book's ledger.`,
		Example: `  verbatim inspect negations --count 10 book.txt`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, c := cmd.Context(), consoleOf(cmd)
			if dir == "" {
				dir = filepath.Join(filepath.Dir(args[0]), "process_files")
			}
			return eachDocument(ctx, c, args, func(path string, doc *verbatim.Document) error {
				return inspectNegations(ctx, c, doc, dir, n, seed, asJSON)
			})
		},
	}
	addModelFlags(cmd)
	cmd.Flags().StringVar(&dir, "dir", "", "the working folder (default: process_files beside the book)")
	cmd.Flags().IntVar(&n, "count", 10, "how many to draw")
	cmd.Flags().IntVar(&seed, "seed", 0, "another seed, another draw")
	cmd.Flags().String("negation-model", distractor.DefaultNegator, "label of the model that writes negations")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one object for each negation")
	return cmd
}

// negationLine is one negation as programs get it.
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
		return errors.New("negations are written by a language model, and there is none; see: verbatim models")
	}
	lines, err := drawNegations(doc, dir, n, seed)
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
	shown := parallel.Map(ctx, l.workers, lines, func(ctx context.Context, line negationLine) (negationLine, error) {
		return line.negate(ctx, g)
	})
	if asJSON {
		err = verbatim.Write(c.out, shown)
	} else {
		err = printNegations(c.out, shown)
	}
	l.summary()
	return resume(ctx, c, err)
}

// drawNegations draws from what could be masked. Each candidate's place in the
// draw hangs on its own text, so that one more moves no other.
func drawNegations(doc *verbatim.Document, dir string, n, seed int) (iter.Seq2[negationLine, error], error) {
	t, err := readTagger(filepath.Join(dir, "rules"))
	if err != nil {
		return nil, err
	}
	type drawn struct {
		negationLine
		lot [32]byte
	}
	var all []drawn
	for s := range t.Lines(t.Open(doc)) {
		for _, tag := range s.Tags {
			text := verbatim.FoldSpace(s.Sentence[tag.SentenceStart:tag.SentenceEnd])
			all = append(all, drawn{negationLine{Tag: tag.Name, Index: s.Index, Original: text, sentence: verbatim.FoldSpace(s.Sentence)},
				sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%s\x00negations", seed, doc.ID, tag.Name, text))})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no sentence or clause in it begins with a connector", doc.ID)
	}
	slices.SortFunc(all, func(a, b drawn) int { return slices.Compare(a.lot[:], b.lot[:]) })
	all = all[:min(len(all), max(0, n))]
	slices.SortFunc(all, func(a, b drawn) int { return a.Index - b.Index })
	return func(yield func(negationLine, error) bool) {
		for _, d := range all {
			if !yield(d.negationLine, nil) {
				return
			}
		}
	}, nil
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
	line.Negation, line.Flag = text, failed
	before, after := strings.Fields(line.Original), strings.Fields(line.Negation)
	kept := common(before, after)
	line.Removed, line.Added = without(before, kept.first), without(after, kept.second)
	switch {
	case failed != "":
	case sameWords(line.Original, line.Negation):
		line.Flag = "unchanged"
	case onlyNot(line.Removed, line.Added):
		line.Flag = "only not"
	}
	return line, nil
}

func sameWords(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(a, ".!?"), strings.TrimRight(b, ".!?"))
}

// onlyNot: what came in is "not", with the auxiliary and the other form of the
// verb that it needs (came: did not come).
func onlyNot(removed, added []string) bool {
	negated, others := false, 0
	for _, word := range added {
		bare := strings.ToLower(strings.Trim(word, ".,;:!?"))
		switch {
		case bare == "not" || bare == "cannot" || strings.HasSuffix(bare, "n't") || strings.HasSuffix(bare, "n’t"):
			negated = true
		case slices.Contains([]string{"do", "does", "did"}, bare):
		default:
			others++
			if !slices.ContainsFunc(removed, func(r string) bool { return sharesStart(r, bare) }) {
				return false
			}
		}
	}
	return negated && len(removed) <= 1 && others <= 1
}

func sharesStart(a, b string) bool {
	a = strings.ToLower(a)
	return len(a) > 1 && len(b) > 1 && a[:2] == b[:2]
}

// matches are the places of the longest common sequence of words in both.
type matches struct{ first, second map[int]bool }

func common(a, b []string) matches {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if strings.EqualFold(a[i], b[j]) {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	m := matches{map[int]bool{}, map[int]bool{}}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case strings.EqualFold(a[i], b[j]):
			m.first[i], m.second[j] = true, true
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return m
}

func without(words []string, kept map[int]bool) []string {
	left := []string{}
	for i, word := range words {
		if !kept[i] {
			left = append(left, word)
		}
	}
	return left
}

// bracketChanges shows runs of changed words in [brackets].
func bracketChanges(text string, kept map[int]bool) string {
	words := strings.Fields(text)
	for i := range words {
		if kept[i] {
			continue
		}
		if i == 0 || kept[i-1] {
			words[i] = "[" + words[i]
		}
		if i+1 == len(words) || kept[i+1] {
			words[i] += "]"
		}
	}
	return strings.Join(words, " ")
}

// printNegations shows original and negation in two columns of a terminal.
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
		kept := common(strings.Fields(line.Original), strings.Fields(line.Negation))
		left := fold(bracketChanges(line.Original, kept.first), column)
		right := fold(bracketChanges(line.Negation, kept.second), column)
		if _, err := fmt.Fprintln(out, title); err != nil {
			return err
		}
		for i := range max(len(left), len(right)) {
			a, b := "", ""
			if i < len(left) {
				a = left[i]
			}
			if i < len(right) {
				b = right[i]
			}
			pad := strings.Repeat(" ", column-utf8.RuneCountInString(a))
			if _, err := fmt.Fprintln(out, strings.TrimRight("  "+a+pad+"  "+b, " ")); err != nil {
				return err
			}
		}
		fmt.Fprintln(out)
	}
	_, err := fmt.Fprintf(out, "%s, %d flagged\n", count(shown, "negation"), flagged)
	return err
}

// fold breaks a text into lines; a word longer than a line is cut.
func fold(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		for utf8.RuneCountInString(word) > width {
			runes := []rune(word)
			if line != "" {
				lines, line = append(lines, line), ""
			}
			lines, word = append(lines, string(runes[:width])), string(runes[width:])
		}
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
