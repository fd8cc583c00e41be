package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/confirm"
	"verbatim/cue"
	"verbatim/distractor"
	"verbatim/journal"
	"verbatim/sentence"
	"verbatim/tag"
	"verbatim/workspace"
)

// readTagger is the tagger with the cards and lists of a user's folder.
func readTagger(dir string) (*tag.Tagger, error) {
	own, err := workspace.ReadCards(dir)
	if err != nil {
		return nil, err
	}
	return own.Tagger()
}

// connectorCards lays a user's cards for connectors over the embedded ones.
func connectorCards(cards workspace.Cards) (*cue.Cards, error) {
	if cards.Connectors == nil {
		return cue.Connectors(), nil
	}
	return cue.Load(cards.Connectors, cue.ConnectorCards(), cue.Words())
}

// journalCards lays a user's cards for journals over the embedded ones.
func journalCards(cards workspace.Cards) (*cue.Cards, error) {
	if cards.Journals == nil {
		return journal.Cards(), nil
	}
	return journal.Load(cards.Journals)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Check and list the rule cards",
		Long: `Rule cards are plain text files that hold what is known of connectors in books
and of claims in journals: words, their place, conditions, and examples. A folder
of your own is laid over the embedded cards (cards for journals lie in its folder
journals): a card with the name of one of ours stands in its place, one with a new
name is asked first, and one that says "off: yes" takes ours out.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(rulesCheckCommand(), rulesListCommand())
	return cmd
}

func rulesCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check [FOLDER]",
		Short: "Does every card do what its own examples say?",
		Long: `Does every card do what its own examples say? The embedded cards are checked,
and laid over them those of FOLDER, or of process_files/rules if it is there.
Your files lie in folders of their own: connectors, journals, sentences, prompts
and questions. What was read is named, and so is a file that nobody reads.`,
		Example: `  verbatim rules check
  verbatim rules check process_files/rules`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := consoleOf(cmd)
			out := bufio.NewWriter(&readable{out: c.out})
			err := checkFolder(out, args)
			return errors.Join(err, out.Flush())
		},
	}
}

func checkFolder(out io.Writer, args []string) error {
	dir, rules, err := namedRules(args)
	if err != nil {
		return err
	}
	read, unread := yourFiles(dir)
	if len(read) == 0 && len(args) > 0 {
		return noRules(dir, unread)
	}
	if err := errors.Join(checkRules(out, rules), checkAsked(out, dir)); err != nil {
		return err
	}
	if len(read) == 0 {
		fmt.Fprintf(out, "none of them is yours: there is no %s\n", filepath.Join(usualRules, "connectors", "*.txt"))
	} else {
		fmt.Fprintf(out, "of %s: %s\n", dir, strings.Join(read, ", "))
	}
	if len(unread) > 0 {
		return &CheckFailed{fmt.Sprintf("%s: nobody reads %s; %s", dir, strings.Join(unread, ", "), whereRulesLie)}
	}
	return nil
}

// usualRules is where a user's rules lie, and where all commands look for them.
const usualRules = "process_files/rules"

// rulesBeside is where the rules for a text lie; for "-" it is the folder that
// the user stands in.
func rulesBeside(text string) string { return filepath.Join(filepath.Dir(text), usualRules) }

const whereRulesLie = "the folders that are read are connectors, journals, sentences, prompts (files with the names of ours) and questions"

// noRules is for a folder that was named and gives nothing.
func noRules(dir string, unread []string) error {
	for _, below := range []string{"rules", usualRules} {
		if inside := filepath.Join(dir, below); isDir(inside) {
			return fmt.Errorf("%s holds no rule cards; do you mean %s?", dir, inside)
		}
	}
	if len(unread) > 0 {
		return fmt.Errorf("%s: nobody reads %s; %s", dir, strings.Join(unread, ", "), whereRulesLie)
	}
	return fmt.Errorf("%s holds no rule cards; %s", dir, whereRulesLie)
}

// yourFiles are the files of a user's rule folder: those that are read, and
// those that lie where nobody looks. A folder that is not there has none.
func yourFiles(dir string) (read, unread []string) {
	files := os.DirFS(dir)
	for _, pattern := range []string{"*.txt", "*/*.txt", "*/*/*.txt"} {
		names, _ := fs.Glob(files, pattern) // the patterns are good
		for _, name := range names {
			folder, base := path.Split(name)
			switch {
			case base == "README.txt":
			case folder == "" && !isDir(filepath.Join(dir, "connectors")),
				slices.Contains([]string{"connectors/", "journals/", "sentences/", "questions/"}, folder),
				folder == "prompts/" && slices.Contains(distractor.PromptFiles(), base):
				read = append(read, name)
			default:
				unread = append(unread, name)
			}
		}
	}
	return read, unread
}

// namedRules are the rules of a folder that the user typed, which must be there,
// or of the usual one.
func namedRules(args []string) (dir string, cards workspace.Cards, err error) {
	dir = usualRules
	if len(args) > 0 {
		dir = args[0]
		if _, err := os.Stat(dir); err != nil {
			return dir, cards, fmt.Errorf("%s: there is no such folder", dir)
		}
	}
	cards, err = workspace.ReadCards(dir)
	return dir, cards, err
}

// checkNamed refuses a folder of --rules that is not there or gives nothing: what
// it was named for would be left undone in silence.
func checkNamed(c *console, dir string) error {
	if _, set := c.flags["rules"]; !set {
		return nil // the usual folder need not be there
	}
	if _, _, err := namedRules([]string{dir}); err != nil {
		return err
	}
	if read, unread := yourFiles(dir); len(read) == 0 {
		return noRules(dir, unread)
	}
	return nil
}

func checkRules(out io.Writer, own workspace.Cards) error {
	connectors, err := connectorCards(own)
	journals, journalsErr := journalCards(own)
	if err := errors.Join(err, journalsErr); err != nil {
		fmt.Fprintln(out, err)
		return &CheckFailed{"the cards could not be read; the lines above say where and how to mend them"}
	}
	failures := append(connectors.Check(), journal.Check(journals)...)
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
		hold = fmt.Sprint(examples - len(failures))
		wrong = append(wrong, does(len(failures), "example of a card", "examples of cards")+" not hold")
	}
	if err != nil {
		wrong = append(wrong, "the lists of the splitter are not right")
	}
	fmt.Fprintf(out, "%d cards, %d examples: %s hold\n", len(all), examples, hold)
	if len(wrong) == 0 {
		return nil
	}
	return &CheckFailed{strings.Join(wrong, ", and ") + " (shown above)"}
}

// checkAsked reads the prompts and the questions for language models.
func checkAsked(out io.Writer, dir string) error {
	_, promptErr := distractor.LoadPrompts(os.DirFS(filepath.Join(dir, "prompts")))
	_, questionErr := confirm.Load(os.DirFS(filepath.Join(dir, "questions")), confirm.Embedded())
	if err := errors.Join(promptErr, questionErr); err != nil {
		fmt.Fprintln(out, err)
		return &CheckFailed{"the prompts or questions for language models could not be read; the lines above say where and how to mend them"}
	}
	return nil
}

// does counts a thing that does, or things that do.
func does(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " does"
	}
	return fmt.Sprintf("%d %s do", n, many)
}

func rulesListCommand() *cobra.Command {
	var tests, journals bool
	cmd := &cobra.Command{
		Use:   "list [FOLDER]",
		Short: "List the cards in the order in which they are asked",
		Example: `  verbatim rules list
  verbatim rules list --journals
  verbatim rules list --tests      what a card can say after has:, before: and so on`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := consoleOf(cmd)
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
			if tests {
				return listTests(c.out, cards)
			}
			return listCards(c.out, cards)
		},
	}
	cmd.Flags().BoolVar(&tests, "tests", false, "the tests, areas, shapes and word lists that cards can name")
	cmd.Flags().BoolVar(&journals, "journals", false, "the cards for journals, not those for connectors")
	return cmd
}

func listCards(out io.Writer, cards *cue.Cards) error {
	var text strings.Builder
	for _, card := range cards.All() {
		about := strings.Join(card.Match, " | ")
		if len(card.On) > 0 {
			about = "on " + strings.Join(card.On, " | ")
		}
		fmt.Fprintf(&text, "%s  (%s:%d)\n    %s\n    %s\n", card.Name, card.File, card.Line,
			wrap(about, 74, "    "), wrap("-> "+card.Decides(), 74, "    "))
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func listTests(out io.Writer, cards *cue.Cards) error {
	var text strings.Builder
	for _, part := range []struct {
		title string
		terms []cue.Term
	}{
		{"Tests, after has: and lacks:", cue.Tests()},
		{"Areas of a sentence", cue.Areas()},
		{"Shapes, in braces wherever words stand", cue.Shapes()},
		{"Word lists, in braces wherever words stand", cards.Lists()},
	} {
		fmt.Fprintf(&text, "%s\n\n", part.title)
		for _, term := range part.terms {
			fmt.Fprintf(&text, "  %s\n      %s\n", term.Name, wrap(term.Says, 72, "      "))
		}
		fmt.Fprintln(&text)
	}
	_, err := io.WriteString(out, text.String())
	return err
}
