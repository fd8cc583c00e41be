package main

import (
	"errors"
	"syscall"
)

// What a disk may say, by the numbers of Windows: Go's ENOSPC and EROFS are
// names there that no system call returns.
const (
	errNoSpace  = syscall.Errno(112) // ERROR_DISK_FULL
	errReadOnly = syscall.Errno(19)  // ERROR_WRITE_PROTECT
)

// pipeClosed says whether the reader of our output has gone.
func pipeClosed(err error) bool {
	const noData = syscall.Errno(232) // ERROR_NO_DATA: the pipe is being closed
	return errors.Is(err, noData) || errors.Is(err, syscall.ERROR_BROKEN_PIPE)
}
