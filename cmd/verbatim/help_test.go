package main

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// eachCommand calls check with every command and the name of its help file.
func eachCommand(cmd *cobra.Command, check func(name string, cmd *cobra.Command)) {
	name := strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "verbatim "), " ", "-")
	check(name, cmd)
	for _, below := range cmd.Commands() {
		eachCommand(below, check)
	}
}

// Every command has its help file, and every file its command.
func TestHelpFiles(t *testing.T) {
	entries, err := embedded.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	var files, commands []string
	for _, entry := range entries {
		files = append(files, strings.TrimSuffix(entry.Name(), path.Ext(entry.Name())))
	}
	eachCommand(rootCommand(), func(name string, cmd *cobra.Command) {
		commands = append(commands, name)
		if cmd.Name() != name[strings.LastIndex(name, "-")+1:] || cmd.Short == "" || cmd.Long+cmd.Example == "" {
			t.Errorf("%s has usage %q, summary %q and a text of %d bytes", name, cmd.Use, cmd.Short, len(cmd.Long+cmd.Example))
		}
	})
	slices.Sort(files)
	slices.Sort(commands)
	if !slices.Equal(files, commands) {
		t.Errorf("the help files are\n%v, the commands\n%v", files, commands)
	}
}

// widestHelp is the widest line that there is now; it should not grow.
const widestHelp = 82

// The long texts fit a terminal. Usages and examples are commands to copy, and
// cannot be broken.
func TestHelpWidth(t *testing.T) {
	eachCommand(rootCommand(), func(name string, cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Long) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > widestHelp {
				t.Errorf("help/%s.txt: %d columns, at most %d: %s", name, n, widestHelp, line)
			}
		}
	})
}

var flagInText = regexp.MustCompile(`(?:^|\s)--?([a-z][a-z-]*)`)

// Examples begin with their command and name only flags that it has.
func TestHelpExamples(t *testing.T) {
	eachCommand(rootCommand(), func(name string, cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			if !strings.Contains(line, cmd.CommandPath()) {
				t.Errorf("help/%s.txt: not an example of %s: %s", name, cmd.CommandPath(), line)
			}
			for _, found := range flagInText.FindAllStringSubmatch(line, -1) {
				if cmd.Flags().Lookup(found[1]) == nil && (len(found[1]) > 1 || cmd.Flags().ShorthandLookup(found[1]) == nil) {
					t.Errorf("help/%s.txt: %s has no flag %s: %s", name, cmd.CommandPath(), found[1], line)
				}
			}
		}
	})
}

// The help lists every schema.
func TestHelpSchemas(t *testing.T) {
	long := schemaCommand().Long
	for name := range schemas {
		if !strings.Contains(long, "\n  "+name+" ") {
			t.Errorf("help/schema.txt does not list %s", name)
		}
	}
}
