package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
	"verbatim/internal/parallel"
	"verbatim/workspace"
)

// openDocument reads one text; "-" is standard input.
func openDocument(ctx context.Context, c *console, path string) (*verbatim.Document, error) {
	if path == "-" {
		return workspace.ReadText(cli.Interruptible(ctx, c.in), "standard input", "standard input")
	}
	return workspace.OpenText(path)
}

// eachDocument does a piece of work for each file. One bad file does not stop
// the others: it is reported at once, and the error at the end counts it.
func eachDocument(ctx context.Context, c *console, paths []string, work func(path string, doc *verbatim.Document) error) error {
	if err := onlyOneInput(paths...); err != nil {
		return err
	}
	var bad []error
	for _, path := range paths {
		doc, err := openDocument(ctx, c, path)
		if err != nil {
			bad = append(bad, err)
			if len(paths) > 1 {
				c.warn(err)
			}
			continue
		}
		if err := work(path, doc); err != nil {
			return err // the output failed; it would fail for every file
		}
	}
	switch {
	case len(bad) == 0:
		return nil
	case len(paths) == 1:
		return bad[0]
	case len(bad) == len(paths):
		return fmt.Errorf("none of the %d files could be read", len(paths))
	default:
		return &CheckFailed{fmt.Sprintf("%d of %d files could not be read (see above); the others are done", len(bad), len(paths))}
	}
}

// withInput opens a file that is not a text; "-" is standard input.
func withInput(ctx context.Context, c *console, path string, work func(name string, in io.Reader) error) error {
	if path == "-" {
		return work("standard input", cli.Interruptible(ctx, c.in))
	}
	file, err := os.Open(path)
	if err != nil {
		return durable.CannotRead(err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder; name the files in it", path)
	}
	return work(path, file)
}

// answerLines answers a file of JSON lines from another program. A bad line is
// reported and skipped.
func answerLines(ctx context.Context, c *console, path, noun, verb string, answer func(io.Reader, string, io.Writer, func(error)) (int, error)) error {
	return withInput(ctx, c, path, func(file string, in io.Reader) error {
		in, out := cli.Answering(in, c.data)
		bad := 0
		n, err := answer(in, file, out, func(err error) { bad++; c.warn(err) })
		if err == nil && bad > 0 {
			return &CheckFailed{fmt.Sprintf("%s skipped (see above); %s %s", count(bad, "line"), count(n, noun), verb)}
		}
		return err
	})
}

// onlyOneInput rejects a second "-", which would read nothing.
func onlyOneInput(paths ...string) error {
	if first := slices.Index(paths, "-"); first >= 0 && slices.Contains(paths[first+1:], "-") {
		return errors.New("standard input (-) can be read only once; name a file for the others")
	}
	return nil
}

// addOut adds --out.
func addOut(cmd *cobra.Command, out *string, what string) {
	cmd.Flags().StringVarP(out, "out", "o", "", "write "+what+" to this file (default: standard output)")
}

// rejectInput keeps a command from overwriting what it reads; "-" is standard
// input.
func rejectInput(c *console, out string, inputs ...string) error {
	target, err := os.Stat(out)
	if err != nil || !target.Mode().IsRegular() {
		return nil // there is no file to lose
	}
	for _, path := range inputs {
		info, err := os.Stat(path)
		if stdin, is := c.in.(*os.File); is && path == "-" {
			info, err = stdin.Stat()
		}
		if err == nil && os.SameFile(info, target) {
			return fmt.Errorf("%s is an input and would be overwritten; choose another name for --out", out)
		}
	}
	return nil
}

// writeOut writes the file of --out, whole or not at all, and creates its folder;
// without one, it writes to standard output. If the text is private, as that of
// journals, only the owner can read the file.
func writeOut(c *console, path string, private bool, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		return write(c.data)
	}
	if err := makeFolder(path); err != nil {
		return err
	}
	if private {
		return durable.ReplacePrivate(path, write)
	}
	return durable.Replace(path, write)
}

// makeFolder creates the folder for a file.
func makeFolder(path string) error {
	return durable.CannotWrite(path, os.MkdirAll(filepath.Dir(path), 0o777))
}

// A crashFile keeps the stacks of crashes for developers, where a command has no
// working folder for them. Only the owner can read it, because a stack may show a
// piece of a text.
type crashFile struct{ path string }

// note writes the stack of a crash and adds to the error where it is. Other errors
// come back as they are.
func (f *crashFile) note(err error) error {
	crash, is := errors.AsType[*parallel.PanicError](err)
	if !is {
		return err
	}
	var file *os.File
	var cannot error
	if f.path == "" {
		file, cannot = os.CreateTemp("", "verbatim-crash-*.txt")
	} else {
		file, cannot = os.OpenFile(f.path, os.O_WRONLY|os.O_APPEND, 0)
	}
	if cannot != nil {
		return err
	}
	f.path = file.Name()
	_, cannot = fmt.Fprintf(file, "verbatim %s: %v\n\n%s\n", version(), err, crash.Stack)
	if errors.Join(cannot, file.Close()) != nil {
		return err
	}
	return fmt.Errorf("%w; this is a fault of the program; for a report to its developers, the details are in %s", err, f.path)
}
