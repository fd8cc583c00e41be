package review

import "sync"

// Claims say who looks at which draft now, so that two people who review one
// folder at the same time get different drafts, and are told where they do not.
// Sessions share one. A nil Claims holds none.
type Claims struct {
	mu   sync.Mutex
	held map[string][]string // the reviewers by draft, the first to come first
}

// NewClaims returns claims for sessions to share.
func NewClaims() *Claims { return &Claims{held: map[string][]string{}} }

// by is another person who looks at a draft, or "".
func (c *Claims) by(draft, except string) string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range c.held[draft] {
		if name != except {
			return name
		}
	}
	return ""
}

// move gives up one draft and takes another; "" is none.
func (c *Claims) move(reviewer, from, to string) {
	if c == nil || from == to {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, name := range c.held[from] {
		if name == reviewer {
			c.held[from] = append(c.held[from][:i:i], c.held[from][i+1:]...)
			break
		}
	}
	if len(c.held[from]) == 0 {
		delete(c.held, from)
	}
	if to != "" {
		c.held[to] = append(c.held[to], reviewer)
	}
}

// Leave gives up what the session's reviewer looks at: they closed their window.
func (s *Session) Leave() {
	s.acting.Lock()
	defer s.acting.Unlock()
	s.Claims.move(s.Reviewer, s.claimed, "")
	s.claimed = ""
}
