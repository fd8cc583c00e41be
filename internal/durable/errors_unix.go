//go:build !windows

package durable

import "syscall"

// What a disk may say: it is full, or it cannot be written.
const (
	ErrNoSpace  = syscall.ENOSPC
	ErrReadOnly = syscall.EROFS
)
