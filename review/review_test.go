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

// A person works on a log.
type person struct {
	*Log
	name  string
	clock time.Time
}

func newPerson(name string) *person {
	return &person{NewLog(), name, time.Date(1881, 3, 1, 9, 0, 0, 0, time.UTC)}
}

func (k *person) says(draft string, v Verdict, texts ...string) Decision {
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
	return k.put(k.stamp(Decision{Reviewer: k.name, Book: "lamp", Category: "causalsentence", Draft: draft, Act: string(v), Before: before, After: after}, k.clock))
}

func (k *person) put(d Decision) Decision {
	if err := k.Add(d); err != nil {
		panic(err)
	}
	return d
}

func (k *person) undo() bool {
	return k.reverse(k.Past(k.name).Last, "undo")
}

func (k *person) redo() bool {
	return k.reverse(k.Past(k.name).Undone, "redo")
}

func (k *person) reverse(last *Decision, act string) bool {
	if last == nil {
		return false
	}
	d := reverse(last, act)
	d.Reviewer = k.name
	k.put(k.stamp(*d, k.clock))
	return true
}

// verdicts shows a log as "a accepted, b rejected!"; the mark is a dispute.
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
		t.Errorf("the log says %q, want %q", got, want)
	}
}

func copyOf(k *person, name string) *person {
	other := newPerson(name)
	other.clock = k.clock.Add(time.Minute) // so that the later one is the later one
	for d := range k.All() {
		other.put(*d)
	}
	return other
}

func merge(people ...*person) *Log {
	l := NewLog()
	for _, k := range people {
		for d := range k.All() {
			if err := l.Add(*d); err != nil {
				panic(err)
			}
		}
	}
	return l
}

func TestALaterDecisionReplacesAnEarlierOne(t *testing.T) {
	ada := newPerson("Ada")
	ada.says("a", Rejected)
	ada.says("a", Accepted)
	ada.says("b", Flagged)
	expect(t, ada.Log, "a accepted, b flagged")
}

func TestUndoAndRedo(t *testing.T) {
	ada := newPerson("Ada")
	ada.says("a", Accepted)
	ada.says("b", Rejected)
	ada.says("b", Accepted)
	for _, step := range []struct {
		do   func() bool
		can  bool
		want string
	}{
		{ada.undo, true, "a accepted, b rejected"},
		{ada.undo, true, "a accepted"},
		{ada.undo, true, ""},
		{ada.undo, false, ""},
		{ada.redo, true, "a accepted"},
		{ada.redo, true, "a accepted, b rejected"},
		{ada.undo, true, "a accepted"},
		{ada.redo, true, "a accepted, b rejected"},
		{ada.redo, true, "a accepted, b accepted"},
		{ada.redo, false, "a accepted, b accepted"},
	} {
		if can := step.do(); can != step.can {
			t.Errorf("before %q: undo or redo is possible: %v", step.want, can)
		}
		expect(t, ada.Log, step.want)
	}
	ada.undo()
	ada.says("c", Rejected)
	if ada.redo() {
		t.Error("a new decision must end what can be redone")
	}
	expect(t, ada.Log, "a accepted, b rejected, c rejected")
}

func TestUndoKeepsToOnesOwnDecisions(t *testing.T) {
	ada := newPerson("Ada")
	ada.says("a", Accepted)
	ben := copyOf(ada, "Ben")
	ben.says("b", Rejected)
	ben.undo()
	if ben.undo() {
		t.Error("Ben undid what Ada decided")
	}
	expect(t, ben.Log, "a accepted")
}

func TestTwoPeopleApart(t *testing.T) {
	ada := newPerson("Ada")
	ada.says("a", Accepted, "one")
	ben := copyOf(ada, "Ben")
	ada.says("b", Accepted, "two")
	ada.says("c", Accepted, "three")
	ada.says("d", Accepted, "four")
	ben.says("b", Rejected)
	ben.says("c", Accepted, "three")
	ben.says("d", Accepted, "fifth")
	ben.says("e", Rejected)
	both := merge(ada, ben)
	expect(t, both, "a accepted, b accepted!, c accepted, d accepted!, e rejected")
	expect(t, merge(ben, ada, ben), verdicts(both)) // any order, and twice

	// A third person settles it, and can undo that.
	carl := &person{both, "Carl", ben.clock}
	carl.says("b", Rejected)
	expect(t, both, "a accepted, b rejected, c accepted, d accepted!, e rejected")
	carl.undo()
	expect(t, both, "a accepted, b accepted!, c accepted, d accepted!, e rejected")
}

func TestAFlagIsNoDispute(t *testing.T) {
	ada, ben := newPerson("Ada"), newPerson("Ben")
	ada.says("a", Flagged)
	ben.says("a", Accepted, "one")
	expect(t, merge(ada, ben), "a accepted")
	expect(t, merge(ben, ada), "a accepted")
}

func TestAClockThatRunsBackwards(t *testing.T) {
	ada := newPerson("Ada")
	ada.says("a", Accepted)
	ada.clock = ada.clock.Add(-time.Hour)
	ada.says("a", Rejected)
	expect(t, ada.Log, "a rejected")
	ada.undo()
	expect(t, ada.Log, "a accepted")
}

func TestADecisionNeedsNoDraft(t *testing.T) {
	ada := newPerson("Ada")
	ada.says("a", Passage, "one")
	d := ada.says("a", Accepted)
	if d.Before.Verdict != Passage || len(d.After.Answers) != 1 || len(d.Replaces) != 1 || d.Reviewer != "Ada" {
		t.Errorf("the decision holds %+v", d)
	}
}

func TestTheLogOnDisk(t *testing.T) {
	ada := newPerson("Ada")
	ada.says("a", Accepted, "an <answer> & more")
	ada.says("b", Rejected)
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

// An edited line is reported with its place. Where the file holds the original
// as well, the original counts, in either order.
func TestEditedLines(t *testing.T) {
	ada := newPerson("Ada")
	ada.says("a", Accepted)
	ada.says("b", Rejected)
	var file bytes.Buffer
	if err := verbatim.Write(&file, decisions(ada.Log)); err != nil {
		t.Fatal(err)
	}
	written := file.String()
	edited := strings.Replace(written, `"verdict":"refused"`, `"verdict":"accepted"`, 1)
	signed := strings.Replace(written, `"reviewer":"Ada"`, `"reviewer":"Ben"`, 1)
	for name, c := range map[string]struct{ file, verdicts, problem string }{
		"as written":       {written, "a accepted, b rejected", ""},
		"another verdict":  {edited, "a accepted, b accepted", "d.jsonl:2: this decision of Ada was edited after it was made"},
		"another name":     {signed, "a accepted, b rejected", "d.jsonl:1: this decision of Ben was edited after it was made"},
		"both, edited 2nd": {written + edited, "a accepted, b rejected", "d.jsonl:4: two different decisions have the id"},
		"both, edited 1st": {edited + written, "a accepted, b rejected", "d.jsonl:2: this decision of Ada was edited"},
		"no decision":      {written + "\n{}\n", "a accepted, b rejected", "d.jsonl:4: a decision must have an id and a draft"},
		"no JSON":          {written + "[\n", "a accepted, b rejected", "d.jsonl:3:1: this is not valid JSON"},
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

// Whatever two people do, apart and together, their logs mean the same in any
// order, and undoing and redoing everything changes nothing.
func TestAnyWorkInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		people := []*person{newPerson("Ada"), newPerson("Ben")}
		for range 30 {
			k := people[random.IntN(2)]
			switch random.IntN(8) {
			case 0:
				k.undo()
			case 1:
				k.redo()
			case 2: // they merge their files
				all := merge(people...)
				for d := range all.All() {
					k.put(*d)
				}
			default:
				k.says(string(rune('a'+random.IntN(4))), []Verdict{Accepted, Rejected, Flagged, Passage}[random.IntN(4)], "x")
			}
		}
		want := verdicts(merge(people...))
		shuffled := slices.Collect(merge(people...).All())
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
			k := &person{l, name, people[0].clock}
			undone := 0
			for k.undo() {
				undone++
			}
			if k.Past(name).Last != nil {
				t.Fatal("something is left to undo")
			}
			for range undone { // earlier undos, from before, stay
				if !k.redo() {
					t.Fatal("what was undone cannot be redone")
				}
			}
		}
		if got := verdicts(l); got != want {
			t.Fatalf("round %d: after undoing and redoing all the log says %q, not %q", round, got, want)
		}
	}
}

// What a person wrote in place of an answer has a manual type, also where an
// older decision says otherwise.
func TestOptionsSayWhatIsManual(t *testing.T) {
	answer := func(kind, text, was string, v Verdict) Answer {
		return Answer{Option: verbatim.Option{Type: kind, Text: text}, Was: was, Verdict: v}
	}
	s := State{Answers: []Answer{
		answer("same_book", "as it stood", "", Accepted), answer("same_book", "edited long ago", "as it stood once", Accepted),
		answer("negation", "not so", "", Rejected), answer("negation", "never so", "not quite so", Accepted),
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

// A decision from a computer whose clock is far ahead counts, but later ones keep
// their own time, and can replace and undo it.
func TestAClockFarAhead(t *testing.T) {
	for _, ahead := range []time.Time{time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC)} {
		k := newPerson("Ada")
		today := k.clock
		k.clock = ahead.Add(-time.Second)
		first := k.says("a", Rejected)
		if !first.Time.Equal(ahead) {
			t.Fatalf("the decision is dated %v", first.Time)
		}
		k.clock = today
		if d := k.says("a", Accepted); d.Time.Year() != 1881 {
			t.Errorf("after a decision of %d, one is dated %v", ahead.Year(), d.Time)
		}
		if s, _ := k.Of("a"); s.Verdict != Accepted || s.Disputed || len(s.Heads) != 1 {
			t.Errorf("the later decision does not replace the one of %d: %+v", ahead.Year(), s)
		}
		var file bytes.Buffer
		if err := verbatim.Write(&file, decisions(k.Log)); err != nil {
			t.Fatal(err)
		}
		log, problems := Load(verbatim.Lines(&file, "decisions"))
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), "in the future") || log.Len() != 2 {
			t.Errorf("%d: %d decisions, problems %v", ahead.Year(), log.Len(), problems)
		}
	}
}
