package review

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
)

// A desk is one person at work on a log.
type desk struct {
	*Log
	name  string
	clock time.Time
}

func newDesk(name string) *desk {
	return &desk{NewLog(), name, time.Date(1881, 3, 1, 9, 0, 0, 0, time.UTC)}
}

func (k *desk) decide(draft string, v Verdict, texts ...string) Decision {
	before := State{}
	if s, ok := k.Of(draft); ok {
		before = s.State
	}
	after := before.Clone()
	after.Verdict = v
	for _, text := range texts {
		after.Answers = append(after.Answers, Answer{Option: verbatim.Option{Type: "same_book", Text: text}, Verdict: Accepted})
	}
	k.clock = k.clock.Add(time.Second)
	return k.put(k.Decide(Decision{Reviewer: k.name, Book: "lamp", Category: "causalsentence", Draft: draft, Act: string(v), Before: before, After: after}, k.clock))
}

func (k *desk) put(d Decision) Decision {
	if err := k.Add(d); err != nil {
		panic(err)
	}
	return d
}

func (k *desk) undo() bool {
	d, ok := k.Undo(k.name, k.clock)
	if ok {
		k.put(d)
	}
	return ok
}

func (k *desk) redo() bool {
	d, ok := k.Redo(k.name, k.clock)
	if ok {
		k.put(d)
	}
	return ok
}

// verdicts shows a log as "a accepted, b refused!": the mark is a dispute.
func verdicts(l *Log) string {
	var parts []string
	for s := range l.Standings() {
		mark := ""
		if s.Disputed {
			mark = "!"
		}
		parts = append(parts, fmt.Sprintf("%s %s%s", s.Draft, s.Verdict, mark))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

func expect(t *testing.T, l *Log, want string) {
	t.Helper()
	if got := verdicts(l); got != want {
		t.Errorf("the log says %q, not %q", got, want)
	}
}

func copyOf(k *desk, name string) *desk {
	other := newDesk(name)
	other.clock = k.clock.Add(time.Minute) // so that the later one is the later one
	for d := range k.All() {
		other.put(*d)
	}
	return other
}

func merge(desks ...*desk) *Log {
	l := NewLog()
	for _, k := range desks {
		for d := range k.All() {
			if err := l.Add(*d); err != nil {
				panic(err)
			}
		}
	}
	return l
}

func TestALaterDecisionReplacesAnEarlierOne(t *testing.T) {
	ada := newDesk("Ada")
	ada.decide("a", Refused)
	ada.decide("a", Accepted)
	ada.decide("b", Flagged)
	expect(t, ada.Log, "a accepted, b flagged")
}

func TestUndoAndRedo(t *testing.T) {
	ada := newDesk("Ada")
	ada.decide("a", Accepted)
	ada.decide("b", Refused)
	ada.decide("b", Accepted)
	for _, step := range []struct {
		do   func() bool
		can  bool
		want string
	}{
		{ada.undo, true, "a accepted, b refused"},
		{ada.undo, true, "a accepted"},
		{ada.undo, true, ""},
		{ada.undo, false, ""},
		{ada.redo, true, "a accepted"},
		{ada.redo, true, "a accepted, b refused"},
		{ada.undo, true, "a accepted"},
		{ada.redo, true, "a accepted, b refused"},
		{ada.redo, true, "a accepted, b accepted"},
		{ada.redo, false, "a accepted, b accepted"},
	} {
		if can := step.do(); can != step.can {
			t.Errorf("before %q: undo or redo is possible: %v", step.want, can)
		}
		expect(t, ada.Log, step.want)
	}
	ada.undo()
	ada.decide("c", Refused)
	if ada.redo() {
		t.Error("a new decision must end what could be done again")
	}
	expect(t, ada.Log, "a accepted, b refused, c refused")
}

func TestUndoTakesBackOnesOwn(t *testing.T) {
	ada := newDesk("Ada")
	ada.decide("a", Accepted)
	ben := copyOf(ada, "Ben")
	ben.decide("b", Refused)
	ben.undo()
	if ben.undo() {
		t.Error("Ben undid what Ada decided")
	}
	expect(t, ben.Log, "a accepted")
}

func TestTwoPeopleApart(t *testing.T) {
	ada := newDesk("Ada")
	ada.decide("a", Accepted, "one")
	ben := copyOf(ada, "Ben")
	ada.decide("b", Accepted, "two")
	ada.decide("c", Accepted, "three")
	ada.decide("d", Accepted, "four")
	ben.decide("b", Refused)
	ben.decide("c", Accepted, "three")
	ben.decide("d", Accepted, "fifth")
	ben.decide("e", Refused)
	both := merge(ada, ben)
	expect(t, both, "a accepted, b accepted!, c accepted, d accepted!, e refused")
	expect(t, merge(ben, ada, ben), verdicts(both)) // any order, and twice

	// Whoever sees both settles it, and may take that back.
	carl := &desk{both, "Carl", ben.clock}
	carl.decide("b", Refused)
	expect(t, both, "a accepted, b refused, c accepted, d accepted!, e refused")
	carl.undo()
	expect(t, both, "a accepted, b accepted!, c accepted, d accepted!, e refused")
}

func TestAFlagIsNoDispute(t *testing.T) {
	ada, ben := newDesk("Ada"), newDesk("Ben")
	ada.decide("a", Flagged)
	ben.decide("a", Accepted, "one")
	expect(t, merge(ada, ben), "a accepted")
	expect(t, merge(ben, ada), "a accepted")
}

func TestAClockThatGoesBack(t *testing.T) {
	ada := newDesk("Ada")
	ada.decide("a", Accepted)
	ada.clock = ada.clock.Add(-time.Hour)
	ada.decide("a", Refused)
	expect(t, ada.Log, "a refused")
	ada.undo()
	expect(t, ada.Log, "a accepted")
}

func TestADecisionStandsOnItsOwn(t *testing.T) {
	ada := newDesk("Ada")
	ada.decide("a", Passage, "one")
	d := ada.decide("a", Accepted)
	if d.Before.Verdict != Passage || len(d.After.Answers) != 1 || len(d.Replaces) != 1 || d.Reviewer != "Ada" {
		t.Errorf("the decision holds %+v", d)
	}
}

func TestTheLogOnDisk(t *testing.T) {
	ada := newDesk("Ada")
	ada.decide("a", Accepted, "an <answer> & more")
	ada.decide("b", Refused)
	ada.undo()
	var file bytes.Buffer
	if err := verbatim.Write(&file, decisions(ada.Log)); err != nil {
		t.Fatal(err)
	}
	read, problems := Load(verbatim.Lines(strings.NewReader(file.String()), "d.jsonl"))
	if len(problems) > 0 || verdicts(read) != verdicts(ada.Log) || !reflect.DeepEqual(read.order, ada.order) {
		t.Errorf("read again: %v, %s", problems, verdicts(read))
	}
}

// A line that a hand has touched is named with its place. Where the line as it
// was written stands in the file, too, that one counts, in either order.
func TestLinesThatAHandHasTouched(t *testing.T) {
	ada := newDesk("Ada")
	ada.decide("a", Accepted)
	ada.decide("b", Refused)
	var file bytes.Buffer
	if err := verbatim.Write(&file, decisions(ada.Log)); err != nil {
		t.Fatal(err)
	}
	written := file.String()
	touched := strings.Replace(written, `"verdict":"refused"`, `"verdict":"accepted"`, 1)
	signed := strings.Replace(written, `"reviewer":"Ada"`, `"reviewer":"Ben"`, 1)
	for name, c := range map[string]struct{ file, verdicts, problem string }{
		"as written":        {written, "a accepted, b refused", ""},
		"another verdict":   {touched, "a accepted, b accepted", "d.jsonl:2: this decision of Ada was changed after it was taken"},
		"another name":      {signed, "a accepted, b refused", "d.jsonl:1: this decision of Ben was changed after it was taken"},
		"both, touched 2nd": {written + touched, "a accepted, b refused", "d.jsonl:4: two different decisions have the id"},
		"both, touched 1st": {touched + written, "a accepted, b refused", "d.jsonl:2: this decision of Ada was changed"},
		"no decision":       {written + "\n{}\n", "a accepted, b refused", "d.jsonl:4: a decision without id or draft is no decision"},
		"no JSON":           {written + "[\n", "a accepted, b refused", "d.jsonl:3:1: this is not valid JSON"},
	} {
		log, problems := Load(verbatim.Lines(strings.NewReader(c.file), "d.jsonl"))
		if got := verdicts(log); got != c.verdicts {
			t.Errorf("%s: the log says %q, not %q", name, got, c.verdicts)
		}
		if c.problem == "" && len(problems) > 0 || c.problem != "" && (len(problems) == 0 || !strings.HasPrefix(problems[0].Error(), c.problem)) {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

func decisions(l *Log) iter.Seq2[Decision, error] {
	return func(yield func(Decision, error) bool) {
		for d := range l.All() {
			if !yield(*d, nil) {
				return
			}
		}
	}
}

// Whatever two people do, apart and together, their logs mean one thing in any
// order, and undoing everything leads back to the beginning.
func TestAnyWorkInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		desks := []*desk{newDesk("Ada"), newDesk("Ben")}
		for range 30 {
			k := desks[random.IntN(2)]
			switch random.IntN(8) {
			case 0:
				k.undo()
			case 1:
				k.redo()
			case 2: // they put their files together
				all := merge(desks...)
				for d := range all.All() {
					k.put(*d)
				}
			default:
				k.decide(string(rune('a'+random.IntN(4))), []Verdict{Accepted, Refused, Flagged, Passage}[random.IntN(4)], "x")
			}
		}
		want := verdicts(merge(desks...))
		shuffled := slices.Collect(merge(desks...).All())
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		l := NewLog()
		for _, d := range append(shuffled, shuffled[:len(shuffled)/2]...) {
			if err := l.Add(*d); err != nil {
				t.Fatal(err)
			}
		}
		if got := verdicts(l); got != want {
			t.Fatalf("round %d: in another order the log says %q, not %q", round, got, want)
		}
		for _, name := range []string{"Ada", "Ben"} {
			k := &desk{l, name, desks[0].clock}
			undone := 0
			for k.undo() {
				undone++
			}
			if name := k.LastOf(name); name != nil {
				t.Fatal("something is left that could be undone")
			}
			for range undone { // earlier undos, from before, stay
				if !k.redo() {
					t.Fatal("what was undone cannot be done again")
				}
			}
		}
		if got := verdicts(l); got != want {
			t.Fatalf("round %d: after undoing and redoing all the log says %q, not %q", round, got, want)
		}
	}
}

// What a person put in the place of an answer is called manual, also where an
// older decision says otherwise.
func TestOptionsSayWhatIsManual(t *testing.T) {
	answer := func(kind, text, was string, v Verdict) Answer {
		return Answer{Option: verbatim.Option{Type: kind, Text: text}, Was: was, Verdict: v}
	}
	s := State{Answers: []Answer{
		answer("same_book", "as it stood", "", Accepted), answer("same_book", "edited long ago", "as it stood once", Accepted),
		answer("negation", "not so", "", Refused), answer("negation", "never so", "not quite so", Accepted),
		answer("manual_same_book", "my own", "another's", Accepted), answer("manual", "one more", "", Accepted), answer("manual", "mended", "mendde", Accepted)}}
	var got []string
	for _, o := range s.Options() {
		got = append(got, o.Type+": "+o.Text)
	}
	want := "same_book: as it stood, manual_same_book: edited long ago, manual_negation: never so, manual_same_book: my own, manual: one more, manual: mended"
	if strings.Join(got, ", ") != want {
		t.Errorf("the options are %q", got)
	}
}
