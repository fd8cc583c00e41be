package verbatim

import (
	"context"
	"encoding/json"
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
}

// A ChatModel answers a prompt, whole or with an error.
type ChatModel interface {
	Chat(ctx context.Context, p Prompt) (Reply, error)
}
