package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/cloze"
	"verbatim/cue"
	"verbatim/tag"
	"verbatim/workspace"
)

// look is what to show of a book's connectors.
type look struct {
	all, json, rejected bool
	limit               int
	category            string
}

func inspectConnectorsCommand() *cobra.Command {
	var want look
	var rules string
	var sentences bool
	cmd := newCommand("inspect-connectors", cobra.ExactArgs(1), func(ctx context.Context, c *console, args []string) error {
		t, err := readCards(c, cmp.Or(rules, rulesBeside(args[0])), workspace.Cards.Tagger)
		if err != nil {
			return err
		}
		if sentences || want.all && want.json && args[0] == "-" {
			return answerLines(ctx, c, args[0], "line", "done", t.Cards.Answer)
		}
		if err := want.check(); err != nil {
			return err
		}
		if _, set := c.flags["limit"]; want.json && !set {
			want.limit = 0 // a program would not see the note that there are more
		}
		doc, err := openDocument(ctx, c, args[0])
		if err != nil {
			return err
		}
		return want.show(c, t, doc)
	})
	flags := cmd.Flags()
	flags.BoolVar(&want.all, "all", false, "every occurrence of a connector, even without a sense")
	flags.BoolVar(&want.json, "json", false, "print JSON, one object per line")
	flags.BoolVar(&sentences, "sentences", false, "the file contains sentences as JSON, one object per line")
	flags.BoolVar(&want.rejected, "rejected", false, "the connectors without a tag, and why")
	flags.IntVar(&want.limit, "limit", 25, "how many to show; 0 for all, the default with --json")
	flags.StringVar(&want.category, "category", "", "only this category (causalclause) or sense (causal)")
	flags.StringVar(&rules, "rules", "", "a folder of your own rule cards (default: process_files/rules beside the file)")
	return cmd
}

var senses = []string{"causal", "effect", "contrast", "conditional", "concessive"}

func (want look) check() error {
	names := cloze.CategoryNames()
	if want.category == "" || slices.Contains(slices.Concat(senses, names), want.category) {
		return nil
	}
	return fmt.Errorf("--category=%s: give one of %s, or one of the senses %s", want.category, strings.Join(names, ", "), strings.Join(senses, ", "))
}

func (want look) takes(category string) bool {
	return want.category == "" || want.category == category || want.category == senseOf(category)
}

// takesSense is for connectors that have a sense but no category.
func (want look) takesSense(sense string) bool {
	return want.category == "" || senseOf(want.category) == sense
}

func (want look) show(c *console, t *tag.Tagger, doc *verbatim.Document) error {
	book := t.Open(doc)
	found := want.entries(t, book)
	if want.all {
		found = want.hits(t.Cards, book)
	}
	shown, more := 0, false
	for record, text := range found {
		if more = want.limit > 0 && shown == want.limit; more {
			break
		}
		shown++
		var err error
		if want.json {
			err = verbatim.Write(c.data, verbatim.All([]any{record}))
		} else {
			_, err = io.WriteString(c.out, text())
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(book.Sentences) == 0:
		return &CheckFailed{doc.ID + " has no sentences"}
	case shown == 0:
		fmt.Fprintln(c.messages, "none found")
	case more:
		fmt.Fprintf(c.messages, "\nThese are the first %d; --limit 0 shows all.\n", shown)
	}
	return nil
}

// tagLine is one tag as JSON.
type tagLine struct {
	Index    int    `json:"index"`
	Sentence string `json:"sentence"`
	verbatim.Tag
}

// entries are records for JSON, each with its text for people.
func (want look) entries(t *tag.Tagger, book *tag.Book) iter.Seq2[any, func() string] {
	return func(yield func(any, func() string) bool) {
		for line, rejected := range t.Lines(book) {
			tags := line.Tags
			if want.rejected {
				tags = nil
			} else {
				rejected = nil
			}
			for _, tag := range tags {
				if want.takes(tag.Name) && !yield(tagLine{line.Index, line.Sentence, tag}, func() string {
					return fmt.Sprintf("%s  %s  %s  (byte %d)\n    %s\n    %s, %s\n\n", tag.Name, tag.Connector, tag.Tier, tag.Start,
						wrap(bracketed(line.Sentence, tag.InSentence()), 74, 4), tag.Card, tag.Scope)
				}) {
					return
				}
			}
			for _, no := range rejected {
				if want.takesSense(no.Sense) && !yield(no, func() string {
					return fmt.Sprintf("%s  %s  rejected  (byte %d)\n    %s\n    %s\n    %s, %s\n\n", no.Sense, no.Connector, no.Start,
						wrap(wordBracketed(line.Sentence, no.Word), 74, 4), wrap("-> "+no.Reason, 74, 4), no.Card, no.Scope)
				}) {
					return
				}
			}
		}
	}
}

// hits are all occurrences of a connector; entries has only those that govern a
// clause or a sentence.
func (want look) hits(cards *cue.Cards, book *tag.Book) iter.Seq2[any, func() string] {
	return func(yield func(any, func() string) bool) {
		r := cards.NewReader()
		for i := range book.Sentences {
			text := book.Text(i)
			for _, h := range r.Hits(book.Previous(i), text) {
				if want.takesSense(h.Sense) && !yield(h.Line(fmt.Sprint(i)), func() string {
					return fmt.Sprintf("%s  %s  %s\n    %s\n\n", h.Sense, h.Connector, h.Card, wrap(bracketed(text, h.Span), 74, 4))
				}) {
					return
				}
			}
		}
	}
}

// senseOf is the sense of a category: causal, for causalclause.
func senseOf(category string) string {
	return strings.TrimSuffix(strings.TrimSuffix(category, "clause"), "sentence")
}

// wordBracketed puts brackets around one white-space word.
func wordBracketed(text string, word int) string {
	words := strings.Fields(text)
	if word < len(words) {
		words[word] = "[" + words[word] + "]"
	}
	return strings.Join(words, " ")
}
