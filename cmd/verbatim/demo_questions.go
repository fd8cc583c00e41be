package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"verbatim/book"
	"verbatim/cloze"
	"verbatim/internal/durable"
	"verbatim/review"
	"verbatim/workspace"
)

// Metadata of the sample book, whose author is invented.
const lampKeeperMetadata = `{"source_htid": "demo.lamp-keeper", "source_title": "The Lamp-Keeper's Year", "source_author": "Ambrose Tillott",
"source_date": 1881, "author_nationality": "British", "source_genre": "memoir", "author_birth": 1820, "author_profession": "lighthouse keeper"}`

// demoQuestions makes questions from the sample book, as make and review do, and
// leaves the files in dir.
func demoQuestions(ctx context.Context, c *console, dir string) error {
	say := func(format string, args ...any) { fmt.Fprintf(c.out, format+"\n", args...) }
	path := filepath.Join(dir, "lamp-keeper.txt")
	if err := layOutSample(dir, path); err != nil {
		return err
	}
	run, err := newMakeRun(c, "", path, nil)
	if err != nil {
		return err
	}
	run.o.Drafts, run.reviewer, run.plain = 2, "the demo", true
	b, err := run.draft(ctx, workspace.Job{Path: path, Dir: workspace.DirOf("", path)})
	if err != nil {
		return err
	}
	defer b.Close()
	say("\nFrom book to benchmark question\n")
	say("5. The metadata of the book become a sentence:\n\n   %s\n", wrap(b.Frame(), 72, 3))
	say("6. Connectors. Sentences and clauses that carry the argument:\n")
	drafts := map[string]int{}
	for _, d := range b.AllDrafts() {
		drafts[d.Category]++
	}
	for _, c := range cloze.Categories {
		say("   %-18s %2d candidates, %d drafts", c.Name, len(b.Cloze().Candidates[c.Name]), drafts[c.Name])
	}
	if err := demoReview(ctx, run, b, say); err != nil {
		return err
	}
	return demoProof(ctx, b, say)
}

// layOutSample writes the sample book and its metadata.
func layOutSample(dir, path string) error {
	m, err := book.Parse([]byte(lampKeeperMetadata), "the sample's metadata")
	if err != nil {
		return err
	}
	files := workspace.FolderAt(filepath.Join(dir, workspace.Usual))
	if err := makeFolder(files.MetadataPath("lamp-keeper")); err != nil {
		return err
	}
	return errors.Join(
		durable.Replace(path, func(out io.Writer) error { _, err := io.WriteString(out, lampKeeper); return err }),
		durable.Replace(files.MetadataPath("lamp-keeper"), func(out io.Writer) error { _, err := out.Write(m.File()); return err }),
	)
}

// demoReview runs a scripted reviewer: in each category the first draft is
// rejected and the second accepted, with its wrong answers.
func demoReview(ctx context.Context, run *makeRun, b *workspace.Book, say func(string, ...any)) error {
	book, err := b.Drafted(&workspace.ReviewOptions{})
	if err != nil {
		return err
	}
	clock := time.Now()
	s := &review.Session{Entries: []review.Entry{{Barcode: b.Barcode, Book: book}}, Reviewer: run.reviewer, Goal: 1,
		Now: func() time.Time { clock = clock.Add(time.Second); return clock }}
	s.Start()
	if err := s.Next(ctx); err != nil {
		return err
	}
	rejected, shown := "", false
	for s.Item() != nil {
		if category := s.Item().Draft.Category; category != rejected {
			rejected = category
			if err := s.Reject(ctx); err != nil {
				return err
			}
			continue
		}
		if !shown {
			shown = true
			demoDraft(s.Item(), say)
		}
		if err := demoAccept(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// demoAccept accepts a draft, its wrong answers and the whole question.
func demoAccept(ctx context.Context, s *review.Session) error {
	if err := s.Accept(ctx); err != nil {
		return err
	}
	var err error
	if len(s.Item().State.Answers) == 0 { // no model could rank
		err = s.Add(demoManual(s.Item().Category()))
	} else {
		err = s.AcceptRest()
	}
	if err != nil {
		return err
	}
	return s.Accept(ctx)
}

func demoManual(c cloze.Category) string {
	if c.Clause() {
		return "because the butter had been entered under Sundries"
	}
	return "But the butter had been entered under Sundries."
}

// demoDraft shows a draft as its reviewer sees it.
func demoDraft(item *review.Item, say func(string, ...any)) {
	d := item.Draft
	say("\n7. A draft, as its reviewer sees it (%s):\n", d.Category)
	say("   %s\n", wrap(d.Masked, 72, 3))
	say("   %s\n", wrap(d.Kind().Prompt(), 72, 3))
	say("   ground truth: %s\n", wrap(d.Truth, 58, 6))
	for _, o := range append(d.Options[:len(d.Options):len(d.Options)], d.Reserve...) {
		say("   %s: %s", o.Type, wrap(o.Text, 66, 6))
	}
	if len(d.Options) > 0 {
		say("\n   These are other passages of the book, the best fit first; the first %d are\n   offered, and rejecting one brings up the next.", len(d.Options))
	}
}

// demoProof verifies what was written.
func demoProof(ctx context.Context, b *workspace.Book, say func(string, ...any)) error {
	say("\n8. Decisions. A scripted reviewer made %d decisions; each is a line of", b.Log().Len())
	say("   %s and can be undone.\n", workspace.Name(b.Barcode, workspace.Decisions))
	say("9. Questions, and their proof against the bytes of the book:\n")
	counts, err := workspace.Verify(ctx, []string{b.File(workspace.Questions)}, "", func(workspace.Proof) {})
	if err != nil {
		return err
	}
	for line := range strings.Lines(proofSummary(counts)) {
		say("   %s", wrap(line, 72, 3))
	}
	if counts.Failed > 0 {
		return &CheckFailed{count(counts.Failed, "proof") + " failed"}
	}
	say("\nAll files are in\n   %s", b.Workspace().Dir())
	say("\nNow with a book of your own:\n   verbatim make BOOK.txt\n\nOr for many books overnight, to review in the morning:")
	say("   verbatim make --batch --catalogue LIST.csv *.txt\n   verbatim review")
	return nil
}
