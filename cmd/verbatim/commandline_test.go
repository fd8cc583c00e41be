package main

import (
	"testing"

	"github.com/spf13/cobra"
)

// What is printed to go on is what was typed, quoted for the shell.
func TestTheCommandThatGoesOn(t *testing.T) {
	cmd := makeCommand()
	cmd.RunE = func(*cobra.Command, []string) error { return nil }
	cmd.SetArgs([]string{"--batch", "--catalogue", "my list.csv", "--catalogue", "b.csv", "--categories", "causalclause,effectclause", "--seed", "3", "it's.txt", "b.txt"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	want := `make --batch --catalogue 'my list.csv' --catalogue b.csv --categories causalclause --categories effectclause --seed 3 'it'\''s.txt' b.txt`
	if got := commandLine(cmd); got != want {
		t.Errorf("the command is\n%s, not\n%s", got, want)
	}
}
