package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim"
	"verbatim/internal/cli"
	"verbatim/internal/layout"
	"verbatim/workspace"
)

// A console is what commands need of the command line: the streams, the flags
// that were set, and what the user typed. Only command constructors know cobra.
//
// Texts, catalogues and servers can send characters that control a terminal. So
// whatever people read is shown with symbols instead of them, here, for all
// commands: out and messages do it always, data only on a terminal.
type console struct {
	in       io.Reader // standard input
	out      io.Writer // standard output for people
	data     io.Writer // standard output for programs: JSON, byte for byte
	screen   *os.File  // standard output if it is a terminal, for what draws on it
	messages io.Writer // standard error: messages for people

	flags map[string]string // the flags that were set, lists with commas
	has   flags             // those that could be
	typed string            // the whole command, quoted for the shell
}

func consoleOf(cmd *cobra.Command) *console {
	out := cmd.OutOrStdout()
	c := &console{in: cmd.InOrStdin(), out: &cli.Readable{Out: out}, data: out, screen: cli.Terminal(out),
		messages: &cli.Readable{Out: cmd.ErrOrStderr()}, flags: map[string]string{}, has: flagsOf(cmd), typed: commandLine(cmd)}
	if c.screen != nil {
		c.data = c.out
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		c.flags[f.Name] = f.Value.String()
		if list, is := f.Value.(pflag.SliceValue); is {
			c.flags[f.Name] = strings.Join(list.GetSlice(), ",")
		}
	})
	return c
}

// stream is standard output for programs, or for people.
func (c *console) stream(asJSON bool) io.Writer {
	if asJSON {
		return c.data
	}
	return c.out
}

// warn prints one message with the program's name before it.
func (c *console) warn(message any) {
	if err, is := message.(error); is {
		message = c.has.plainly(err)
	}
	fmt.Fprintln(c.messages, "verbatim:", message)
}

// interactive reports whether a person can be asked: never in a batch, which may
// run overnight.
func (c *console) interactive() bool {
	return c.flags["batch"] != "true" && c.screen != nil && cli.IsTerminal(c.in)
}

// settings are those of a working folder. Flags override VERBATIM_NAME in the
// environment, which overrides the file.
func (c *console) settings(dir string) (*workspace.Settings, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file, not a folder; move it away%s", dir, c.has.or("dir", ", or choose another folder with --dir", ""))
	}
	s, err := workspace.ReadSettings(dir)
	if err == nil {
		s.Override = c.override
	}
	return s, err
}

func (c *console) override(name string) (value, from string) {
	if value, set := c.flags[name]; set {
		return value, "--" + name
	}
	names := []string{name}
	for old, now := range workspace.OldNames {
		if now == name {
			names = append(names, old)
		}
	}
	for _, name := range names {
		variable := "VERBATIM_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		if value := os.Getenv(variable); value != "" {
			return value, variable
		}
	}
	return "", ""
}

// commandLine is what the user typed, quoted for the shell.
func commandLine(cmd *cobra.Command) string {
	words := []string{cmd.CommandPath()}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch {
		case flag.Value.Type() == "bool" && flag.Value.String() == "true":
			words = append(words, "--"+flag.Name)
			return
		case flag.NoOptDefVal != "": // a separate value would be an argument
			words = append(words, "--"+flag.Name+"="+cli.Quote(flag.Value.String()))
			return
		}
		values := []string{flag.Value.String()}
		if list, is := flag.Value.(pflag.SliceValue); is { // given several times, or with commas
			values = list.GetSlice()
		}
		for _, value := range values {
			words = append(words, "--"+flag.Name, cli.Quote(value))
		}
	})
	args := cmd.Flags().Args()
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") && arg != "-" }) {
		words = append(words, "--") // what follows are not flags
	}
	for _, arg := range args {
		words = append(words, cli.Quote(arg))
	}
	return strings.Join(words, " ")
}

// count is a number with its noun: 1 repair, 2 repairs.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// wrap breaks a text into lines of at most width, the later ones indented.
func wrap(text string, width, indent int) string {
	return layout.Hang(verbatim.FoldSpace(text), width+indent, indent)
}

// hang wraps a text for a terminal of 80 columns, under its first line.
func hang(first, text string) string {
	return first + wrap(text, 79-len(first), len(first)) + "\n"
}

// lineEnds shows line ends as ⏎: many repairs change them.
var lineEnds = strings.NewReplacer("\r\n", "⏎", "\n", "⏎", "\r", "⏎", "\f", "␌", "\t", " ")

// oneLine shortens a text to one line by leaving out its middle.
func oneLine(text string, most int) string {
	runes := []rune(lineEnds.Replace(text))
	if len(runes) <= most {
		return string(runes)
	}
	half := (most - 3) / 2
	return string(runes[:half]) + "..." + string(runes[len(runes)-half:])
}

// bracketed puts brackets around a span.
func bracketed(text string, s verbatim.Span) string {
	return text[:s.Start] + "[" + text[s.Start:s.End] + "]" + text[s.End:]
}
