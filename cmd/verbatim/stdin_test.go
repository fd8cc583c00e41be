package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"verbatim"
)

// A program that waits for a pipe is stopped by Ctrl-C all the same.
func TestWaitingForInputCanBeStopped(t *testing.T) {
	for _, args := range []string{"inspect sentences -", "extract -", "distract", "score --gold - --pred gone.jsonl", "review --plain --reviewer Ada"} {
		t.Run(args, func(t *testing.T) {
			if strings.HasPrefix(args, "review") {
				t.Chdir(deskIn(t, true, true))
			} else {
				t.Chdir(t.TempDir())
			}
			in, never := io.Pipe()
			defer never.Close()
			ctx, cancel := context.WithCancel(t.Context())
			var words strings.Builder
			ended := make(chan int)
			waiting := &first{Reader: in, read: make(chan struct{})}
			go func() { ended <- run(ctx, strings.Fields(args), waiting, io.Discard, &words) }()
			select {
			case <-waiting.read:
			case code := <-ended:
				t.Fatalf("it did not wait: %d, %s", code, words.String())
			}
			cancel()
			if code := <-ended; code != 2 && !strings.HasPrefix(args, "review") {
				t.Errorf("exit status %d, %s", code, words.String())
			}
			if !strings.Contains(words.String(), "stopped") && !strings.Contains(words.String(), "To resume") {
				t.Errorf("it says %q", words.String())
			}
		})
	}
}

// first tells when reading begins.
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

func TestStandardInputIsReadAsItIs(t *testing.T) {
	text := strings.Repeat("The lamp was lit, because it was dark. ", 10_000)
	got, err := io.ReadAll(&interruptible{ctx: t.Context(), in: strings.NewReader(text)})
	if err != nil || string(got) != text {
		t.Errorf("%d bytes of %d, %v", len(got), len(text), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, never := io.Pipe()
	defer never.Close()
	if _, err := verbatim.ReadDocument(&interruptible{ctx: ctx, in: in}, "waiting"); !errors.Is(err, context.Canceled) {
		t.Errorf("a reader whose time is over: %v", err)
	}
}
