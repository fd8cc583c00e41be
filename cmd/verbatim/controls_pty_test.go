//go:build unix

package main

import (
	"strings"
	"testing"
)

// In a real terminal, too: its title stays, and the sequences are there to read.
func TestNothingControlsARealTerminal(t *testing.T) {
	evilFolder(t, "http://127.0.0.1:9")
	for _, args := range [][]string{{"describe", "lamp.txt"}, {"describe", "--json", "lamp.txt"}, {"describe", "bad.txt"}, {"status"}, {"describe", "--catalogue", "list.csv", "other.txt"}} {
		s := sitWith(t, ".", 200, 60, []string{"VERBATIM_NO_MODELS=true"}, args...)
		if args[0] == "describe" && strings.HasPrefix(args[len(args)-1], "other") {
			s.see("Metadata of other.") // the list has two rows that differ, so the form asks
			s.press("\x03")
		}
		s.leave()
		if title := s.screen.Title(); strings.Contains(title, "owned") {
			t.Errorf("verbatim %v set the title of the terminal to %q", args, title)
		}
		if found := controls(s.screen.String()); found != "" {
			t.Errorf("verbatim %v left %q on the screen", args, found)
		}
	}
}
