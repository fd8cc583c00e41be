//go:build unix

package workspace

import (
	"errors"
	"os"
	"syscall"
)

// flock is a variable so that a test can be a disk without locks.
var flock = syscall.Flock

func lockFile(path string) (func() error, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errLocked
		}
		return nil, errors.Join(err, file.Close())
	}
	return file.Close, nil
}

// noLocks reports whether an error says that the file system has no locks.
func noLocks(err error) bool {
	for _, no := range []error{syscall.ENOTSUP, syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.ENOLCK, syscall.EINVAL} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}
