package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/clean"
	"verbatim/sentence"
)

// The sample is our own writing, made to look like a scan.
//
//go:embed sample/lamp-keeper.txt
var lampKeeper string

func demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show what verbatim does, on a sample inside the binary, offline",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			doc, err := verbatim.NewDocument("lamp-keeper", lampKeeper)
			if err != nil {
				return err
			}
			return demoReading(cmd.OutOrStdout(), doc)
		},
	}
}

// demoReading takes the sample scan from bytes to a sentence that is proved.
func demoReading(out io.Writer, doc *verbatim.Document) error {
	reading := clean.Read(doc)
	var sentences []verbatim.Sentence
	for s := range sentence.Split(reading.Copy) {
		sentences = append(sentences, s)
	}
	show := mostRepaired(reading, sentences)
	sel := reading.Source(show.Span)
	text := reading.Copy.Quote(show.Span)

	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	say("The sample is a scan of a book that was invented for this program:")
	say("The Lamp-Keeper's Year, by Ambrose Tillott. It has %d bytes.\n", len(doc.Text))
	say("1. A reading copy. %s were made to read it:", count(len(reading.Repairs), "repair"))
	say("   %s.\n", kindCounts(reading))
	say("2. Sentences. The copy has %d. Here is one that the scan had cut:\n", len(sentences))
	say("   %s\n", wrap(text, 72, "   "))
	say("3. Its place. In the file it is bytes %d to %d, where one reads:\n", sel.ByteStart, sel.ByteEnd)
	for line := range strings.Lines(sel.Exact) {
		say("   | %s", strings.TrimRight(line, "\n"))
	}
	if err := sel.Prove(doc, text); err != nil {
		return err
	}
	say("\n4. The proof. Those bytes, with the %s that the sentence carries, are", count(len(sel.Repairs), "repair"))
	say("   the sentence, letter for letter. Nothing was invented.\n")
	say("Now with a text of your own:")
	say("   verbatim inspect cleaning  BOOK.txt")
	say("   verbatim inspect sentences BOOK.txt")
	return nil
}

// mostRepaired is the sentence that needed the most repairs to be read.
func mostRepaired(reading *clean.Reading, sentences []verbatim.Sentence) (best verbatim.Sentence) {
	most := -1
	for _, s := range sentences {
		if n := len(reading.Source(s.Span).Repairs); n > most {
			best, most = s, n
		}
	}
	return best
}

func kindCounts(reading *clean.Reading) string {
	var parts []string
	for _, c := range reading.Counts() {
		parts = append(parts, fmt.Sprintf("%s %d", c.Kind, c.Repairs))
	}
	return wrap(strings.Join(parts, ", "), 72, "   ")
}

// wrap breaks a text into lines of at most `width`, the later ones indented.
func wrap(text string, width int, indent string) string {
	var out strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		if column > 0 && column+1+len(word) > width {
			out.WriteString("\n" + indent)
			column = 0
		} else if column > 0 {
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += len(word)
	}
	return out.String()
}
