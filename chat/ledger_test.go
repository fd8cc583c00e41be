package chat_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/chat"
	"verbatim/chat/fake"
	"verbatim/internal/parallel"
)

func openLedger(t *testing.T, dir string, replay bool) *chat.Ledger {
	t.Helper()
	l, err := chat.OpenLedger(filepath.Join(dir, "HWWJNQ-ledger.jsonl"), replay)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestARunIsReplayedWithoutAServer(t *testing.T) {
	both(t, func(t *testing.T, s *fake.Server, server chat.Server) {
		s.Models["m"] = fake.Model{Digest: "abc", Context: 8192, Thinks: "Hm, <perhaps>."}
		s.Answer = func(r fake.Request) string { return "<" + r.Prompt + ">" }
		dir := t.TempDir()
		model := chat.Model{Label: "m", Servers: []chat.Server{server}, Think: "on"}
		first, err := client(t, model, chat.Limits{}).For(openLedger(t, dir, true)).Chat(t.Context(), ask("Is it?"))
		if err != nil {
			t.Fatal(err)
		}
		model.Servers[0].URL = strings.Replace(server.URL, "127.0.0.1", "127.0.0.2", 1) // another address, without a server
		c := client(t, model, chat.Limits{})
		offline := c.Offline(openLedger(t, dir, true))
		again, err := offline.Chat(t.Context(), ask("Is it?"))
		if err != nil || again != first || again.Content != "<Is it?>" || again.Thinking != "Hm, <perhaps>." {
			t.Errorf("first %+v, then %+v, %v", first, again, err)
		}
		if has, _ := c.Has(openLedger(t, dir, true), ask("Is it?")); !has {
			t.Error("the answer is not in the ledger")
		}
		if has, tokens := c.Has(openLedger(t, dir, true), ask("Is it not?")); has || tokens < 3 {
			t.Errorf("an answer that was never given is in the ledger, or costs %d tokens", tokens)
		}
		if !strings.HasPrefix(c.Stats().String(), "0 calls, 1 replayed") {
			t.Errorf("summary: %v", c.Stats())
		}
		if _, err := offline.Chat(t.Context(), ask("Is it not?")); chat.KindOf(err) != chat.NotInLedger {
			t.Errorf("a question that was never asked: %v", err)
		}
	})
}

// Version 0.1.0 wrote this ledger. If a key changes, people lose the answers that
// they paid for.
func TestALedgerOfTheFirstVersionReplays(t *testing.T) {
	ledger, err := chat.ReadLedger("testdata/ledger-0.1.0.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	connector, distractor := ask("Is <it> so?"), ask("Write a sentence:")
	connector.Model, distractor.Model = "mistral-small:24b", "gpt-oss:20b"
	connector.Schema = json.RawMessage(`{"type":"object","properties":{"reason":{"type":"string"},"answer":{"type":"string","enum":["yes","no"]}},"required":["reason","answer"],"additionalProperties":false}`)
	distractor.Seed, distractor.Temperature = 1, 0.8
	for _, url := range []string{"http://localhost:11434", "http://localhost:11434/v1"} {
		c, err := chat.New(nil, chat.Model{Servers: []chat.Server{{URL: url}}}, chat.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for prompt, want := range map[*verbatim.Prompt]string{&connector: `{"reason": "it says so", "answer": "yes"}`, &distractor: "It ran."} {
			if has, _ := c.Has(ledger, *prompt); !has {
				t.Errorf("%s, %s: not in the ledger", url, prompt.Model)
				continue
			}
			if reply, err := c.Offline(ledger).Chat(t.Context(), *prompt); err != nil || reply.Content != want {
				t.Errorf("%s, %s: got %+v, %v", url, prompt.Model, reply, err)
			}
		}
		if _, err := c.Offline(ledger).Chat(t.Context(), ask("Is it?")); chat.KindOf(err) != chat.NotInLedger {
			t.Errorf("a question that was never asked: %v", err)
		}
	}
}

func TestTheKeyCoversTheWholeQuestion(t *testing.T) {
	s := start(t, "m", "n")
	l := openLedger(t, t.TempDir(), true)
	model := chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}
	chatWith := func(change func(*chat.Model, *verbatim.Prompt)) {
		t.Helper()
		m, p := model, ask("Is it?")
		change(&m, &p)
		if _, err := client(t, m, chat.Limits{}).For(l).Chat(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	s.Answer = func(fake.Request) string { return `{"answer":"yes"}` }
	chatWith(func(*chat.Model, *verbatim.Prompt) {})
	for name, change := range map[string]func(*chat.Model, *verbatim.Prompt){
		"messages":    func(_ *chat.Model, p *verbatim.Prompt) { p.Messages[0].Content += " " },
		"schema":      func(_ *chat.Model, p *verbatim.Prompt) { p.Schema = yesOrNo },
		"seed":        func(_ *chat.Model, p *verbatim.Prompt) { p.Seed = 1 },
		"temperature": func(_ *chat.Model, p *verbatim.Prompt) { p.Temperature = 1 },
		"model":       func(m *chat.Model, _ *verbatim.Prompt) { m.Name = "n" },
		"window":      func(m *chat.Model, _ *verbatim.Prompt) { m.Context = 4096 },
		"budget":      func(m *chat.Model, _ *verbatim.Prompt) { m.Answer = 100 },
		"api":         func(m *chat.Model, _ *verbatim.Prompt) { m.Servers = []chat.Server{{URL: s.URL + "/v1"}} },
	} {
		before := len(s.Requests())
		chatWith(change)
		chatWith(change)
		if got := len(s.Requests()) - before; got != 1 {
			t.Errorf("%s: %d calls, want 1", name, got)
		}
	}
	before := len(s.Requests())
	chatWith(func(m *chat.Model, _ *verbatim.Prompt) { m.Servers[0].Concurrency, m.Label = 7, "m" })
	if len(s.Requests()) != before {
		t.Error("a setting that is not part of the question caused a new call")
	}
}

func TestFailedCallsAreRecordedAndNotReplayed(t *testing.T) {
	synctest.Test(t, failedCalls)
}

func failedCalls(t *testing.T) {
	s, dir := start(t, "m"), t.TempDir()
	s.Fail = func(n int, _ fake.Request) fake.Fault {
		return []fake.Fault{fake.Length, fake.NoDone, fake.None}[min(n, 2)]
	}
	c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{})
	l := openLedger(t, dir, true)
	if _, err := c.For(l).Chat(t.Context(), ask("Is it?")); chat.KindOf(err) != chat.Length {
		t.Fatal(err)
	}
	if reply, err := c.For(l).Chat(t.Context(), ask("Is it?")); err != nil || reply.Content != "yes" {
		t.Fatal(reply, err)
	}
	file, _ := os.Open(filepath.Join(dir, "HWWJNQ-ledger.jsonl"))
	defer file.Close()
	var outcomes []chat.Kind
	for e, err := range verbatim.Read[chat.Entry](file, "ledger") {
		if err != nil || e.Status != 200 || len(e.Request) == 0 || e.Response == "" || e.Digest == "" || e.Version != "0.17.4" {
			t.Errorf("entry %+v, %v", e, err)
		}
		outcomes = append(outcomes, e.Outcome)
	}
	if len(outcomes) != 3 || outcomes[0] != chat.Length || outcomes[1] != chat.Incomplete || outcomes[2] != "" {
		t.Errorf("outcomes %v", outcomes)
	}
	if errs := c.Stats().Errors; errs[chat.Length] != 1 || errs[chat.Incomplete] != 1 {
		t.Errorf("summary: %v", c.Stats())
	}
}

func TestWithoutReplayTheClientAsksAgainAndTheLaterAnswerCounts(t *testing.T) {
	s, dir := start(t, "m"), t.TempDir()
	answer := "first"
	s.Answer = func(fake.Request) string { return answer }
	c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{})
	for _, step := range []struct {
		now, want string
		replay    bool
	}{{"first", "first", true}, {"second", "first", true}, {"third", "third", false}, {"fourth", "third", true}} {
		answer = step.now
		if reply, err := c.For(openLedger(t, dir, step.replay)).Chat(t.Context(), ask("Is it?")); err != nil || reply.Content != step.want {
			t.Errorf("replay %v: got %q, %v, want %q", step.replay, reply.Content, err, step.want)
		}
	}
}

func TestAnIncompleteLastLineIsMovedToAnotherFile(t *testing.T) {
	s, dir := start(t, "m"), t.TempDir()
	c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{})
	l := openLedger(t, dir, true)
	for _, question := range []string{"Is it?", "Is it not?"} {
		if _, err := c.For(l).Chat(t.Context(), ask(question)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "HWWJNQ-ledger.jsonl")
	whole, _ := os.ReadFile(path)
	if err := os.WriteFile(path, whole[:len(whole)-20], 0o666); err != nil {
		t.Fatal(err)
	}
	again := openLedger(t, dir, true)
	for _, question := range []string{"Is it?", "Is it not?"} {
		if _, err := c.For(again).Chat(t.Context(), ask(question)); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.Requests()) != 3 || again.Torn() == "" {
		t.Errorf("%d calls, moved to %q", len(s.Requests()), again.Torn())
	}
	fixed, _ := os.ReadFile(path)
	if strings.Count(string(fixed), "\n") != 2 {
		t.Errorf("the ledger is now %q", fixed)
	}
}

func TestTheSameQuestionInParallelIsAskedOnce(t *testing.T) {
	synctest.Test(t, sameQuestion)
}

func sameQuestion(t *testing.T) {
	s := start(t, "m")
	s.Delay = time.Minute
	c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL, Concurrency: 8}}}, chat.Limits{})
	book := c.For(openLedger(t, t.TempDir(), true))
	same := func(yield func(verbatim.Prompt, error) bool) {
		for range 8 {
			if !yield(ask("Is it?"), nil) {
				return
			}
		}
	}
	for reply, err := range parallel.Map(t.Context(), 8, same, book.Chat) {
		if err != nil || reply.Content != "yes" {
			t.Error(reply, err)
		}
	}
	if len(s.Requests()) != 1 {
		t.Errorf("asked %d times", len(s.Requests()))
	}
}

func TestAChangedModelIsReportedOnce(t *testing.T) {
	s, dir := start(t, "m"), t.TempDir()
	model := chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}
	book := client(t, model, chat.Limits{}).For(openLedger(t, dir, true))
	for _, q := range []string{"One?", "Two?"} {
		if _, err := book.Chat(t.Context(), ask(q)); err != nil {
			t.Fatal(err)
		}
	}
	s.Models["m"] = fake.Model{Digest: "other", Context: 8192}
	c := client(t, model, chat.Limits{})
	var notices []chat.Notice
	c.Notice = func(n chat.Notice) { notices = append(notices, n) }
	later := c.For(openLedger(t, dir, true))
	for _, q := range []string{"Three?", "One?", "Two?"} {
		if _, err := later.Chat(t.Context(), ask(q)); err != nil {
			t.Fatal(err)
		}
	}
	if len(notices) != 1 || notices[0].Topic != chat.Changed || !strings.Contains(notices[0].Text, "not the model that gave the answers") || len(s.Requests()) != 3 {
		t.Errorf("%d calls, notices %q", len(s.Requests()), notices)
	}
}

// People keep the ledger for years and send it to colleagues.
func TestTheLedgerContainsNoKey(t *testing.T) {
	s, dir := start(t, "m"), t.TempDir()
	c := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL, Key: "sesame"}}}, chat.Limits{})
	if _, err := c.For(openLedger(t, dir, true)).Chat(t.Context(), ask("Is it?")); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "HWWJNQ-ledger.jsonl"))
	if len(text) == 0 || strings.Contains(string(text), "sesame") {
		t.Errorf("the ledger is %s", text)
	}
}

// A damaged line in the middle of a ledger is named with its place; the answers
// around it are used.
func TestADamagedLineOfTheLedgerIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x-ledger.jsonl")
	text := `{"key":"a","response":"{}"}` + "\n" + `{"key":"b","respo` + "\n" + `{"key":"c","response":"{}"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := chat.OpenLedger(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if len(l.Damaged) != 1 || !strings.Contains(l.Damaged[0].Error(), "x-ledger.jsonl:2:") {
		t.Errorf("damaged lines: %v", l.Damaged)
	}
}
