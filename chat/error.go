package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"verbatim"
)

// A Kind says what went wrong, for programs and for the summary of a run.
type Kind string

// The kinds of errors. The first group ends a run, since the next call would
// fare no better; the second is the misfortune of one call.
const (
	Unreachable    Kind = "unreachable"     // refused, reset, or silent before an answer
	Busy           Kind = "busy"            // 408, 429, 502, 503, 504
	ModelNotFound  Kind = "model_not_found" // 404
	BadRequest     Kind = "bad_request"     // another 4xx, or a 500 that is our fault
	BadSchema      Kind = "bad_schema"      // the schema of the answer is no schema
	Auth           Kind = "auth"            // 401, 403
	Cancelled      Kind = "cancelled"       // by the user
	OverBudget     Kind = "over_budget"     // the cap on calls or tokens
	NotInTheLedger Kind = "not_in_ledger"   // offline, and the ledger does not know the answer

	ContextExceeded     Kind = "context_exceeded"      // the prompt does not fit into the window
	PromptCut           Kind = "prompt_cut"            // the server dropped a part of the prompt
	Length              Kind = "length"                // the answer did not fit into its budget
	ThinkingSpentBudget Kind = "thinking_spent_budget" // thinking filled the budget, no answer came
	EmptyAnswer         Kind = "empty_answer"
	Incomplete          Kind = "incomplete" // the answer broke off
	RunnerDied          Kind = "runner_died"
	BadJSON             Kind = "bad_json"
	SchemaMismatch      Kind = "schema_mismatch"
	Deadline            Kind = "deadline" // the time limit of one call
)

// An Error says which model at which server failed, how, and what to do.
type Error struct {
	Kind   Kind
	Model  string // the label
	Server string // its address; empty where the call was never sent
	Status int    // of HTTP; 0 where there was none
	What   string // the server's own words where it gave any
	Remedy string
	Err    error // the cause, if it was an error of Go
}

func (e *Error) Error() string {
	var out strings.Builder
	out.WriteString(e.Model)
	if e.Server != "" {
		out.WriteString(" at " + e.Server)
	}
	fmt.Fprintf(&out, ": %s", e.What)
	if e.Status >= 400 {
		fmt.Fprintf(&out, " (HTTP %d)", e.Status)
	}
	if e.Remedy != "" {
		out.WriteString("; " + e.Remedy)
	}
	return out.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Is makes the misfortunes of one call verbatim.ErrNoAnswer: whoever asks for
// many answers goes on without this one. An outage is none of them.
func (e *Error) Is(target error) bool {
	if target != verbatim.ErrNoAnswer {
		return false
	}
	switch e.Kind {
	case ContextExceeded, PromptCut, Length, ThinkingSpentBudget, EmptyAnswer, Incomplete, RunnerDied, BadJSON, SchemaMismatch, Deadline:
		return true
	}
	return false
}

// away says whether the server is worth waiting for.
func (e *Error) away() bool { return e.Kind == Unreachable || e.Kind == Busy }

// KindOf is the kind of an error of this package, or empty.
func KindOf(err error) Kind {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// contextError is what a context's end means: the user's wish, or a time limit
// for more than one call. Neither is the misfortune of this call alone.
func contextError(ctx context.Context, label string) *Error {
	e := &Error{Kind: Cancelled, Model: label, What: "called off", Err: ctx.Err()}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.What = "the time for this work is over"
	}
	return e
}
