package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/clean"
	"verbatim/internal/fields"
	"verbatim/journal"
	"verbatim/sentence"
	"verbatim/workspace"
)

func inspectCommand() *cobra.Command {
	return newGroup("inspect", inspectSentencesCommand(), inspectCleaningCommand(), inspectConnectorsCommand(), inspectFramesCommand(),
		inspectFieldsCommand(), inspectRankingCommand(), inspectNegationsCommand(), inspectPolarityCommand())
}

func inspectFieldsCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("inspect-fields", cobra.ExactArgs(2), func(_ context.Context, c *console, paths []string) error {
		all, err := fields.Compare(paths[0], paths[1])
		if err != nil {
			return err
		}
		if asJSON {
			return verbatim.Write(c.data, verbatim.All(all))
		}
		return printFields(c.out, paths, all)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"field","first","second"} for each field`)
	return cmd
}

func printFields(out io.Writer, paths []string, all []fields.Field) error {
	both := 0
	for i, path := range paths {
		fmt.Fprintf(out, "only in %s:\n", path)
		none := true
		for _, f := range all {
			here, there := f.First, f.Second
			if i == 1 {
				here, there = there, here
			}
			if here.Records > 0 && there.Records == 0 {
				none = false
				fmt.Fprintf(out, "  %-24s in %d of %d, %v\n", f.Name, here.Records, here.Of, here.Types)
			}
		}
		if none {
			fmt.Fprintln(out, "  nothing")
		}
	}
	for _, f := range all {
		if f.First.Records > 0 && f.Second.Records > 0 {
			both++
			if !slices.Equal(f.First.Types, f.Second.Types) {
				fmt.Fprintf(out, "different type: %s is %v in the first and %v in the second\n", f.Name, f.First.Types, f.Second.Types)
			}
		}
	}
	_, err := fmt.Fprintf(out, "in both: %s\n", count(both, "field"))
	return err
}

func inspectFramesCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("inspect-frames", cobra.MinimumNArgs(1), func(_ context.Context, c *console, paths []string) error {
		bad := 0
		frames := workspace.Frames(paths, func(err error) { bad++; c.warn(err) })
		if asJSON {
			if err := verbatim.Write(c.data, verbatim.All(frames)); err != nil {
				return err
			}
		} else {
			for _, f := range frames {
				fmt.Fprintf(c.out, "%s\n  %s\n", f.Book, wrap(f.Frame, 76, 2))
			}
		}
		switch {
		case bad > 0 && len(frames) == 0:
			return errors.New("none of the metadata could be read (see above)")
		case bad > 0:
			return &CheckFailed{fmt.Sprintf("%s could not be read (see above)", count(bad, "record"))}
		}
		return nil
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"book","frame","file"} for each`)
	return cmd
}

// scopeLine is one negation or doubt in JSON. Span is the sentence's place in the
// file; from and to are the scope in the sentence.
type scopeLine struct {
	Polarity string `json:"polarity"`
	Card     string `json:"card"`
	verbatim.Span
	Sentence   string `json:"sentence"`
	ScopeStart int    `json:"scope_start"`
	ScopeEnd   int    `json:"scope_end"`
}

func inspectPolarityCommand() *cobra.Command {
	var asJSON, spans bool
	var rules string
	cmd := newCommand("inspect-polarity", cobra.ExactArgs(1), func(ctx context.Context, c *console, args []string) error {
		cards, err := readCards(c, rules, journalCards)
		if err != nil {
			return err
		}
		judge := journal.NewJudge(cards)
		if spans || asJSON && args[0] == "-" {
			return answerLines(ctx, c, args[0], "question", "answered", judge.Answer)
		}
		return eachDocument(ctx, c, args, func(_ string, doc *verbatim.Document) error {
			return showPolarity(c.stream(asJSON), judge, doc, asJSON)
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"polarity","card","start","end","sentence","scope_start","scope_end"} for each`)
	cmd.Flags().BoolVar(&spans, "spans", false, "read questions, one JSON object per line")
	cmd.Flags().StringVar(&rules, "rules", defaultRules, "a folder of your own rule cards")
	return cmd
}

// showPolarity prints each negation and doubt in its sentence.
func showPolarity(out io.Writer, judge *journal.Judge, doc *verbatim.Document, asJSON bool) error {
	var lines []scopeLine
	w := bufio.NewWriter(out)
	for s := range sentence.Split(doc) {
		text := verbatim.FoldSpace(doc.Quote(s.Span))
		for _, r := range judge.Scopes(text) {
			lines = append(lines, scopeLine{r.Sense, r.Card, s.Span, text, r.Scope.Start, r.Scope.End})
			if !asJSON {
				fmt.Fprintf(w, "%-10s %-22s %s\n", r.Sense, r.Card, bracketed(text, r.Scope))
			}
		}
	}
	if asJSON {
		return verbatim.Write(out, verbatim.All(lines))
	}
	return w.Flush()
}

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
				return verbatim.Write(c.data, verbatim.All(lines))
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

// repairLine is one repair as JSON; Source is the original text.
type repairLine struct {
	File string `json:"file,omitempty"` // only if several files are read
	Kind string `json:"kind"`
	verbatim.Span
	Source string `json:"source"`
	Text   string `json:"text"`
}

func inspectCleaningCommand() *cobra.Command {
	var asJSON bool
	var limit int
	var kinds []string
	cmd := newCommand("inspect-cleaning", cobra.MinimumNArgs(1), func(ctx context.Context, c *console, files []string) error {
		names := clean.KindNames()
		for _, kind := range kinds {
			if !slices.Contains(names, kind) {
				return fmt.Errorf("--kind %q: unknown kind; the kinds are %s", kind, strings.Join(names, ", "))
			}
		}
		return eachDocument(ctx, c, files, func(file string, doc *verbatim.Document) error {
			reading := clean.Read(doc)
			if asJSON {
				name := ""
				if len(files) > 1 {
					name = file
				}
				return writeRepairs(c.data, name, doc, reading, kinds)
			}
			return printRepairs(c.out, file, reading, kinds, limit)
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"kind","start","end","source","text"} for each repair`)
	cmd.Flags().IntVar(&limit, "limit", 5, "how many of each kind to show; 0 for all")
	cmd.Flags().StringSliceVar(&kinds, "kind", nil, "only these kinds of repair, by their names")
	return cmd
}

func chosen(kinds []string, kind clean.Kind) bool {
	return len(kinds) == 0 || slices.Contains(kinds, kind.String())
}

func writeRepairs(out io.Writer, file string, doc *verbatim.Document, reading *clean.Reading, kinds []string) error {
	var lines []repairLine
	for _, r := range reading.Repairs {
		if chosen(kinds, r.Kind) {
			lines = append(lines, repairLine{file, r.Kind.String(), r.Span, doc.Quote(r.Span), r.Text})
		}
	}
	return verbatim.Write(out, verbatim.All(lines))
}

// printRepairs prints some repairs of each kind in context, then headings.
func printRepairs(w io.Writer, file string, reading *clean.Reading, kinds []string, limit int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s, %s\n", file, count(len(reading.Repairs), "repair"), count(len(reading.Headings), "heading"))
	of := map[clean.Kind][]string{}
	for place := range reading.Places(24) {
		if shown := of[place.Kind]; chosen(kinds, place.Kind) && (limit == 0 || len(shown) < limit) {
			of[place.Kind] = append(shown, fmt.Sprintf("%10d  %s", place.Start, inContext(place)))
		}
	}
	for _, c := range reading.Counts() {
		if chosen(kinds, c.Kind) {
			printSome(out, c.Kind.String(), of[c.Kind], c.Repairs)
		}
	}
	if len(kinds) == 0 && len(reading.Headings) > 0 {
		var headings []string
		for _, h := range reading.Headings {
			if limit == 0 || len(headings) < limit {
				headings = append(headings, fmt.Sprintf("%10d  %s", reading.SourceSpan(h).Start, oneLine(reading.Copy.Quote(h), 60)))
			}
		}
		printSome(out, "heading", headings, len(reading.Headings))
	}
	return out.Flush()
}

func printSome(out io.Writer, name string, lines []string, all int) {
	fmt.Fprintf(out, "\n%s: %d\n", name, all)
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
	if more := all - len(lines); more > 0 {
		fmt.Fprintf(out, "            and %d more (--limit 0 shows all)\n", more)
	}
}

// inContext shows a repair on one line: before [original]→[replacement] after.
func inContext(p clean.Place) string {
	shown := lineEnds.Replace(p.Before) + "[" + oneLine(p.Source, 60) + "]"
	if strings.TrimSpace(p.Text) != "" {
		shown += "→[" + p.Text + "]"
	}
	return shown + lineEnds.Replace(p.After)
}
