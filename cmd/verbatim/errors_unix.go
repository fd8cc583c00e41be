//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// pipeClosed reports whether the reader of our output has gone.
func pipeClosed(err error) bool { return errors.Is(err, syscall.EPIPE) }
