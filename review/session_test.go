package review_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
	"verbatim/review/fake"
)

// A bench is a session of Ada's on a book in memory.
type bench struct {
	*review.Session
	*fake.Book
	t *testing.T
}

// newBench starts a session on a book with these decisions on its disk.
func newBench(t *testing.T, disk ...review.Decision) *bench {
	b := fake.NewBook(slices.Clone(disk)...)
	return &bench{b.Session(), b, t}
}

// again starts another session on the same book.
func (b *bench) again() *bench { return &bench{b.Book.Session(), b.Book, b.t} }

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// press acts as the keys of a view do; a key may have a text.
func (b *bench) press(key string) error {
	ctx, s := context.Background(), b.Session
	key, text, _ := strings.Cut(key, " ")
	switch key {
	case "a":
		return s.Accept(ctx)
	case "x":
		return s.Reject(ctx)
	case "s":
		return s.Skip(ctx)
	case "f":
		return s.Flag(ctx)
	case "u":
		return s.Undo(ctx)
	case "U":
		return s.Redo(ctx)
	case "A":
		return s.AcceptRest()
	case "e":
		return s.Edit(text)
	case "T":
		return s.EditTruth(text)
	case "m":
		return s.Replace(text)
	case "n":
		return s.Add(text)
	case "b":
		return s.Back()
	case "[":
		return s.Move(-1, 0)
	case "}":
		return s.Move(0, 1)
	}
	n, err := strconv.Atoi(key)
	b.must(err)
	return s.Choose(n - 1)
}

func (b *bench) do(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		if err := b.press(key); err != nil {
			b.t.Fatalf("%s: %v", key, err)
		}
	}
}

func (b *bench) shows(want string) {
	b.t.Helper()
	item := b.Item()
	got := "nothing"
	if item != nil {
		got = fmt.Sprintf("%s, stage %d, %d accepted, %d rejected", item.Draft.Category, item.Stage, item.State.Count(review.Accepted), item.State.Count(review.Rejected))
	}
	if got != want {
		b.t.Errorf("on the screen is %q, not %q", got, want)
	}
}

func TestAcceptingAQuestion(t *testing.T) {
	b := newBench(t)
	b.shows("causalclause, stage 0, 0 accepted, 0 rejected")
	b.do("a")
	b.shows("causalclause, stage 1, 0 accepted, 0 rejected")
	b.do("a", "a")
	b.shows("causalclause, stage 2, 2 accepted, 0 rejected")
	if b.Saved != 0 {
		t.Error("a question was written before it was accepted")
	}
	b.do("a")
	b.shows("contrastsentence, stage 0, 0 accepted, 0 rejected") // the goal of the first category is reached
	if b.Saved != 1 || b.Accepted("causalclause") != 1 {
		t.Error("the question was not written")
	}
	last := b.Disk[len(b.Disk)-1]
	if last.Act != "accept" || last.After.Question == nil || last.Reviewer != "Ada" || last.Seconds <= 0 {
		t.Errorf("the acceptance holds %+v", last)
	}
	b.do("a", "A", "a")
	b.shows("nothing")
}

func TestARejectedAnswerBringsUpTheNextBest(t *testing.T) {
	b := newBench(t)
	b.do("a")
	first := b.Item().State.Answers[0].Text
	b.do("x")
	if n := len(b.Item().State.Answers); n != 3 || b.Item().State.Answers[2].Text != b.Item().Draft.Reserve[0].Text {
		t.Errorf("there are %d answers", n)
	}
	again := newBench(t, b.Disk...) // the terminal was closed
	again.shows("causalclause, stage 1, 0 accepted, 1 rejected")
	if len(again.Item().State.Answers) != 3 || again.Item().State.Answers[0].Text != first || again.Item().State.Answers[0].Verdict != review.Rejected {
		t.Error("the refusal is forgotten")
	}
}

func TestRefusalsAreRememberedAndMoreIsOffered(t *testing.T) {
	b := newBench(t)
	seen := map[string]bool{}
	for b.Item() != nil && b.Item().Draft.Category == "causalclause" {
		if seen[b.Item().Draft.ID] {
			t.Fatal("a rejected draft came again")
		}
		seen[b.Item().Draft.ID] = true
		b = newBench(t, append(b.Disk[:len(b.Disk):len(b.Disk)], reject(b)...)...)
	}
	if len(seen) < 4 || b.Item() == nil {
		t.Errorf("%d drafts were seen", len(seen))
	}
	b = newBench(t)
	for b.Item().Draft.Category == "causalclause" {
		b.do("x")
	}
	if !strings.Contains(b.Note(), "more of causalclause") {
		t.Errorf("when all are rejected, the reviewer reads %q", b.Note())
	}
}

func reject(b *bench) []review.Decision {
	n := len(b.Disk)
	b.do("x")
	return b.Disk[n:]
}

func TestUndoLeadsBackStepByStep(t *testing.T) {
	b := newBench(t)
	b.do("a", "x", "a")
	b.do("n because the lamp was out")
	b.do("a", "a")
	steps := []string{}
	for i := 0; i < 20; i++ {
		if b.press("u") != nil {
			break
		}
		steps = append(steps, fmt.Sprintf("%s/%d", b.Item().Draft.Category[:6], b.Item().Stage))
	}
	b.shows("causalclause, stage 0, 0 accepted, 0 rejected")
	if b.Accepted("causalclause") != 0 || b.Saved < 2 {
		t.Errorf("after undoing all, %d are accepted and the file was written %d times", b.Accepted("causalclause"), b.Saved)
	}
	redone := 0
	for b.press("U") == nil {
		redone++
	}
	if redone != len(steps) || b.Accepted("causalclause") != 1 {
		t.Errorf("%d steps were undone (%v) and %d redone", len(steps), steps, redone)
	}
	again := newBench(t, b.Disk...) // undo also works another day
	again.do("u")
	again.shows("causalclause, stage 2, 3 accepted, 1 rejected")
}

func TestEditsAreKeptBeforeAndAfter(t *testing.T) {
	b := newBench(t)
	mask := b.Item().Category().Mask
	if b.Edit("no mask here") == nil {
		t.Error("the mask was lost in an edit")
	}
	b.do("e The boat stayed, " + mask + ".")
	d := b.Disk[len(b.Disk)-1]
	if d.Before.Masked == d.After.Masked || d.After.Masked != "The boat stayed, "+mask+"." || d.After.PassageAt.Status != verbatim.Absent {
		t.Errorf("the edit is kept as %+v", d)
	}
	b.do("a", "e because the ice was loud")
	answer := b.Item().State.Answers[0]
	if answer.Was == "" || answer.Verdict != review.Accepted || answer.Type != "manual_same_book" || answer.At.Status != verbatim.Absent {
		t.Errorf("the edited answer is %+v", answer)
	}
	b.do("m because I say so")
	if a := b.Item().State.Answers[1]; a.Type != "manual_same_book" || a.Text != "because I say so" {
		t.Errorf("the answer of one's own is %+v", a)
	}
	for _, bad := range []string{"", "   ", b.Item().State.Truth, "because I say so"} {
		if b.Add(bad) == nil {
			t.Errorf("%q was taken as a wrong answer", bad)
		}
	}
}

// What a person made of an answer of the book stands in its place: no other is
// brought up beside it, and the next best comes when it is rejected.
func TestAnEditedAnswerKeepsItsPlace(t *testing.T) {
	b := newBench(t)
	b.do("a", "e because the ice was loud")
	again := newBench(t, b.Disk...)
	if n := len(again.Item().State.Answers); n != 2 {
		t.Errorf("%d answers are there, not 2", n)
	}
	again.do("1", "x")
	if n := len(again.Item().State.Answers); n != 3 {
		t.Errorf("%d answers are there, not 3", n)
	}
}

// Nothing is said twice: neither by hand, nor by accepting what says the same.
func TestNoAnswerIsSaidTwice(t *testing.T) {
	rejected := func(b *bench, command string) {
		t.Helper()
		if err := b.press(command); err == nil || !strings.Contains(err.Error(), "says the same") {
			t.Errorf("%s: %v", command, err)
		}
	}
	b := newBench(t)
	b.do("a")
	second := b.Item().State.Answers[1].Text
	rejected(b, "n "+strings.ToUpper(second)+".") // the second is still open
	rejected(b, "m "+second)
	b.do("2", "x")
	b.do("n " + second) // what was rejected can be had again

	twins := newBench(t) // a model may write what the book says
	draft := twins.ByName["causalclause"][0]
	draft.Options = append(draft.Options, verbatim.Option{Type: "negation", Text: second + ".", At: verbatim.Selector{Status: verbatim.Absent}})
	twins = twins.again()
	twins.do("a")
	rejected(twins, "A")
	twins.shows("causalclause, stage 1, 2 accepted, 0 rejected")
	rejected(twins, "a")
	twins.do("x", "a")
	if q := twins.Disk[len(twins.Disk)-1].After.Question; q == nil || len(q.AnswerStrings) != 3 {
		t.Errorf("the question is %+v", q)
	}
}

// A wrong answer that has become the right one, because the truth was edited
// after it was accepted, keeps the question from being saved.
func TestAnAnswerThatBecomesTheTruth(t *testing.T) {
	b := newBench(t)
	b.do("a", "A")
	b.do("b", "b", "T "+b.Item().State.Answers[0].Text, "a")
	if err := b.Accept(context.Background()); err == nil || !strings.Contains(err.Error(), "this is the right answer") {
		t.Errorf("the question is saved: %v", err)
	}
	if b.Saved != 0 {
		t.Error("the question was written")
	}
}

func TestMovingTheClauseStaysAQuotation(t *testing.T) {
	b := newBench(t)
	truth := b.Item().State.Truth
	b.do("[", "}")
	moved := b.Item().State
	if moved.Truth == truth || moved.TruthAt.Prove(b.Cloze().Source, moved.Truth) != nil {
		t.Errorf("moved to %q", moved.Truth)
	}
	b.do("u", "u")
	if b.Item().State.Truth != truth {
		t.Errorf("undone to %q", b.Item().State.Truth)
	}
}

// What was edited or moved and not yet accepted is there again another day.
func TestAnOpenEditIsThereAgain(t *testing.T) {
	b := newBench(t)
	b.do("[", "T because the pilots trusted nothing at all")
	truth := b.Item().State.Truth
	again := newBench(t, b.Disk...)
	if again.Item().Draft.ID != b.Item().Draft.ID || again.Item().State.Truth != truth || len(again.Item().State.Answers) != 2 {
		t.Errorf("%q stands there, not %q", again.Item().State.Truth, truth)
	}
	again.do("u", "u")
	third := newBench(t, again.Disk...)
	if third.Item().State.Truth != third.Item().Draft.Truth {
		t.Errorf("undone, and yet %q stands there", third.Item().State.Truth)
	}
}

func TestADiskThatIsFull(t *testing.T) {
	b := newBench(t)
	b.Full = errors.New("no space left on device")
	if err := b.Accept(context.Background()); err == nil || !strings.Contains(err.Error(), "does not count") {
		t.Errorf("the full disk is reported as %v", err)
	}
	if b.Log().Len() != 0 {
		t.Error("a decision that is not on the disk counts")
	}
}

// disputed is what Ada has accepted and Ben rejected, neither knowing of the other.
func disputed(t *testing.T) *bench {
	ada := newBench(t)
	ada.do("a", "A", "a")
	ben := newBench(t)
	ben.Reviewer = "Ben"
	ben.do("x")
	return newBench(t, append(ada.Disk, ben.Disk...)...)
}

func TestDisputesComeFirst(t *testing.T) {
	both := disputed(t)
	if len(both.Item().Disputes) != 2 {
		t.Fatal("the dispute is not shown")
	}
	if both.Accepted("causalclause") != 0 {
		t.Error("a disputed question counts as accepted")
	}
	both.do("x")
	if both.Rejected("causalclause") != 1 || len(both.Item().Disputes) != 0 {
		t.Error("the dispute is not settled")
	}
}

// sameBook counts the answers of the book that are not rejected.
func sameBook(item *review.Item) int {
	n := 0
	for _, a := range item.State.Answers {
		if strings.HasSuffix(a.Type, "same_book") && a.Verdict != review.Rejected {
			n++
		}
	}
	return n
}

func TestTheTruthOfOneQuestionIsNoAnswerOfAnother(t *testing.T) {
	b := newBench(t)
	b.Goal = 2
	first := b.Item().State.Truth
	b.do("a", "A", "a", "a")
	for _, a := range b.Item().State.Answers {
		if a.Text == first {
			t.Errorf("%q is the truth of an accepted question and offered as a wrong answer", a.Text)
		}
	}
	if n := sameBook(b.Item()); n != 2 {
		t.Errorf("%d answers of the book are offered", n)
	}
}

// With three answers of the book, each that is taken is replaced.
func TestEveryAnswerThatIsTakenIsReplaced(t *testing.T) {
	b := newBench(t)
	b.Goal = 2
	first := b.Item().Draft
	for _, d := range b.Drafts(first.Category) {
		if d.ID != first.ID {
			taken := verbatim.Option{Type: "same_book", Text: first.Truth, At: first.TruthAt}
			others := slices.DeleteFunc(append(d.Options, d.Reserve...), func(o verbatim.Option) bool { return o.Text == taken.Text })
			d.Options, d.Reserve = []verbatim.Option{taken, others[0], others[1]}, others[2:]
		}
	}
	b.do("a", "A", "a", "a")
	if n := sameBook(b.Item()); n != 3 || b.Item().State.Answers[0].Text == first.Truth {
		t.Errorf("%d answers of the book are offered, not 3", n)
	}
	reload(t, b.Disk) // the answer was taken from the item, not from the decision
}

func TestLookingAgainAtWhatWasDecided(t *testing.T) {
	b := newBench(t)
	b.do("x", "a", "A", "a")
	again := newBench(t, b.Disk...)
	again.Decided = true
	again.must(again.Next(context.Background()))
	if again.Item().State.Verdict != review.Rejected {
		t.Error("the rejected draft is not shown")
	}
	again.do("a", "A", "a")
	if again.Accepted("causalclause") != 2 || again.Rejected("causalclause") != 0 {
		t.Error("the new decision does not replace the old one")
	}
	again.do("x")
	again.shows("nothing")
}

// To look at an accepted question, key by key, and to leave, changes nothing;
// what is changed is saved.
func TestLookingAtAnAcceptedQuestion(t *testing.T) {
	b := newBench(t)
	b.do("a", "A", "a")
	again := newBench(t, b.Disk...)
	again.Decided = true
	again.must(again.Next(context.Background()))
	again.do("a")
	again.shows("causalclause, stage 2, 2 accepted, 0 rejected")
	again.do("b", "a", "a") // back to the answers, where all are accepted, and on
	again.shows("nothing")
	if n := len(again.Disk) - len(b.Disk); n != 0 || again.Accepted("causalclause") != 1 {
		t.Errorf("%d decisions were made", n)
	}

	changed := newBench(t, b.Disk...)
	changed.Decided = true
	changed.must(changed.Next(context.Background()))
	changed.do("a", "n because the lamp was out", "a")
	last := changed.Disk[len(changed.Disk)-1]
	if changed.Saved != 2 || last.After.Verdict != review.Accepted || len(last.After.Question.AnswerStrings) != 4 {
		t.Errorf("the changed question is %+v, written %d times", last.After.Question, changed.Saved)
	}
}

// A dispute is settled by accepting again what one of the two had accepted.
func TestADisputeIsSettledByAcceptingAgain(t *testing.T) {
	both := disputed(t)
	both.do("a", "a")
	if both.Accepted("causalclause") != 1 || both.Disk[len(both.Disk)-1].Act != "accept" {
		t.Error("the dispute is not settled")
	}
}

func TestSkippedDraftsComeAnotherTime(t *testing.T) {
	b := newBench(t)
	id := b.Item().Draft.ID
	b.do("s")
	if b.Item().Draft.ID == id || len(b.Disk) != 0 {
		t.Error("skipping decided something")
	}
	if again := newBench(t, b.Disk...); again.Item().Draft.ID != id {
		t.Error("a skipped draft does not come again")
	}
}

func TestFlaggedDraftsComeLast(t *testing.T) {
	b := newBench(t)
	id := b.Item().Draft.ID
	b.do("f")
	if b.Item().Draft.ID == id {
		t.Error("a flagged draft is still on the screen")
	}
	b = newBench(t, b.Disk...)
	for b.Item() != nil && b.Item().Draft.ID != id {
		b.do("x")
	}
	if b.Item() == nil || b.Rejected("contrastsentence") == 0 {
		t.Fatal("a flagged draft does not come again when nothing else is left")
	}
	b.do("f")
	b.shows("nothing")
}

// A scan may hold what a terminal obeys; neither the screen nor the lines pass
// it on.
func TestPagesHoldNothingThatATerminalObeys(t *testing.T) {
	b := newBench(t)
	item := *b.Item()
	item.State.Masked = "The\x1b[2J lamp " + item.Category().Mask
	item.State.Truth = "because\u009b31m it was out"
	for _, reveal := range []bool{false, true} {
		for _, part := range item.Page(reveal).Parts {
			if strings.ContainsAny(part.Text, "\x1b\u009b") {
				t.Errorf("%q reaches the terminal", part.Text)
			}
		}
	}
}

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
	if n := book.Log().Len(); n != len(book.Disk) {
		t.Errorf("%d decisions are in the log, %d on the disk", n, len(book.Disk))
	}
	again := reload(t, book.Disk)
	for _, drafts := range book.ByName {
		for _, d := range drafts {
			now, ok := book.Log().Of(d.ID)
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
	if s, _ := book.Log().Of(id); !s.Disputed || len(s.Heads) != 2 {
		t.Errorf("the draft is %v, with %d heads", s.Verdict, len(s.Heads))
	}
}

// While a model makes wrong answers, other windows and other sessions go on.
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
	if tally := review.Count(b.Log(), b.Drafts("causalclause"), nil, 1).Of("causalclause"); tally.Unmade != 1 || tally.Begun != 1 || tally.Waiting != 0 {
		t.Errorf("counted %+v", *tally)
	}
}
