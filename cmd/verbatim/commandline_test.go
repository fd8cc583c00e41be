package main

import (
	"runtime"
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
	if got := commandLine(cmd); got != want && runtime.GOOS != "windows" {
		t.Errorf("the command is\n%s, not\n%s", got, want)
	}
}

func TestNamesAreQuotedForTheShell(t *testing.T) {
	for _, c := range []struct{ name, posix, windows string }{
		{"book.txt", `book.txt`, `book.txt`},
		{"Théron's ware.txt", `'Théron'\''s ware.txt'`, `"Théron's ware.txt"`},
		{`my work\a.txt`, `'my work\a.txt'`, `"my work\a.txt"`},
		{`w\a.txt`, `'w\a.txt'`, `w\a.txt`},
		{"100%.txt", `100%.txt`, `"100%.txt"`},
		{"", `''`, `""`},
	} {
		if got := quoteFor("linux", c.name); got != c.posix {
			t.Errorf("%s is written %s, not %s", c.name, got, c.posix)
		}
		if got := quoteFor("windows", c.name); got != c.windows {
			t.Errorf("on Windows %s is written %s, not %s", c.name, got, c.windows)
		}
	}
}
