package review_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/review"
)

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
	if b.Saved != 1 || b.Count("causalclause").Accepted != 1 {
		t.Error("the question was not written")
	}
	last := b.Disk[len(b.Disk)-1]
	if last.Act != "accept" || last.After.Question == nil || last.Reviewer != "Ada" || last.Seconds <= 0 {
		t.Errorf("the acceptance holds %+v", last)
	}
	b.do("a", "A", "a")
	b.shows("nothing")
}

func TestTheNextBestReplacesARejectedAnswer(t *testing.T) {
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
		t.Error("the rejection is forgotten")
	}
}

func TestRejectionsAreRememberedAndMoreIsOffered(t *testing.T) {
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
	if !strings.Contains(b.Message(), "more of causalclause") {
		t.Errorf("when all are rejected, the reviewer reads %q", b.Message())
	}
}

func reject(b *bench) []review.Decision {
	n := len(b.Disk)
	b.do("x")
	return b.Disk[n:]
}

func TestUndoStepByStep(t *testing.T) {
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
	if b.Count("causalclause").Accepted != 0 || b.Saved < 2 {
		t.Errorf("after undoing all, %d are accepted and the file was written %d times", b.Count("causalclause").Accepted, b.Saved)
	}
	redone := 0
	for b.press("U") == nil {
		redone++
	}
	if redone != len(steps) || b.Count("causalclause").Accepted != 1 {
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
		t.Errorf("the edit is saved as %+v", d)
	}
	b.do("a", "e because the ice was loud")
	answer := b.Item().State.Answers[0]
	if answer.Was == "" || answer.Verdict != review.Accepted || answer.Type != "manual_same_book" || answer.At.Status != verbatim.Absent {
		t.Errorf("the edited answer is %+v", answer)
	}
	b.do("m because I say so")
	if a := b.Item().State.Answers[1]; a.Type != "manual_same_book" || a.Text != "because I say so" {
		t.Errorf("the reviewer's own answer is %+v", a)
	}
	for _, bad := range []string{"", "   ", b.Item().State.Truth, "because I say so"} {
		if b.Add(bad) == nil {
			t.Errorf("%q was accepted as a wrong answer", bad)
		}
	}
}

// An edited answer of the book keeps its place: the next best comes only when it
// is rejected.
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

// No two answers say the same, written or accepted.
func TestNoAnswerIsSaidTwice(t *testing.T) {
	fails := func(b *bench, command string) {
		t.Helper()
		if err := b.press(command); err == nil || !strings.Contains(err.Error(), "says the same") {
			t.Errorf("%s: %v", command, err)
		}
	}
	b := newBench(t)
	b.do("a")
	second := b.Item().State.Answers[1].Text
	fails(b, "n "+strings.ToUpper(second)+".") // the second is still open
	fails(b, "m "+second)
	b.do("2", "x")
	b.do("n " + second) // a rejected text can be written again

	twins := newBench(t) // a model may write what the book says
	draft := twins.ByName["causalclause"][0]
	draft.Options = append(draft.Options, verbatim.Option{Type: "negation", Text: second + ".", At: verbatim.Selector{Status: verbatim.Absent}})
	twins = twins.again()
	twins.do("a")
	fails(twins, "A")
	twins.shows("causalclause, stage 1, 2 accepted, 0 rejected")
	fails(twins, "a")
	twins.do("x", "a")
	if q := twins.Disk[len(twins.Disk)-1].After.Question; q == nil || len(q.AnswerStrings) != 3 {
		t.Errorf("the question is %+v", q)
	}
}

// A question is not saved while a wrong answer equals the ground truth, which may
// have been edited after the answer was accepted.
func TestAnAnswerThatBecomesTheTruth(t *testing.T) {
	b := newBench(t)
	b.do("a", "A")
	b.do("esc", "esc", "T "+b.Item().State.Answers[0].Text, "a")
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
	if moved.Truth == truth || moved.TruthAt.Prove(b.Item().Book.Cloze().Source, moved.Truth) != nil {
		t.Errorf("moved to %q", moved.Truth)
	}
	b.do("u", "u")
	if b.Item().State.Truth != truth {
		t.Errorf("undone to %q", b.Item().State.Truth)
	}
}

// An edit or move that is not yet accepted is there in the next session.
func TestAnOpenEditIsThereAgain(t *testing.T) {
	b := newBench(t)
	b.do("[", "T because the pilots trusted nothing at all")
	truth := b.Item().State.Truth
	again := newBench(t, b.Disk...)
	if again.Item().Draft.ID != b.Item().Draft.ID || again.Item().State.Truth != truth || len(again.Item().State.Answers) != 2 {
		t.Errorf("shown is %q, want %q", again.Item().State.Truth, truth)
	}
	again.do("u", "u")
	third := newBench(t, again.Disk...)
	if third.Item().State.Truth != third.Item().Draft.Truth {
		t.Errorf("after undo, %q is shown", third.Item().State.Truth)
	}
}

func TestADiskThatIsFull(t *testing.T) {
	b := newBench(t)
	b.Full = errors.New("no space left on device")
	if err := b.Accept(context.Background()); err == nil || !strings.Contains(err.Error(), "does not count") {
		t.Errorf("the full disk is reported as %v", err)
	}
	if b.Decisions.Len() != 0 {
		t.Error("a decision that is not on the disk counts")
	}
}

// disputed is a draft that Ada accepted and Ben rejected, without knowing of each
// other.
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
	if both.Count("causalclause").Accepted != 0 {
		t.Error("a disputed question counts as accepted")
	}
	both.do("x")
	if both.Count("causalclause").Rejected != 1 || len(both.Item().Disputes) != 0 {
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
			t.Errorf("%q is the ground truth of an accepted question and offered as a wrong answer", a.Text)
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
	for _, d := range b.ByName[first.Category] {
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
	if again.Count("causalclause").Accepted != 2 || again.Count("causalclause").Rejected != 0 {
		t.Error("the new decision does not replace the old one")
	}
	again.do("x")
	again.shows("nothing")
}

// Looking at an accepted question, key by key, changes nothing; what is changed
// is saved.
func TestLookingAtAnAcceptedQuestion(t *testing.T) {
	b := newBench(t)
	b.do("a", "A", "a")
	again := newBench(t, b.Disk...)
	again.Decided = true
	again.must(again.Next(context.Background()))
	again.do("a")
	again.shows("causalclause, stage 2, 2 accepted, 0 rejected")
	again.do("esc", "a", "a") // back to the answers, all accepted, and forward
	again.shows("nothing")
	if n := len(again.Disk) - len(b.Disk); n != 0 || again.Count("causalclause").Accepted != 1 {
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
	if both.Count("causalclause").Accepted != 1 || both.Disk[len(both.Disk)-1].Act != "accept" {
		t.Error("the dispute is not settled")
	}
}

func TestSkippedDraftsComeInTheNextSession(t *testing.T) {
	b := newBench(t)
	id := b.Item().Draft.ID
	b.do("space")
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
	if b.Item() == nil || b.Count("contrastsentence").Rejected == 0 {
		t.Fatal("a flagged draft does not come again when nothing else is left")
	}
	b.do("space")
	b.shows("nothing")
}

// A second f removes the flag: the draft is open again, in its old place.
func TestAFlagCanBeRemoved(t *testing.T) {
	b := newBench(t)
	id := b.Item().Draft.ID
	b.do("f")
	if n := b.Count("causalclause").Flagged; n != 1 {
		t.Errorf("%d drafts are flagged", n)
	}
	b.must(b.Go(t.Context(), "lamp", id))
	if text := b.pageText(); !strings.Contains(text, "Flagged: somebody wanted to look at this again (Ada, ") {
		t.Errorf("the page does not say that the draft is flagged:\n%s", text)
	}
	b.do("f")
	if b.Item().Draft.ID != id || b.Item().State.Verdict != review.Open || b.Count("causalclause").Flagged != 0 {
		t.Errorf("the flag is still there: %q", b.Item().State.Verdict)
	}
	if again := newBench(t, b.Disk...); again.Item().Draft.ID != id {
		t.Error("the draft is not asked about")
	}
	b.do("a", "A", "a")
	b.must(b.Go(t.Context(), "lamp", id))
	b.do("f") // an accepted question leaves its file while it is flagged
	if b.Count("causalclause").Accepted != 0 || !strings.Contains(b.Message(), "not in its file") {
		t.Errorf("the reviewer reads %q", b.Message())
	}
}

// A scan may hold terminal control characters; a page holds none.
func TestPagesHoldNoControlCharacters(t *testing.T) {
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
