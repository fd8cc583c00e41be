package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim/book"
	"verbatim/cloze"
	"verbatim/folder"
	"verbatim/internal/durable"
	"verbatim/review/terminal"
)

// What is known of the sample book, whose author never lived.
const lampKeeperMetadata = `{"source_htid": "demo.lamp-keeper", "source_title": "The Lamp-Keeper's Year", "source_author": "Ambrose Tillott",
"source_date": 1881, "author_nationality": "British", "source_genre": "memoir", "author_birth": 1820, "author_profession": "lighthouse keeper"}`

// demoQuestions takes the sample book through all of job 1, as make and review
// would, and leaves the files in dir.
func demoQuestions(ctx context.Context, c *console, dir string) error {
	out := c.out
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	path := filepath.Join(dir, "lamp-keeper.txt")
	if err := layOutSample(dir, path); err != nil {
		return err
	}
	o := &makeOptions{candidates: 2, perCategory: 1, minExamples: 4, distractors: "all", reviewer: "the demo"}
	o.plain = true
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	cmd.SetOut(c.out)
	cmd.SetErr(c.messages)
	m, err := newMaker(cmd, o)
	if err != nil {
		return err
	}
	w, err := m.prepare(path)
	if err != nil {
		return err
	}
	defer func() { _ = w.close() }()
	if err := m.draft(ctx, w); err != nil {
		return err
	}
	say("\nFrom book to benchmark question\n")
	say("5. What is known of the book becomes a sentence:\n\n   %s\n", wrap(w.about.Frame(), 72, "   "))
	say("6. Connectors. Sentences and clauses that carry the argument:\n")
	for _, c := range cloze.Categories {
		say("   %-18s %2d candidates, %d drafts", c.Name, len(w.book.Candidates[c.Name]), countDrafts(w, c.Name))
	}
	if err := demoReview(ctx, m, w, say); err != nil {
		return err
	}
	return demoProof(out, w, say)
}

// layOutSample writes the sample book and its metadata.
func layOutSample(dir, path string) error {
	m, err := book.Parse([]byte(lampKeeperMetadata), "the sample's metadata")
	if err != nil {
		return err
	}
	files := folder.At(filepath.Join(dir, folder.Usual))
	if err := makeFolder(files.MetadataPath("lamp-keeper")); err != nil {
		return err
	}
	return errors.Join(
		durable.Replace(path, func(out io.Writer) error { _, err := io.WriteString(out, lampKeeper); return err }),
		durable.Replace(files.MetadataPath("lamp-keeper"), func(out io.Writer) error { _, err := out.Write(m.File()); return err }),
	)
}

// demoReview lets a scripted reviewer work: in each category the first draft is
// refused and the second accepted, with its wrong answers.
func demoReview(ctx context.Context, m *maker, w *workbook, say func(string, ...any)) error {
	work, err := m.lay(w)
	if err != nil {
		return err
	}
	clock := time.Now()
	s := &terminal.Session{Works: []*terminal.Work{work}, Reviewer: m.o.reviewer, Goal: 1,
		Now: func() time.Time { clock = clock.Add(time.Second); return clock }}
	s.Start()
	if err := s.Next(ctx); err != nil {
		return err
	}
	refused, shown := "", false
	for s.Item != nil {
		if category := s.Item.Draft.Category; category != refused {
			refused = category
			if err := s.Refuse(ctx); err != nil {
				return err
			}
			continue
		}
		if !shown {
			shown = true
			demoDraft(s.Item, say)
		}
		if err := demoAccept(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// demoAccept accepts a draft, its wrong answers and the whole question.
func demoAccept(ctx context.Context, s *terminal.Session) error {
	if err := s.Accept(ctx); err != nil {
		return err
	}
	var err error
	if len(s.Item.State.Answers) == 0 { // no model could rank
		err = s.Add(demoManual(s.Item.Category()))
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
func demoDraft(item *terminal.Item, say func(string, ...any)) {
	d := item.Draft
	say("\n7. A draft, as its reviewer sees it (%s):\n", d.Category)
	say("   %s\n", wrap(d.Masked, 72, "   "))
	say("   %s\n", wrap(d.Kind().Prompt(), 72, "   "))
	say("   ground truth: %s\n", wrap(d.Truth, 58, "      "))
	for _, o := range append(d.Options[:len(d.Options):len(d.Options)], d.Reserve...) {
		say("   %s: %s", o.Type, wrap(o.Text, 66, "      "))
	}
	if len(d.Options) > 0 {
		say("\n   These are other passages of the book, the best fit first; the first %d are\n   offered, and refusing one brings up the next.", len(d.Options))
	}
}

// demoProof verifies what was written.
func demoProof(out io.Writer, w *workbook, say func(string, ...any)) error {
	path := w.files.Path(w.barcode, folder.Questions)
	decisions := w.log.Len()
	say("\n8. Decisions. A scripted reviewer took %d decisions; each is a line of", decisions)
	say("   %s and can be undone.\n", folder.Name(w.barcode, folder.Decisions))
	say("9. Questions, and their proof against the bytes of the book:\n")
	var proof strings.Builder
	v := &verifier{out: &proof, words: out}
	if err := v.file(path); err != nil {
		return err
	}
	if err := v.end(1); err != nil {
		return err
	}
	for line := range strings.Lines(proof.String()) {
		say("   %s", wrap(line, 72, "   "))
	}
	say("\nAll files are in\n   %s", w.files.Dir())
	say("\nNow with a book of your own:\n   verbatim make BOOK.txt\n\nOr for many books overnight, and looked at in the morning:")
	say("   verbatim make --batch --catalogue LIST.csv *.txt\n   verbatim review")
	return nil
}
