package chat

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim"
)

// realOllama is the server that OLLAMA_HOST names. It creates the scripted models
// there, 5 MB, and removes them afterwards.
func realOllama(t *testing.T) string {
	host := os.Getenv("OLLAMA_HOST")
	if host == "" {
		t.Skip("OLLAMA_HOST is not set: no real server")
	}
	server, err := ParseServer(host)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range createScripted(t, server.URL) {
		t.Cleanup(func() {
			call(t, http.MethodDelete, server.URL+"/api/delete", plainJSON(map[string]string{"model": name}))
		})
	}
	return server.URL
}

// createScripted creates the scripted models at a server, and gives their names.
func createScripted(t *testing.T, address string) (names []string) {
	t.Helper()
	var gguf bytes.Buffer
	if err := writeGGUF(&gguf, scripts()); err != nil {
		t.Fatal(err)
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(gguf.Bytes()))
	call(t, http.MethodPost, address+"/api/blobs/"+digest, gguf.Bytes())
	for _, m := range scriptedModels() {
		body := map[string]any{"model": m.Name, "files": map[string]string{"scripted.gguf": digest}, "template": m.Template,
			"parameters": map[string]int{"num_thread": 1}, "stream": false}
		if m.Parser != "" {
			body["parser"] = m.Parser
		}
		said := call(t, http.MethodPost, address+"/api/create", plainJSON(body))
		if !strings.Contains(said, "success") {
			t.Fatalf("creating %s: %s", m.Name, said)
		}
		names = append(names, m.Name)
	}
	return names
}

func call(t *testing.T, method, address string, body []byte) string {
	t.Helper()
	req, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s %v", method, address, resp.StatusCode, said, err)
	}
	return string(said)
}

func question(model, text string) verbatim.Prompt {
	return verbatim.Prompt{Model: model, Messages: []verbatim.Message{{Role: "user", Content: text}}}
}

// An api is one of the two APIs of a real server.
type api struct{ root, base string }

func (a api) v1() bool { return strings.HasSuffix(a.base, "/v1") }

// client has the scripted models, each changed by change.
func (a api) client(t *testing.T, change func(*Model)) *Client {
	t.Helper()
	m := Model{Servers: []Server{{URL: a.base}}, Context: 2048, Answer: 64, Thinking: 64}
	var models []Model
	for _, s := range scriptedModels() {
		own := m
		own.Label = s.Name
		change(&own)
		models = append(models, own)
	}
	c, err := New(models, m, Limits{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func unchanged(*Model) {}

func TestRealOllama(t *testing.T) {
	root := realOllama(t)
	for name, base := range map[string]string{"native": root, "v1": root + "/v1"} {
		a := api{root, base}
		for part, test := range map[string]func(*testing.T){
			"answers":                   a.answers,
			"thinking is separate":      a.thinking,
			"budgets":                   a.budgets,
			"schema":                    a.schema,
			"unknown model":             a.unknownModel,
			"a prompt that is too long": a.longPrompt,
			"cancelling frees the slot": a.cancelling,
			"replay without the server": a.replay,
			"streams":                   a.streams,
			"presence":                  a.presence,
		} {
			t.Run(name+"/"+part, test)
		}
	}
}

func (a api) answers(t *testing.T) {
	c := a.client(t, unchanged)
	for model, want := range map[string]string{"tiny-yes": "yes", "tiny-no": "no", "tiny-json": `{"answer": "yes"}`,
		"tiny-chat": "Hello, I am a scripted model.", "tiny-think": "Answer: blue sky", "tiny-oss": "Hi there!"} {
		reply, err := c.Chat(t.Context(), question(model, "hi"))
		if err != nil || reply.Content != want {
			t.Errorf("%s: got %q (thinking %q), %v; want %q", model, reply.Content, reply.Thinking, err, want)
		}
	}
}

func (a api) thinking(t *testing.T) {
	c := a.client(t, func(m *Model) { m.Think = map[string]string{"tiny-oss": "low", "tiny-think": "on"}[m.Label] })
	for model, want := range map[string]string{"tiny-think": "Let me think.", "tiny-oss": "User greets me."} {
		reply, err := c.Chat(t.Context(), question(model, "hi"))
		if err != nil || reply.Thinking != want || strings.Contains(reply.Content, want) {
			t.Errorf("%s: got %+v, %v", model, reply, err)
		}
	}
}

func (a api) budgets(t *testing.T) {
	c := a.client(t, func(m *Model) {
		m.Answer = 4 // without Think: /v1 would reject it, and these models think anyway
		if !a.v1() {
			m.Answer, m.Thinking, m.Think = 2, 2, "on"
		}
	})
	for model, want := range map[string]Kind{"tiny-loop": Length, "tiny-oss": ThinkingSpentBudget, "tiny-think": ThinkingSpentBudget} {
		m := *c.model(model)
		r := m.compose(question(model, "hi"))
		x := c.exchange(t.Context(), c.pool.host(m.Servers[0]), &m, r)
		if x.err == nil || x.err.Kind != want {
			t.Errorf("%s: got %v, want %s", model, x.err, want)
		}
	}
}

func (a api) schema(t *testing.T) {
	c := a.client(t, unchanged)
	p := question("tiny-no", "hi")
	p.Schema = json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string","enum":["yes","no"]}},"required":["answer"],"additionalProperties":false}`)
	if reply, err := c.Chat(t.Context(), p); err != nil || !json.Valid([]byte(reply.Content)) {
		t.Errorf("got %q, %v", reply.Content, err)
	}
	m := c.model("tiny-no")
	r := m.compose(p)
	r.Schema = json.RawMessage(`{"type":"strang"}`) // not checked by us, to see the server's error
	x := c.exchange(t.Context(), c.pool.host(m.Servers[0]), m, r)
	if x.err == nil || x.err.Kind != BadSchema {
		t.Errorf("a bad schema: %+v", x.err)
	}
}

func (a api) unknownModel(t *testing.T) {
	if _, err := a.client(t, unchanged).Chat(t.Context(), question("nope:7b", "hi")); KindOf(err) != ModelNotFound {
		t.Errorf("got %v", err)
	}
}

func (a api) longPrompt(t *testing.T) {
	want := ContextExceeded
	if a.v1() {
		want = PromptCut // it cuts without an error, and we notice
	}
	long := strings.Repeat("word7 ", 600) // one token per letter
	if _, err := a.client(t, unchanged).Chat(t.Context(), question("tiny-yes", long)); KindOf(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func (a api) cancelling(t *testing.T) {
	c := a.client(t, func(m *Model) { m.Answer, m.Context = 1900, 2048 })
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := c.Chat(ctx, question("tiny-loop", "hi")); err == nil {
		t.Log("the endless answer ended before it was cancelled")
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := a.client(t, unchanged).Chat(ctx, question("tiny-yes", "hi")); err != nil {
		t.Error(err)
	}
}

func (a api) replay(t *testing.T) {
	ledger, err := OpenLedger(filepath.Join(t.TempDir(), "ledger.jsonl"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	first, err := a.client(t, unchanged).For(ledger).Chat(t.Context(), question("tiny-chat", "hi"))
	if err != nil {
		t.Fatal(err)
	}
	gone := a.client(t, func(m *Model) { m.Servers = []Server{{URL: strings.Replace(a.base, a.root, "http://127.0.0.1:9", 1)}} })
	again, err := gone.For(ledger).Chat(t.Context(), question("tiny-chat", "hi"))
	if err != nil || again != first {
		t.Errorf("first %+v, then %+v, %v", first, again, err)
	}
	if !a.v1() && len(first.Digest) != 64 {
		t.Errorf("the digest is %q", first.Digest)
	}
}

func (a api) streams(t *testing.T) {
	c := a.client(t, unchanged)
	address, body := a.root+"/api/chat", `{"model":"tiny-chat","messages":[{"role":"user","content":"hi"}]}`
	style := Ollama
	if a.v1() {
		address, style = a.base+"/chat/completions", OpenAI
		body = `{"model":"tiny-chat","messages":[{"role":"user","content":"hi"}],"stream":true}`
	}
	raw := c.send(t.Context(), Server{URL: a.base}, address, []byte(body))
	got, err := decode(style, raw.body)
	if err != nil || !got.complete || got.content != "Hello, I am a scripted model." {
		t.Errorf("got %+v, %v from %s", got, err, raw.body)
	}
}

func (a api) presence(t *testing.T) {
	got := a.client(t, unchanged).Look(t.Context(), "tiny-think")
	if len(got) != 1 || !got[0].There || got[0].Context != 2048 || !got[0].Thinks {
		t.Errorf("got %+v", got)
	}
}
