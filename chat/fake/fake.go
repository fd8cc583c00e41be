// Package fake is a language model server for tests. It speaks both APIs without
// streaming, in the exact form of a real Ollama, gives the answers that a test sets,
// and fails on demand in every way that servers fail.
package fake

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Fault is a way to fail.
type Fault string

// The faults.
const (
	None        Fault = ""
	Hangup      Fault = "hangup"       // the connection is closed before an answer
	Busy        Fault = "busy"         // 503
	Later       Fault = "later"        // 429, try again in a second
	Gateway     Fault = "gateway"      // 502 with a page of HTML
	Died        Fault = "died"         // 500, the runner process died
	Killed      Fault = "killed"       // 500, the kernel killed the runner process
	BadSchema   Fault = "bad schema"   // 500, although the request is wrong
	Broken      Fault = "broken"       // 500 without a reason
	Unknown     Fault = "unknown"      // 404, no such model
	Forbidden   Fault = "forbidden"    // 401
	Redirect    Fault = "redirect"     // to another host
	Hang        Fault = "hang"         // no answer at all
	Reset       Fault = "reset"        // the body is cut off
	NoDone      Fault = "no done"      // the body ends normally, but the answer is not done
	CutPrompt   Fault = "cut prompt"   // a part of the prompt was dropped without an error
	EmptyLength Fault = "empty length" // thinking used all tokens
	Length      Fault = "length"       // the answer is cut off
	Empty       Fault = "empty"        // an empty answer, stop
	InvalidJSON Fault = "invalid json" // prose instead of JSON
	WrongSchema Fault = "wrong schema" // JSON that does not match the schema
	NotAModel   Fault = "not a model"  // a web page, 200
)

// A Model of the fake server.
type Model struct {
	Digest  string
	Context int
	Thinks  string // what it thinks before each answer
	Levels  bool   // it accepts low, medium and high, like gpt-oss
}

// A Request is a call as the server understood it.
type Request struct {
	Model  string
	Prompt string // the last message
	Body   string
	Key    string // the Authorization header
	Seed   int
}

// A Server is a fake server. Set its fields before its first call.
type Server struct {
	URL    string
	Models map[string]Model
	Answer func(Request) string         // what the model says
	Fail   func(n int, r Request) Fault // of the nth call, from 0
	Delay  time.Duration                // of each answer

	http     *http.Server
	away     atomic.Bool
	frozen   atomic.Bool
	mu       sync.Mutex
	requests []Request
	running  int
	most     int
}

// New starts a server on a free port of this computer. It answers every prompt
// with "yes". Close it.
func New(models ...string) *Server {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic("fake: no free port: " + err.Error())
	}
	s := At(l.Addr().String(), models...)
	go func() { _ = s.Serve(l) }() // returns when the server is closed
	return s
}

// At is a server at an address, which answers nothing before Serve.
func At(address string, models ...string) *Server {
	s := &Server{URL: "http://" + address, Models: map[string]Model{}}
	for _, name := range models {
		s.Models[name] = Model{Digest: fmt.Sprintf("%064x", len(name)), Context: 32768}
	}
	s.http = &http.Server{Handler: http.HandlerFunc(s.handle)}
	return s
}

// Serve answers the connections of a listener, as http.Server does.
func (s *Server) Serve(l net.Listener) error { return s.http.Serve(l) }

// Close stops the server and ends all calls.
func (s *Server) Close() { _ = s.http.Close() }

// Away makes the server drop every connection, until Away(false).
func (s *Server) Away(away bool) { s.away.Store(away) }

// Freeze makes the server accept connections and answer none, until Freeze(false).
func (s *Server) Freeze(frozen bool) { s.frozen.Store(frozen) }

// Requests are the chat calls so far, in the order in which they arrived.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Most is the largest number of chat calls in progress at the same time.
func (s *Server) Most() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	if s.away.Load() {
		panic(http.ErrAbortHandler)
	}
	body, _ := io.ReadAll(r.Body)
	if s.frozen.Load() {
		<-r.Context().Done()
		return
	}
	switch r.URL.Path {
	case "/api/version":
		send(w, 200, native, `{"version":"0.17.4"}`)
	case "/api/tags":
		send(w, 200, native, s.list(`{"models":[%s]}`, `{"name":%q,"model":%[1]q,"digest":%q,"size":1}`))
	case "/v1/models":
		send(w, 200, "application/json", s.list(`{"object":"list","data":[%s]}`, `{"id":%q,"object":"model","created":1794709698,"owned_by":"library"}%.0s`)+"\n")
	case "/api/ps":
		send(w, 200, native, `{"models":[]}`)
	case "/api/show":
		s.show(w, body)
	case "/api/chat", "/v1/chat/completions":
		s.chat(w, r, body)
	default:
		send(w, 404, "text/plain", "404 page not found")
	}
}

const native = "application/json; charset=utf-8" // Ollama's own API

func (s *Server) list(whole, each string) string {
	var items []string
	for name, m := range s.Models {
		if !strings.Contains(name, ":") {
			name += ":latest"
		}
		items = append(items, fmt.Sprintf(each, name, m.Digest))
	}
	return fmt.Sprintf(whole, strings.Join(items, ","))
}

func (s *Server) show(w http.ResponseWriter, body []byte) {
	var asked struct{ Model string }
	_ = json.Unmarshal(body, &asked)
	m, there := s.Models[asked.Model]
	if !there {
		send(w, 404, native, fmt.Sprintf(`{"error":"model '%s' not found"}`, asked.Model))
		return
	}
	capabilities := `["completion"]`
	if m.Thinks != "" {
		capabilities = `["completion","thinking"]`
	}
	send(w, 200, native, fmt.Sprintf(
		`{"modelfile":"","details":{"format":"gguf","family":"llama"},"model_info":{"general.architecture":"llama","llama.context_length":%d},"capabilities":%s}`,
		m.Context, capabilities))
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request, body []byte) {
	c := call{server: s, w: w, v1: strings.HasPrefix(r.URL.Path, "/v1")}
	if err := json.Unmarshal(body, &c.asked); err != nil || len(c.asked.Messages) == 0 {
		c.fail(400, "messages are missing")
		return
	}
	c.request = Request{Model: c.asked.Model, Prompt: c.asked.Messages[len(c.asked.Messages)-1].Content,
		Body: string(body), Key: r.Header.Get("Authorization"), Seed: c.asked.Seed + c.asked.Options.Seed}
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, c.request)
	s.running++
	s.most = max(s.most, s.running)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.running--
		s.mu.Unlock()
	}()
	if s.Fail != nil {
		c.fault = s.Fail(n, c.request)
	}
	delay := s.Delay
	if c.fault == Hang {
		delay = time.Hour
	}
	select {
	case <-time.After(delay):
		c.answer()
	case <-r.Context().Done():
	}
}

func send(w http.ResponseWriter, status int, kind, body string) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// A call is one chat call.
type call struct {
	server  *Server
	w       http.ResponseWriter
	v1      bool
	request Request
	fault   Fault
	asked   struct {
		Model    string
		Messages []struct{ Role, Content string }
		Truncate *bool
		Think    any
		Options  struct {
			Context int `json:"num_ctx"`
			Predict int `json:"num_predict"`
			Seed    int
		}

		Seed      int
		MaxTokens int    `json:"max_tokens"`
		Effort    string `json:"reasoning_effort"`
	}
}

// fail sends an error in the form of the API.
func (c *call) fail(status int, message string) {
	if !c.v1 {
		send(c.w, status, native, `{"error":`+quote(message)+`}`)
		return
	}
	send(c.w, status, "application/json", `{"error":{"message":`+quote(message)+`,"type":"api_error","param":null,"code":null}}`+"\n")
}

// failures are the faults that are an HTTP status with a message.
var failures = map[Fault]struct {
	status  int
	message string
}{
	Busy:      {503, "server busy, please try again.  maximum pending requests exceeded"},
	Later:     {429, "too many requests"},
	Died:      {500, "an error was encountered while running the model: unexpected EOF"},
	Killed:    {500, "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error"},
	BadSchema: {500, "invalid JSON schema in format"},
	Broken:    {500, "something went wrong"},
	Forbidden: {401, "invalid key"},
}

func (c *call) answer() {
	m, there := c.server.Models[c.asked.Model]
	if c.fault == Later {
		c.w.Header().Set("Retry-After", "1")
	}
	f, fails := failures[c.fault]
	switch {
	case !there || c.fault == Unknown:
		c.fail(404, fmt.Sprintf("model '%s' not found", c.asked.Model))
	case fails:
		c.fail(f.status, f.message)
	case c.fault == Hangup:
		panic(http.ErrAbortHandler)
	case c.fault == Gateway:
		send(c.w, 502, "text/html", "<html><body>Bad gateway</body></html>")
	case c.fault == Redirect:
		c.w.Header().Set("Location", "http://elsewhere.example/")
		send(c.w, 307, "text/plain", "")
	case c.fault == NotAModel:
		send(c.w, 200, "text/html", "<html><body>Welcome to the library's network</body></html>")
	case c.rejectsThinking(m):
	default:
		c.speak(m)
	}
}

// rejectsThinking answers a request for thinking that the model cannot do.
func (c *call) rejectsThinking(m Model) bool {
	level, isLevel := c.asked.Think.(string)
	if c.asked.Effort != "" && c.asked.Effort != "none" {
		level, isLevel = c.asked.Effort, true
	}
	switch {
	case m.Thinks == "" && (isLevel || c.asked.Think == true):
		c.fail(400, fmt.Sprintf("%q does not support thinking", c.asked.Model))
	case isLevel && !m.Levels:
		c.fail(400, fmt.Sprintf("think value %q is not supported for this model", level))
	default:
		return false
	}
	return true
}

// said is an answer before it is encoded.
type said struct {
	content, thinking, reason string
	prompt, tokens            int
}

// speak makes the answer. Each word counts as one token.
func (c *call) speak(m Model) {
	window := m.Context
	if !c.v1 && c.asked.Options.Context > 0 {
		window = min(window, c.asked.Options.Context)
	}
	out := said{content: "yes", thinking: m.Thinks, reason: "stop"}
	if c.server.Answer != nil {
		out.content = c.server.Answer(c.request)
	}
	for _, message := range c.asked.Messages {
		out.prompt += len(strings.Fields(message.Content)) + 2
	}
	if out.prompt > window && !c.v1 && c.asked.Truncate != nil && !*c.asked.Truncate {
		c.fail(400, "the input length exceeds the context length")
		return
	}
	if out.prompt > window || c.fault == CutPrompt {
		out.prompt = window
	}
	out.limit(max(c.asked.MaxTokens, c.asked.Options.Predict))
	out.damage(c.fault)
	body, kind := c.object(out), native
	if c.v1 {
		body, kind = c.completion(out), "application/json"
	}
	if c.fault == Reset {
		c.w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		send(c.w, 200, kind, body[:len(body)/2])
		_ = http.NewResponseController(c.w).Flush()
		panic(http.ErrAbortHandler)
	}
	send(c.w, 200, kind, body)
}

// limit cuts the answer to a number of tokens, including those of thinking.
func (a *said) limit(most int) {
	thought, words := len(strings.Fields(a.thinking)), strings.Fields(a.content)
	a.tokens = thought + len(words)
	if most > 0 && a.tokens > most {
		a.reason, a.tokens = "length", most
		a.content = strings.Join(words[:max(0, most-thought)], " ")
	}
}

func (a *said) damage(f Fault) {
	switch f {
	case EmptyLength:
		a.content, a.thinking, a.reason = "", "Let me think.", "length"
	case Length:
		a.content, a.reason = a.content[:len(a.content)/2+1], "length"
	case Empty:
		a.content = ""
	case InvalidJSON:
		a.content = "Certainly! The answer is: yes"
	case WrongSchema:
		a.content = `{"verdict": 7}`
	}
}

// object is the answer as Ollama's own API sends it.
func (c *call) object(out said) string {
	done := fmt.Sprintf(`,"done":true,"done_reason":%q,"total_duration":12121454,"prompt_eval_count":%d,"eval_count":%d`, out.reason, out.prompt, out.tokens)
	if c.fault == NoDone {
		done = `,"done":false`
	}
	return fmt.Sprintf(`{"model":%s,"created_at":"2026-11-15T02:28:35.230284922Z","message":{"role":"assistant","content":%s%s}%s}`,
		quote(c.asked.Model), quote(out.content), out.thought("thinking"), done)
}

// completion is the answer as Ollama's /v1 sends it.
func (c *call) completion(out said) string {
	reason := quote(out.reason)
	if c.fault == NoDone {
		reason = "null"
	}
	return fmt.Sprintf(`{"id":"chatcmpl-519","object":"chat.completion","created":1794709716,"model":%s,"system_fingerprint":"fp_ollama","choices":[{"index":0,"message":{"role":"assistant","content":%s%s},"finish_reason":%s}],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}}`+"\n",
		quote(c.asked.Model), quote(out.content), out.thought("reasoning"), reason, out.prompt, out.tokens, out.prompt+out.tokens)
}

// thought is the field of thinking, if there is any.
func (a said) thought(field string) string {
	if a.thinking == "" {
		return ""
	}
	return fmt.Sprintf(`,%q:%s`, field, quote(a.thinking))
}

// quote is a JSON string in the form of Ollama, with \u003c for <.
func quote(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}
