//go:build !windows

package cli

import (
	"errors"
	"syscall"
)

// PipeClosed reports whether the reader of our output has stopped.
func PipeClosed(err error) bool { return errors.Is(err, syscall.EPIPE) }
