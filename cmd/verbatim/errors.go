package main

import "syscall"

// What a disk may say: that it is full, so that no other book would fare
// better, or that it may not be written.
const (
	errNoSpace  = syscall.ENOSPC
	errReadOnly = syscall.EROFS
)
