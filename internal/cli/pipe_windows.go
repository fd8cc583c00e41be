package cli

import (
	"errors"
	"syscall"
)

// PipeClosed reports whether the reader of our output has stopped.
func PipeClosed(err error) bool {
	const noData = syscall.Errno(232) // ERROR_NO_DATA: the pipe is being closed
	return errors.Is(err, noData) || errors.Is(err, syscall.ERROR_BROKEN_PIPE)
}
