package verbatim

import (
	"context"
	"encoding/json"
	"errors"
)

// A Pair is two texts of which the second may follow the first.
type Pair struct{ First, Second string }

// A Scorer says, for each pair, log P(second follows first).
type Scorer interface {
	Score(ctx context.Context, pairs []Pair) ([]float64, error)
}

// A Prompt is one question to a language model, which it names.
type Prompt struct {
	Model    string
	Messages []Message
	Schema   json.RawMessage // JSON Schema of the answer; nil for free text

	// Temperature and Seed stay zero for the answer that comes again and again;
	// a second, different answer to the same question needs both.
	Temperature float64
	Seed        int
}

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

// A Reply is a complete answer; what the model thought on the way is kept apart.
type Reply struct {
	Content  string
	Thinking string
	Model    string // who answered: the server's name for the model
	Digest   string // of the model, where the server tells it
}

// ErrNoAnswer is the error of one question to which a model gave no usable
// answer: cut off, empty, not of the schema, too late. The next question may
// fare better. A server that is away is not this error.
var ErrNoAnswer = errors.New("the model gave no usable answer")

// A ChatModel answers a prompt, whole or with an error.
type ChatModel interface {
	Chat(ctx context.Context, p Prompt) (Reply, error)
}
