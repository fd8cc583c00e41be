// Command verbatim makes, reviews and scores text benchmarks in which every
// right answer is a verbatim piece of a source.
//
// One file a command; this is the only place where all packages meet. Data goes
// to standard output, words to standard error; exit 0 is done, 1 found wanting,
// 2 could not.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without its process, so that tests can call it.
func run(ctx context.Context, args []string, in io.Reader, out, words io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(words)
	err := root.ExecuteContext(ctx)
	if err == nil || pipeClosed(err) { // `| head` has seen enough
		return 0
	}
	fmt.Fprintln(words, "verbatim:", plainly(err))
	if wanting := (*Wanting)(nil); errors.As(err, &wanting) {
		return 1
	}
	return 2
}

// Wanting is the error of a command that did its work and found something
// wanting: a gate missed, a check failed, some of many inputs bad.
type Wanting struct{ What string }

func (w *Wanting) Error() string { return w.What }

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "verbatim",
		Short: "Make, review and score text benchmarks whose right answers are verbatim pieces of a source",
		Long: `verbatim makes, reviews and scores text benchmarks in which every right answer
is a verbatim piece of a source. Every span carries its place from the moment
it is found and can be proved again, byte for byte.

New here? Type: verbatim demo`,
		Version:       version(),
		SilenceUsage:  true, // an error is one sentence, not a page of help
		SilenceErrors: true, // run prints it
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("verbatim {{.Version}}\n")
	root.AddCommand(tagCommand(), extractCommand(), rulesCommand(), demoCommand(), inspectCommand())
	root.AddCommand(distractCommand(), modelsCommand())
	root.AddCommand(makeCommand(), describeCommand(), reviewCommand(), statusCommand(), verifyCommand())
	root.AddCommand(scoreCommand(), schemaCommand())
	sayPlainly(root)
	return root
}
