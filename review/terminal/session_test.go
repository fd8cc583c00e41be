package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
	"verbatim/tag"
)

// winter is a text with six reasons and six contrasts.
func winter() string {
	var out strings.Builder
	for i, night := range []string{"first", "second", "third", "fourth", "fifth", "sixth"} {
		fmt.Fprintf(&out, "On the %s night of the frost the keeper of the rock climbed the hundred and forty stairs without a rest and lit the lamp at dusk, with his own hands, as he had promised the Board. ", night)
		fmt.Fprintf(&out, "He trimmed the wick on the %s night with the small brass scissors of his father and wiped the glass until it shone like water. ", night)
		fmt.Fprintf(&out, "The %s boat stayed in the harbour that night, because the pilots trusted nothing that %d winters had not proved. ", night, i+2)
		fmt.Fprintf(&out, "But the %s mate went down to the quay alone and listened to the ice for %d hours. ", night, i+2)
		fmt.Fprintf(&out, "Nobody spoke of it afterwards in the %s house.\n\n", night)
	}
	return out.String()
}

// A bench is a session on one book, with a log that can be read again.
type bench struct {
	*Session
	t     *testing.T
	disk  []review.Decision
	saved int
	clock time.Time
}

// newBench lays the text on the desk as a batch would: with wrong answers.
func newBench(t *testing.T, disk ...review.Decision) *bench {
	doc, err := verbatim.NewDocument("lamp", winter())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, disk: disk, clock: time.Date(1881, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(len(disk)) * time.Hour)}
	var tagger tag.Tagger
	text := tagger.Open(doc)
	lines, _ := tagger.All(text)
	book, err := cloze.New(text, lines, 0)
	if err != nil {
		t.Fatal(err)
	}
	log := review.NewLog()
	for _, d := range disk {
		if err := log.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	drafts := map[string][]*cloze.Draft{}
	for _, category := range []string{"causalclause", "contrastsentence"} {
		for d := range book.Drafts(category) {
			rank(book, d)
			drafts[category] = append(drafts[category], d)
		}
		if len(drafts[category]) < 4 {
			t.Fatalf("the text gives %d drafts of %s", len(drafts[category]), category)
		}
	}
	w := &Work{Book: book, Frame: "The following passage comes from The Lamp.", Log: log, Categories: []string{"causalclause", "contrastsentence"},
		Append: func(d review.Decision) error { b.disk = append(b.disk, d); return nil },
		Drafts: func(category string) iter.Seq[*cloze.Draft] { return slices.Values(drafts[category]) },
		Question: func(_ string, s review.State) (*verbatim.Question, error) {
			return &verbatim.Question{Passage: s.Passage, AnswerStrings: append([]string{s.Truth}, acceptedTexts(s)...)}, nil
		},
		Save: func() error { b.saved++; return nil },
		More: func(category string) string { return "verbatim make --batch --categories " + category }}
	b.Session = &Session{Works: []*Work{w}, Reviewer: "Ada", Goal: 1, Now: func() time.Time { b.clock = b.clock.Add(time.Second); return b.clock }}
	b.Start()
	b.must(b.Next(context.Background()))
	return b
}

// rank gives a draft two wrong answers and two in reserve, as a scorer would.
func rank(book *cloze.Book, d *cloze.Draft) {
	for _, c := range book.Candidates[d.Category] {
		if c.Text == d.Truth || strings.Contains(d.Passage, c.Text) {
			continue
		}
		_, at := book.Quote(c.Span)
		option := verbatim.Option{Type: "same_book", Text: c.Text, At: at}
		if len(d.Options) < 2 {
			d.Options = append(d.Options, option)
		} else if len(d.Reserve) < 2 {
			d.Reserve = append(d.Reserve, option)
		}
	}
	d.Made = true
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// do types commands of the line mode.
func (b *bench) do(commands ...string) {
	b.t.Helper()
	for _, c := range commands {
		name, text, _ := strings.Cut(c, " ")
		if err := b.command(context.Background(), name, text, &bytes.Buffer{}); err != nil {
			b.t.Fatalf("%s: %v", c, err)
		}
	}
}

func (b *bench) stands(want string) {
	b.t.Helper()
	item := b.Item
	got := "nothing"
	if item != nil {
		got = fmt.Sprintf("%s, stage %d, %d accepted, %d refused", item.Draft.Category, item.Stage, item.State.Count(review.Accepted), item.State.Count(review.Refused))
	}
	if got != want {
		b.t.Errorf("on the screen is %q, not %q", got, want)
	}
}

func TestAcceptingAQuestion(t *testing.T) {
	b := newBench(t)
	b.stands("causalclause, stage 0, 0 accepted, 0 refused")
	b.do("a")
	b.stands("causalclause, stage 1, 0 accepted, 0 refused")
	b.do("a", "a")
	b.stands("causalclause, stage 2, 2 accepted, 0 refused")
	if b.saved != 0 {
		t.Error("a question was written before it was accepted")
	}
	b.do("a")
	b.stands("contrastsentence, stage 0, 0 accepted, 0 refused") // the goal of the first category is reached
	if b.saved != 1 || b.Works[0].Accepted("causalclause") != 1 {
		t.Error("the question was not written")
	}
	last := b.disk[len(b.disk)-1]
	if last.Act != "accept" || last.After.Question == nil || last.Reviewer != "Ada" || last.Seconds <= 0 {
		t.Errorf("the acceptance holds %+v", last)
	}
	b.do("a", "A", "a")
	b.stands("nothing")
}

func TestARefusedAnswerBringsUpTheNextBest(t *testing.T) {
	b := newBench(t)
	b.do("a")
	first := b.Item.State.Answers[0].Text
	b.do("x")
	if n := len(b.Item.State.Answers); n != 3 || b.Item.State.Answers[2].Text != b.Item.Draft.Reserve[0].Text {
		t.Errorf("there are %d answers", n)
	}
	again := newBench(t, b.disk...) // the terminal was closed
	again.stands("causalclause, stage 1, 0 accepted, 1 refused")
	if len(again.Item.State.Answers) != 3 || again.Item.State.Answers[0].Text != first || again.Item.State.Answers[0].Verdict != review.Refused {
		t.Error("the refusal is forgotten")
	}
}

func TestRefusalsAreRememberedAndMoreIsOffered(t *testing.T) {
	b := newBench(t)
	seen := map[string]bool{}
	for b.Item != nil && b.Item.Draft.Category == "causalclause" {
		if seen[b.Item.Draft.ID] {
			t.Fatal("a refused draft came again")
		}
		seen[b.Item.Draft.ID] = true
		b = newBench(t, append(b.disk[:len(b.disk):len(b.disk)], refuse(b)...)...)
	}
	if len(seen) < 4 || b.Item == nil {
		t.Errorf("%d drafts were seen", len(seen))
	}
	b = newBench(t)
	for b.Item.Draft.Category == "causalclause" {
		b.do("x")
	}
	if !strings.Contains(b.Note, "verbatim make --batch --categories causalclause") {
		t.Errorf("when all are refused, the reviewer reads %q", b.Note)
	}
}

func refuse(b *bench) []review.Decision {
	n := len(b.disk)
	b.do("x")
	return b.disk[n:]
}

func TestUndoLeadsBackStepByStep(t *testing.T) {
	b := newBench(t)
	b.do("a", "x", "a")
	b.do("n because the lamp was out")
	b.do("a", "a")
	steps := []string{}
	for i := 0; i < 20; i++ {
		if b.command(context.Background(), "u", "", &bytes.Buffer{}) != nil {
			break
		}
		steps = append(steps, fmt.Sprintf("%s/%d", b.Item.Draft.Category[:6], b.Item.Stage))
	}
	b.stands("causalclause, stage 0, 0 accepted, 0 refused")
	if b.Works[0].Accepted("causalclause") != 0 || b.saved < 2 {
		t.Errorf("after undoing all, %d are accepted and the file was written %d times", b.Works[0].Accepted("causalclause"), b.saved)
	}
	redone := 0
	for b.command(context.Background(), "U", "", &bytes.Buffer{}) == nil {
		redone++
	}
	if redone != len(steps) || b.Works[0].Accepted("causalclause") != 1 {
		t.Errorf("%d steps were undone (%v) and %d redone", len(steps), steps, redone)
	}
	again := newBench(t, b.disk...) // undo also works another day
	again.do("u")
	again.stands("causalclause, stage 2, 3 accepted, 1 refused")
}

func TestEditsAreKeptBeforeAndAfter(t *testing.T) {
	b := newBench(t)
	mask := b.Item.Category().Mask
	if b.Edit("no mask here") == nil {
		t.Error("the mask was lost in an edit")
	}
	b.do("e The boat stayed, " + mask + ".")
	d := b.disk[len(b.disk)-1]
	if d.Before.Masked == d.After.Masked || d.After.Masked != "The boat stayed, "+mask+"." || d.After.PassageAt.Status != verbatim.Absent {
		t.Errorf("the edit is kept as %+v", d)
	}
	b.do("a", "e because the ice was loud")
	answer := b.Item.State.Answers[0]
	if answer.Was == "" || answer.Verdict != review.Accepted || answer.Type != "manual_same_book" || answer.At.Status != verbatim.Absent {
		t.Errorf("the edited answer is %+v", answer)
	}
	b.do("m because I say so")
	if a := b.Item.State.Answers[1]; a.Type != "manual_same_book" || a.Text != "because I say so" {
		t.Errorf("the answer of one's own is %+v", a)
	}
	for _, bad := range []string{"", "   ", b.Item.State.Truth, "because I say so"} {
		if b.Add(bad) == nil {
			t.Errorf("%q was taken as a wrong answer", bad)
		}
	}
}

// What a person made of an answer of the book stands in its place: no other is
// brought up beside it, and the next best comes when it is refused.
func TestAnEditedAnswerKeepsItsPlace(t *testing.T) {
	b := newBench(t)
	b.do("a", "e because the ice was loud")
	again := newBench(t, b.disk...)
	if n := len(again.Item.State.Answers); n != 2 {
		t.Errorf("%d answers are there, not 2", n)
	}
	again.do("1", "x")
	if n := len(again.Item.State.Answers); n != 3 {
		t.Errorf("%d answers are there, not 3", n)
	}
}

// Nothing is said twice: neither by hand, nor by accepting what says the same.
func TestNoAnswerIsSaidTwice(t *testing.T) {
	refused := func(b *bench, command string) {
		t.Helper()
		name, text, _ := strings.Cut(command, " ")
		if err := b.command(context.Background(), name, text, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "says the same") {
			t.Errorf("%s: %v", command, err)
		}
	}
	b := newBench(t)
	b.do("a")
	second := b.Item.State.Answers[1].Text
	refused(b, "n "+strings.ToUpper(second)+".") // the second is still open
	refused(b, "m "+second)
	b.do("2", "x")
	b.do("n " + second) // what was refused can be had again

	twins := newBench(t) // a model may write what the book says
	twins.Item.Draft.Options = append(twins.Item.Draft.Options, verbatim.Option{Type: "negation", Text: second + ".", At: verbatim.Selector{Status: verbatim.Absent}})
	twins.do("a")
	refused(twins, "A")
	twins.stands("causalclause, stage 1, 2 accepted, 0 refused")
	refused(twins, "a")
	twins.do("x", "a")
	if q := twins.disk[len(twins.disk)-1].After.Question; q == nil || len(q.AnswerStrings) != 3 {
		t.Errorf("the question is %+v", q)
	}
}

// A wrong answer that has become the right one, because the truth was edited
// after it was accepted, keeps the question from being saved.
func TestAnAnswerThatBecomesTheTruth(t *testing.T) {
	b := newBench(t)
	b.do("a", "A")
	b.do("b", "b", "T "+b.Item.State.Answers[0].Text, "a")
	if err := b.Accept(context.Background()); err == nil || !strings.Contains(err.Error(), "this is the right answer") {
		t.Errorf("the question is saved: %v", err)
	}
	if b.saved != 0 {
		t.Error("the question was written")
	}
}

func TestMovingTheClauseStaysAQuotation(t *testing.T) {
	b := newBench(t)
	truth := b.Item.State.Truth
	b.do("[", "}")
	moved := b.Item.State
	if moved.Truth == truth || moved.TruthAt.Prove(b.Item.Work.Book.Source, moved.Truth) != nil {
		t.Errorf("moved to %q", moved.Truth)
	}
	b.do("u", "u")
	if b.Item.State.Truth != truth {
		t.Errorf("undone to %q", b.Item.State.Truth)
	}
}

// What was edited or moved and not yet accepted is there again another day.
func TestAnOpenEditIsThereAgain(t *testing.T) {
	b := newBench(t)
	b.do("[", "T because the pilots trusted nothing at all")
	truth := b.Item.State.Truth
	again := newBench(t, b.disk...)
	if again.Item.Draft.ID != b.Item.Draft.ID || again.Item.State.Truth != truth || len(again.Item.State.Answers) != 2 {
		t.Errorf("%q stands there, not %q", again.Item.State.Truth, truth)
	}
	again.do("u", "u")
	third := newBench(t, again.disk...)
	if third.Item.State.Truth != third.Item.Draft.Truth {
		t.Errorf("undone, and yet %q stands there", third.Item.State.Truth)
	}
}

func TestADiskThatIsFull(t *testing.T) {
	b := newBench(t)
	b.Works[0].Append = func(review.Decision) error { return errors.New("no space left on device") }
	if err := b.Accept(context.Background()); err == nil || !strings.Contains(err.Error(), "does not count") {
		t.Errorf("the full disk is reported as %v", err)
	}
	if b.Works[0].Log.Len() != 0 {
		t.Error("a decision that is not on the disk counts")
	}
}

// disputed is what Ada has accepted and Ben refused, neither knowing of the other.
func disputed(t *testing.T) *bench {
	ada := newBench(t)
	ada.do("a", "A", "a")
	ben := newBench(t)
	ben.Reviewer = "Ben"
	ben.do("x")
	return newBench(t, append(ada.disk, ben.disk...)...)
}

func TestDisputesComeFirst(t *testing.T) {
	both := disputed(t)
	if len(both.Item.Disputes) != 2 {
		t.Fatal("the dispute is not shown")
	}
	if both.Works[0].Accepted("causalclause") != 0 {
		t.Error("a disputed question counts as accepted")
	}
	both.do("x")
	if both.Works[0].Refused("causalclause") != 1 || len(both.Item.Disputes) != 0 {
		t.Error("the dispute is not settled")
	}
}

func TestTheTruthOfOneQuestionIsNoAnswerOfAnother(t *testing.T) {
	b := newBench(t)
	b.Goal = 2
	first := b.Item.State.Truth
	b.do("a", "A", "a", "a")
	for _, a := range b.Item.State.Answers {
		if a.Text == first {
			t.Errorf("%q is the truth of an accepted question and offered as a wrong answer", a.Text)
		}
	}
	if n := b.Item.open(); n != 2 {
		t.Errorf("%d answers of the book are offered", n)
	}
}

// With three answers of the book, each that is taken is replaced.
func TestEveryAnswerThatIsTakenIsReplaced(t *testing.T) {
	b := newBench(t)
	b.Goal = 2
	first := b.Item.Draft
	for d := range b.Works[0].Drafts(first.Category) {
		if d != first {
			taken := verbatim.Option{Type: "same_book", Text: first.Truth, At: first.TruthAt}
			others := slices.DeleteFunc(append(d.Options, d.Reserve...), func(o verbatim.Option) bool { return o.Text == taken.Text })
			d.Options, d.Reserve = []verbatim.Option{taken, others[0], others[1]}, others[2:]
		}
	}
	b.do("a", "A", "a", "a")
	if n := b.Item.open(); n != 3 || b.Item.State.Answers[0].Text == first.Truth {
		t.Errorf("%d answers of the book are offered, not 3", n)
	}
}

func TestLookingAgainAtWhatWasDecided(t *testing.T) {
	b := newBench(t)
	b.do("x", "a", "A", "a")
	again := newBench(t, b.disk...)
	again.Decided = true
	again.must(again.Next(context.Background()))
	if again.Item.State.Verdict != review.Refused {
		t.Error("the refused draft is not shown")
	}
	again.do("a", "A", "a")
	if again.Works[0].Accepted("causalclause") != 2 || again.Works[0].Refused("causalclause") != 0 {
		t.Error("the new decision does not replace the old one")
	}
	again.do("x")
	again.stands("nothing")
}

// To look at an accepted question, key by key, and to leave, changes nothing;
// what is changed is saved.
func TestLookingAtAnAcceptedQuestion(t *testing.T) {
	b := newBench(t)
	b.do("a", "A", "a")
	again := newBench(t, b.disk...)
	again.Decided = true
	again.must(again.Next(context.Background()))
	again.do("a")
	again.stands("causalclause, stage 2, 2 accepted, 0 refused")
	again.do("b", "a", "a") // back to the answers, where all are accepted, and on
	again.stands("nothing")
	if n := len(again.disk) - len(b.disk); n != 0 || again.Works[0].Accepted("causalclause") != 1 {
		t.Errorf("%d decisions were made", n)
	}

	changed := newBench(t, b.disk...)
	changed.Decided = true
	changed.must(changed.Next(context.Background()))
	changed.do("a", "n because the lamp was out", "a")
	last := changed.disk[len(changed.disk)-1]
	if changed.saved != 2 || last.After.Verdict != review.Accepted || len(last.After.Question.AnswerStrings) != 4 {
		t.Errorf("the changed question is %+v, written %d times", last.After.Question, changed.saved)
	}
}

// A dispute is settled by accepting again what one of the two had accepted.
func TestADisputeIsSettledByAcceptingAgain(t *testing.T) {
	both := disputed(t)
	both.do("a", "a")
	if both.Works[0].Accepted("causalclause") != 1 || both.disk[len(both.disk)-1].Act != "accept" {
		t.Error("the dispute is not settled")
	}
}

func TestSkippedDraftsComeAnotherTime(t *testing.T) {
	b := newBench(t)
	id := b.Item.Draft.ID
	b.do("s")
	if b.Item.Draft.ID == id || len(b.disk) != 0 {
		t.Error("skipping decided something")
	}
	if again := newBench(t, b.disk...); again.Item.Draft.ID != id {
		t.Error("a skipped draft does not come again")
	}
}

func TestFlaggedDraftsComeLast(t *testing.T) {
	b := newBench(t)
	id := b.Item.Draft.ID
	b.do("f")
	if b.Item.Draft.ID == id {
		t.Error("a flagged draft is still on the screen")
	}
	b = newBench(t, b.disk...)
	for b.Item != nil && b.Item.Draft.ID != id {
		b.do("x")
	}
	if b.Item == nil || b.Works[0].Refused("contrastsentence") == 0 {
		t.Fatal("a flagged draft does not come again when nothing else is left")
	}
	b.do("f")
	b.stands("nothing")
}

// A scan may hold what a terminal obeys; neither the screen nor the lines pass
// it on.
func TestPagesHoldNothingThatATerminalObeys(t *testing.T) {
	b := newBench(t)
	b.Item.State.Masked = "The\x1b[2J lamp " + b.Item.Category().Mask
	b.Item.State.Truth = "because\u009b31m it was out"
	for _, reveal := range []bool{false, true} {
		for _, part := range b.pageOf(b.Item, reveal).parts {
			if strings.ContainsAny(part.text, "\x1b\u009b") {
				t.Errorf("%q reaches the terminal", part.text)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	b := newBench(t)
	var out bytes.Buffer
	script := "?\na\n1\nx\nn because the lamp was out\nzzz\np\na\nq\n"
	if err := Plain(context.Background(), b.Session, strings.NewReader(script), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"is this a good question?", "Ground truth:", "[masked clause describing a cause or reason]",
		`! there is no command "zzz"`, "[+] manual: because the lamp was out", "save this question?", "1 of 2 questions"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the line mode does not say %q", want)
		}
	}
}
