package chat

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"
)

const (
	factsTimeout = 30 * time.Second
	largestBody  = 32 << 20
)

// newHTTP makes the HTTP client. It has no limit on the time before the first
// byte: without streaming nothing comes until the answer is complete, and the
// first call loads the model. Each call has one deadline.
func newHTTP() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext
	transport.MaxIdleConnsPerHost = 64
	return &http.Client{
		Transport: transport,
		// A redirect would send a passage, and perhaps a key, to an address that
		// the user did not choose.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A raw is the result of one HTTP request.
type raw struct {
	status     int
	body       []byte
	retryAfter time.Duration
	err        error // of the transport; with a status, the body was cut off
}

// send posts a body, or gets what is at an address if there is none.
// What comes back has no key in it: it is shown and recorded.
func (c *Client) send(ctx context.Context, s Server, address string, body []byte) raw {
	got := c.receive(ctx, s, address, body)
	got.body = c.keys.body(got.body, got.status == http.StatusOK)
	return got
}

func (c *Client) receive(ctx context.Context, s Server, address string, body []byte) raw {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, bytes.NewReader(body))
	if err != nil {
		return raw{err: err}
	}
	if body != nil {
		req.Method = http.MethodPost
		req.Header.Set("Content-Type", "application/json")
	}
	if s.Key != "" {
		req.Header.Set("Authorization", "Bearer "+string(s.Key))
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return raw{err: err}
	}
	defer resp.Body.Close()
	got := raw{status: resp.StatusCode}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		got.retryAfter = time.Duration(min(max(seconds, 0), 600)) * time.Second
	}
	got.body, got.err = io.ReadAll(io.LimitReader(resp.Body, largestBody+1))
	if len(got.body) > largestBody {
		got.err = fmt.Errorf("the answer is larger than %d MB", largestBody>>20)
	}
	return got
}

// failure is the error of a request before its body is read as an answer, or nil.
func (r raw) failure(s Server) *Error {
	e := &Error{Server: s.URL, Status: r.status, Err: r.err}
	var timeout net.Error
	switch {
	case r.err == nil && r.status == http.StatusOK:
		return nil
	case errors.Is(r.err, context.Canceled):
		e.Kind, e.What = Cancelled, "cancelled"
	case errors.Is(r.err, context.DeadlineExceeded):
		e.Kind, e.What = Deadline, "no answer within the time limit of one call"
	case r.err != nil && r.status != 0:
		e.Kind, e.What = Incomplete, "the answer was cut off: "+r.err.Error()
	case errors.As(r.err, &timeout) && timeout.Timeout():
		e.Kind, e.What = Unreachable, "no connection: the address does not answer"
	case r.err != nil:
		e.Kind, e.What = Unreachable, plainDialError(r.err)
		e.Remedy = "is the server running? To start Ollama, type: ollama serve"
	default:
		e.byStatus(errorText(r.body))
	}
	return e
}

// hide removes keys from an error and from the body that it was read from. A body
// in which a key is written in an unknown way is replaced with the message.
func (c *Client) hide(r *raw, e *Error) {
	what := c.keys.text(e.What)
	r.body = c.keys.body(r.body, false)
	if what != e.What && !bytes.Contains(r.body, []byte(hidden)) {
		r.body = []byte(what)
	}
	e.What, e.Err = what, c.keys.err(e.Err)
}

// byStatus finds the kind by the HTTP status and the server's message. Ollama
// sends 500 where others send 400, so its message decides.
func (e *Error) byStatus(message string) {
	e.Kind, e.What = BadRequest, cmp.Or(message, http.StatusText(e.Status))
	switch status := e.Status; {
	case status == 401 || status == 403:
		e.Kind = Auth
	case status == 404 && says(message, "model"):
		e.Kind = ModelNotFound
	case status == 404:
		e.Remedy = "is this the address of a model server? An OpenAI-style address ends in /v1"
	case slices.Contains([]int{408, 429, 502, 503, 504}, status):
		e.Kind = Busy
	case status >= 300 && status < 400:
		e.What, e.Remedy = "the server redirects to another address, and redirects are not followed", "use the other address"
	case runnerDied(message):
		e.Kind = RunnerDied
	case says(message, "context length", "context size", "context window"):
		e.Kind = ContextExceeded
	case says(message, "schema", "invalid format", "response_format"):
		e.Kind = BadSchema
	case status >= 500 && !says(message, "must be of type"): // of an option, which every call sends
		e.Kind = ServerError
	}
}

// runnerDied reports whether a message is Ollama's about the end of its runner
// process, which the kernel may have killed for its memory.
func runnerDied(message string) bool {
	return says(message, "an error was encountered while running the model", "model runner has unexpectedly stopped", "llama runner process")
}

func says(message string, phrases ...string) bool {
	message = strings.ToLower(message)
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(message, phrase) })
}

// plainDialError leaves out what only a programmer needs.
func plainDialError(err error) string {
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		err = op.Err
	}
	if errors.Is(err, io.EOF) {
		return "the server closed the connection"
	}
	text := err.Error()
	if i := strings.LastIndex(text, "connect: "); i >= 0 {
		text = text[i+len("connect: "):]
	}
	return "no connection: " + text
}

// A Kind says what went wrong, for programs and for the summary of a run.
type Kind string

// The kinds of errors. The first group ends a run, because the next call would
// fail as well; the second group concerns one call.
const (
	Unreachable   Kind = "unreachable"     // no connection, or no answer from the server at all
	Busy          Kind = "busy"            // 408, 429, 502, 503, 504
	ModelNotFound Kind = "model_not_found" // 404
	BadRequest    Kind = "bad_request"     // another 4xx, or a 500 that says what is wrong with the request
	BadSchema     Kind = "bad_schema"      // the schema of the answer is not a JSON Schema
	Auth          Kind = "auth"            // 401, 403
	Cancelled     Kind = "cancelled"       // by the caller
	OverBudget    Kind = "over_budget"     // the limit on calls or tokens is reached
	NotInLedger   Kind = "not_in_ledger"   // offline, and the ledger has no answer

	ContextExceeded     Kind = "context_exceeded"      // the prompt does not fit into the context window
	PromptCut           Kind = "prompt_cut"            // the server dropped a part of the prompt
	Length              Kind = "length"                // the answer is longer than its limit
	ThinkingSpentBudget Kind = "thinking_spent_budget" // thinking used all tokens, no answer came
	EmptyAnswer         Kind = "empty_answer"
	Incomplete          Kind = "incomplete" // the answer was cut off
	RunnerDied          Kind = "runner_died"
	ServerError         Kind = "server_error" // 5xx without a known reason
	BadJSON             Kind = "bad_json"
	SchemaMismatch      Kind = "schema_mismatch"
	Deadline            Kind = "deadline" // the time limit of one call
)

// An Error says which model at which server failed, how, and what to do.
type Error struct {
	Kind   Kind
	Model  string // the label
	Server string // its address; empty if the call was never sent
	Status int    // of HTTP; 0 if there was none
	What   string // the server's message if there was one
	Remedy string // what to do; from Client.Advice if this package knows nothing
	Tokens int    // ContextExceeded, ThinkingSpentBudget: a limit that should be enough; OverBudget: tokens used, if they are limited
	Err    error  // the cause, if it was a Go error
}

func (e *Error) Error() string {
	text := e.Model
	if e.Server != "" {
		text += " at " + e.Server
	}
	text += ": " + e.What
	if e.Status >= 400 {
		text += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Remedy != "" {
		text += "; " + e.Remedy
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Is makes the errors of one call equal to verbatim.ErrNoAnswer: a caller with
// many questions continues with the next one. An outage is not among them.
func (e *Error) Is(target error) bool {
	return target == verbatim.ErrNoAnswer && slices.Contains(oneCall, e.Kind)
}

var (
	oneCall = []Kind{ContextExceeded, PromptCut, Length, ThinkingSpentBudget, EmptyAnswer, Incomplete, RunnerDied, ServerError, BadJSON,
		SchemaMismatch, Deadline}
	// The server rests after these, longer each time, and is given up if it does
	// nothing else for as long as Limits.Patience.
	restAfter = []Kind{Unreachable, Busy, Incomplete, RunnerDied, ServerError, Deadline}
)

// unavailable reports whether the server is worth waiting for.
func (e *Error) unavailable() bool { return e.Kind == Unreachable || e.Kind == Busy }

// KindOf is the kind of an error of this package, or empty.
func KindOf(err error) Kind {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// contextError is the error of a cancelled context, or of a time limit for more
// than one call. Neither concerns this call alone.
func contextError(ctx context.Context, label string) *Error {
	e := &Error{Kind: Cancelled, Model: label, What: "cancelled", Err: ctx.Err()}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.What = "the time limit for this work is over"
	}
	return e
}
