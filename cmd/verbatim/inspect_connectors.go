package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/cloze"
	"verbatim/cue"
	"verbatim/internal/cli"
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
		if rules == "" {
			rules = rulesBeside(args[0])
		}
		if err := checkRulesFlag(c, rules); err != nil {
			return err
		}
		t, err := readCards(rules, workspace.Cards.Tagger)
		if err != nil {
			return err
		}
		if sentences || want.all && want.json && args[0] == "-" {
			return withInput(ctx, c, args[0], func(file string, in io.Reader) error { return inspectLines(c, t.Cards, in, file) })
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
	if want.category == "" {
		return nil
	}
	names := cloze.CategoryNames()
	if slices.Contains(slices.Concat(senses, names), want.category) {
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
	out := c.out
	shown := 0
	enough := errors.New("enough")
	print := func(record any, text func() string) error {
		if want.limit > 0 && shown == want.limit {
			return enough
		}
		shown++
		if want.json {
			return verbatim.Write(out, func(yield func(any, error) bool) { yield(record, nil) })
		}
		_, err := io.WriteString(out, text())
		return err
	}
	book := t.Open(doc)
	var err error
	if want.all {
		err = want.showHits(t.Cards, book, print)
	} else {
		err = want.showLines(t, book, print)
	}
	switch {
	case err != nil && err != enough:
		return err
	case len(book.Sentences) == 0:
		return &CheckFailed{doc.ID + " has no sentences"}
	case shown == 0:
		fmt.Fprintln(c.messages, "none found")
	case err == enough:
		fmt.Fprintf(c.messages, "\nThese are the first %d; --limit 0 shows all.\n", shown)
	}
	return nil
}

func (want look) showLines(t *tag.Tagger, book *tag.Book, print printer) (err error) {
	for line, rejected := range t.Lines(book) {
		if want.rejected {
			err = want.showRejected(rejected, line, print)
		} else {
			err = want.showTags(line, print)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type printer func(record any, text func() string) error

// tagLine is one tag as JSON.
type tagLine struct {
	Index    int    `json:"index"`
	Sentence string `json:"sentence"`
	verbatim.Tag
}

func (want look) showTags(line *verbatim.Tagged, print printer) error {
	for _, tag := range line.Tags {
		if !want.takes(tag.Name) {
			continue
		}
		err := print(tagLine{line.Index, line.Sentence, tag}, func() string {
			return fmt.Sprintf("%s  %s  %s  (byte %d)\n    %s\n    %s, %s\n\n", tag.Name, tag.Connector, tag.Tier, tag.Start,
				wrap(bracketed(line.Sentence, tag.InSentence()), 74, 4), tag.Card, tag.Scope)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (want look) showRejected(rejected []verbatim.RejectedTag, line *verbatim.Tagged, print printer) error {
	for _, no := range rejected {
		if !want.takesSense(no.Sense) {
			continue
		}
		err := print(no, func() string {
			return fmt.Sprintf("%s  %s  rejected  (byte %d)\n    %s\n    %s\n    %s, %s\n\n", no.Sense, no.Connector, no.Start,
				wrap(wordBracketed(line.Sentence, no.Word), 74, 4), wrap("-> "+no.Reason, 74, 4), no.Card, no.Scope)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// showHits shows every occurrence of a connector. Lines gives only those that
// govern a clause or a sentence.
func (want look) showHits(cards *cue.Cards, book *tag.Book, print printer) error {
	r := cards.NewReader()
	for i := range book.Sentences {
		text := book.Text(i)
		for _, h := range r.Hits(book.Previous(i), text) {
			if !want.takesSense(h.Sense) {
				continue
			}
			err := print(h.Line(fmt.Sprint(i)), func() string {
				return fmt.Sprintf("%s  %s  %s\n    %s\n\n", h.Sense, h.Connector, h.Card, wrap(bracketed(text, h.Span), 74, 4))
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
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

// inspectLines answers JSON lines. A bad line is reported and skipped.
func inspectLines(c *console, cards *cue.Cards, in io.Reader, file string) error {
	in, out := cli.Answering(in, c.out)
	bad := 0
	done, err := cards.Answer(in, file, out, func(err error) { bad++; c.warn(err) })
	if err == nil && bad > 0 {
		return &CheckFailed{fmt.Sprintf("%s skipped (see above); %s done", count(bad, "line"), count(done, "line"))}
	}
	return err
}
