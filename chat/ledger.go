package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/durable"
)

// An Entry of the ledger is one call: the request as it was sent, the response
// as it came, and the facts about the model. Failed calls are entries too.
type Entry struct {
	Key          string          `json:"key"` // sha256 of everything that we decided about the call
	Time         time.Time       `json:"time"`
	Label        string          `json:"label"`
	Model        string          `json:"model"` // the server's name for it
	Style        Style           `json:"style"`
	Server       string          `json:"server"`
	Digest       string          `json:"digest,omitempty"`
	Version      string          `json:"version,omitempty"`
	Request      json.RawMessage `json:"request"`
	Status       int             `json:"status"`
	Response     string          `json:"response"` // byte for byte; of a failed call, the start
	Outcome      Kind            `json:"outcome,omitempty"`
	Error        string          `json:"error,omitempty"`
	Reason       string          `json:"reason,omitempty"`
	PromptTokens int             `json:"prompt_tokens,omitempty"`
	AnswerTokens int             `json:"answer_tokens,omitempty"`
	Seconds      float64         `json:"seconds"`
}

func (e *Entry) fill(raw raw, x exchange) {
	body := string(raw.body)
	if x.err != nil {
		e.Outcome, e.Error = x.err.Kind, x.err.What
		body, x.answer.reason = shorten(body, keptOfFailure), shorten(x.answer.reason, keptOfFailure)
	}
	e.Status, e.Response = raw.status, strings.ToValidUTF8(body, "\uFFFD")
	e.Reason, e.PromptTokens, e.AnswerTokens = x.answer.reason, x.answer.promptTokens, x.answer.answerTokens
	e.Seconds = time.Since(e.Time).Round(time.Millisecond).Seconds()
}

// keptOfFailure limits what an entry keeps of a failed answer, which is never
// replayed: with the dots of shorten, 4 KB.
const keptOfFailure = 4<<10 - 3

// A Ledger holds all calls made for one book. An answer is on disk before it is
// used, and a call whose answer is in the ledger is not made again.
type Ledger struct {
	log *durable.Log

	// Damaged are the lines that could not be read, each with its place. The calls
	// in them are made again.
	Damaged []error

	mu      sync.Mutex
	answers map[string]Entry
	asking  map[string]chan struct{} // calls in progress, so that none is made twice
}

func newLedger() *Ledger {
	return &Ledger{answers: map[string]Entry{}, asking: map[string]chan struct{}{}}
}

// OpenLedger opens the ledger of a book, and creates it if necessary. Without
// replay it keeps the answers of earlier runs but does not use them.
func OpenLedger(path string, replay bool) (*Ledger, error) {
	log, err := durable.OpenLog(path) // moves an incomplete last line to another file
	if err != nil {
		return nil, err
	}
	l := newLedger()
	if replay {
		if l, err = ReadLedger(path); err != nil {
			return nil, errors.Join(err, log.Close())
		}
	}
	l.log = log
	return l, nil
}

// ReadLedger reads a ledger without writing to it: the complete answers, and of
// two with the same key the later one. A missing file is an empty ledger.
func ReadLedger(path string) (*Ledger, error) {
	l := newLedger()
	file, err := durable.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for entry, err := range verbatim.Read[Entry](file, path) {
		bad := (*verbatim.LineError)(nil)
		switch {
		case errors.As(err, &bad): // it costs one call
			l.Damaged = append(l.Damaged, err)
		case err != nil:
			return l, err
		case entry.Outcome == "":
			l.answers[entry.Key] = entry
		}
	}
	return l, nil
}

// Close closes the file. Every entry is already on disk.
func (l *Ledger) Close() error { return l.log.Close() }

// Torn is the file that an incomplete last line was moved to, or empty.
func (l *Ledger) Torn() string { return l.log.Torn }

// claim returns the answer to a key, or lets the caller ask for it. Other callers
// with the same key wait.
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

// For is the client for one book: it answers from its ledger, and records there.
func (c *Client) For(l *Ledger) verbatim.ChatModel { return &ledgerModel{client: c, ledger: l} }

// Offline answers from the ledger only.
func (c *Client) Offline(l *Ledger) verbatim.ChatModel {
	return &ledgerModel{client: c, ledger: l, offline: true}
}

// Has reports whether the ledger has the answer to a prompt, and about how many
// tokens the prompt has: what a run would cost.
func (c *Client) Has(l *Ledger, p verbatim.Prompt) (has bool, tokens int) {
	r := c.model(p.Model).compose(p)
	l.mu.Lock()
	defer l.mu.Unlock()
	_, has = l.answers[r.key()]
	return has, r.promptTokens()
}

type ledgerModel struct {
	client  *Client
	ledger  *Ledger
	offline bool
}

func (b *ledgerModel) Chat(ctx context.Context, p verbatim.Prompt) (verbatim.Reply, error) {
	m := b.client.model(p.Model)
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
		return verbatim.Reply{}, b.client.count(m, &Error{Kind: NotInLedger, Model: m.Label, What: "the ledger has no answer to this question"})
	}
	return b.client.ask(ctx, m, r, b.ledger.record)
}

// reply reads a stored answer as if a server had just sent it.
func (e Entry) reply() (verbatim.Reply, error) {
	a, err := decode(e.Style, []byte(e.Response))
	if err != nil {
		return verbatim.Reply{}, fmt.Errorf("the answer to call %s in the ledger cannot be read: %w; delete its line to ask again", e.Key, err)
	}
	a.splitThinking()
	return exchange{entry: e, answer: a}.reply(), nil
}

// replayed counts an answer from the ledger, and gives a notice if the model has
// changed since then, as far as that is known.
func (c *Client) replayed(entry Entry) {
	c.mu.Lock()
	c.stats.Replays++
	c.mu.Unlock()
	c.pool.mu.Lock()
	h := c.pool.hosts[entry.Server]
	c.pool.mu.Unlock()
	if h == nil || entry.Digest == "" {
		return
	}
	select {
	case h.asking <- struct{}{}:
	default: // the facts are being requested now, and a replay does not wait
		return
	}
	now := h.facts[entry.Model].Digest
	<-h.asking
	if now != "" && now != entry.Digest {
		c.notify(Changed, entry.Server+" "+entry.Model, fmt.Sprintf("%s at %s is not the model that gave the answers in the ledger (digest %.12s, now %.12s); they are still used",
			entry.Label, entry.Server, entry.Digest, now))
	}
}

// Stats counts what a run did.
type Stats struct {
	Calls        int // answered by a server, also with an error
	Replays      int // answered by the ledger
	PromptTokens int
	AnswerTokens int
	Seconds      float64 // of all calls
	Errors       map[Kind]int

	started int
}

// String is the summary of a run in one line.
func (s Stats) String() string {
	text := fmt.Sprintf("%s, %d replayed from the ledger, %d tokens read and %d written, %s of server time",
		calls(s.Calls), s.Replays, s.PromptTokens, s.AnswerTokens, (time.Duration(s.Seconds * float64(time.Second))).Round(time.Second/10))
	for i, kind := range slices.Sorted(maps.Keys(s.Errors)) {
		text += [2]string{"; errors: ", ", "}[min(i, 1)] + fmt.Sprintf("%s %d", kind, s.Errors[kind])
	}
	return text
}
