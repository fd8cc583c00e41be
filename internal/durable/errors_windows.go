package durable

import "syscall"

// What a disk may say, by the numbers of Windows: no system call there returns
// Go's ENOSPC and EROFS.
const (
	ErrNoSpace  = syscall.Errno(112) // ERROR_DISK_FULL
	ErrReadOnly = syscall.Errno(19)  // ERROR_WRITE_PROTECT
)
