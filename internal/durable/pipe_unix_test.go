//go:build unix

package durable_test

import "syscall"

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o666) }
