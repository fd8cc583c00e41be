package lint

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
)

// leaky makes questions whose ground truth is always the longest option.
func leaky(n int) []*Question {
	var all []*Question
	for i := range n {
		all = append(all, &Question{ID: fmt.Sprint(i), Book: fmt.Sprint("book", i%6), Category: "causalclause", Passage: "The keeper wrote on. [masked]", Mask: "[masked]",
			Options: []string{
				fmt.Sprintf("because the keeper of lamp %d was, after all, an old man", i),
				fmt.Sprintf("for it rained %d", i), fmt.Sprintf("since he slept %d", i)}})
	}
	return all
}

func check(t *testing.T, questions []*Question, o Settings) *Report {
	t.Helper()
	r, err := Check(context.Background(), questions, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *Report) named(name string) *Result {
	for i := range r.Attacks {
		if r.Attacks[i].Attack == name {
			return &r.Attacks[i]
		}
	}
	return nil
}

func TestALeakIsFound(t *testing.T) {
	r := check(t, leaky(60), Settings{})
	for _, name := range []string{"longest", "learned: connector prior", "learned: 12 features", "learned: letters 2-4", "learned: words, naive Bayes", "learned: boosted stumps", "learned: nearest neighbours"} {
		if a := r.named(name); a == nil || a.Accuracy != 1 || !a.Leaks {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if a := r.named("shortest"); a.Accuracy != 0 || math.Abs(a.Inverse-2./3) > 1e-9 {
		t.Errorf("shortest: %+v", a)
	}
	if r.Luck <= 0 || r.Luck > .35 {
		t.Errorf("luck alone gives %v", r.Luck)
	}
	if len(r.Hit) != shownHits || len(r.Hit[0].Attacks) < 5 {
		t.Errorf("%d questions are hit, the first by %v", len(r.Hit), r.Hit[0].Attacks)
	}
	if !strings.Contains(r.Line(), "beat luck") {
		t.Error(r.Line())
	}
	if failed, err := r.Failed([]Gate{{"lift", .03}, {"hygiene", 1000}}); err != nil || len(failed) != 1 {
		t.Errorf("%v, %v", failed, err)
	}
	if _, err := r.Failed([]Gate{{"lfit", .03}}); err == nil || !strings.Contains(err.Error(), "over-luck") {
		t.Errorf("an unknown figure: %v", err)
	}
}

// Options that cannot be told apart leak nothing, and ties are split evenly.
func TestNothingLeaksFromEqualOptions(t *testing.T) {
	questions := leaky(30)
	for _, q := range questions {
		q.Options = []string{"because it was so", "because it was so", "because it was so"}
	}
	r := check(t, questions, Settings{})
	for _, a := range r.Attacks {
		if math.Abs(a.Lift) > 1e-9 || a.Leaks {
			t.Errorf("%s: lift %v", a.Attack, a.Lift)
		}
	}
	if r.Findings.Count(checkSame) != 90 {
		t.Errorf("%d same options", r.Findings.Count(checkSame))
	}
}

// The order of questions changes no figure.
func TestOrderDoesNotMatter(t *testing.T) {
	a, b := leaky(24), leaky(24)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	x, y := check(t, a, Settings{}), check(t, b, Settings{})
	for i := range x.Attacks {
		if math.Abs(x.Attacks[i].Lift-y.Attacks[i].Lift) > 1e-9 {
			t.Errorf("%s: %v and %v", x.Attacks[i].Attack, x.Attacks[i].Lift, y.Attacks[i].Lift)
		}
	}
}

func TestHygiene(t *testing.T) {
	base := func() *Question {
		return &Question{ID: "q", Book: "b", Category: "causalclause", Clause: true, Ours: true, Year: 1880, Mask: "[masked]",
			Fields:  map[string]string{"source_title": "T", "source_author": "A", "source_date": "1880", "sha256": "x"},
			Passage: "The boats stayed in the harbour, [masked].", Options: []string{"because the night was dark", "for the glass had fallen"},
			Types: []string{"ground_truth", "same_book"}}
	}
	for _, c := range []struct {
		check  string // "" for none
		change func(*Question)
	}{
		{"", func(*Question) {}},
		{checkSame, func(q *Question) { q.Options[1] = "Because the night was dark." }},
		{checkNear, func(q *Question) { q.Options[1] = "because the long night was dark" }},
		{"", func(q *Question) { q.Options[1], q.Types[1] = "because the night was not dark", "negation" }},
		{checkTruthShown, func(q *Question) { q.Passage = "Because the night was dark they stayed, [masked]." }},
		{checkLureShown, func(q *Question) { q.Passage = "They stayed, for the glass had fallen; so [masked]." }},
		{checkQuotes, func(q *Question) { q.Options[1] = "for “the glass had fallen" }},
		{checkDamage, func(q *Question) { q.Options[1] = "for the gl4ss had fallen" }},
		{checkForm, func(q *Question) { q.Options[1] = "for the glass had fallen," }},
		{checkForm, func(q *Question) { q.Clause = false }},
		{checkSource, func(q *Question) { q.Fields["source_date"] = "" }},
		{checkProof, func(q *Question) { q.Fields["sha256"] = "" }},
		{checkPeriod, func(q *Question) { q.Options[1], q.Types[1] = "for the smartphone had failed", "anachronistic_x" }},
		{"", func(q *Question) { q.Options[1], q.Types[1] = "for the engine had failed", "anachronistic_x" }},
		{"", func(q *Question) { q.Options[1] = "for the smartphone had failed" }}, // a quotation is what it is
	} {
		q := base()
		c.change(q)
		r := check(t, []*Question{q}, Settings{Fast: true})
		if c.check == "" && len(r.Findings) > 0 || c.check != "" && r.Findings.Count(c.check) == 0 {
			t.Errorf("%q: want %q, found %v", q.Options, c.check, r.Findings)
		}
	}
	other := base()
	other.ID, other.Options = "other", []string{"for the glass had fallen", "because he was ill"}
	if r := check(t, []*Question{base(), other}, Settings{Fast: true}); r.Findings.Count(checkAlsoTruth) != 1 {
		t.Errorf("a wrong answer that is a ground truth elsewhere: %v", r.Findings)
	}
	if r := check(t, []*Question{base(), base()}, Settings{Fast: true}); r.Findings.Count(checkTwice) != 1 {
		t.Errorf("the same question twice: %v", r.Findings)
	}
}

// Anybody's questions can be read: the answer as a number, a letter or a text.
func TestReadForeign(t *testing.T) {
	for _, c := range []struct {
		names, lines string
		truth        string
		position     int
	}{
		{"", `{"question":"Q","choices":["a","b","c"],"answer":2}`, "c", 2},
		{"", `{"question":"Q","choices":["a","b","c"],"answer":"B"}`, "b", 1},
		{"", `{"question":"Q","choices":["yes","no"],"answer":"no"}`, "no", 1},
		{"", `{"question":{"stem":"Q"},"choices":{"text":["x","y"],"label":["1","2"]},"answerKey":"2"}`, "y", 1},
		{"", `{"question":"Q","options":[{"label":"A","text":"x"},{"label":"B","text":"y"}],"answerKey":"A"}`, "x", 0},
		{"", `{"question":"Q","options":{"A":"x","B":"y"},"answer":"B"}`, "y", 1},
		{"", `{"ctx":"Q","endings":["x","y","z"],"label":"0"}`, "x", 0},
		{"", `{"question":"Q","choices":["a","b","c"],"answer":3}`, "c", 2}, // counted from 1
		{"question=stem,options=A+B,answer=key", `{"stem":"Q","A":"x","B":"y","key":"B"}`, "y", 1},
		{"question=data.q,options=data.o,answer=data.a", `{"data":{"q":"Q","o":["x","y"],"a":1}}`, "y", 1},
	} {
		reader := &Reader{}
		if c.names != "" {
			var err error
			if reader.Map, err = ParseMap(c.names); err != nil {
				t.Fatal(err)
			}
		}
		questions, wrong := reader.Read(strings.NewReader(c.lines+"\n"), "f.jsonl")
		if len(wrong) > 0 || len(questions) != 1 || questions[0].Options[0] != c.truth || questions[0].Position != c.position || questions[0].Passage != "Q" {
			t.Errorf("%s: %v, %+v", c.lines, wrong, questions)
		}
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	lines := `{"question":"Q","choices":["a","b"],"answer":"z"}
{"question":"Q","choices":["a"],"answer":"a"}
{"question":"Q","answer":"a"}
[1]
{"question":"Q","choices":["a","b"],"answer":"b"}
`
	questions, wrong := (&Reader{}).Read(strings.NewReader(lines), "f.jsonl")
	if len(questions) != 1 || len(wrong) != 4 {
		t.Fatalf("%d questions, %v", len(questions), wrong)
	}
	for i, want := range []string{"f.jsonl:2", "f.jsonl:3", "f.jsonl:4", "f.jsonl:1"} {
		if !strings.Contains(wrong[i].Error(), want) {
			t.Errorf("%v: want %s", wrong[i], want)
		}
	}
	if _, err := ParseMap("questoin=x"); err == nil {
		t.Error("a misspelled name was accepted")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"question":"Q","choices":["a","b"],"answer":1}`, "")
	f.Add(`{"answer_strings":["a b c d","e"],"answer_types":["ground_truth"],"main_question":"p [masked x]"}`, "")
	f.Add(`{"masked":"p","truth":"t","options":[{"type":"same_book","text":"x","fit":-1}],"truth_fit":-2}`, "")
	f.Add(`{"a":{"b":["x","y"]},"c":"y"}`, "options=a.b,answer=c")
	f.Fuzz(func(t *testing.T, text, names string) {
		reader := &Reader{}
		if m, err := ParseMap(names); err == nil {
			reader.Map = m
		}
		questions, _ := reader.Read(strings.NewReader(text), "fuzz")
		r, err := Check(context.Background(), questions, Settings{Draws: 5})
		if err != nil {
			t.Fatal(err)
		}
		var page strings.Builder
		if err := r.WriteHTML(&page, questions, "test"); err != nil {
			t.Fatal(err)
		}
		if err := r.Write(&page); err != nil {
			t.Fatal(err)
		}
	})
}

// The page makes no requests and holds what it shows as text.
func TestPage(t *testing.T) {
	questions := leaky(30)
	questions[0].Options[1] = `<script>alert("x")</script>`
	var page strings.Builder
	r := check(t, questions, Settings{})
	if err := r.WriteHTML(&page, questions, "verbatim test"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`default-src 'none'`, "What to do", "<svg", "learned: letters 2-4"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"<script", "http://", "https://", "ZgotmplZ"} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}
