package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/chat"
	"verbatim/confirm"
	"verbatim/folder"
	"verbatim/internal/parallel"
)

func tagCommand() *cobra.Command {
	var dir string
	var force bool
	var workers int
	cmd := &cobra.Command{
		Use:   "tag BOOK...",
		Short: "Find the connectors of books and write their tagged sentences",
		Long: `Find the sentences and sentence-ending clauses of books that begin with a logical
connector. For each book two files are written into process_files beside it (or
into --dir): BARCODE-tagged.jsonl, one line a sentence with its tags, and
BARCODE-refused.jsonl, what gave no tag and why. BARCODE-made.json says what
they were made from: a book that was made from the same book, cards, sentence
lists and program is done and left alone. Cards and lists of your own lie in
process_files/rules.

Where a language model is there, it is asked about the connectors that rules
alone cannot decide (since, as, then, while and others) and about every sentence
that is said to give a cause; see: verbatim models. What it refuses goes into
the refused file with its reason. Every call is kept in BARCODE-ledger.jsonl,
and no call is made twice. --no-models does without.`,
		Example: `  verbatim tag books/*.txt
  verbatim tag --dir work "The Mill.txt"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := checkNames(paths); err != nil {
				return err
			}
			run := &tagRun{cmd: cmd, dir: dir, force: force, taggers: map[string]*tagger{}}
			books, err := run.plan(paths)
			if err != nil {
				return err
			}
			l, err := openLanguage(cmd.Context(), consoleOf(cmd), run.settingsDir(books))
			if err != nil {
				return err
			}
			if run.check, err = checkWith(l); err != nil {
				return err
			}
			return run.tagAll(books, workers)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the working folder (default: process_files beside each book)")
	cmd.Flags().BoolVar(&force, "force", false, "make the files anew, also those that are done or that were changed by hand")
	cmd.Flags().IntVar(&workers, "workers", runtime.GOMAXPROCS(0), "how many books are read at a time")
	addCheckFlags(cmd)
	return cmd
}

// tagRun is one call of the command.
type tagRun struct {
	check   *tagCheck // nil: no language model
	cmd     *cobra.Command
	dir     string
	force   bool
	taggers map[string]*tagger // by working folder: each may have rules of its own
	failed  []error
}

// A bookResult is what became of a book.
type bookResult struct {
	job    bookJob
	counts tagCounts
	asked  confirm.Counts
	note   string // for the user: a stale file and why
	done   bool   // it had been done before
	err    error
}

// plan reads the cards of each book's folder, and sets aside books that cannot
// be told apart there.
func (run *tagRun) plan(paths []string) ([]bookJob, error) {
	books, twins := tellApart(run.dir, paths)
	for _, err := range twins {
		run.failed = append(run.failed, err)
		fmt.Fprintln(run.cmd.ErrOrStderr(), "verbatim:", err)
	}
	for i, job := range books {
		rules := filepath.Join(job.dir, "rules")
		if run.taggers[job.dir] == nil {
			t, err := newTagger(rules)
			if err != nil {
				return nil, fmt.Errorf("%w\nno book was tagged: mend the cards in %s first", err, rules)
			}
			run.taggers[job.dir] = t
		}
		books[i].tagger = run.taggers[job.dir]
	}
	return books, nil
}

func (run *tagRun) tagAll(books []bookJob, workers int) error {
	bar := newProgress(run.cmd.ErrOrStderr(), "books", len(books))
	if run.check != nil {
		bar.out = nil // the questions have a bar of their own, and take longer
	}
	in := func(yield func(bookJob, error) bool) {
		for _, job := range books {
			if !yield(job, nil) {
				return
			}
		}
	}
	total := tagCounts{}
	made, done := 0, 0
	for result, err := range parallel.Map(run.cmd.Context(), workers, in, run.tagBook) {
		if err != nil || result.err != nil || result.note != "" {
			bar.clear() // words are coming
		}
		switch {
		case errors.Is(err, context.Canceled):
			run.check.report()
			return fmt.Errorf("stopped with %d of %d books done; to go on type:\n  %s", made+done, len(books), commandLine(run.cmd))
		case err != nil:
			run.check.report()
			return goOn(run.cmd.Context(), consoleOf(run.cmd), err)
		case result.err != nil:
			run.failed = append(run.failed, result.err)
			if len(books) > 1 { // the error of a single book is the command's
				fmt.Fprintln(run.cmd.ErrOrStderr(), "verbatim:", result.err)
			}
		case result.done:
			done++
		default:
			made++
		}
		if result.note != "" {
			fmt.Fprintln(run.cmd.ErrOrStderr(), result.note)
		}
		total.add(result.counts)
		if run.check != nil {
			run.check.total.Add(result.asked)
		}
		bar.step()
	}
	bar.clear()
	run.check.report()
	return run.summary(total, made, done)
}

// tagBook does one book; what goes wrong with it is a result, not an end.
func (run *tagRun) tagBook(ctx context.Context, job bookJob) (bookResult, error) {
	if err := ctx.Err(); err != nil {
		return bookResult{}, err
	}
	result := bookResult{job: job}
	result.err = func() error {
		doc, err := openDocument(job.path, standardInput(run.cmd.Context(), consoleOf(run.cmd)))
		if err != nil {
			return err
		}
		files, err := folder.Open(job.dir)
		if err != nil {
			return err
		}
		unlock, err := files.Lock(job.barcode)
		if err != nil {
			return err
		}
		if err = run.makeFiles(ctx, &result, files, doc); err == nil {
			err = files.NoteText(job.barcode, job.path)
		}
		return errors.Join(err, unlock())
	}()
	if chat.KindOf(result.err) != "" {
		return result, result.err // a model that is lost is lost for every book
	}
	return result, nil
}

func (run *tagRun) makeFiles(ctx context.Context, result *bookResult, files *folder.Folder, doc *verbatim.Document) error {
	job := result.job
	from := job.tagger.sources(doc)
	run.check.source(from)
	fresh := true
	for _, name := range []string{folder.Tagged, folder.Refused} {
		state, why, err := files.State(job.barcode, name, from)
		switch {
		case run.force:
			fresh = false
		case err != nil:
			return err
		case state == folder.Changed:
			return fmt.Errorf("%s is left as it is: %s; --force makes it anew", files.Path(job.barcode, name), why)
		case state == folder.Stale:
			result.note = fmt.Sprintf("%s was stale (%s) and is made anew", folder.Name(job.barcode, name), why)
		}
		fresh = fresh && state == folder.Fresh
	}
	if fresh {
		result.done = true
		var err error
		result.counts, err = countFile(files.Path(job.barcode, folder.Tagged))
		return err
	}
	tagged, refused, err := run.tagged(ctx, result, files, doc)
	if err != nil {
		return err
	}
	if result.counts.sentences == 0 {
		return &Wanting{job.path + ": there is no sentence in it"}
	}
	return files.Write(job.barcode, from, map[string]func(io.Writer) error{
		folder.Tagged:  func(w io.Writer) error { _, err := w.Write(tagged); return err },
		folder.Refused: func(w io.Writer) error { _, err := w.Write(refused); return err },
	})
}

// tagged gives the lines of both files.
func (run *tagRun) tagged(ctx context.Context, result *bookResult, files *folder.Folder, doc *verbatim.Document) (tagged, refused []byte, err error) {
	if run.check == nil { // line by line: books are large
		for line, no := range result.job.tagger.sentences(doc) {
			result.counts.count(line)
			tagged = append(line.AppendJSON(tagged), '\n')
			for i := range no {
				refused = append(no[i].AppendJSON(refused), '\n')
			}
		}
		return tagged, refused, nil
	}
	var lines []verbatim.Tagged
	var refusals []verbatim.RefusedTag
	for line, no := range result.job.tagger.sentences(doc) {
		kept := *line
		kept.Tags = slices.Clone(line.Tags)
		lines, refusals = append(lines, kept), append(refusals, no...)
	}
	refusals, result.asked, err = run.check.book(ctx, files, result.job.barcode, lines, refusals)
	for i := range lines {
		result.counts.count(&lines[i])
		tagged = append(lines[i].AppendJSON(tagged), '\n')
	}
	for i := range refusals {
		refused = append(refusals[i].AppendJSON(refused), '\n')
	}
	return tagged, refused, err
}

// settingsDir is the working folder whose settings.txt counts: the one that was
// named, or that of the first book.
func (run *tagRun) settingsDir(books []bookJob) string {
	if run.dir == "" && len(books) > 0 {
		return books[0].dir
	}
	return cmp.Or(run.dir, "process_files")
}

// tagCounts is what a summary says of books.
type tagCounts struct {
	sentences int
	tags      [2][8]int // tier; tag in the order of tagNames
}

func (c *tagCounts) count(line *verbatim.Tagged) {
	c.sentences++
	for _, tag := range line.Tags {
		tier := 0
		if tag.Tier != "sure" {
			tier = 1
		}
		if n := slices.Index(tagNames, tag.Name); n >= 0 {
			c.tags[tier][n]++
		}
	}
}

func (c *tagCounts) add(other tagCounts) {
	c.sentences += other.sentences
	for tier := range c.tags {
		for n := range c.tags[tier] {
			c.tags[tier][n] += other.tags[tier][n]
		}
	}
}

// countFile counts a file that was done before.
func countFile(path string) (counts tagCounts, err error) {
	file, err := os.Open(path)
	if err != nil {
		return counts, err
	}
	defer file.Close()
	for line, err := range verbatim.Read[verbatim.Tagged](file, path) {
		if err != nil {
			return counts, err
		}
		counts.count(&line)
	}
	return counts, nil
}

func (run *tagRun) summary(total tagCounts, made, done int) error {
	if made+done == 0 {
		return noneDone(run.failed, "tagged")
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%-18s %8s %8s\n", "", "sure", "wide")
	for n, name := range tagNames {
		fmt.Fprintf(&text, "%-18s %8d %8d\n", name, total.tags[0][n], total.tags[1][n])
	}
	fmt.Fprintf(&text, "%s in %s: %d tagged", count(total.sentences, "sentence"), count(made+done, "book"), made)
	if done > 0 {
		fmt.Fprintf(&text, ", %d done before", done)
	}
	fmt.Fprintln(&text)
	if _, err := io.WriteString(run.cmd.OutOrStdout(), text.String()); err != nil {
		return err
	}
	if len(run.failed) == 0 {
		return nil
	}
	return &Wanting{fmt.Sprintf("%d of %d books could not be tagged; the others are done:\n  %s", len(run.failed), len(run.failed)+made+done, firstLines(run.failed))}
}
