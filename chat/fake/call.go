package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

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

// limit cuts the answer to the allowed number of tokens, including those of
// thinking.
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
