package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/cue"
)

// look is what the user wants to see of a book's connectors.
type look struct {
	all, json, refused bool
	limit              int
	category           string
}

func inspectConnectorsCommand() *cobra.Command {
	var want look
	var rules string
	var sentences bool
	cmd := &cobra.Command{
		Use:   "connectors FILE",
		Short: "Show the joints of an argument: what would be masked, and why",
		Long: `Show sentences and sentence-ending clauses that begin with a logical connector:
[in brackets] what a question would mask, with its category, connector, the
cards that decided, and the tier (sure, or wide where a language model would be
asked). --refused shows what was refused and why; --all shows every occurrence
of a connector and its sense.

With --sentences the file holds sentences of other programs: lines
{"id","previous","sentence"}. Every occurrence in them is printed as
{"id","connector","start","end","sense","subtype","card","sure"}; start and end
are bytes of the sentence. "--all --json -" is short for "--sentences -".`,
		Example: `  verbatim inspect connectors book.txt
  verbatim inspect connectors --category causalclause --limit 0 book.txt
  verbatim inspect connectors --refused book.txt
  verbatim inspect connectors --sentences sentences.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, c := cmd.Context(), consoleOf(cmd)
			if rules == "" {
				rules = rulesBeside(args[0])
			}
			if err := checkNamed(c, rules); err != nil {
				return err
			}
			t, err := newTagger(rules)
			if err != nil {
				return err
			}
			if sentences || want.all && want.json && args[0] == "-" {
				return eachInput(ctx, c, args, func(file string, in io.Reader) error { return inspectLines(ctx, c, t.cards, in, file) })
			}
			if err := want.check(); err != nil {
				return err
			}
			if want.json && !cmd.Flags().Changed("limit") {
				want.limit = 0 // a program would not see that there is more
			}
			doc, err := openDocument(args[0], standardInput(ctx, c))
			if err != nil {
				return err
			}
			return want.show(ctx, c, t, doc)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&want.all, "all", false, "every occurrence of a connector, also those that mean nothing")
	flags.BoolVar(&want.json, "json", false, "one object a line, for programs")
	flags.BoolVar(&sentences, "sentences", false, "the file holds sentences, one object a line")
	flags.BoolVar(&want.refused, "refused", false, "what was refused, and why")
	flags.IntVar(&want.limit, "limit", 25, "show so many; 0 for all, as --json does by itself")
	flags.StringVar(&want.category, "category", "", "only this category (causal) or tag (causalclause)")
	flags.StringVar(&rules, "rules", "", "a folder of your own rule cards (default: process_files/rules beside the file)")
	return cmd
}

var categories = []string{"causal", "effect", "contrast", "conditional", "concessive"}

// tagNames are the eight tags of the specification, in its order.
var tagNames = []string{"causalsentence", "causalclause", "effectsentence", "effectclause", "contrastsentence", "contrastclause",
	"conditionalclause", "concessiveclause"}

func (want look) check() error {
	if want.category == "" {
		return nil
	}
	for _, name := range append(categories, tagNames...) {
		if want.category == name {
			return nil
		}
	}
	return fmt.Errorf("--category=%s: there are %s, and the tags %s", want.category, strings.Join(categories, ", "), strings.Join(tagNames, ", "))
}

func (want look) takes(category, tag string) bool {
	return want.category == "" || want.category == category || want.category == tag
}

// takesSense is for what has a category and was given no tag.
func (want look) takesSense(category string) bool {
	return want.category == "" || categoryOf(want.category) == category
}

func (want look) show(ctx context.Context, c *console, t *tagger, doc *verbatim.Document) error {
	out := c.out
	shown, sentences := 0, 0
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
	var err error
	previous := ""
	r := t.cards.NewReader()
	for line, refused := range t.sentences(doc) {
		sentences++
		switch {
		case want.all:
			err = want.showHits(r.Hits(previous, line.Sentence), line, print)
		case want.refused:
			err = want.showRefused(refused, line, doc, print)
		default:
			err = want.showTags(line, print)
		}
		previous = line.Sentence
		if err != nil {
			break
		}
	}
	switch {
	case err != nil && err != enough:
		return err
	case sentences == 0:
		return &Wanting{doc.ID + ": there is no sentence in it"}
	case shown == 0:
		fmt.Fprintln(c.messages, "nothing of the kind was found")
	case err == enough:
		fmt.Fprintf(c.messages, "\nthe first %d; --limit 0 shows all\n", shown)
	}
	return nil
}

type printer func(record any, text func() string) error

// tagLine is one candidate as programs get it.
type tagLine struct {
	Index    int    `json:"index"`
	Sentence string `json:"sentence"`
	verbatim.Tag
}

func (want look) showTags(line *verbatim.Tagged, print printer) error {
	for _, tag := range line.Tags {
		if !want.takes(categoryOf(tag.Name), tag.Name) {
			continue
		}
		err := print(tagLine{line.Index, line.Sentence, tag}, func() string {
			return fmt.Sprintf("%s  %s  %s  (byte %d)\n    %s\n    %s, %s\n\n", tag.Name, tag.Connector, tag.Tier, tag.Start,
				wrap(bracketed(line.Sentence, tag.From, tag.To), 74, "    "), tag.Rule, tag.Scope)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (want look) showRefused(refused []verbatim.RefusedTag, line *verbatim.Tagged, doc *verbatim.Document, print printer) error {
	for _, no := range refused {
		if !want.takesSense(no.Category) {
			continue
		}
		err := print(no, func() string {
			return fmt.Sprintf("%s  %s  refused  (byte %d)\n    %s\n    %s\n    %s, %s\n\n", no.Category, no.Connector, no.Start,
				wrap(wordBracketed(line.Sentence, no.Word), 74, "    "), wrap("-> "+no.Reason, 74, "    "), no.Rule, no.Scope)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (want look) showHits(hits []cue.Hit, line *verbatim.Tagged, print printer) error {
	for _, h := range hits {
		if !want.takesSense(h.Sense) {
			continue
		}
		record := hitLine{fmt.Sprint(line.Index), h.Connector, h.Start, h.End, h.Sense, h.Subtype, h.Card, h.Sure}
		err := print(record, func() string {
			return fmt.Sprintf("%s  %s  %s\n    %s\n\n", h.Sense, h.Connector, h.Card, wrap(bracketed(line.Sentence, h.Start, h.End), 74, "    "))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func categoryOf(tag string) string {
	return strings.TrimSuffix(strings.TrimSuffix(tag, "clause"), "sentence")
}

func bracketed(text string, from, to int) string {
	return text[:from] + "[" + text[from:to] + "]" + text[to:]
}

// wordBracketed puts brackets around one white-space word.
func wordBracketed(text string, word int) string {
	words := strings.Fields(text)
	if word < len(words) {
		words[word] = "[" + words[word] + "]"
	}
	return strings.Join(words, " ")
}

// queryLine is a line of input for --sentences.
type queryLine struct{ ID, Previous, Sentence string }

// UnmarshalJSON refuses a record without id or sentence: the reader adds the
// place.
func (q *queryLine) UnmarshalJSON(data []byte) error {
	var fields struct {
		ID       *string `json:"id"`
		Previous string  `json:"previous"`
		Sentence *string `json:"sentence"`
	}
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	if fields.ID == nil || fields.Sentence == nil {
		return errors.New(`"id" or "sentence" is missing; write {"id": "...", "previous": "...", "sentence": "..."}`)
	}
	*q = queryLine{*fields.ID, fields.Previous, *fields.Sentence}
	return nil
}

// hitLine is one occurrence as programs get it.
type hitLine struct {
	ID        string `json:"id"`
	Connector string `json:"connector"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Sense     string `json:"sense"`
	Subtype   string `json:"subtype,omitempty"`
	Card      string `json:"card"`
	Sure      bool   `json:"sure"`
}

// inspectLines answers JSON lines. A bad line is named and the rest goes on.
func inspectLines(ctx context.Context, c *console, cards *cue.Cards, in io.Reader, file string) error {
	r := cards.NewReader()
	in, out := answering(in, c.out)
	bad, done := 0, 0
	err := verbatim.Write(out, func(yield func(hitLine, error) bool) {
		for line, err := range verbatim.Read[queryLine](in, file) {
			if lineErr := (*verbatim.LineError)(nil); errors.As(err, &lineErr) {
				bad++
				fmt.Fprintln(c.messages, "verbatim:", err)
				continue
			}
			if err != nil {
				yield(hitLine{}, err)
				return
			}
			done++
			for _, h := range r.Hits(line.Previous, line.Sentence) {
				if !yield(hitLine{line.ID, h.Connector, h.Start, h.End, h.Sense, h.Subtype, h.Card, h.Sure}, nil) {
					return
				}
			}
		}
	})
	if err == nil && bad > 0 {
		return &Wanting{fmt.Sprintf("%s not be read (named above); %s done", could(bad, "line", "lines"), are(done, "line", "lines"))}
	}
	return err
}
