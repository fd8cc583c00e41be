package parallel

import (
	"fmt"
	"runtime/debug"
)

// A PanicError is a panic that Guard caught: a fault of the program, not of its
// input. The stack is for developers; the message is short enough for a user.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("the program crashed: %v", e.Value) }

// Unwrap is the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Guard calls f and turns a panic into a *PanicError, so that one bad input costs
// one result and not the run.
func Guard(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return f()
}
