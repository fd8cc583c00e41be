package chat

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim"
	"verbatim/chat/fake"
	"verbatim/internal/schema"
)

// A fixture is one recorded exchange with a real Ollama.
type fixture struct {
	path, request string
	status        int
	response      string
}

// recorded reads the exchanges from the protocol file.
func recorded(t *testing.T) map[string]fixture {
	file, err := os.ReadFile("../../shared/docs/llm-protocol.md")
	if err != nil {
		t.Skip("no recorded exchanges next to this checkout:", err)
	}
	fixtures := map[string]fixture{}
	block := regexp.MustCompile("(?s)\n### ([a-z0-9-]+)\n.*?```request\n(?:GET|POST) (\\S+)\n(.*?)```\n\n```response\n(\\d+) [^\n]*\n(.*?)```")
	for _, m := range block.FindAllStringSubmatch(string(file), -1) {
		status := 200
		if m[4] != "200" {
			_ = json.Unmarshal([]byte(m[4]), &status)
		}
		fixtures[m[1]] = fixture{path: m[2], request: m[3], status: status, response: m[5]}
	}
	return fixtures
}

// Each recorded answer, as the client reads it: the kind of error, or the answer.
func TestRecordedAnswers(t *testing.T) {
	fixtures := recorded(t)
	want := map[string]string{
		"chat": "yes", "chat-stream": "Hello, I am a scripted model.\n", "chat-length": "length", "chat-stop": " w01 w02 w03 w04 ",
		"chat-load": "empty_answer", "chat-unload": "empty_answer", "chat-logprobs": "yes",
		"chat-schema": `{"answer" : "yes" } `, "chat-schema-scripted": `{"answer": "yes"}`, "chat-schema-cut": "length", "chat-json": `{"answer": "yes"}`,
		"chat-format-bad": "bad_schema", "chat-schema-bad": "bad_schema", "chat-unknown-model": "model_not_found", "chat-no-model": "bad_request",
		"chat-bad-body": "bad_request", "chat-unknown-option": "yes", "chat-option-type": "bad_request", "busy": "busy", "died": "runner_died",
		"chat-think-true-none": "bad_request", "chat-think-false-none": "yes", "chat-think-low-none": "bad_request", "chat-think-max": "bad_request",
		"chat-think-huge": "bad_request", "chat-think-default": "Answer: blue sky", "chat-think-stream": "Answer: blue sky",
		"chat-think-false": "Answer: blue sky", "chat-think-low": "bad_request", "chat-think-budget": "thinking_spent_budget",
		"chat-too-long": "prompt_cut", "chat-too-long-refused": "context_exceeded", "chat-endless": "length", "chat-endless-noshift": "length",
		"v1-chat": "yes", "v1-stream": "yes", "v1-length": "length", "v1-max-completion": "length", "v1-max-completion-only": "Hello, I am a scripted model.\n",
		"v1-stop": " w01 w02 w03 w04 ", "v1-schema": `{"answer" : "yes" } `, "v1-json-object": `{"answer": "yes"}`, "v1-logprobs": "yes",
		"v1-unknown-model": "model_not_found", "v1-no-messages": "bad_request", "v1-effort-low-none": "bad_request", "v1-effort-none": "yes",
		"v1-effort-bogus": "bad_request", "v1-think": "Answer: blue sky", "v1-think-stream": "Answer: blue sky", "v1-think-effort-low": "bad_request",
		"v1-think-budget": "thinking_spent_budget", "v1-chat-too-long": "prompt_cut", "v1-auth": "no", "v1-busy": "busy", "v1-died": "runner_died",
		"oss-chat": "Hi there!", "oss-think-low": "Hi there!", "oss-think-true": "Hi there!", "oss-think-false": "Hi there!", "oss-budget": "thinking_spent_budget",
		"oss-v1-effort-low": "Hi there!", "oss-v1-effort-none": "Hi there!", "oss-v1-budget": "thinking_spent_budget",
		"died-stream": "runner_died", "v1-died-stream": "incomplete", "cut-stream": "incomplete",
		"chat-think-schema": `{ "answer":"yes" }`, "oss-schema": `{"answer":"yes" }`, "oss-schema-nothink": `{"answer":"yes" }`, "oss-v1-schema": `{"answer":"yes" }`,
	}
	seen := 0
	for name, f := range fixtures {
		if f.path != "/api/chat" && f.path != "/v1/chat/completions" {
			continue
		}
		seen++
		if got := f.outcome(); strings.TrimRight(got, " \t\n") != strings.TrimRight(want[name], " \t\n") {
			t.Errorf("%s: got %q, want %q", name, got, want[name])
		}
	}
	if seen != len(want) || seen < 60 {
		t.Errorf("%d recorded chat exchanges, %d expected", seen, len(want))
	}
}

// outcome reads a recorded answer as the client would.
func (f fixture) outcome() string {
	m := &Model{Label: "m", Servers: []Server{{URL: "http://localhost"}}}
	window := 256 // of chat-too-long
	if strings.HasPrefix(f.path, "/v1") {
		m.Servers[0].URL, window = "http://localhost/v1", 2048 // of v1-chat-too-long
	}
	r := request{Style: m.style()}
	var asked struct{ Format json.RawMessage }
	if json.Unmarshal([]byte(f.request), &asked) == nil && bytes.HasPrefix(asked.Format, []byte("{")) {
		r.compiled, _ = schema.Compile(asked.Format)
	}
	got := raw{status: f.status, body: []byte(f.response)}
	e := got.failure(m.Servers[0])
	var a answer
	if e == nil {
		a, e = m.read(r, got, window)
	}
	if e != nil {
		return string(e.Kind)
	}
	return a.content
}

// redirected sends every call to a server on this computer.
type redirected struct{ host string }

func (e redirected) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", e.host
	return http.DefaultTransport.RoundTrip(r)
}

// A notice names a server on another computer once, before the first text is sent
// to it. Asking which models it has sends no text.
func TestANoticeNamesARemoteServerBeforeTheFirstText(t *testing.T) {
	s := fake.New("m")
	defer s.Close()
	c, err := New(nil, Model{Servers: []Server{{URL: "https://example.org", Key: "sesame"}}}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	c.http.Transport = redirected{strings.TrimPrefix(s.URL, "http://")}
	var notices []string
	c.Notice = func(n Notice) { notices = append(notices, n.Text) }
	for _, here := range []string{"http://localhost:11434", "http://127.0.0.1/v1"} {
		c.announce(Server{URL: here})
	}
	if found := c.Look(t.Context(), "m"); len(found) != 1 || !found[0].There || len(notices) > 0 {
		t.Errorf("found %+v, notices %q", found, notices)
	}
	ledger, err := OpenLedger(filepath.Join(t.TempDir(), "ledger.jsonl"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	for _, question := range []string{"One?", "Two?"} {
		prompt := verbatim.Prompt{Model: "m", Messages: []verbatim.Message{{Role: "user", Content: question}}}
		if _, err := c.For(ledger).Chat(t.Context(), prompt); err != nil {
			t.Fatal(err)
		}
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "are sent to https://example.org") || strings.Contains(notices[0], "sesame") {
		t.Errorf("notices %q", notices)
	}
}
