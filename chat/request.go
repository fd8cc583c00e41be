package chat

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
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

// body is the request as it is sent. The facts about the model at this server
// decide how to ask for thinking.
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
