package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/clean"
	"verbatim/sentence"
	"verbatim/workspace"
)

// sentenceLine is one sentence as JSON: its place in the file, and its text as in
// the reading copy.
type sentenceLine struct {
	File string `json:"file,omitempty"` // only if several files are read
	verbatim.Span
	Text string `json:"text"`

	paragraph int
}

func inspectSentencesCommand() *cobra.Command {
	var cleaning, rules string
	var asJSON bool
	cmd := newCommand("inspect-sentences", cobra.MinimumNArgs(1), func(ctx context.Context, c *console, files []string) error {
		if cleaning != "auto" && cleaning != "off" {
			return fmt.Errorf("--clean=%s: give auto or off", cleaning)
		}
		if err := checkRulesFlag(c, rules); err != nil {
			return err
		}
		return eachDocument(ctx, c, files, func(file string, doc *verbatim.Document) error {
			split, err := readCards(c, cmp.Or(rules, rulesBeside(file)), func(own workspace.Cards) (*sentence.Rules, error) {
				return sentence.NewRules(own.Sentences) // like tag and make
			})
			if err != nil {
				return err
			}
			name, heading := "", ""
			if len(files) > 1 {
				name, heading = file, file+"\n"
			}
			if file != files[0] {
				heading = "\n" + heading
			}
			lines := sentencesOf(doc, name, split, cleaning == "auto")
			if asJSON {
				return verbatim.Write(c.out, verbatim.All(lines))
			}
			fmt.Fprint(c.out, heading)
			return printSentences(c.out, lines)
		})
	})
	cmd.Flags().StringVar(&cleaning, "clean", "auto", "auto: clean the text first; off: read it as it is")
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"start","end","text"} for each sentence`)
	cmd.Flags().StringVar(&rules, "rules", "", "a folder of your own rules (default: process_files/rules beside the file)")
	return cmd
}

// sentencesOf gives the sentences of a text with their places in the source.
func sentencesOf(doc *verbatim.Document, name string, split *sentence.Rules, cleaned bool) (lines []sentenceLine) {
	text, source := doc, func(s verbatim.Span) verbatim.Span { return s }
	if cleaned {
		reading := clean.Read(doc)
		text, source = reading.Copy, reading.SourceSpan
	}
	for s := range split.Split(text) {
		lines = append(lines, sentenceLine{name, source(s.Span), text.Quote(s.Span), s.Paragraph})
	}
	return lines
}

// printSentences prints one sentence per line, with a blank line between
// paragraphs.
func printSentences(out io.Writer, lines []sentenceLine) error {
	paragraph := 0
	for _, line := range lines {
		gap := ""
		if line.paragraph != paragraph {
			gap, paragraph = "\n", line.paragraph
		}
		if _, err := fmt.Fprintf(out, "%s%9d  %s\n", gap, line.Start, verbatim.FoldSpace(line.Text)); err != nil {
			return err
		}
	}
	return nil
}
