package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"verbatim/internal/durable"
)

// addOut gives a command the file that it writes.
func addOut(cmd *cobra.Command, out *string, what string) {
	cmd.Flags().StringVarP(out, "out", "o", "", "write "+what+" to this file, whole or not at all (default: standard output)")
}

// refuseInput keeps a command from writing over what it reads; "-" is standard
// input.
func refuseInput(c *console, out string, inputs ...string) error {
	target, err := os.Stat(out)
	if err != nil || !target.Mode().IsRegular() {
		return nil // nothing stands there that could be lost
	}
	for _, path := range inputs {
		info, err := os.Stat(path)
		if stdin, is := c.in.(*os.File); is && path == "-" {
			info, err = stdin.Stat()
		}
		if err == nil && os.SameFile(info, target) {
			return fmt.Errorf("%s is an input and would be written over; choose another name for --out", out)
		}
	}
	return nil
}

// writeOut lets `write` fill the file of --out, whole or not at all, and makes
// its folder; without one, standard output.
func writeOut(c *console, path string, write func(io.Writer) error) error {
	return writeBy(durable.Replace, c, path, write)
}

// writePrivate is writeOut for what holds a person's words: the file is for its
// owner's eyes.
func writePrivate(c *console, path string, write func(io.Writer) error) error {
	return writeBy(durable.ReplacePrivate, c, path, write)
}

func writeBy(replace func(string, func(io.Writer) error) error, c *console, path string, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		return write(c.out)
	}
	if err := makeFolder(path); err != nil {
		return err
	}
	return replace(path, write)
}

// makeFolder makes the folder of a file that is to be written.
func makeFolder(path string) error {
	return durable.CannotWrite(path, os.MkdirAll(filepath.Dir(path), 0o777))
}
