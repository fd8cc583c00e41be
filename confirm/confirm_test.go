package confirm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"verbatim"
	"verbatim/chat"
	"verbatim/chat/fake"
	"verbatim/confirm"
)

// A synthetic book, one sentence per line. Brackets mark what a question would mask;
// after the sentence come the tag, the right answer, and whether the tag stays.
const book = `
The mill stood idle that year.
The men went home, [since there was no corn].     causalclause since reason keep
Nobody had worked, [since the great flood].       causalclause since time drop
They kept the fire low, [as wood was dear].       causalclause as reason keep
The owner came in, [as the clock struck ten].     causalclause as time drop
He greeted them, [as was his custom].             causalclause as manner drop
He was poor, [while his brother was rich].        concessiveclause while concession keep
He read the paper, [while the kettle boiled].     concessiveclause while time drop
If the rain came, [then the wheel would turn].    effectclause then consequence keep
If he spoke at all, [then he went out].           effectclause then time drop
The wheel did not turn in August.
[The cause was a want of water.]                  causalsentence cause explains keep
The priest read the lesson.
[For a moment nobody stirred.]                    causalsentence for other drop
The river rose, [but the bank held].              contrastclause but - sure
`

// read makes the tagged sentences and the right answer for each.
func read(t *testing.T) (sentences []verbatim.Tagged, answers map[string]string, keep map[string]bool) {
	t.Helper()
	answers, keep = map[string]string{}, map[string]bool{}
	for line := range strings.Lines(strings.TrimSpace(book)) {
		end := strings.LastIndex(line, ".") + 1
		if close := strings.LastIndex(line, ".]"); close >= 0 {
			end = close + 2
		}
		text, notes := line[:end], strings.Fields(line[end:])
		from, to := strings.Index(text, "["), strings.Index(text, "]")-1
		text = strings.NewReplacer("[", "", "]", "").Replace(text)
		s := verbatim.Tagged{Sentence: text, Index: len(sentences)}
		if len(notes) == 4 {
			s.Tags = []verbatim.Tag{{Name: notes[0], Connector: notes[1], SentenceStart: from, SentenceEnd: to, Sure: notes[3] == "sure", Tier: "wide"}}
			answers[text], keep[text] = notes[2], notes[3] != "drop"
		}
		sentences = append(sentences, s)
	}
	return sentences, answers, keep
}

// reader answers each question correctly, by the sentence that it shows.
func reader(answers map[string]string) func(fake.Request) string {
	return func(r fake.Request) string {
		said, last := "lost", -1
		for text, answer := range answers { // the sentence in question comes after the one before it
			if at := strings.Index(r.Prompt, text); at > last {
				said, last = answer, at
			}
		}
		return fmt.Sprintf(`{"reason": "so it reads", "answer": %q}`, said)
	}
}

func builtIn(t *testing.T) confirm.Questions {
	t.Helper()
	questions, err := confirm.Load(confirm.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	return questions
}

// confirmer asks a fake server through the real client.
func confirmer(t *testing.T, answer func(fake.Request) string, limit int) (*confirm.Confirmer, *fake.Server) {
	t.Helper()
	server := fake.New("mistral-small:24b")
	t.Cleanup(server.Close)
	server.Answer = answer
	client, err := chat.New([]chat.Model{{Label: "mistral-small:24b", Servers: []chat.Server{{URL: server.URL, Concurrency: 4}}}}, chat.Model{}, chat.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return &confirm.Confirmer{Chat: client, Questions: builtIn(t), Cap: limit}, server
}

func TestSpec3AmbiguousTagsAreKeptOrRejected(t *testing.T) {
	sentences, answers, keep := read(t)
	c, server := confirmer(t, reader(answers), -1)
	rejected, counts, err := c.Book(t.Context(), sentences)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sentences {
		if want, tagged := keep[s.Sentence]; tagged && (len(s.Tags) == 1) != want {
			t.Errorf("%q: kept %v, want %v", s.Sentence, len(s.Tags) == 1, want)
		}
		for _, tag := range s.Tags {
			want := fmt.Sprintf("mistral-small:24b %.12s", fmt.Sprintf("%064x", len("mistral-small:24b")))
			if tag.Sure {
				want = confirm.ByRules
			}
			if tag.Confirmed != want {
				t.Errorf("%q was confirmed by %q, want %q", s.Sentence, tag.Confirmed, want)
			}
		}
	}
	if counts != (confirm.Counts{Asked: 11, Kept: 5, Rejected: 6}) || len(rejected) != 6 {
		t.Errorf("counts %+v, %d rejected", counts, len(rejected))
	}
	for _, r := range rejected {
		if !strings.HasPrefix(r.Reason, "mistral-small:24b ") || !strings.Contains(r.Reason, "so it reads") {
			t.Errorf("rejected without the model's reason: %+v", r)
		}
	}
	for _, r := range server.Requests() {
		if strings.Contains(r.Prompt, `begins with "while"`) && (strings.Contains(r.Prompt, "reason:") || !strings.Contains(r.Prompt, "concession:") || !strings.Contains(r.Prompt, "time:")) {
			t.Errorf("the question for while is %s", r.Prompt)
		}
		if strings.Contains(r.Prompt, "want of water") && !strings.Contains(r.Prompt, "The wheel did not turn in August. The cause was a want of water.\n") {
			t.Errorf("the question for a causal sentence lacks the sentence before: %s", r.Prompt)
		}
		if strings.Contains(r.Prompt, "want of water") && !strings.Contains(r.Prompt, "Is a relation of causation or explanation actually expressed here") {
			t.Errorf("the question for a causal sentence is not the specified one: %s", r.Prompt)
		}
		if !strings.Contains(r.Body, `"enum":["`) {
			t.Errorf("no schema: %s", r.Body)
		}
	}
}

func TestAFailedCallKeepsTheTagAndIsCounted(t *testing.T) {
	sentences, _, _ := read(t)
	c, _ := confirmer(t, func(fake.Request) string { return "I cannot say." }, -1)
	rejected, counts, err := c.Book(t.Context(), sentences)
	if err != nil || len(rejected) != 0 || counts != (confirm.Counts{Asked: 11, Failed: 11}) {
		t.Errorf("%v, %+v, %v", rejected, counts, err)
	}
	for _, s := range sentences {
		for _, tag := range s.Tags {
			if tag.Confirmed != confirm.ByRules {
				t.Errorf("%q: confirmed by %q", s.Sentence, tag.Confirmed)
			}
			if !tag.Sure && !c.Questions.Open(tag) {
				t.Errorf("%q would become a question although no model has confirmed it", s.Sentence)
			}
		}
	}
}

// lost is a model whose server is unavailable.
type lost struct{ error }

func (l lost) Chat(context.Context, verbatim.Prompt) (verbatim.Reply, error) {
	return verbatim.Reply{}, l.error
}

func TestAnOutageStopsTheRunAndChangesNothing(t *testing.T) {
	sentences, _, _ := read(t)
	was := fmt.Sprint(sentences)
	outage := errors.New("unavailable")
	_, _, err := (&confirm.Confirmer{Chat: lost{outage}, Questions: builtIn(t), Cap: 3}).Book(t.Context(), sentences)
	if !errors.Is(err, outage) || fmt.Sprint(sentences) != was {
		t.Errorf("got %v", err)
	}
}

// always gives the same answer and counts the calls.
type always struct {
	answer string
	asked  atomic.Int32
}

func (a *always) Chat(context.Context, verbatim.Prompt) (verbatim.Reply, error) {
	a.asked.Add(1)
	return verbatim.Reply{Content: a.answer}, nil
}

func TestTheCapIsSpreadEvenlyOverTheBook(t *testing.T) {
	var sentences []verbatim.Tagged
	for i := range 1000 {
		s := verbatim.Tagged{Sentence: "It fell, since so it was.", Index: i}
		s.Tags = append(s.Tags, verbatim.Tag{Name: "causalclause", Connector: "since", SentenceStart: 9, SentenceEnd: 24})
		if i%100 == 0 {
			s.Tags = append(s.Tags, verbatim.Tag{Name: "concessiveclause", Connector: "while", SentenceStart: 9, SentenceEnd: 24})
		}
		sentences = append(sentences, s)
	}
	model := &always{answer: `{"reason":"","answer":"reason"}`}
	c := confirm.Confirmer{Chat: model, Questions: builtIn(t), Cap: 100}
	_, counts, err := c.Book(t.Context(), sentences)
	if err != nil || counts.Asked != 110 || counts.Unconfirmed != 900 || counts.Failed != 10 || model.asked.Load() != 110 {
		t.Fatalf("%+v, %v", counts, err)
	}
	last, gap := -1, 0
	for i, s := range sentences {
		switch s.Tags[0].Confirmed {
		case "mistral-small:24b":
			gap = max(gap, i-last)
			last = i
		case confirm.Unconfirmed:
			if !c.Questions.Open(s.Tags[0]) {
				t.Fatal("an unconfirmed tag is not open")
			}
		default:
			t.Fatalf("confirmed by %q", s.Tags[0].Confirmed)
		}
	}
	if gap > 10 || last < 985 {
		t.Errorf("the largest gap is %d, the last one %d", gap, last)
	}
}

func TestWhichTagsNeedAModel(t *testing.T) {
	all := builtIn(t)
	for _, c := range []struct {
		tag  verbatim.Tag
		want bool
		file string
	}{
		{verbatim.Tag{Name: "contrastclause", Connector: "but", Sure: true}, false, "contrast.txt"},
		{verbatim.Tag{Name: "contrastclause", Connector: "but"}, true, "contrast.txt"},
		{verbatim.Tag{Name: "causalclause", Connector: "since", Sure: true}, true, "since.txt"},
		{verbatim.Tag{Name: "causalclause", Connector: "As", Sure: true}, true, "as.txt"},
		{verbatim.Tag{Name: "concessiveclause", Connector: "while", Sure: true}, true, "while.txt"},
		{verbatim.Tag{Name: "effectclause", Connector: "then", Sure: true}, true, "then.txt"},
		{verbatim.Tag{Name: "causalsentence", Connector: "for", Sure: true}, true, "causal-sentence.txt"},
		{verbatim.Tag{Name: "causalsentence", Connector: "since", Sure: true}, true, "causal-sentence.txt"},
		{verbatim.Tag{Name: "causalclause", Connector: "because", Sure: true}, false, "causal.txt"},
		{verbatim.Tag{Name: "effectsentence", Connector: "result"}, true, "effect.txt"},
		{verbatim.Tag{Name: "conditionalclause", Connector: "if"}, true, "conditional.txt"},
		{verbatim.Tag{Name: "concessiveclause", Connector: "though"}, true, "concessive.txt"},
	} {
		if got := all.Needs(c.tag); got != c.want || all.For(c.tag).File != c.file {
			t.Errorf("%s %s: needs %v, by %s", c.tag.Name, c.tag.Connector, got, all.For(c.tag).File)
		}
	}
}

func TestAMistakeInAQuestionIsReportedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"answer: yes\nask:\n{sentence}":                                  "q.txt:1: write an answer as WORD = keep = MEANING",
		"for: since\nasks:\n{sentence}":                                  "q.txt:2: start the line with",
		"answer: a = keep = x\nanswer: b = drop = y":                     "the question is missing",
		"answer: a = keep = x\nanswer: b = drop = y\nask:\nIs it so?":    "does not show the sentence",
		"answer: a = keep = x\nanswer: b = keep = y\nask:\n{sentence} ?": "one that drops it",
	} {
		_, err := confirm.Load(fstest.MapFS{"q.txt": {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// A byte order mark at the start of a file is not part of the question.
func TestAUsersQuestionReplacesTheBuiltInOne(t *testing.T) {
	theirs := fstest.MapFS{"since.txt": {Data: []byte("\uFEFFfor: since\nanswer: ja = keep = x\nanswer: nein = drop = y\nask:\n{sentence}")}}
	all, err := confirm.Load(theirs, confirm.Embedded())
	if err != nil || len(all) != len(builtIn(t)) || all.Hash() == builtIn(t).Hash() {
		t.Fatalf("%d questions, %v", len(all), err)
	}
	if q := all.For(verbatim.Tag{Name: "causalclause", Connector: "since"}); q.Answers[0].Word != "ja" {
		t.Errorf("the question is %+v", q)
	}
}
