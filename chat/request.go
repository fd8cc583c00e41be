package chat

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"verbatim"
	"verbatim/internal/schema"
)

// A Style is one of the two APIs of servers.
type Style string

// The two styles.
const (
	Ollama Style = "ollama" // Ollama's own API
	OpenAI Style = "openai" // vLLM, llama.cpp, OpenRouter, LM Studio, Ollama's /v1
)

// A request is everything that we decide about one call, and nothing that only
// a server knows. Its hash is the key of the call in the ledger, so that a run
// can be replayed without a server.
type request struct {
	Style    Style              `json:"style"`
	Model    string             `json:"model"` // the server's name
	Messages []verbatim.Message `json:"messages"`
	Schema   json.RawMessage    `json:"schema,omitempty"`
	Think    string             `json:"think,omitempty"`
	Options  options            `json:"options"`

	compiled *schema.Schema // of Schema; nil: the answer is not checked
}

// options are sent with every call, because a server's defaults depend on its
// version and its graphics memory. The names are Ollama's.
type options struct {
	Context       int     `json:"num_ctx"`
	Predict       int     `json:"num_predict"`
	Temperature   float64 `json:"temperature"`
	TopP          float64 `json:"top_p"`
	TopK          int     `json:"top_k"`
	RepeatPenalty float64 `json:"repeat_penalty"`
	Seed          int     `json:"seed"`
}

// compose makes the request for a prompt.
func (m *Model) compose(p verbatim.Prompt) request {
	return request{
		Style: m.style(), Model: m.Name, Messages: p.Messages, Schema: p.Schema, Think: m.Think,
		Options: options{Context: m.Context, Predict: m.budget(), Temperature: p.Temperature,
			TopP: 1, TopK: 40, RepeatPenalty: 1, Seed: 1 + p.Seed},
	}
}

// key identifies a request in the ledger.
func (r request) key() string {
	text, err := json.Marshal(r)
	if err != nil {
		return "" // a schema that is not JSON, which ask rejects
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// promptTokens estimates the length of the prompt. Four bytes per token is about
// right for English prose and the vocabularies of today's models.
func (r request) promptTokens() int {
	size := 0
	for _, m := range r.Messages {
		size += len(m.Content) + 16 // for the marks of the template
	}
	return (size + 3) / 4
}

func (r request) promptWords() int {
	words := 0
	for _, m := range r.Messages {
		words += len(strings.Fields(m.Content))
	}
	return words
}

// body is the request as it is sent; known decides how to ask for thinking.
func (r request) body(known facts, tokensField string) []byte {
	if r.Style == Ollama {
		return plainJSON(struct {
			Model     string             `json:"model"`
			Messages  []verbatim.Message `json:"messages"`
			Stream    bool               `json:"stream"`
			Truncate  bool               `json:"truncate"` // false: a prompt that is too long is an error
			Shift     bool               `json:"shift"`    // false: an endless answer stops at the end of the window
			KeepAlive string             `json:"keep_alive"`
			Think     any                `json:"think,omitempty"`
			Format    json.RawMessage    `json:"format,omitempty"`
			Options   options            `json:"options"`
		}{Model: r.Model, Messages: r.Messages, KeepAlive: "30m", Think: known.think(r.Think), Format: r.Schema, Options: r.Options})
	}
	body := map[string]any{
		"model": r.Model, "messages": r.Messages, "stream": false,
		"temperature": r.Options.Temperature, "top_p": r.Options.TopP, "seed": r.Options.Seed,
		// Ollama's /v1 ignores the newer max_completion_tokens.
		cmp.Or(tokensField, "max_tokens"): r.Options.Predict,
	}
	if r.Schema != nil {
		body["response_format"] = map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": "answer", "strict": true, "schema": r.Schema}}
	}
	if effort := known.effort(r.Think); effort != "" {
		body["reasoning_effort"] = effort
	}
	return plainJSON(body)
}

// plainJSON is JSON that people can read in the ledger.
func plainJSON(value any) []byte {
	out, _ := verbatim.MarshalPlain(value) // it fails only for a schema that is not JSON, which ask rejects
	return out
}

// think is the value of Ollama's field. If thinking is not configured it is
// switched off, because it would use up the tokens of the answer. A model that
// cannot think rejects the field.
func (f facts) think(level string) any {
	switch {
	case !f.Thinks:
		return nil
	case level == "" || level == "off":
		return false
	case level == "on" || f.noLevels:
		return true
	default:
		return level
	}
}

// effort is the same for the other API, where only a rejected request shows
// what a model can do.
func (f facts) effort(level string) string {
	switch {
	case f.noLevels:
		return ""
	case level == "off":
		return "none"
	case level == "on":
		return "medium"
	default:
		return level
	}
}

// An answer is what a server sent, complete or not.
type answer struct {
	content, thinking string
	reason            string // stop, length, load, ...
	complete          bool   // the server said that the answer ends here
	promptTokens      int
	answerTokens      int
	fault             string // an error that came after HTTP 200

	said, thought []byte // the pieces of content and thinking
}

// errNotJSON means that the address answers, but not as a model server.
var errNotJSON = errors.New("the answer is not JSON")

// decode reads the body of an answer: one object, or a stream of pieces.
func decode(style Style, body []byte) (a answer, err error) {
	body = bytes.TrimSpace(body)
	switch {
	case len(body) == 0:
	case style == Ollama:
		err = a.decodeNative(body)
	case bytes.HasPrefix(body, []byte("data:")), bytes.HasPrefix(body, []byte(":")):
		a.decodeEvents(body)
	default:
		err = a.decodeOpenAI(body)
	}
	a.content, a.thinking = string(a.said), string(a.thought)
	return a, err
}

// decodeNative reads one object per line. Only "done" proves that the answer is
// complete, not the end of the body.
func (a *answer) decodeNative(body []byte) error {
	lines := json.NewDecoder(bytes.NewReader(body))
	for first := true; !a.complete && a.fault == ""; first = false {
		var piece struct {
			Message struct{ Content, Thinking string }
			Done    bool
			Reason  string `json:"done_reason"`
			Prompt  int    `json:"prompt_eval_count"`
			Answer  int    `json:"eval_count"`
			Error   string
		}
		switch err := lines.Decode(&piece); {
		case err != nil && first && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return errNotJSON
		case err != nil:
			return nil // cut off: not complete
		}
		a.said = append(a.said, piece.Message.Content...)
		a.thought = append(a.thought, piece.Message.Thinking...)
		if a.fault = piece.Error; a.fault == "" {
			a.complete, a.reason, a.promptTokens, a.answerTokens = piece.Done, piece.Reason, piece.Prompt, piece.Answer
		}
	}
	return nil
}

// A completion is an OpenAI-style answer, or a piece of one.
type completion struct {
	Choices []struct {
		Message, Delta message
		Reason         string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt int `json:"prompt_tokens"`
		Answer int `json:"completion_tokens"`
	}
	Error json.RawMessage
}

type message struct {
	Content          string
	Reasoning        string // Ollama's /v1, OpenRouter
	ReasoningContent string `json:"reasoning_content"` // vLLM and others
}

func (a *answer) add(c completion) {
	a.fault = cmp.Or(errorText(c.Error), a.fault)
	if c.Usage != nil {
		a.promptTokens, a.answerTokens = c.Usage.Prompt, c.Usage.Answer
	}
	if len(c.Choices) == 0 {
		return
	}
	first := c.Choices[0]
	for _, part := range []message{first.Message, first.Delta} {
		a.said = append(a.said, part.Content...)
		a.thought = append(append(a.thought, part.Reasoning...), part.ReasoningContent...)
	}
	a.reason = cmp.Or(first.Reason, a.reason)
}

func (a *answer) decodeOpenAI(body []byte) error {
	var c completion
	switch err := json.Unmarshal(body, &c); {
	case err != nil && body[0] != '{':
		return errNotJSON
	case err == nil: // else it was cut off
		a.add(c)
		a.complete = a.reason != ""
	}
	return nil
}

// decodeEvents reads server-sent events. If the runner process dies, the body
// ends without an error and without [DONE], so [DONE] is required.
func (a *answer) decodeEvents(body []byte) {
	for line := range bytes.Lines(body) {
		data, found := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if !found {
			continue
		}
		if string(bytes.TrimSpace(data)) == "[DONE]" {
			a.complete = a.reason != ""
			return
		}
		var c completion
		if json.Unmarshal(data, &c) != nil {
			return // cut off
		}
		a.add(c)
	}
}

// splitThinking moves <think> text out of the content.
func (a *answer) splitThinking() {
	rest, found := strings.CutPrefix(strings.TrimLeft(a.content, " \n"), "<think>")
	if !found {
		return
	}
	thought, content, closed := strings.Cut(rest, "</think>")
	if !closed {
		thought, content = rest, "" // the budget ended while it was thinking
	}
	a.thinking += strings.TrimSpace(thought)
	a.content = strings.TrimLeft(content, " \n")
}

// errorText finds the message in the body of an error: {"error":"text"},
// {"error":{"message":"text"}}, or the start of a page. It looks a few levels
// deep: each level reads all that is inside it.
func errorText(body []byte) string {
	for range 4 {
		var text string
		if json.Unmarshal(body, &text) == nil {
			return shorten(text, keptOfFailure)
		}
		var object struct {
			Error, Detail json.RawMessage
			Message       string
		}
		if json.Unmarshal(body, &object) != nil {
			break
		}
		if body = object.Error; len(body) == 0 || string(body) == "null" {
			body = object.Detail
		}
		if len(body) == 0 || string(body) == "null" {
			return shorten(object.Message, keptOfFailure)
		}
	}
	body = bytes.TrimSpace(body)
	return shorten(strings.Join(strings.Fields(string(body[:min(len(body), 4096)])), " "), 200)
}

// shorten keeps the start of a long text.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// check is the error of a decoded answer, or nil if the answer can be used.
func (m *Model) check(r request, a answer, window int) *Error {
	e := &Error{}
	switch {
	case runnerDied(a.fault):
		e.Kind, e.What = RunnerDied, a.fault
	case a.fault != "" || !a.complete:
		e.Kind, e.What = Incomplete, cmp.Or(a.fault, "the answer was cut off")
	case a.reason == "length" && strings.TrimSpace(a.content) == "":
		e.Kind, e.What = ThinkingSpentBudget, fmt.Sprintf("thinking used all %d tokens of the limit, and no answer came", r.Options.Predict)
		e.Tokens = 2 * max(m.Thinking, 1024)
	case a.reason == "length":
		e.Kind, e.What = Length, fmt.Sprintf("the answer is longer than the limit of %d tokens", r.Options.Predict)
	case a.reason == "load" || a.reason == "unload" || strings.TrimSpace(a.content) == "":
		e.Kind, e.What = EmptyAnswer, "the answer is empty"
	case a.reason == "content_filter":
		e.Kind, e.What = EmptyAnswer, "the server withheld the answer (content_filter)"
	case window > 0 && a.promptTokens >= window:
		e.Kind, e.What = PromptCut, fmt.Sprintf("the server cut the prompt to its context window of %d tokens", window)
	case r.Style == OpenAI && a.promptTokens > 0 && r.promptWords() > 100 && 4*a.promptTokens < 3*r.promptWords():
		e.Kind, e.What = PromptCut, fmt.Sprintf("the server cut the prompt: it read %d tokens of %d words", a.promptTokens, r.promptWords())
	default:
		return r.checkContent(a.content)
	}
	if e.Kind == PromptCut {
		e.Remedy = "give the server a larger context window, or use Ollama's own API (an address without /v1)"
	}
	return e
}

// checkContent checks an answer against its schema, which servers may ignore.
func (r request) checkContent(content string) *Error {
	if r.compiled == nil {
		return nil
	}
	var value any
	decoder := json.NewDecoder(strings.NewReader(content))
	if err := decoder.Decode(&value); err != nil {
		return &Error{Kind: BadJSON, What: "the answer is not JSON: " + err.Error(), Err: err}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return &Error{Kind: BadJSON, What: "the answer is more than one JSON value"}
	}
	if what := r.compiled.Check(value, "the answer"); what != "" {
		return &Error{Kind: SchemaMismatch, What: what}
	}
	return nil
}
