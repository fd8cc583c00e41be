package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/workspace"
)

func inspectFramesCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("inspect-frames", cobra.MinimumNArgs(1), func(_ context.Context, c *console, paths []string) error {
		bad := 0
		frames := workspace.Frames(paths, func(err error) { bad++; c.warn(err) })
		if err := writeFrames(c.out, frames, asJSON); err != nil {
			return err
		}
		switch {
		case bad > 0 && len(frames) == 0:
			return errors.New("none of the metadata could be read (see above)")
		case bad > 0:
			return &CheckFailed{fmt.Sprintf("%s could not be read (see above)", count(bad, "record"))}
		}
		return nil
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"book","frame","file"} for each`)
	return cmd
}

func writeFrames(out io.Writer, frames []workspace.Frame, asJSON bool) error {
	if asJSON {
		return verbatim.Write(out, verbatim.All(frames))
	}
	for _, f := range frames {
		if _, err := fmt.Fprintf(out, "%s\n  %s\n", f.Book, wrap(f.Frame, 76, 2)); err != nil {
			return err
		}
	}
	return nil
}
