package review_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"sync"
	"testing"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
	"verbatim/review/fake"
)

// Two people work on one book at the same time. Every decision is in the log
// once, and a draft on which they disagree is disputed.
func TestTwoSessionsAtOnce(t *testing.T) {
	book := fake.NewBook()
	var both sync.WaitGroup
	for _, name := range []string{"Ada", "Ben"} {
		s := book.Session()
		s.Reviewer, s.Goal = name, 100
		both.Go(func() {
			for s.Item() != nil {
				_, _ = s.Progress(), s.Item().Page(false)
				var err error
				if name == "Ben" && s.Item().Stage == review.OfPassage {
					err = s.Reject(t.Context())
				} else {
					err = s.Accept(t.Context())
				}
				if err != nil { // every text of the book may be taken
					err = s.Flag(t.Context())
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	both.Wait()
	seen := map[string]bool{}
	for _, d := range book.Disk {
		if seen[d.ID] {
			t.Errorf("decision %s is on the disk twice", d.ID)
		}
		seen[d.ID] = true
	}
	if n := book.Decisions.Len(); n != len(book.Disk) {
		t.Errorf("%d decisions are in the log, %d on the disk", n, len(book.Disk))
	}
	again := reload(t, book.Disk)
	for _, drafts := range book.ByName {
		for _, d := range drafts {
			now, ok := book.Decisions.Of(d.ID)
			later, _ := again.Of(d.ID)
			if !ok || now.Verdict == review.Open || asJSON(now.State) != asJSON(later.State) || now.Disputed != later.Disputed {
				t.Errorf("draft %s is %v, read again %v", d.ID, now.Verdict, later.Verdict)
			}
		}
	}
}

func asJSON(s review.State) string {
	line, _ := json.Marshal(s)
	return string(line)
}

// reload writes decisions and reads them again, which checks their hashes.
func reload(t *testing.T, disk []review.Decision) *review.Log {
	t.Helper()
	var file bytes.Buffer
	if err := verbatim.Write(&file, onDisk(disk)); err != nil {
		t.Fatal(err)
	}
	log, problems := review.Load(verbatim.Lines(&file, "decisions.jsonl"))
	if len(problems) > 0 {
		t.Error(problems)
	}
	return log
}

func onDisk(decisions []review.Decision) iter.Seq2[review.Decision, error] {
	return func(yield func(review.Decision, error) bool) {
		for _, d := range decisions {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// Two windows on one session: both may act, and nothing happens twice.
func TestTwoWindowsOnOneSession(t *testing.T) {
	b := newBench(t)
	var both sync.WaitGroup
	changed := make([]error, 2)
	shown := b.View().Version
	for i := range changed {
		both.Go(func() { changed[i] = b.Session.At(shown).Reject(t.Context()) })
	}
	both.Wait()
	if n := len(b.Disk); n != 1 || (changed[0] == nil) == (changed[1] == nil) || !errors.Is(errors.Join(changed...), review.ErrChanged) {
		t.Errorf("%d decisions were made; the windows got %v", n, changed)
	}
	b.must(b.Session.At(b.View().Version).Reject(t.Context()))
}

// A person who decided without knowing of another's decision does not overwrite
// it.
func TestADecisionThatCrossesAnother(t *testing.T) {
	book := fake.NewBook()
	ada, ben := book.Session(), book.Session()
	ben.Reviewer = "Ben"
	id := ada.Item().Draft.ID
	for range 4 {
		if err := ada.Accept(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := ben.Reject(t.Context()); err != nil { // Ben still saw the open draft
		t.Fatal(err)
	}
	if s, _ := book.Decisions.Of(id); !s.Disputed || len(s.Heads) != 2 {
		t.Errorf("the draft is %v, with %d heads", s.Verdict, len(s.Heads))
	}
}

// While a model makes wrong answers, other windows and other sessions continue.
func TestNothingWaitsForAModel(t *testing.T) {
	book := fake.NewBook()
	for _, d := range book.ByName["causalclause"] {
		d.Options, d.Reserve, d.Made = nil, nil, false
	}
	asked, answer := make(chan bool), make(chan bool)
	book.Make = func(_ context.Context, d *cloze.Draft) error {
		asked <- true
		<-answer
		d.Options, d.Made = []verbatim.Option{{Type: "negation", Text: "because nobody trusted them"}}, true
		return nil
	}
	ada, ben := book.Session(), book.Session()
	ben.Reviewer = "Ben"
	var waiting sync.WaitGroup
	waiting.Go(func() {
		if err := ada.Accept(t.Context()); err != nil {
			t.Error(err)
		}
	})
	<-asked
	if item := ada.Item(); item == nil || item.Stage != review.OfPassage {
		t.Error("the window does not show the passage meanwhile")
	}
	if err := ben.Reject(t.Context()); err != nil {
		t.Error(err)
	}
	answer <- true
	waiting.Wait()
	if item := ada.Item(); item.Stage != review.OfAnswers || len(item.State.Answers) != 1 {
		t.Errorf("stage %d with %d answers", item.Stage, len(item.State.Answers))
	}
	if book.ByName["causalclause"][0].Made {
		t.Error("the book's own draft was changed")
	}
}

// Where wrong answers are made later, accepting the passage leads to the next.
func TestAnswersThatAreMadeLater(t *testing.T) {
	b := newBench(t)
	first := b.ByName["causalclause"][0]
	first.Options, first.Reserve, first.Made = nil, nil, false
	b = b.again()
	b.do("a")
	b.shows("contrastsentence, stage 0, 0 accepted, 0 rejected")
	if tally := review.Count(b.Decisions, b.ByName["causalclause"], nil, 1).Of("causalclause"); tally.Unmade != 1 || tally.Begun != 1 || tally.Waiting != 0 {
		t.Errorf("counted %+v", *tally)
	}
}
