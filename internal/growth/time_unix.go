//go:build unix

package growth

import (
	"syscall"
	"time"
)

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // the arguments are constant
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
