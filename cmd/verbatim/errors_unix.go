//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// What a disk may say: that it is full, so that no other book would fare
// better, or that it may not be written.
const (
	errNoSpace  = syscall.ENOSPC
	errReadOnly = syscall.EROFS
)

// pipeClosed says whether the reader of our output has gone.
func pipeClosed(err error) bool { return errors.Is(err, syscall.EPIPE) }
