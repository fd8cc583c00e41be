package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/chat"
	"verbatim/chat/fake"
)

var yesOrNo = json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string","enum":["yes","no"]}},"required":["answer"],"additionalProperties":false}`)

func ask(text string) verbatim.Prompt {
	return verbatim.Prompt{Model: "m", Messages: []verbatim.Message{{Role: "user", Content: text}}}
}

// start starts a server in memory.
func start(t *testing.T, models ...string) *fake.Server {
	s := startInMemory(models...)
	t.Cleanup(s.Close)
	return s
}

// client connects to servers in memory.
func client(t *testing.T, m chat.Model, limits chat.Limits) *chat.Client {
	t.Helper()
	c, err := chat.New([]chat.Model{m}, chat.Model{}, limits)
	if err != nil {
		t.Fatal(err)
	}
	c.Dial(dial)
	t.Cleanup(c.Close)
	return c
}

// both runs a test with each of the two APIs, on a server of its own that has the
// model m, and in fake time.
func both(t *testing.T, test func(t *testing.T, s *fake.Server, server chat.Server)) {
	for name, path := range map[string]string{"ollama": "", "openai": "/v1"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := start(t, "m")
				test(t, s, chat.Server{URL: s.URL + path})
			})
		})
	}
}

func isV1(server chat.Server) bool { return strings.HasSuffix(server.URL, "/v1") }

func TestAnAnswerComesWithoutItsThinking(t *testing.T) {
	both(t, func(t *testing.T, s *fake.Server, server chat.Server) {
		s.Models["gpt-oss:20b"] = fake.Model{Digest: "d1", Context: 8192, Thinks: "Is it? It is.", Levels: true}
		c := client(t, chat.Model{Label: "m", Name: "gpt-oss:20b", Servers: []chat.Server{server}}, chat.Limits{})
		reply, err := c.Chat(t.Context(), ask("Is it?"))
		if err != nil || reply.Content != "yes" || reply.Thinking != "Is it? It is." || reply.Model != "gpt-oss:20b" {
			t.Errorf("got %+v, %v", reply, err)
		}
		fields := []string{`"think":"low"`, `"num_ctx":8192`, `"num_predict":4096`, `"truncate":false`, `"stream":false`,
			`"temperature":0`, `"top_p":1`, `"top_k":40`, `"repeat_penalty":1`, `"seed":1`, `"keep_alive":"30m"`}
		if isV1(server) {
			fields = []string{`"reasoning_effort":"low"`, `"max_tokens":4096`, `"temperature":0`, `"top_p":1`, `"seed":1`, `"stream":false`}
		}
		for _, want := range fields {
			if body := s.Requests()[0].Body; !strings.Contains(body, want) {
				t.Errorf("the request lacks %s: %s", want, body)
			}
		}
	})
}

func TestThinkingIsRequestedAsTheModelSupportsIt(t *testing.T) {
	for name, c := range map[string]struct {
		model  fake.Model
		think  string
		native string // in the native request; empty for none
		v1     string
	}{
		"a model that cannot think":         {fake.Model{Context: 8192}, "low", "", ""},
		"thinking is not configured":        {fake.Model{Context: 8192, Thinks: "Hm."}, "", `"think":false`, ""},
		"a model with levels":               {fake.Model{Context: 8192, Thinks: "Hm.", Levels: true}, "high", `"think":"high"`, `"reasoning_effort":"high"`},
		"a model that thinks without level": {fake.Model{Context: 8192, Thinks: "Hm."}, "low", `"think":true`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, s *fake.Server, server chat.Server) {
				s.Models["m"] = c.model
				cl := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}, Think: c.think}, chat.Limits{})
				if reply, err := cl.Chat(t.Context(), ask("Is it?")); err != nil || reply.Content != "yes" {
					t.Fatalf("got %+v, %v", reply, err)
				}
				requests := s.Requests()
				last, want, field := requests[len(requests)-1].Body, c.native, `"think"`
				if isV1(server) {
					want, field = c.v1, `"reasoning_effort"`
				}
				if want == "" && strings.Contains(last, field) || !strings.Contains(last, want) {
					t.Errorf("want %q in %s", want, last)
				}
			})
		})
	}
}

// A faultCase is a fault of a server, the kind of error that it becomes, and after
// how many calls.
type faultCase struct {
	fault         fake.Fault
	once          bool // only the first call fails
	schema        bool
	kind          chat.Kind // empty: asking again helps
	native, byV1  int       // calls
	oneCall       bool      // other questions may succeed
	alsoSays      string
	differentSeed bool
}

var faultCases = []faultCase{
	{fault: fake.Hangup, once: true, native: 2, byV1: 2},
	{fault: fake.Busy, once: true, native: 2, byV1: 2},
	{fault: fake.Gateway, once: true, native: 2, byV1: 2},
	{fault: fake.Died, once: true, native: 2, byV1: 2},
	{fault: fake.Died, kind: chat.RunnerDied, native: 3, byV1: 3, oneCall: true, alsoSays: "unexpected EOF"},
	{fault: fake.Reset, once: true, native: 2, byV1: 2},
	{fault: fake.Reset, kind: chat.Incomplete, native: 4, byV1: 4, oneCall: true, alsoSays: "cut off"},
	{fault: fake.NoDone, once: true, native: 2, byV1: 2},
	{fault: fake.NoDone, kind: chat.Incomplete, native: 4, byV1: 4, oneCall: true},
	{fault: fake.BadSchema, schema: true, kind: chat.BadSchema, native: 1, byV1: 1, alsoSays: "invalid JSON schema in format"},
	{fault: fake.Killed, once: true, native: 2, byV1: 2},
	{fault: fake.Killed, kind: chat.RunnerDied, native: 3, byV1: 3, oneCall: true, alsoSays: "unexpectedly stopped"},
	{fault: fake.Broken, once: true, native: 2, byV1: 2},
	{fault: fake.Broken, kind: chat.ServerError, native: 2, byV1: 2, oneCall: true, alsoSays: "something went wrong"},
	{fault: fake.Unknown, kind: chat.ModelNotFound, native: 1, byV1: 1, alsoSays: "model 'm' not found"},
	{fault: fake.Forbidden, kind: chat.Auth, native: 1, byV1: 1, alsoSays: "invalid key"},
	{fault: fake.Redirect, kind: chat.BadRequest, native: 1, byV1: 1, alsoSays: "another address"},
	{fault: fake.Hang, kind: chat.Deadline, native: 1, byV1: 1, oneCall: true, alsoSays: "time limit"},
	{fault: fake.CutPrompt, kind: chat.PromptCut, native: 1, byV1: 1, oneCall: true, alsoSays: "cut the prompt"},
	{fault: fake.EmptyLength, kind: chat.ThinkingSpentBudget, native: 2, byV1: 2, oneCall: true, alsoSays: "thinking used all 4096 tokens"},
	{fault: fake.EmptyLength, once: true, native: 2, byV1: 2},
	{fault: fake.Length, kind: chat.Length, native: 1, byV1: 1, oneCall: true, alsoSays: "limit of 512 tokens"},
	{fault: fake.Empty, kind: chat.EmptyAnswer, native: 1, byV1: 1, oneCall: true},
	{fault: fake.InvalidJSON, schema: true, kind: chat.BadJSON, native: 2, byV1: 2, oneCall: true, differentSeed: true},
	{fault: fake.InvalidJSON, schema: true, once: true, native: 2, byV1: 2, differentSeed: true},
	{fault: fake.WrongSchema, schema: true, kind: chat.SchemaMismatch, native: 2, byV1: 2, oneCall: true, alsoSays: `the answer has no field "answer"`, differentSeed: true},
}

func TestFaults(t *testing.T) {
	for _, c := range faultCases {
		name := string(c.fault)
		if c.once {
			name += " once"
		}
		t.Run(name, func(t *testing.T) { both(t, c.test) })
	}
}

func (c faultCase) test(t *testing.T, s *fake.Server, server chat.Server) {
	s.Answer = func(fake.Request) string { return `{"answer": "yes"} ` }
	s.Fail = func(n int, _ fake.Request) fake.Fault {
		if c.once && n > 0 {
			return fake.None
		}
		return c.fault
	}
	prompt := ask("Is it?")
	if c.schema {
		prompt.Schema = yesOrNo
	}
	reply, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}}, chat.Limits{}).Chat(t.Context(), prompt)
	want, calls := c.kind, c.native
	if isV1(server) {
		calls = c.byV1
	}
	if chat.KindOf(err) != want || want == "" && reply.Content != `{"answer": "yes"} ` {
		t.Fatalf("got %q, %q, %v; want kind %q", reply.Content, chat.KindOf(err), err, want)
	}
	if got := s.Requests(); len(got) != calls || c.differentSeed && got[0].Seed == got[1].Seed {
		t.Errorf("%d calls, want %d", len(got), calls)
	}
	if want == "" {
		return
	}
	if errors.Is(err, verbatim.ErrNoAnswer) != c.oneCall {
		t.Errorf("ErrNoAnswer is %v, want %v", !c.oneCall, c.oneCall)
	}
	if !strings.Contains(err.Error(), c.alsoSays) || !strings.HasPrefix(err.Error(), "m at http://127.0.0.1") {
		t.Errorf("the error says %q, without %q", err, c.alsoSays)
	}
}

func TestTheErrorOfAnUnknownModelSaysHowToGetIt(t *testing.T) {
	s := start(t, "other")
	_, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{}).Chat(t.Context(), ask("Is it?"))
	if chat.KindOf(err) != chat.ModelNotFound || !strings.Contains(err.Error(), "ollama pull m") || len(s.Requests()) != 0 {
		t.Errorf("got %v after %d calls", err, len(s.Requests()))
	}
}

func TestAPromptThatIsTooLongIsRejected(t *testing.T) {
	s := start(t, "m")
	cl := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}, Context: 1024, Answer: 256}, chat.Limits{})
	_, err := cl.Chat(t.Context(), ask(strings.Repeat("word ", 700)))
	if chat.KindOf(err) != chat.ContextExceeded || len(s.Requests()) != 0 || !strings.Contains(err.Error(), "context window of 1024") {
		t.Errorf("by our estimate: got %v after %d calls", err, len(s.Requests()))
	}
	_, err = cl.Chat(t.Context(), ask(strings.Repeat("a ", 1100))) // one token per word, two bytes per word
	if chat.KindOf(err) != chat.ContextExceeded || len(s.Requests()) != 1 || !strings.Contains(err.Error(), "input length exceeds") {
		t.Errorf("by the server: got %v after %d calls", err, len(s.Requests()))
	}
	s.Models["m"] = fake.Model{Context: 900}
	v1 := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL + "/v1"}}}, chat.Limits{})
	if _, err = v1.Chat(t.Context(), ask(strings.Repeat("a ", 1000))); chat.KindOf(err) != chat.PromptCut {
		t.Errorf("by /v1, which cuts without an error: got %v", err)
	}
}

func TestThinkTagsInTheContentAreThinking(t *testing.T) {
	both(t, func(t *testing.T, s *fake.Server, server chat.Server) {
		s.Answer = func(fake.Request) string { return "<think>Let me think.</think>\nAnswer: blue sky" }
		reply, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}}, chat.Limits{}).Chat(t.Context(), ask("Is it?"))
		if err != nil || reply.Content != "Answer: blue sky" || reply.Thinking != "Let me think." {
			t.Errorf("got %+v, %v", reply, err)
		}
	})
}

func TestACancelledCallReturnsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, "m")
		s.Fail = func(int, fake.Request) fake.Fault { return fake.Hang }
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		begin := time.Now()
		_, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{}).Chat(ctx, ask("Is it?"))
		if chat.KindOf(err) != chat.Cancelled || !errors.Is(err, context.Canceled) || time.Since(begin) != time.Minute {
			t.Errorf("got %v after %v", err, time.Since(begin))
		}
	})
}

func TestABadSchemaIsRejectedBeforeTheCall(t *testing.T) {
	s := start(t, "m")
	for _, bad := range []string{`{"type":"strang"}`, `{"type":"object","required":"answer"}`, `{"$ref":"https://example.org/schema"}`, `{`, `7`} {
		p := ask("Is it?")
		p.Schema = json.RawMessage(bad)
		_, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{}).Chat(t.Context(), p)
		if chat.KindOf(err) != chat.BadSchema || len(s.Requests()) > 0 {
			t.Errorf("%s: got %v after %d calls", bad, err, len(s.Requests()))
		}
	}
}

// Servers may ignore a schema; the client checks all of it.
func TestAnAnswerMustMatchTheWholeSchema(t *testing.T) {
	s := start(t, "m")
	cl := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{})
	p := ask("Is it?")
	p.Schema = json.RawMessage(`{"type":"object","patternProperties":{"^n_":{"type":"number"}},"additionalProperties":false}`)
	for answer, want := range map[string]chat.Kind{
		`{"n_a":1}`:             "",
		` {"n_a":1,"n_b":2.5} `: "",
		`{"n_a":"1"}`:           chat.SchemaMismatch,
		`{"a":1}`:               chat.SchemaMismatch,
		`[]`:                    chat.SchemaMismatch,
		`{"n_a":1} {}`:          chat.BadJSON,
		`{"n_a":1`:              chat.BadJSON,
		`{"n_a":1e999}`:         chat.BadJSON,
	} {
		s.Answer = func(fake.Request) string { return answer }
		if _, err := cl.Chat(t.Context(), p); chat.KindOf(err) != want {
			t.Errorf("%s: got %v, want %q", answer, err, want)
		}
	}
}

func TestAdviceBecomesTheRemedy(t *testing.T) {
	s := start(t, "m")
	s.Fail = func(int, fake.Request) fake.Fault { return fake.Forbidden }
	cl := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}, Context: 1024}, chat.Limits{})
	cl.Advice = func(e *chat.Error) string { return fmt.Sprintf("%s needs %d tokens", e.Kind, e.Tokens) }
	if _, err := cl.Chat(t.Context(), ask("Is it?")); !strings.HasSuffix(err.Error(), "; auth needs 0 tokens") {
		t.Errorf("from the server: %v", err)
	}
	if _, err := cl.Chat(t.Context(), ask(strings.Repeat("word ", 700))); !strings.HasSuffix(err.Error(), "; context_exceeded needs 2782 tokens") {
		t.Errorf("before the call: %v", err)
	}
}

func TestAKeyIsSentToItsServerOnly(t *testing.T) {
	with, without := start(t, "m"), start(t, "n")
	c, err := chat.New([]chat.Model{
		{Label: "m", Servers: []chat.Server{{URL: with.URL + "/v1", Key: "sesame"}}},
		{Label: "n", Servers: []chat.Server{{URL: without.URL + "/v1"}}},
	}, chat.Model{}, chat.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c.Dial(dial)
	t.Cleanup(c.Close)
	for _, label := range []string{"m", "n"} {
		p := ask("Is it?")
		p.Model = label
		if _, err := c.Chat(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if got := with.Requests()[0].Key; got != "Bearer sesame" {
		t.Errorf("its server got %q", got)
	}
	if got := without.Requests()[0].Key; got != "" {
		t.Errorf("the other server got %q", got)
	}
}

func TestLimitsStopBeforeTheCall(t *testing.T) {
	s := start(t, "m")
	cl := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{MaxCalls: 2})
	for range 2 {
		if _, err := cl.Chat(t.Context(), ask("Is it?")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := cl.Chat(t.Context(), ask("Is it?")); chat.KindOf(err) != chat.OverBudget || errors.Is(err, verbatim.ErrNoAnswer) || len(s.Requests()) != 2 {
		t.Errorf("got %v after %d calls", err, len(s.Requests()))
	}
}

// When the limit is reached the caller stops the run. By then the calls in
// progress are answered, recorded and counted, because they were paid for.
func TestLimitsLetCallsInProgressFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, "m")
		s.Delay = time.Minute
		cl := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL, Concurrency: 2}}}, chat.Limits{MaxCalls: 1})
		ledger := openLedger(t, t.TempDir(), true)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		first := make(chan error, 1)
		go func() { _, err := cl.For(ledger).Chat(ctx, ask("Is it?")); first <- err }()
		synctest.Wait() // the first call waits for its answer
		_, err := cl.For(ledger).Chat(ctx, ask("Is it not?"))
		stop()
		if chat.KindOf(err) != chat.OverBudget || !strings.Contains(err.Error(), "the limit of 1 call is reached") {
			t.Errorf("the second call ended with %v", err)
		}
		if has, _ := cl.Has(ledger, ask("Is it?")); !has || cl.Stats().Calls != 1 {
			t.Errorf("the answer is not in the ledger, or not counted: %v", cl.Stats())
		}
		if err := <-first; err != nil {
			t.Errorf("the first call ended with %v", err)
		}
	})
}

func TestParseServer(t *testing.T) {
	for in, want := range map[string]string{
		"http://gpu1:11434/": "http://gpu1:11434", "gpu1": "http://gpu1:11434", "0.0.0.0:8080": "http://127.0.0.1:8080",
		"0.0.0.0": "http://127.0.0.1:11434", "https://example.org/api/v1": "https://example.org/api/v1", "[::1]:9": "http://[::1]:9",
	} {
		if got, err := chat.ParseServer(in); err != nil || got.URL != want {
			t.Errorf("%s: got %s, %v; want %s", in, got.URL, err, want)
		}
	}
	for _, bad := range []string{"", "ftp://gpu1", "http://", "http://user:pass@gpu1"} {
		if got, err := chat.ParseServer(bad); err == nil || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%q was read as %v, %v", bad, got, err)
		}
	}
}

func TestRetryAfterIsObeyed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, "m")
		s.Fail = func(n int, _ fake.Request) fake.Fault { return []fake.Fault{fake.Later, fake.None}[min(n, 1)] }
		begin := time.Now()
		if _, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{}).Chat(t.Context(), ask("Is it?")); err != nil || time.Since(begin) != time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}
