package terminal

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
)

// play shows a model on the whole screen until it quits. However it ends, by a
// key, a signal or a panic, the terminal is as it was before. A program that is
// stopped, by Z or from outside, gives the terminal back and paints the screen
// again when it resumes.
func play(ctx context.Context, m tea.Model, in, out *os.File) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// SIGINT and SIGTERM end the context. The library's own handler could wait
	// forever for a loop that has ended with it.
	program := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	stop := watchSignals(program, cancel)
	defer stop()
	_, err := program.Run()
	if errors.Is(err, tea.ErrProgramPanic) {
		return err
	}
	if errors.Is(err, tea.ErrProgramKilled) || errors.Is(err, tea.ErrInterrupted) {
		return nil // every decision was on the disk
	}
	return err
}

// lent says that an editor has the terminal: then it is not ours to set.
var lent atomic.Bool
