package main

import (
	"context"
	"io"
	"strings"
	"testing"
)

// Ctrl-C works while the program waits for a pipe.
func TestWaitingForInputCanBeStopped(t *testing.T) {
	for _, args := range []string{"inspect sentences -", "extract -", "distract", "score --gold - --pred gone.jsonl", "review --plain --reviewer Ada"} {
		t.Run(args, func(t *testing.T) {
			if strings.HasPrefix(args, "review") {
				t.Chdir(bookIn(t, true, true))
			} else {
				t.Chdir(t.TempDir())
			}
			in, never := io.Pipe()
			defer never.Close()
			ctx, cancel := context.WithCancel(t.Context())
			var messages strings.Builder
			ended := make(chan int)
			waiting := &first{Reader: in, read: make(chan struct{})}
			go func() { ended <- run(ctx, strings.Fields(args), waiting, io.Discard, &messages) }()
			select {
			case <-waiting.read:
			case code := <-ended:
				t.Fatalf("it did not wait: %d, %s", code, messages.String())
			}
			cancel()
			if code := <-ended; code != 2 && !strings.HasPrefix(args, "review") {
				t.Errorf("exit status %d, %s", code, messages.String())
			}
			if !strings.Contains(messages.String(), "stopped") && !strings.Contains(messages.String(), "To resume") {
				t.Errorf("it says %q", messages.String())
			}
		})
	}
}

// first signals the first read.
type first struct {
	io.Reader
	read chan struct{}
	done bool
}

func (f *first) Read(p []byte) (int, error) {
	if !f.done {
		f.done = true
		close(f.read)
	}
	return f.Reader.Read(p)
}
