package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progressOf shows how far the work has come, on a terminal only, and only when
// it takes more than a second. The line is gone when the work is done.
func progressOf(words io.Writer, what string) func(done, all int) {
	file, ok := words.(*os.File)
	if !ok {
		return nil
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	const pause = 200 * time.Millisecond
	next := time.Now().Add(time.Second)
	shown := false
	return func(done, all int) {
		switch now := time.Now(); {
		case done >= all && shown:
			fmt.Fprint(file, "\r\x1b[K")
			shown = false
		case done < all && now.After(next):
			fmt.Fprintf(file, "\r%d of %d %s", done, all, what)
			next, shown = now.Add(pause), true
		}
	}
}
