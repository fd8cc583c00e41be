package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"verbatim"
)

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
