package main

import (
	"context"
	"embed"
	"strings"

	"github.com/spf13/cobra"
)

// In help each command has a file: its usage, a summary in one line, a blank line,
// the long text, and after a line "Examples:" its examples.
//
//go:embed help schema
var embedded embed.FS

func embeddedText(path string) string {
	text, err := embedded.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// newCommand makes a command that is described in help/NAME.txt. Without run it
// prints its help.
func newCommand(name string, args cobra.PositionalArgs, run func(context.Context, *console, []string) error) *cobra.Command {
	text, examples, _ := strings.Cut(embeddedText("help/"+name+".txt"), "\nExamples:\n")
	use, text, _ := strings.Cut(text, "\n")
	summary, long, _ := strings.Cut(text, "\n")
	return &cobra.Command{Use: use, Short: summary, Long: strings.Trim(long, "\n"), Example: strings.TrimSuffix(examples, "\n"), Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			if run == nil {
				return cmd.Help()
			}
			return run(cmd.Context(), consoleOf(cmd), args)
		}}
}

// newGroup makes a command that only has commands below it.
func newGroup(name string, below ...*cobra.Command) *cobra.Command {
	cmd := newCommand(name, nil, nil)
	cmd.AddCommand(below...)
	return cmd
}
