//go:build !linux

package grade

import "time"

var began = time.Now()

func cpuTime() time.Duration { return time.Since(began) }
