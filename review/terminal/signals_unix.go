//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
)

// watchSignals gives the terminal back before the program stops, takes it again
// when it resumes, and ends the program when the terminal is closed.
func watchSignals(p *tea.Program, end func()) (stop func()) {
	signals, done := make(chan os.Signal, 8), make(chan struct{})
	signal.Notify(signals, syscall.SIGTSTP, syscall.SIGCONT, syscall.SIGHUP)
	go func() {
		released := false
		for {
			select {
			case <-done:
				return
			case s := <-signals:
				switch {
				case s == syscall.SIGHUP:
					end()
				case lent.Load() && s == syscall.SIGTSTP: // the editor was stopped, and we with it
					_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
				case lent.Load():
				case s == syscall.SIGTSTP:
					_ = p.ReleaseTerminal()
					released = true
					_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
				default: // SIGCONT; after SIGSTOP the shell has set the terminal for itself
					if !released {
						_ = p.ReleaseTerminal()
					}
					released = false
					_ = p.RestoreTerminal()
					p.Send(tea.ClearScreen())
				}
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// suspend stops the program as Ctrl-Z does elsewhere: fg resumes it.
func suspend() error { return syscall.Kill(0, syscall.SIGTSTP) }
