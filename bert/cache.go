package bert

import (
	"container/list"
	"sync"
)

// cacheBytes is how much memory the vectors of sentences may take: some 600
// sentences of the small model, about as many as the candidates of one category.
const cacheBytes = 20 << 20

// A state is what the lower layers make of one sentence: a row for each token. It
// does not change.
type state struct {
	length int // tokens
	rows   []float32
}

func (s *state) bytes() int { return 4 * len(s.rows) }

// A cache keeps the states of the sentences used last, by their text. A state is a
// function of the text alone, so nothing depends on what the cache still has. It
// is safe for concurrent use.
type cache struct {
	limit int // bytes

	mu      sync.Mutex
	bytes   int
	entries map[string]*list.Element
	order   list.List // of *entry, the one used last in front
}

type entry struct {
	text  string
	state *state
}

func (e *entry) bytes() int { return len(e.text) + e.state.bytes() + 200 } // with the maps' share

func newCache(limit int) *cache { return &cache{limit: limit, entries: map[string]*list.Element{}} }

// get returns the state of a text, or nil.
func (c *cache) get(text string) *state {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.entries[text]
	if at == nil {
		return nil
	}
	c.order.MoveToFront(at)
	return at.Value.(*entry).state
}

// put adds a state and drops those that were not used for longest.
func (c *cache) put(text string, s *state) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[text] != nil {
		return // another goroutine was faster
	}
	e := &entry{text, s}
	c.entries[text] = c.order.PushFront(e)
	c.bytes += e.bytes()
	for c.bytes > c.limit {
		last := c.order.Remove(c.order.Back()).(*entry)
		delete(c.entries, last.text)
		c.bytes -= last.bytes()
	}
}
