//go:build !unix

package terminal

import (
	"errors"

	tea "charm.land/bubbletea/v2"
)

// watchSignals has nothing to do: here no program is stopped to resume later.
func watchSignals(*tea.Program, func()) (stop func()) { return func() {} }

func suspend() error {
	return errors.New("this system cannot suspend a program; q quits, and nothing is lost")
}
