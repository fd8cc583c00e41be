package chat

import (
	"bytes"
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
}

// errNotJSON means that the address answers, but not as a model server.
var errNotJSON = errors.New("the answer is not JSON")

func decode(style Style, body []byte) (answer, error) {
	trimmed := bytes.TrimSpace(body)
	switch {
	case len(trimmed) == 0:
		return answer{}, nil
	case style == Ollama:
		return decodeNative(trimmed)
	case bytes.HasPrefix(trimmed, []byte("data:")), bytes.HasPrefix(trimmed, []byte(":")):
		return decodeEvents(trimmed)
	default:
		return decodeOpenAI(trimmed)
	}
}

// decodeNative reads one object, or a stream of them, one per line. Only "done"
// proves that the answer is complete, not the end of the body.
func decodeNative(body []byte) (answer, error) {
	var a answer
	lines := json.NewDecoder(bytes.NewReader(body))
	for first := true; !a.complete; first = false {
		var piece struct {
			Message struct{ Content, Thinking string }
			Done    bool
			Reason  string `json:"done_reason"`
			Prompt  int    `json:"prompt_eval_count"`
			Answer  int    `json:"eval_count"`
			Error   string
		}
		switch err := lines.Decode(&piece); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return a, nil // cut off: not complete
		case err != nil && first:
			return a, errNotJSON
		case err != nil:
			return a, nil
		}
		a.content += piece.Message.Content
		a.thinking += piece.Message.Thinking
		if piece.Error != "" {
			a.fault = piece.Error
			return a, nil
		}
		a.complete, a.reason, a.promptTokens, a.answerTokens = piece.Done, piece.Reason, piece.Prompt, piece.Answer
	}
	return a, nil
}

// A choice is a message of an OpenAI-style answer, or a part of one.
type choice struct {
	Message, Delta struct {
		Content          *string
		Reasoning        string // Ollama's /v1, OpenRouter
		ReasoningContent string `json:"reasoning_content"` // vLLM and others
	}
	Reason *string `json:"finish_reason"`
}

type completion struct {
	Choices []choice
	Usage   *struct {
		Prompt int `json:"prompt_tokens"`
		Answer int `json:"completion_tokens"`
	}
	Error json.RawMessage
}

func (a *answer) add(c completion) {
	if message := errorText(c.Error); message != "" {
		a.fault = message
	}
	if c.Usage != nil {
		a.promptTokens, a.answerTokens = c.Usage.Prompt, c.Usage.Answer
	}
	if len(c.Choices) == 0 {
		return
	}
	first := c.Choices[0]
	for _, part := range []*string{first.Message.Content, first.Delta.Content} {
		if part != nil {
			a.content += *part
		}
	}
	a.thinking += first.Message.Reasoning + first.Message.ReasoningContent + first.Delta.Reasoning + first.Delta.ReasoningContent
	if first.Reason != nil {
		a.reason = *first.Reason
	}
}

func decodeOpenAI(body []byte) (answer, error) {
	var a answer
	var c completion
	switch err := json.Unmarshal(body, &c); {
	case err != nil && body[0] != '{':
		return a, errNotJSON
	case err != nil:
		return a, nil // cut off
	}
	a.add(c)
	a.complete = a.reason != ""
	return a, nil
}

// decodeEvents reads server-sent events. If the runner process dies, the body
// ends without an error and without [DONE], so [DONE] is required.
func decodeEvents(body []byte) (answer, error) {
	var a answer
	for line := range bytes.Lines(body) {
		data, found := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if !found {
			continue
		}
		data = bytes.TrimSpace(data)
		if string(data) == "[DONE]" {
			a.complete = a.reason != ""
			return a, nil
		}
		var c completion
		if json.Unmarshal(data, &c) != nil {
			return a, nil // cut off
		}
		a.add(c)
	}
	return a, nil
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
// {"error":{"message":"text"}}, or the start of a page.
func errorText(body []byte) string {
	var text string
	if json.Unmarshal(body, &text) == nil {
		return text
	}
	var object struct {
		Error   json.RawMessage
		Message string
		Detail  json.RawMessage
	}
	if json.Unmarshal(body, &object) == nil {
		for _, inner := range []json.RawMessage{object.Error, object.Detail} {
			if len(inner) > 0 && string(inner) != "null" {
				return errorText(inner)
			}
		}
		return object.Message
	}
	text = strings.Join(strings.Fields(string(body)), " ")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "..."
	}
	return text
}

// check is the error of a decoded answer, or nil if the answer can be used.
func (m *Model) check(r request, a answer, window int) *Error {
	e := &Error{Model: m.Label}
	switch {
	case a.fault != "" && strings.HasPrefix(a.fault, runnerDied):
		e.Kind, e.What = RunnerDied, a.fault
	case a.fault != "":
		e.Kind, e.What = Incomplete, a.fault
	case !a.complete:
		e.Kind, e.What = Incomplete, "the answer was cut off"
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
		return m.checkContent(r, a.content)
	}
	if e.Kind == PromptCut {
		e.Remedy = "give the server a larger context window, or use Ollama's own API (an address without /v1)"
	}
	return e
}

// runnerDied starts Ollama's message when its runner process died.
const runnerDied = "an error was encountered while running the model"

// checkContent checks an answer against the schema that was sent: servers may
// ignore it.
func (m *Model) checkContent(r request, content string) *Error {
	if r.compiled == nil {
		return nil
	}
	var value any
	decoder := json.NewDecoder(strings.NewReader(content))
	if err := decoder.Decode(&value); err != nil {
		return &Error{Kind: BadJSON, Model: m.Label, What: "the answer is not JSON: " + err.Error(), Err: err}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return &Error{Kind: BadJSON, Model: m.Label, What: "the answer is more than one JSON value"}
	}
	if what := r.compiled.Check(value, "the answer"); what != "" {
		return &Error{Kind: SchemaMismatch, Model: m.Label, What: what}
	}
	return nil
}
