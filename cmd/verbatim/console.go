package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A console is what a command needs of the command line: its streams, the flags
// that were set, and what the user typed. Only constructors of commands know
// cobra; everything they call takes a console.
type console struct {
	in       io.Reader // standard input
	out      io.Writer // standard output: data
	messages io.Writer // standard error: messages for people

	flags map[string]string // the flags that were set, as text
	typed string            // the whole command, quoted for the shell
}

func consoleOf(cmd *cobra.Command) *console {
	c := &console{in: cmd.InOrStdin(), out: cmd.OutOrStdout(), messages: cmd.ErrOrStderr(),
		flags: map[string]string{}, typed: commandLine(cmd)}
	cmd.Flags().Visit(func(f *pflag.Flag) { c.flags[f.Name] = f.Value.String() })
	return c
}

// warn prints one message with the program's name before it.
func (c *console) warn(message any) { fmt.Fprintln(c.messages, "verbatim:", message) }

// interactive reports whether a person can be asked.
func (c *console) interactive() bool { return isTerminal(c.in) && isTerminal(c.out) }
