// Command verbatim makes, reviews and scores text benchmarks in which every
// right answer is a verbatim piece of a source.
//
// One file per command; only here all packages meet. Data goes to standard output,
// messages go to standard error. Exit status: 0 done, 1 a check failed, 2 could not
// run.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/cli"
	"verbatim/journal"
	"verbatim/workspace"
)

func main() {
	// If the reader of our output stops, as `| head` does, the next write fails and
	// run ends the program. Catch the signal that comes with it, which would kill
	// the program. (Ignoring it would be inherited by the editor that review starts.)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without its process, so that tests can call it.
func run(ctx context.Context, args []string, in io.Reader, out, messages io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetIn(in)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	watched, heard := &cli.Watch{Writer: out, Gone: stop}, &cli.Watch{Writer: messages, Gone: stop}
	if root.SetOut(watched); cli.IsTerminal(out) {
		root.SetOut(out) // some commands ask whether it is a terminal
	}
	if root.SetErr(heard); cli.IsTerminal(messages) {
		root.SetErr(messages)
	}
	cmd, err := root.ExecuteContextC(ctx)
	if watched.Err != nil && !cli.PipeClosed(watched.Err) {
		err = watched.Err // the output is incomplete
	}
	switch {
	case err == nil:
		return 0
	case isCheck(err):
		fmt.Fprintln(messages, "verbatim:", flagsOf(cmd).plainly(err))
		return 1
	case cli.PipeClosed(watched.Err): // as with `| head`
		return 0
	}
	fmt.Fprintln(messages, "verbatim:", flagsOf(cmd).plainly(err))
	return 2
}

// CheckFailed is the error of a command that did its work and found something
// wrong: a gate missed, a check failed, some of many inputs bad.
type CheckFailed struct{ What string }

func (e *CheckFailed) Error() string { return e.What }

// isCheck reports whether an error is a failed check, for example a book without
// enough candidates: the command ran, and the exit status is 1.
func isCheck(err error) bool {
	return is[*CheckFailed](err) || is[*workspace.TooShortError](err) || is[*workspace.NotDescribedError](err) ||
		errors.Is(err, workspace.ErrNoSentence) || errors.Is(err, journal.ErrNoItems)
}

// is reports whether an error is or wraps one of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func rootCommand() *cobra.Command {
	root := newGroup("verbatim", tagCommand(), extractCommand(), newGroup("rules", rulesCheckCommand(), rulesListCommand()), demoCommand(), inspectCommand(),
		distractCommand(), modelsCommand(), makeCommand(), describeCommand(), reviewCommand(), statusCommand(), verifyCommand(),
		scoreCommand(), schemaCommand(), trustCommand(), fsckCommand(), backupCommand(), restoreCommand(), lintCommand(), balanceCommand())
	root.Version = version()
	root.SetVersionTemplate("verbatim {{.Version}}\n")
	root.SilenceUsage = true  // an error is one sentence, not a page of help
	root.SilenceErrors = true // run prints it
	noticed := map[string]bool{}
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		now, old := workspace.OldNames[name] // flags of version 0.1.0 still work
		if !old {
			return pflag.NormalizedName(name)
		}
		if !noticed[name] {
			noticed[name] = true
			fmt.Fprintf(root.ErrOrStderr(), "verbatim: --%s is now called --%s\n", name, now)
		}
		return pflag.NormalizedName(now)
	})
	plainErrors(root)
	return root
}

// release is the version in CHANGELOG.md.
const release = "0.1.0"

// version adds the commit if the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return release + " (" + setting.Value[:12] + ")"
		}
	}
	return release
}
