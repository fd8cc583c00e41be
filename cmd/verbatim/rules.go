package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/confirm"
	"verbatim/cue"
	"verbatim/distractor"
	"verbatim/internal/durable"
	"verbatim/journal"
	"verbatim/sentence"
	"verbatim/workspace"
)

// readCards reads what a command needs from a user's folder. One that --rules
// names must have cards; the default one need not exist.
func readCards[T any](c *console, dir string, read func(workspace.Cards) (T, error)) (none T, err error) {
	if err := checkRulesFlag(c, dir); err != nil {
		return none, err
	}
	own, err := workspace.ReadCards(dir)
	if err != nil {
		return none, err
	}
	return read(own)
}

// connectorCards adds a user's cards for connectors to the embedded ones.
func connectorCards(cards workspace.Cards) (*cue.Cards, error) {
	if cards.Connectors == nil {
		return cue.Connectors(), nil
	}
	return cue.Load(cards.Connectors, cue.ConnectorCards(), cue.Words())
}

// journalCards adds a user's cards for journals to the embedded ones.
func journalCards(cards workspace.Cards) (*cue.Cards, error) {
	if cards.Journals == nil {
		return journal.Cards(), nil
	}
	return journal.Load(cards.Journals)
}

func rulesCheckCommand() *cobra.Command {
	return newCommand("rules-check", cobra.MaximumNArgs(1), func(_ context.Context, c *console, args []string) error {
		out := bufio.NewWriter(c.out)
		err := checkFolder(out, args)
		return errors.Join(err, out.Flush())
	})
}

func checkFolder(out io.Writer, args []string) error {
	dir, own, err := namedRules(args)
	if err != nil {
		return err
	}
	read, unread := workspace.CardFiles(dir)
	if len(read) == 0 && len(args) > 0 {
		return noCards(dir, unread)
	}
	err = checkCards(out, own)
	_, promptErr := distractor.LoadPrompts(durable.DirFS(filepath.Join(dir, "prompts")))
	_, questionErr := confirm.Load(durable.DirFS(filepath.Join(dir, "questions")), confirm.Embedded())
	err = errors.Join(err, checkLures(out, filepath.Join(dir, "lures")))
	if asked := errors.Join(promptErr, questionErr); asked != nil {
		fmt.Fprintln(out, asked)
		err = errors.Join(err, &CheckFailed{"cannot read the prompts or questions for language models (see above)"})
	}
	if err != nil {
		return err
	}
	if len(read) == 0 {
		fmt.Fprintf(out, "none of them is yours: there is no %s\n", filepath.Join(defaultRules, "connectors", "*.txt"))
	} else {
		fmt.Fprintf(out, "from %s: %s\n", dir, strings.Join(read, ", "))
	}
	if len(unread) > 0 {
		return &CheckFailed{notRead(dir, unread)}
	}
	return nil
}

// checkLures tests the rules for wrong answers, those of a folder or the built-in.
func checkLures(out io.Writer, dir string) error {
	lures, err := distractor.LoadLures(durable.DirFS(dir))
	if err == nil {
		err = errors.Join(lures.Check()...)
	}
	if err != nil {
		fmt.Fprintln(out, err)
		return &CheckFailed{"the rules for wrong answers failed (see above)"}
	}
	cards, examples := lures.Examples()
	fmt.Fprintf(out, "%d rules for wrong answers and clean passages, %d examples: all hold\n", cards, examples)
	return nil
}

// defaultRules is where all commands look for a user's cards.
const defaultRules = "process_files/rules"

// rulesBeside is the folder with the user's cards for a text; for "-" it is in
// the current folder.
func rulesBeside(text string) string { return filepath.Join(filepath.Dir(text), defaultRules) }

const cardFolders = "the folders that are read are connectors, journals, sentences, prompts and lures (files with the names of the embedded ones) and questions"

func notRead(dir string, unread []string) string {
	return fmt.Sprintf("%s: no command reads %s; %s", dir, strings.Join(unread, ", "), cardFolders)
}

// noCards is the error of a named folder without cards.
func noCards(dir string, unread []string) error {
	for _, below := range []string{"rules", defaultRules} {
		inside := filepath.Join(dir, below)
		if info, err := os.Stat(inside); err == nil && info.IsDir() {
			return fmt.Errorf("%s has no rule cards; did you mean %s?", dir, inside)
		}
	}
	if len(unread) > 0 {
		return errors.New(notRead(dir, unread))
	}
	return fmt.Errorf("%s has no rule cards; %s", dir, cardFolders)
}

// namedRules are the cards of a folder that the user named, which must exist, or
// of the default one.
func namedRules(args []string) (dir string, own workspace.Cards, err error) {
	dir = defaultRules
	if len(args) > 0 {
		dir = args[0]
		if _, err := os.Stat(dir); err != nil {
			return dir, own, fmt.Errorf("%s: no such folder", dir)
		}
	}
	own, err = workspace.ReadCards(dir)
	return dir, own, err
}

// checkRulesFlag rejects a folder of --rules that does not exist or has no cards.
func checkRulesFlag(c *console, dir string) error {
	if _, set := c.flags["rules"]; !set {
		return nil // the default folder need not exist
	}
	if _, _, err := namedRules([]string{dir}); err != nil {
		return err
	}
	if read, unread := workspace.CardFiles(dir); len(read) == 0 {
		return noCards(dir, unread)
	}
	return nil
}

func checkCards(out io.Writer, own workspace.Cards) error {
	connectors, err := connectorCards(own)
	journals, journalsErr := journalCards(own)
	if err := errors.Join(err, journalsErr); err != nil {
		fmt.Fprintln(out, err)
		return &CheckFailed{"cannot read the cards (see above)"}
	}
	failures, changed := split(connectors.Check(), own.Connectors != nil)
	others, changedToo := split(journal.Check(journals), own.Journals != nil)
	failures, changed = append(failures, others...), append(changed, changedToo...)
	all := append(slices.Clone(connectors.All()), journals.All()...)
	examples := 0
	for _, card := range all {
		examples += len(card.Yes) + len(card.No)
	}
	for _, f := range failures {
		fmt.Fprintln(out, f.Error())
	}
	splitter, err := sentence.NewRules(own.Sentences)
	if err == nil {
		err = splitter.Check()
	}
	if err != nil {
		fmt.Fprintln(out, err)
	}
	var wrong []string
	hold := "all"
	if len(failures) > 0 {
		hold = fmt.Sprint(examples - len(changed) - len(failures))
		wrong = append(wrong, count(len(failures), "example")+" failed")
	}
	if err != nil {
		wrong = append(wrong, "the sentence lists are wrong")
	}
	reportChanged(out, changed, turnedOff(own, connectors, journals))
	fmt.Fprintf(out, "%d cards, %d examples: %s hold\n", len(all), examples-len(changed), hold)
	if len(wrong) == 0 {
		return nil
	}
	return &CheckFailed{strings.Join(wrong, ", and ") + " (see above)"}
}

// turnedOff are the embedded cards that the user turned off.
func turnedOff(own workspace.Cards, connectors, journals *cue.Cards) (names []string) {
	if own.Connectors != nil {
		names = append(names, connectors.Off()...)
	}
	if own.Journals != nil {
		names = append(names, journals.Off()...)
	}
	return names
}

// split tells the examples that fail from those of embedded cards, which say
// something else because of the user's cards, if there are any.
func split(all []cue.Failure, own bool) (failures, changed []cue.Failure) {
	for _, f := range all {
		if own && f.Inherited() {
			changed = append(changed, f)
		} else {
			failures = append(failures, f)
		}
	}
	return failures, changed
}

// reportChanged names the examples of embedded cards that a user's cards change.
// That is no mistake: it is what they are for.
func reportChanged(out io.Writer, changed []cue.Failure, off []string) {
	if len(changed) == 0 {
		return
	}
	why := "your cards come first"
	if len(off) > 0 {
		why = "you turned off " + strings.Join(off, ", ") + ", and " + why
	}
	fmt.Fprintf(out, "Because %s, %s of embedded cards now %s another result:\n", why, count(len(changed), "example"), map[bool]string{true: "has", false: "have"}[len(changed) == 1])
	for _, f := range changed {
		fmt.Fprintf(out, "  %s (%s:%d): %s\n      %s\n", f.Card.Name, f.Card.File, f.Example.Line, f.Example.Text, f.Got)
	}
}

func rulesListCommand() *cobra.Command {
	var tests, journals bool
	var lures string
	cmd := newCommand("rules-list", cobra.MaximumNArgs(1), func(_ context.Context, c *console, args []string) error {
		if lures != "" {
			text, err := distractor.LureFile(lures)
			if err != nil {
				return fmt.Errorf("--lures: %w", err)
			}
			_, err = io.WriteString(c.out, text)
			return err
		}
		_, own, err := namedRules(args)
		if err != nil {
			return err
		}
		read := connectorCards
		if journals {
			read = journalCards
		}
		cards, err := read(own)
		if err != nil {
			return err
		}
		text := listCards(cards)
		if tests {
			text = listTests(cards)
		}
		_, err = io.WriteString(c.out, text)
		return err
	})
	cmd.Flags().BoolVar(&tests, "tests", false, "the tests, areas, shapes and word lists that cards can use")
	cmd.Flags().StringVar(&lures, "lures", "", "print this built-in file, lures.txt or slips.txt, to change it in rules/lures")
	cmd.Flags().BoolVar(&journals, "journals", false, "the cards for journals instead of those for connectors")
	return cmd
}

func listCards(cards *cue.Cards) string {
	var text strings.Builder
	for _, card := range cards.All() {
		about := strings.Join(card.Match, " | ")
		if len(card.On) > 0 {
			about = "on " + strings.Join(card.On, " | ")
		}
		fmt.Fprintf(&text, "%s  (%s:%d)\n    %s\n    %s\n", card.Name, card.File, card.Line,
			wrap(about, 74, 4), wrap("-> "+card.Decides(), 74, 4))
	}
	return text.String()
}

func listTests(cards *cue.Cards) string {
	var text strings.Builder
	for _, part := range []struct {
		title string
		terms []cue.Term
	}{
		{"Tests, after has: and lacks:", cue.Tests()},
		{"Areas of a sentence", cue.Areas()},
		{"Shapes, in braces in place of words", cue.Shapes()},
		{"Word lists, in braces in place of words", cards.Lists()},
	} {
		fmt.Fprintf(&text, "%s\n\n", part.title)
		for _, term := range part.terms {
			fmt.Fprintf(&text, "  %s\n      %s\n", term.Name, wrap(term.Says, 72, 6))
		}
		fmt.Fprintln(&text)
	}
	return text.String()
}
