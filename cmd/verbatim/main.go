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
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"verbatim/internal/durable"
	"verbatim/workspace"
)

func main() {
	// Who reads our output may have seen enough, as `| head` has: then the next
	// write fails, and run ends the program well. Unless somebody takes the signal
	// that comes with it, it would end the program there. (To ignore it would let
	// the editor that review starts ignore it, too.)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without its process, so that tests can call it.
func run(ctx context.Context, args []string, in io.Reader, out, words io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetIn(in)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	watched, heard := &watch{Writer: out, gone: stop}, &watch{Writer: words, gone: stop}
	if root.SetOut(watched); isTerminal(out) {
		root.SetOut(out) // never full, and some commands must know it for what it is
	}
	if root.SetErr(heard); isTerminal(words) {
		root.SetErr(words)
	}
	err := root.ExecuteContext(ctx)
	if watched.err != nil && !pipeClosed(watched.err) {
		err = watched.err // whatever else was found, the output is not whole
	}
	switch {
	case err == nil:
		return 0
	case isCheck(err):
		fmt.Fprintln(words, "verbatim:", plainly(err))
		return 1
	case pipeClosed(watched.err): // `| head` has seen enough
		return 0
	}
	fmt.Fprintln(words, "verbatim:", plainly(err))
	return 2
}

// A watch is the standard output, and remembers that it failed: no command can
// end well when its data did not arrive, whether or not it looked. Where nobody
// reads any more, what is under way ends.
type watch struct {
	io.Writer
	gone func()
	once sync.Once
	err  error
}

func (w *watch) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.once.Do(func() { w.err = durable.CannotWrite("the output", err) })
		if pipeClosed(err) {
			w.gone()
		}
	}
	return n, err
}

// CheckFailed is the error of a command that did its work and found something
// wrong: a gate missed, a check failed, some of many inputs bad.
type CheckFailed struct{ What string }

func (e *CheckFailed) Error() string { return e.What }

// isCheck reports whether an error is a failed check, also one of a book that
// gives no questions: the command ran, and the exit status is 1.
func isCheck(err error) bool {
	var failed *CheckFailed
	var short *workspace.TooShortError
	var unknown *workspace.NotDescribedError
	return errors.As(err, &failed) || errors.As(err, &short) || errors.As(err, &unknown) || errors.Is(err, workspace.ErrNoSentence)
}

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
	told := map[string]bool{}
	root.SetGlobalNormalizationFunc(oldFlags(func(old, now string) {
		if !told[old] {
			told[old] = true
			fmt.Fprintf(root.ErrOrStderr(), "verbatim: --%s is now called --%s\n", old, now)
		}
	}))
	sayPlainly(root)
	return root
}
