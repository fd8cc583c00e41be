package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/durable"
)

// An Entry of the ledger is one call: the request as sent, the answer as it
// came, and what is known of who gave it. Failed calls are entries too.
type Entry struct {
	Key          string          `json:"key"` // sha256 of what we decided about the call
	Time         time.Time       `json:"time"`
	Label        string          `json:"label"`
	Model        string          `json:"model"` // the server's name for it
	Style        Style           `json:"style"`
	Server       string          `json:"server"`
	Digest       string          `json:"digest,omitempty"`
	Version      string          `json:"version,omitempty"`
	Request      json.RawMessage `json:"request"`
	Status       int             `json:"status"`
	Response     string          `json:"response"` // byte for byte
	Outcome      Kind            `json:"outcome,omitempty"`
	Error        string          `json:"error,omitempty"`
	Reason       string          `json:"reason,omitempty"`
	PromptTokens int             `json:"prompt_tokens,omitempty"`
	AnswerTokens int             `json:"answer_tokens,omitempty"`
	Seconds      float64         `json:"seconds"`
}

func (e *Entry) fill(raw raw, x exchange) {
	e.Status, e.Response = raw.status, strings.ToValidUTF8(string(raw.body), "\uFFFD")
	e.Reason, e.PromptTokens, e.AnswerTokens = x.answer.reason, x.answer.promptTokens, x.answer.answerTokens
	e.Seconds = time.Since(e.Time).Round(time.Millisecond).Seconds()
	if x.err != nil {
		e.Outcome, e.Error = x.err.Kind, x.err.What
	}
}

// A Ledger holds all calls made for one book. An answer is on the disk before
// it is used, and a call that stands in the ledger is not made again.
type Ledger struct {
	log *durable.Log

	mu      sync.Mutex
	answers map[string]Entry
	asking  map[string]chan struct{} // calls in flight, so that none is made twice
}

// OpenLedger opens a book's ledger, and makes it where there is none. Without
// replay the answers of earlier runs are kept but not used.
func OpenLedger(path string, replay bool) (*Ledger, error) {
	log, err := durable.OpenLog(path) // sets a torn last line aside
	if err != nil {
		return nil, err
	}
	l := &Ledger{answers: map[string]Entry{}}
	if replay {
		if l, err = ReadLedger(path); err != nil {
			return nil, errors.Join(err, log.Close())
		}
	}
	l.log, l.asking = log, map[string]chan struct{}{}
	return l, nil
}

// ReadLedger reads a ledger for a look: nothing is written, and a file that is
// not there is empty.
func ReadLedger(path string) (*Ledger, error) {
	l := &Ledger{answers: map[string]Entry{}}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return l, l.read(file, path)
}

// read takes in the complete answers; of two for one key the later counts.
func (l *Ledger) read(file io.Reader, path string) error {
	for entry, err := range verbatim.Read[Entry](file, path) {
		if bad := (*verbatim.LineError)(nil); errors.As(err, &bad) {
			continue // a line that a hand or a disk spoilt costs one call
		}
		if err != nil {
			return err
		}
		if entry.Outcome == "" {
			l.answers[entry.Key] = entry
		}
	}
	return nil
}

// Close closes the file. Every entry was already on the disk.
func (l *Ledger) Close() error { return l.log.Close() }

// Torn is the file that a torn last line was moved to, or empty.
func (l *Ledger) Torn() string { return l.log.Torn }

// claim gives the answer to a key, or makes the caller the one who asks.
func (l *Ledger) claim(ctx context.Context, key string) (Entry, bool, error) {
	for {
		l.mu.Lock()
		if entry, there := l.answers[key]; there {
			l.mu.Unlock()
			return entry, true, nil
		}
		other := l.asking[key]
		if other == nil {
			l.asking[key] = make(chan struct{})
			l.mu.Unlock()
			return Entry{}, false, nil
		}
		l.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return Entry{}, false, ctx.Err()
		}
	}
}

func (l *Ledger) release(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.asking[key])
	delete(l.asking, key)
}

func (l *Ledger) record(entry Entry) error {
	if err := l.log.Append(entry); err != nil {
		return err
	}
	if entry.Outcome == "" {
		l.mu.Lock()
		l.answers[entry.Key] = entry
		l.mu.Unlock()
	}
	return nil
}

// For is the client as one book sees it: through the book's ledger.
func (c *Client) For(l *Ledger) verbatim.ChatModel { return &booked{client: c, ledger: l} }

// Offline answers from the ledger alone.
func (c *Client) Offline(l *Ledger) verbatim.ChatModel {
	return &booked{client: c, ledger: l, offline: true}
}

// Stands says whether the ledger has the answer to a prompt, and about how many
// tokens a call would read if not: what a run would cost before it starts.
func (c *Client) Stands(l *Ledger, p verbatim.Prompt) (stands bool, tokens int) {
	r := c.Model(p.Model).compose(p)
	l.mu.Lock()
	defer l.mu.Unlock()
	_, stands = l.answers[r.key()]
	return stands, r.promptTokens()
}

type booked struct {
	client  *Client
	ledger  *Ledger
	offline bool
}

func (b *booked) Chat(ctx context.Context, p verbatim.Prompt) (verbatim.Reply, error) {
	m := b.client.Model(p.Model)
	r := m.compose(p)
	key := r.key()
	entry, there, err := b.ledger.claim(ctx, key)
	if err != nil {
		return verbatim.Reply{}, contextError(ctx, m.Label)
	}
	if there {
		b.client.replayed(entry)
		return entry.reply()
	}
	defer b.ledger.release(key)
	if b.offline {
		return verbatim.Reply{}, b.client.count(&Error{Kind: NotInTheLedger, Model: m.Label,
			What: "the ledger has no answer to this question", Remedy: "leave out --offline to ask a server"})
	}
	return b.client.ask(ctx, m, r, b.ledger.record)
}

// reply reads a stored answer as if it had come just now.
func (e Entry) reply() (verbatim.Reply, error) {
	a, err := decode(e.Style, []byte(e.Response))
	if err != nil {
		return verbatim.Reply{}, fmt.Errorf("the ledger's answer to call %s cannot be read: %w; use --no-replay to ask anew", e.Key, err)
	}
	a.splitThinking()
	return exchange{entry: e, answer: a}.reply(), nil
}

// replayed counts an answer that cost nothing, and says once if the model has
// changed since it was given.
func (c *Client) replayed(entry Entry) {
	c.mu.Lock()
	c.stats.Replays++
	c.mu.Unlock()
	now := c.digest(entry)
	if now != "" && entry.Digest != "" && now != entry.Digest {
		c.tell(fmt.Sprintf("%s at %s is not the model that gave the answers in the ledger (%.12s, now %.12s); they are used all the same; --no-replay asks anew",
			entry.Label, entry.Server, entry.Digest, now), "digest "+entry.Server+entry.Model)
	}
}

// digest is what is known of the model by now, if anything was asked of it.
func (c *Client) digest(entry Entry) string {
	c.pool.mu.Lock()
	s := c.pool.stations[entry.Server]
	c.pool.mu.Unlock()
	if s == nil {
		return ""
	}
	select {
	case s.learning <- struct{}{}:
		defer func() { <-s.learning }()
		return s.facts[entry.Model].Digest
	default: // being asked for just now: a replay does not wait
		return ""
	}
}

// Stats counts what a run did.
type Stats struct {
	Calls        int // answered by a server, well or badly
	Replays      int // answered by the ledger
	PromptTokens int
	AnswerTokens int
	Seconds      float64 // of the servers, added up
	Errors       map[Kind]int

	started int
}

// String is the summary of a run, in one line.
func (s Stats) String() string {
	text := fmt.Sprintf("%s, %d replayed from the ledger, %d tokens read and %d written, %s of server time",
		calls(s.Calls), s.Replays, s.PromptTokens, s.AnswerTokens, (time.Duration(s.Seconds * float64(time.Second))).Round(time.Second/10))
	for i, kind := range slices.Sorted(maps.Keys(s.Errors)) {
		text += [2]string{"; errors: ", ", "}[min(i, 1)] + fmt.Sprintf("%s %d", kind, s.Errors[kind])
	}
	return text
}
