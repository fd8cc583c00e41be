package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/cloze"
	"verbatim/review"
	"verbatim/review/fake"
)

// A note is kept in the log, is shown with the draft, decides nothing and can be
// undone. A reason is part of the rejection.
func TestNotesAndReasons(t *testing.T) {
	b := newBench(t)
	first := b.Item().Draft.ID
	b.do("; is this the\nsame boat?")
	if b.Item().Draft.ID != first || b.Item().State.Verdict != review.Open {
		t.Error("the note decided something")
	}
	if text := b.pageText(); !strings.Contains(text, "Note by Ada (1 Mar 1881 ") || !strings.Contains(text, "is this the same boat?") {
		t.Errorf("the note is not on the page:\n%s", text)
	}
	b.do("X too easy")
	last := b.Disk[len(b.Disk)-1]
	if last.Note != "too easy" || last.Act != "refuse" || last.After.Verdict != review.Rejected {
		t.Errorf("the rejection holds %q: %+v", last.Note, last.After.Verdict)
	}
	b.do("a", "X says nothing")
	if a := b.Item().State.Answers[0]; a.Verdict != review.Rejected || b.Disk[len(b.Disk)-1].Note != "says nothing" {
		t.Errorf("the answer is %q", a.Verdict)
	}
	b.do("x")
	if note := b.Disk[len(b.Disk)-1].Note; note != "" {
		t.Errorf("a reason is kept for another act: %q", note)
	}
	again := newBench(t, b.Disk...)
	again.must(again.Go(t.Context(), "lamp", first))
	text := again.pageText()
	for _, want := range []string{"is this the same boat?", "Note by Ada (1 Mar 1881 ", ", reject): too easy", "Decided already: rejected (Ada, 1 Mar 1881"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	for _, empty := range []string{";", "; ", "X"} {
		if again.press(empty) == nil {
			t.Errorf("%q without words is kept", empty)
		}
	}
}

// Undoing a note leaves the draft as it is.
func TestANoteIsUndone(t *testing.T) {
	b := newBench(t)
	id := b.Item().Draft.ID
	b.do("x")
	b.must(b.Go(t.Context(), "lamp", id))
	b.do("; no, wait", "u")
	if b.Message() != "undone: note" || b.Item().Draft.ID != id || b.Item().State.Verdict != review.Rejected {
		t.Errorf("%q; the draft is %q", b.Message(), b.Item().State.Verdict)
	}
	if strings.Contains(b.pageText(), "no, wait") {
		t.Error("the note is still there")
	}
	b.do("U")
	if b.Message() != "done again: note" || !strings.Contains(b.pageText(), "no, wait") {
		t.Errorf("%q; the note is not there again", b.Message())
	}
}

// A note of one person and a decision of another do not exclude each other, in
// whatever order their files are merged.
func TestANoteNeverDisputes(t *testing.T) {
	ada, ben := newBench(t), newBench(t)
	ben.Reviewer = "Ben"
	id := ada.Item().Draft.ID
	ada.do("a", "A", "a")
	ben.do("; I do not like it")
	for _, disk := range [][]review.Decision{slices.Concat(ada.Disk, ben.Disk), slices.Concat(ben.Disk, ada.Disk)} {
		log := reload(t, disk)
		s, ok := log.Of(id)
		if notes := log.Notes(id); !ok || s.Disputed || s.Verdict != review.Accepted || len(s.Heads) != 1 || len(notes) != 1 {
			t.Errorf("the draft is %+v with %d notes", s.Verdict, len(notes))
		}
	}
	// A note settles no dispute.
	both := disputed(t)
	both.do("; what now?")
	if s, _ := both.Decisions.Of(both.Item().Draft.ID); !s.Disputed {
		t.Error("a note settled a dispute")
	}
}

func (b *bench) rows(f review.Filter) string {
	var states []string
	for _, r := range b.List(f) {
		states = append(states, fmt.Sprintf("%s %s", r.Category, r.State()))
	}
	return strings.Join(states, ", ")
}

func TestTheListShowsWhatAFilterTakes(t *testing.T) {
	b := newBench(t)
	all := len(b.ByName["causalclause"]) + len(b.ByName["contrastsentence"])
	if rows := b.List(review.Filter{}); len(rows) != all || rows[0].Draft != b.Item().Draft.ID || rows[0].State() != "waiting" {
		t.Fatalf("the list has %d rows, want %d", len(rows), all)
	}
	b.do("x", "f", "; odd", "a")
	for _, c := range []struct {
		f    review.Filter
		want string
	}{
		{review.Filter{State: review.OnlyRejected}, "causalclause rejected"},
		{review.Filter{State: review.OnlyFlagged}, "causalclause flagged"},
		{review.Filter{State: review.OnlyNoted}, "causalclause begun"},
		{review.Filter{State: review.OnlyRejected, Category: "contrastsentence"}, ""},
		{review.Filter{Reviewer: "Ada"}, "causalclause rejected, causalclause flagged, causalclause begun"},
		{review.Filter{Reviewer: "Ben"}, ""},
		{review.Filter{Book: "other"}, ""},
		{review.Filter{Text: "ODD"}, "causalclause begun"},
		{review.Filter{State: review.OnlyDisputed}, ""},
	} {
		if got := b.rows(c.f); got != c.want {
			t.Errorf("%v: got %q, want %q", c.f, got, c.want)
		}
	}
	if got := b.rows(review.Filter{Category: "causalclause"}); !strings.HasSuffix(got, "spare") {
		t.Errorf("one is begun and one is wanted, but the others are %s", got)
	}
	if f := (review.Filter{State: review.OnlyFlagged, Category: "causalclause", Book: "lamp", Reviewer: "Ada", Text: "ice"}); f.String() != `flagged, causalclause, book lamp, by Ada, with "ice"` {
		t.Errorf("the filter says %q", f)
	}
}

// Previous and next go through the list and decide nothing.
func TestPreviousAndNext(t *testing.T) {
	b := newBench(t)
	rows := b.List(review.Filter{})
	b.do(">", ">")
	if b.Item().Draft.ID != rows[2].Draft {
		t.Error("two steps do not lead to the third")
	}
	b.do("<")
	if b.Item().Draft.ID != rows[1].Draft || len(b.Disk) != 0 {
		t.Error("one step back does not lead to the second")
	}
	b.do("<")
	if err := b.press("<"); err == nil || err.Error() != "this is the first draft of the list" {
		t.Errorf("before the first: %v", err)
	}
	for range len(rows) - 1 {
		b.do(">")
	}
	if err := b.press(">"); err == nil || err.Error() != "this is the last draft of the list" {
		t.Errorf("behind the last: %v", err)
	}
}

// A selection stays: after a decision its next draft comes, and when none is
// left, the usual order.
func TestASelectionIsWorkedThrough(t *testing.T) {
	b := newBench(t)
	b.do("f", "f", "f") // three are flagged
	if n := len(b.List(review.Filter{State: review.OnlyFlagged})); n != 3 {
		t.Fatalf("%d are flagged", n)
	}
	b.must(b.Choosing(review.Filter{State: review.OnlyFlagged}))
	b.must(b.Next(t.Context()))
	for range 3 {
		if b.Item().State.Verdict != review.Flagged {
			t.Fatalf("the selection shows a draft that is %q", b.Item().State.Verdict)
		}
		b.do("x")
	}
	if b.View().Filter != (review.Filter{}) || !strings.Contains(b.Message(), "nothing more to decide in your selection (flagged)") {
		t.Errorf("at the end the reviewer reads %q", b.Message())
	}
	b.must(b.Choosing(review.Filter{Category: "contrastsentence"}))
	b.must(b.Next(t.Context()))
	b.do("x")
	b.shows("contrastsentence, stage 0, 0 accepted, 0 rejected")
}

// A book that is not open is listed from what is on the disk, and opened when
// somebody jumps to one of its drafts.
func TestTheListOfABookThatIsNotOpen(t *testing.T) {
	other := fake.NewBook()
	s := other.Session()
	book := s.Entries[0].Book
	opened := 0
	s = &review.Session{Reviewer: "Ada", Goal: 1, Entries: []review.Entry{{Barcode: "lamp", Idle: true,
		Open: func() (review.Book, error) { opened++; return book, nil },
		Peek: func() (*review.Log, []*cloze.Draft) { return other.Decisions, book.Known() }}}}
	s.Start()
	rows := s.List(review.Filter{Category: "contrastsentence"})
	if len(rows) < 4 || opened != 0 {
		t.Fatalf("%d rows, %d books were opened", len(rows), opened)
	}
	if err := s.Go(t.Context(), "lamp", rows[3].Draft); err != nil || opened != 1 || s.Item().Draft.ID != rows[3].Draft {
		t.Errorf("the jump: %v", err)
	}
	if err := s.Go(t.Context(), "lamp", "nothing"); err == nil || s.Item().Draft.ID != rows[3].Draft {
		t.Errorf("a jump to nothing: %v", err)
	}
	if err := s.Go(t.Context(), "nowhere", rows[3].Draft); err == nil {
		t.Error("a jump to no book")
	}
}

// Two people at one book get different drafts; who goes to another's draft is
// told, and so is who decides what another decided meanwhile.
func TestClaims(t *testing.T) {
	book := fake.NewBook()
	claims := review.NewClaims()
	session := func(name string) *review.Session {
		s := book.Session()
		s.Reviewer, s.Claims = name, claims
		if err := s.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s
	}
	ada, ben := session("Ada"), session("Ben")
	first := ada.Item().Draft.ID
	if ben.Item().Draft.ID == first {
		t.Fatal("both look at one draft")
	}
	if err := ben.Go(t.Context(), "lamp", first); err != nil || ben.View().Other != "Ada" {
		t.Errorf("Ben is not told that Ada is there: %v", err)
	}
	if err := ada.Reject(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, act := range []func() error{func() error { return ben.Accept(t.Context()) }, ben.AcceptRest, func() error { return ben.Accept(t.Context()) }} {
		if err := act(); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(ben.Message(), "Ada decided about this draft meanwhile: rejected") {
		t.Errorf("Ben reads %q", ben.Message())
	}
	second := ada.Item().Draft.ID
	ada.Leave()
	if err := ben.Go(t.Context(), "lamp", second); err != nil || ben.View().Other != "" {
		t.Errorf("Ada left, but Ben is told that %q looks at it", ben.View().Other)
	}
}

func TestAskingAModel(t *testing.T) {
	b := newBench(t)
	b.ModelHelp = "start one"
	if err := b.press("w"); err == nil || !strings.Contains(err.Error(), "accept the passage first") {
		t.Errorf("before the passage is accepted: %v", err)
	}
	b.do("a")
	if text := b.pageText(); !strings.Contains(text, "No language model wrote any yet") {
		t.Errorf("the page does not say why there are only two:\n%s", text)
	}
	if err := b.press("w"); err == nil || err.Error() != "no language model is set up; start one" {
		t.Errorf("without a model: %v", err)
	}
	b.Model = func(*cloze.Draft) []verbatim.Option {
		return []verbatim.Option{{Type: "negation", Text: "because nothing was proved", At: verbatim.Selector{Status: verbatim.Absent}}}
	}
	b.do("w")
	if a := b.Item().Answer(); a == nil || a.Text != "because nothing was proved" || a.Verdict != review.Open {
		t.Errorf("the new answer is %+v", a)
	}
	if strings.Contains(b.pageText(), "No language model wrote any") {
		t.Error("the page says that no model wrote any")
	}
	if err := b.press("w"); err == nil || !strings.Contains(err.Error(), "nothing that is not there already") {
		t.Errorf("the same answer again: %v", err)
	}
	b.do("a")
	again := newBench(t, b.Disk...)
	if n := len(again.Item().State.Answers); n != 3 {
		t.Errorf("%d answers are there the next time", n)
	}
}

// What was typed and not saved is kept for its field, its draft and its person.
func TestWhatWasTypedIsKept(t *testing.T) {
	b := newBench(t)
	b.must(b.Keep("e", "half a\nsentence"))
	if b.Kept("e") != "half a sentence" || b.Kept("T") != "" || len(b.Unsaved()) != 1 || b.Unsaved()[0].Does != "passage" {
		t.Errorf("kept is %q, in %v", b.Kept("e"), b.Unsaved())
	}
	b.do(">")
	if b.Kept("e") != "" {
		t.Error("it is offered for another draft")
	}
	b.do("<")
	b.Reviewer = "Ben"
	if b.Kept("e") != "" {
		t.Error("it is offered to another person")
	}
	b.Reviewer = "Ada"
	b.must(b.Keep("e", ""))
	if b.Kept("e") != "" || len(b.Unsaved()) != 0 {
		t.Error("it is not forgotten")
	}
}

func TestUndoSaysWhatItUndid(t *testing.T) {
	b := newBench(t)
	b.do("a", "x", "u")
	if b.Message() != "undone: reject answer" {
		t.Errorf("after undo: %q", b.Message())
	}
	b.do("U")
	if b.Message() != "done again: reject answer" {
		t.Errorf("after redo: %q", b.Message())
	}
}
