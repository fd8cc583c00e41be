package chat

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"verbatim"
)

// A Style is one of the two ways in which servers are spoken to.
type Style string

// The two styles.
const (
	Ollama Style = "ollama" // Ollama's own API
	OpenAI Style = "openai" // vLLM, llama.cpp, OpenRouter, LM Studio, Ollama's /v1
)

// A request is all that we decide about one call, and nothing that only a
// server can tell: its hash is the call's name in the ledger, and a run can be
// replayed where there is no server.
type request struct {
	Style    Style              `json:"style"`
	Model    string             `json:"model"` // the server's name
	Messages []verbatim.Message `json:"messages"`
	Schema   json.RawMessage    `json:"schema,omitempty"`
	Think    string             `json:"think,omitempty"`
	Options  options            `json:"options"`
}

// options are sent with every call: a server's own defaults differ with its
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

// compose makes the request of a prompt.
func (m *Model) compose(p verbatim.Prompt) request {
	return request{
		Style: m.style(), Model: m.Name, Messages: p.Messages, Schema: p.Schema, Think: m.Think,
		Options: options{Context: m.Context, Predict: m.budget(), Temperature: p.Temperature,
			TopP: 1, TopK: 40, RepeatPenalty: 1, Seed: 1 + p.Seed},
	}
}

// key is the name of a request in the ledger.
func (r request) key() string {
	text, err := json.Marshal(r)
	if err != nil {
		return "" // a schema that is no JSON; check has refused it before
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// promptTokens is our estimate of the prompt's length; four bytes a token is
// near the mark for English prose and any of today's vocabularies.
func (r request) promptTokens() int {
	size := 0
	for _, m := range r.Messages {
		size += len(m.Content) + 16 // the template's marks
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

// body is the request as a server is sent it. What was learnt of the model at
// this server decides how thinking is asked for.
func (r request) body(known facts, tokensField string) []byte {
	if r.Style == Ollama {
		return r.nativeBody(known)
	}
	return r.openAIBody(known, tokensField)
}

func (r request) nativeBody(known facts) []byte {
	return plainJSON(struct {
		Model     string             `json:"model"`
		Messages  []verbatim.Message `json:"messages"`
		Stream    bool               `json:"stream"`
		Truncate  bool               `json:"truncate"` // false: a prompt too long is an error, not cut in silence
		Shift     bool               `json:"shift"`    // false: an endless answer ends with the window
		KeepAlive string             `json:"keep_alive"`
		Think     any                `json:"think,omitempty"`
		Format    json.RawMessage    `json:"format,omitempty"`
		Options   options            `json:"options"`
	}{Model: r.Model, Messages: r.Messages, KeepAlive: "30m", Think: known.think(r.Think), Format: r.Schema, Options: r.Options})
}

func (r request) openAIBody(known facts, tokensField string) []byte {
	body := map[string]any{
		"model": r.Model, "messages": r.Messages, "stream": false,
		"temperature": r.Options.Temperature, "top_p": r.Options.TopP, "seed": r.Options.Seed,
	}
	if tokensField == "" {
		tokensField = "max_tokens" // Ollama's /v1 ignores the newer max_completion_tokens
	}
	body[tokensField] = r.Options.Predict
	if r.Schema != nil {
		body["response_format"] = map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": "answer", "strict": true, "schema": r.Schema}}
	}
	if effort := known.effort(r.Think); effort != "" {
		body["reasoning_effort"] = effort
	}
	return plainJSON(body)
}

// plainJSON is JSON as people read it in the ledger: no \u003c for <.
func plainJSON(value any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil // only a schema that is no JSON; check has refused it before
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// think is the value of Ollama's field. A model that was not set up to think
// is told not to, for thinking would eat the budget of its answer; a model
// that cannot think must not be asked to at all.
func (f facts) think(wish string) any {
	switch {
	case !f.Thinks:
		return nil
	case wish == "" || wish == "off":
		return false
	case wish == "on" || f.noLevels:
		return true
	default:
		return wish
	}
}

// effort is the same wish in the words of the other API, where only a refusal
// tells what a model can do.
func (f facts) effort(wish string) string {
	switch {
	case f.noLevels:
		return ""
	case wish == "off":
		return "none"
	case wish == "on":
		return "medium"
	default:
		return wish
	}
}
