package main

import (
	"runtime"
	"testing"

	"github.com/spf13/cobra"
)

// The command to resume is what the user typed, quoted for the shell.
func TestCommandLine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its shells quote in another way")
	}
	for _, c := range []struct {
		typed []string
		want  string
	}{
		{[]string{"--batch", "--catalogue", "my list.csv", "--catalogue", "b.csv", "--categories", "causalclause,effectclause", "--seed", "3", "it's.txt", "b.txt"},
			`make --batch --catalogue 'my list.csv' --catalogue b.csv --categories causalclause --categories effectclause --seed 3 'it'\''s.txt' b.txt`},
		{[]string{"--batch=false", "--force", "b.txt"}, `make --batch=false --force b.txt`}, // false would be a book
		{[]string{"--batch", "--", "b.txt", "-a.txt"}, `make --batch -- b.txt -a.txt`},      // -a would be a flag
	} {
		cmd := makeCommand()
		cmd.RunE = func(*cobra.Command, []string) error { return nil }
		cmd.SetArgs(c.typed)
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		if got := commandLine(cmd); got != c.want {
			t.Errorf("the command is\n%s, not\n%s", got, c.want)
		}
	}
}
