package main

import (
	"runtime"
	"testing"

	"github.com/spf13/cobra"
)

// What is printed to go on is what was typed, quoted for the shell.
func TestTheCommandThatGoesOn(t *testing.T) {
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
