package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/chat"
	"verbatim/chat/fake"
)

var yesOrNo = json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string","enum":["yes","no"]}},"required":["answer"],"additionalProperties":false}`)

func ask(text string) verbatim.Prompt {
	return verbatim.Prompt{Model: "m", Messages: []verbatim.Message{{Role: "user", Content: text}}}
}

func start(t *testing.T, models ...string) *fake.Server {
	s := fake.New(models...)
	t.Cleanup(s.Close)
	return s
}

// client speaks to fake servers without much patience.
func client(t *testing.T, m chat.Model, limits chat.Limits) *chat.Client {
	t.Helper()
	if limits.Pause == 0 {
		limits.Pause = time.Millisecond
	}
	c, err := chat.New([]chat.Model{m}, chat.Model{}, limits)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// both runs a test by both APIs of one server.
func both(t *testing.T, s *fake.Server, test func(t *testing.T, server chat.Server)) {
	t.Run("ollama", func(t *testing.T) { test(t, chat.Server{URL: s.URL}) })
	t.Run("openai", func(t *testing.T) { test(t, chat.Server{URL: s.URL + "/v1"}) })
}

func TestAnAnswerIsTheAnswerAndThinkingIsKeptApart(t *testing.T) {
	s := start(t)
	s.Models["gpt-oss:20b"] = fake.Model{Digest: "d1", Context: 8192, Thinks: "Is it? It is.", Levels: true}
	both(t, s, func(t *testing.T, server chat.Server) {
		c := client(t, chat.Model{Label: "m", Name: "gpt-oss:20b", Servers: []chat.Server{server}}, chat.Limits{})
		reply, err := c.Chat(t.Context(), ask("Is it?"))
		if err != nil || reply.Content != "yes" || reply.Thinking != "Is it? It is." || reply.Model != "gpt-oss:20b" {
			t.Errorf("got %+v, %v", reply, err)
		}
	})
	native, v1 := s.Requests()[0].Body, s.Requests()[1].Body
	for _, want := range []string{`"think":"low"`, `"num_ctx":8192`, `"num_predict":4096`, `"truncate":false`, `"stream":false`,
		`"temperature":0`, `"top_p":1`, `"top_k":40`, `"repeat_penalty":1`, `"seed":1`, `"keep_alive":"30m"`} {
		if !strings.Contains(native, want) {
			t.Errorf("the native request lacks %s: %s", want, native)
		}
	}
	for _, want := range []string{`"reasoning_effort":"low"`, `"max_tokens":4096`, `"temperature":0`, `"top_p":1`, `"seed":1`, `"stream":false`} {
		if !strings.Contains(v1, want) {
			t.Errorf("the OpenAI-style request lacks %s: %s", want, v1)
		}
	}
}

func TestThinkingIsAskedForAsTheModelCan(t *testing.T) {
	for name, c := range map[string]struct {
		model     fake.Model
		think     string
		native    string // in the native request; empty for none
		v1        string
		v1Retries int
	}{
		"a model that cannot think is not asked to":         {fake.Model{Context: 8192}, "low", "", "", 1},
		"a model not set up to think is told not to":        {fake.Model{Context: 8192, Thinks: "Hm."}, "", `"think":false`, "", 0},
		"a model with levels gets one":                      {fake.Model{Context: 8192, Thinks: "Hm.", Levels: true}, "high", `"think":"high"`, `"reasoning_effort":"high"`, 0},
		"a model without levels is asked to think at large": {fake.Model{Context: 8192, Thinks: "Hm."}, "low", `"think":true`, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			s.Models["m"] = c.model
			both(t, s, func(t *testing.T, server chat.Server) {
				before := len(s.Requests())
				cl := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}, Think: c.think}, chat.Limits{})
				if reply, err := cl.Chat(t.Context(), ask("Is it?")); err != nil || reply.Content != "yes" {
					t.Fatalf("got %+v, %v", reply, err)
				}
				requests := s.Requests()[before:]
				last, want, field := requests[len(requests)-1].Body, c.native, `"think"`
				if strings.HasSuffix(server.URL, "/v1") {
					want, field = c.v1, `"reasoning_effort"`
				}
				if want == "" && strings.Contains(last, field) || !strings.Contains(last, want) {
					t.Errorf("want %q in %s", want, last)
				}
			})
		})
	}
}

// Every fault of a server, the kind of error it becomes, and how many calls
// are made before that is said. once means: only the first call fails.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault         fake.Fault
		once          bool
		schema        bool
		kind          chat.Kind // empty: it is mended by asking again
		native, byV1  int       // calls
		goOn          bool      // the next question may fare better
		alsoSays      string
		differentSeed bool
	}{
		{fault: fake.Hangup, once: true, native: 2, byV1: 2},
		{fault: fake.Busy, once: true, native: 2, byV1: 2},
		{fault: fake.Gateway, once: true, native: 2, byV1: 2},
		{fault: fake.Died, once: true, native: 2, byV1: 2},
		{fault: fake.Died, kind: chat.RunnerDied, native: 3, byV1: 3, goOn: true, alsoSays: "unexpected EOF"},
		{fault: fake.Reset, once: true, native: 2, byV1: 2},
		{fault: fake.Reset, kind: chat.Incomplete, native: 4, byV1: 4, goOn: true, alsoSays: "broke off"},
		{fault: fake.NoDone, once: true, native: 2, byV1: 2},
		{fault: fake.NoDone, kind: chat.Incomplete, native: 4, byV1: 4, goOn: true},
		{fault: fake.BadSchema, schema: true, kind: chat.BadSchema, native: 1, byV1: 1, alsoSays: "invalid JSON schema in format"},
		{fault: fake.Broken, once: true, kind: chat.BadRequest, native: 1, byV1: 2, alsoSays: "something went wrong"},
		{fault: fake.Unknown, kind: chat.ModelNotFound, native: 1, byV1: 1, alsoSays: "model 'm' not found"},
		{fault: fake.Forbidden, kind: chat.Auth, native: 1, byV1: 1, alsoSays: "VARIABLE"},
		{fault: fake.Redirect, kind: chat.BadRequest, native: 1, byV1: 1, alsoSays: "another address"},
		{fault: fake.Hang, kind: chat.Deadline, native: 1, byV1: 1, goOn: true, alsoSays: "time limit"},
		{fault: fake.CutPrompt, kind: chat.PromptCut, native: 1, byV1: 1, goOn: true, alsoSays: "cut the prompt"},
		{fault: fake.EmptyLength, kind: chat.ThinkingSpentBudget, native: 2, byV1: 2, goOn: true, alsoSays: "thinking m: "},
		{fault: fake.EmptyLength, once: true, native: 2, byV1: 2},
		{fault: fake.Length, kind: chat.Length, native: 1, byV1: 1, goOn: true, alsoSays: "512 tokens were allowed"},
		{fault: fake.Empty, kind: chat.EmptyAnswer, native: 1, byV1: 1, goOn: true},
		{fault: fake.InvalidJSON, schema: true, kind: chat.BadJSON, native: 2, byV1: 2, goOn: true, differentSeed: true},
		{fault: fake.InvalidJSON, schema: true, once: true, native: 2, byV1: 2, differentSeed: true},
		{fault: fake.WrongSchema, schema: true, kind: chat.SchemaMismatch, native: 2, byV1: 2, goOn: true, alsoSays: `lacks "answer"`, differentSeed: true},
	} {
		name := string(c.fault)
		if c.once {
			name += " once"
		}
		t.Run(name, func(t *testing.T) {
			for _, v1 := range []bool{false, true} {
				s := start(t, "m")
				s.Answer = func(fake.Request) string { return `{"answer": "yes"} ` }
				s.Fail = func(n int, _ fake.Request) fake.Fault {
					if c.once && n > 0 {
						return fake.None
					}
					return c.fault
				}
				server, calls := chat.Server{URL: s.URL}, c.native
				if v1 {
					server, calls = chat.Server{URL: s.URL + "/v1"}, c.byV1
				}
				limits := chat.Limits{Timeout: 10 * time.Second}
				if c.fault == fake.Hang {
					limits.Timeout = time.Second
				}
				cl := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}}, limits)
				prompt := ask("Is it?")
				if c.schema {
					prompt.Schema = yesOrNo
				}
				reply, err := cl.Chat(t.Context(), prompt)
				want := c.kind
				if c.fault == fake.Broken && v1 {
					want = "" // other servers' 500 is tried once more, Ollama's is a refusal
				}
				if chat.KindOf(err) != want || want == "" && reply.Content != `{"answer": "yes"} ` {
					t.Fatalf("v1 %v: got %q, %q, %v; want kind %q", v1, reply.Content, chat.KindOf(err), err, want)
				}
				if got := s.Requests(); len(got) != calls || c.differentSeed && got[0].Seed == got[1].Seed {
					t.Errorf("v1 %v: %d calls, want %d", v1, len(got), calls)
				}
				if want != "" {
					if errors.Is(err, verbatim.ErrNoAnswer) != c.goOn {
						t.Errorf("ErrNoAnswer is %v, want %v", !c.goOn, c.goOn)
					}
					if !strings.Contains(err.Error(), c.alsoSays) || !strings.HasPrefix(err.Error(), "m at http://127.0.0.1") {
						t.Errorf("the error says %q, without %q", err, c.alsoSays)
					}
				}
			}
		})
	}
}

func TestAnUnknownModelIsNotAskedAndTheErrorSaysWhatToType(t *testing.T) {
	s := start(t, "other")
	_, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{}).Chat(t.Context(), ask("Is it?"))
	if chat.KindOf(err) != chat.ModelNotFound || !strings.Contains(err.Error(), "ollama pull m") || len(s.Requests()) != 0 {
		t.Errorf("got %v after %d calls", err, len(s.Requests()))
	}
}

func TestAPromptThatIsTooLongIsRefused(t *testing.T) {
	s := start(t, "m")
	cl := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}, Context: 1024, Answer: 256}, chat.Limits{})
	_, err := cl.Chat(t.Context(), ask(strings.Repeat("word ", 700)))
	if chat.KindOf(err) != chat.ContextExceeded || len(s.Requests()) != 0 || !strings.Contains(err.Error(), "window of 1024") {
		t.Errorf("by our own estimate: got %v after %d calls", err, len(s.Requests()))
	}
	_, err = cl.Chat(t.Context(), ask(strings.Repeat("a ", 1100))) // a token a word, two bytes a word
	if chat.KindOf(err) != chat.ContextExceeded || len(s.Requests()) != 1 || !strings.Contains(err.Error(), "input length exceeds") {
		t.Errorf("by the server: got %v after %d calls", err, len(s.Requests()))
	}
	s.Models["m"] = fake.Model{Context: 900}
	v1 := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL + "/v1"}}}, chat.Limits{})
	if _, err = v1.Chat(t.Context(), ask(strings.Repeat("a ", 1000))); chat.KindOf(err) != chat.PromptCut {
		t.Errorf("by /v1, which cuts in silence: got %v", err)
	}
}

func TestTagsInTheContentAreThinking(t *testing.T) {
	s := start(t, "m")
	s.Answer = func(fake.Request) string { return "<think>Let me think.</think>\nAnswer: blue sky" }
	both(t, s, func(t *testing.T, server chat.Server) {
		reply, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{server}}, chat.Limits{}).Chat(t.Context(), ask("Is it?"))
		if err != nil || reply.Content != "Answer: blue sky" || reply.Thinking != "Let me think." {
			t.Errorf("got %+v, %v", reply, err)
		}
	})
}

func TestACancelledCallReturnsAtOnce(t *testing.T) {
	s := start(t, "m")
	s.Fail = func(int, fake.Request) fake.Fault { return fake.Hang }
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, nil)
	time.AfterFunc(50*time.Millisecond, cancel)
	begin := time.Now()
	_, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{}).Chat(ctx, ask("Is it?"))
	if chat.KindOf(err) != chat.Cancelled || !errors.Is(err, context.Canceled) || time.Since(begin) > 20*time.Second {
		t.Errorf("got %v after %v", err, time.Since(begin))
	}
}

func TestASchemaThatIsNoneIsRefusedBeforeTheCall(t *testing.T) {
	s := start(t, "m")
	for _, bad := range []string{`{"type":"strang"}`, `{"type":"object","patternProperties":{}}`, `{`, `7`} {
		p := ask("Is it?")
		p.Schema = json.RawMessage(bad)
		_, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{}).Chat(t.Context(), p)
		if chat.KindOf(err) != chat.BadSchema || len(s.Requests()) > 0 {
			t.Errorf("%s: got %v after %d calls", bad, err, len(s.Requests()))
		}
	}
}

func TestAKeyGoesToItsServerAlone(t *testing.T) {
	with, without := start(t, "m"), start(t, "n")
	c, err := chat.New([]chat.Model{
		{Label: "m", Servers: []chat.Server{{URL: with.URL + "/v1", Key: "sesame"}}},
		{Label: "n", Servers: []chat.Server{{URL: without.URL + "/v1"}}},
	}, chat.Model{}, chat.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"m", "n"} {
		p := ask("Is it?")
		p.Model = label
		if _, err := c.Chat(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if got := with.Requests()[0].Key; got != "Bearer sesame" {
		t.Errorf("its own server got %q", got)
	}
	if got := without.Requests()[0].Key; got != "" {
		t.Errorf("the other server got %q", got)
	}
}

func TestCapsStopBeforeTheCall(t *testing.T) {
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
	s := start(t, "m")
	s.Fail = func(n int, _ fake.Request) fake.Fault { return []fake.Fault{fake.Later, fake.None}[min(n, 1)] }
	begin := time.Now()
	if _, err := client(t, chat.Model{Label: "m", Servers: []chat.Server{{URL: s.URL}}}, chat.Limits{}).Chat(t.Context(), ask("Is it?")); err != nil || time.Since(begin) < time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
}
