package verbatim

import (
	"context"
	"encoding/json"
	"errors"
)

// A Pair is two texts; the second may follow the first.
type Pair struct{ First, Second string }

// A Scorer returns log P(second follows first) for each pair.
type Scorer interface {
	Score(ctx context.Context, pairs []Pair) ([]float64, error)
}

// A Measurer is a Scorer that reads only a part of a long pair.
type Measurer interface {
	// Measure returns the length of a text in wordpieces, counted up to limit+1, and
	// the limit: how much of it is read if the other text of the pair is empty.
	Measure(text string) (length, limit int)
	// Room returns how much is read of a text whose partner in the pair is given.
	Room(partner string) int
}

// A Prompt is one request to the language model that it names.
type Prompt struct {
	Model    string
	Messages []Message
	Schema   json.RawMessage // JSON Schema of the answer; nil for free text

	// Temperature and Seed are zero for a reproducible answer. A second,
	// different answer to the same prompt needs both.
	Temperature float64
	Seed        int
}

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

// A Reply is a complete answer. Content does not include the model's thinking.
type Reply struct {
	Content  string
	Thinking string
	Model    string // the server's name for the model
	Digest   string // of the model, if the server reports it
}

// ErrNoAnswer means that a model gave no usable answer to one prompt: it was cut
// off, empty, late, or did not fit the schema. The next prompt may succeed. An
// unreachable server is a different error.
var ErrNoAnswer = errors.New("the model gave no usable answer")

// A ChatModel returns a complete answer to a prompt, or an error.
type ChatModel interface {
	Chat(ctx context.Context, p Prompt) (Reply, error)
}
