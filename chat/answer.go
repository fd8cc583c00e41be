package chat

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

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

// checkContent checks an answer against the schema that was sent: servers may
// ignore it.
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
