package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/cli"
	"verbatim/workspace"
	"verbatim/workspace/backup"
)

func backupCommand() *cobra.Command {
	o := backup.Options{Program: release}
	var check bool
	cmd := newCommand("backup", nil, func(_ context.Context, c *console, args []string) error {
		if check {
			contents, err := backup.Check(args[0])
			if is[*backup.BadError](err) {
				return &CheckFailed{plainly(err)}
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(c.out, "%s is whole: %s, every hash is right\n", args[0], contentsText(contents))
			return nil
		}
		return writeBackup(c, args[0], args[1], o)
	})
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if check {
			return cobra.ExactArgs(1)(cmd, args)
		}
		return cobra.ExactArgs(2)(cmd, args)
	}
	cmd.Flags().BoolVar(&check, "check", false, "read a backup and compare every file with its manifest")
	cmd.Flags().BoolVar(&o.Replace, "force", false, "replace an older file of this name")
	cmd.Flags().StringVar(&o.Texts, "texts", "", "the folder with the texts (default: beside the working folder)")
	cmd.Flags().BoolVar(&o.NoTexts, "no-texts", false, "leave the texts out")
	cmd.MarkFlagsMutuallyExclusive("texts", "no-texts")
	cmd.MarkFlagsMutuallyExclusive("check", "force")
	return cmd
}

func writeBackup(c *console, dir, file string, o backup.Options) error {
	folder, err := workspace.FindFolder(dir)
	if err := errors.Join(err, checkTexts(o.Texts)); err != nil {
		return err
	}
	contents, err := backup.Write(folder, file, o)
	if err != nil {
		return err
	}
	for _, left := range contents.LeftOut {
		c.warn(verbatim.Readable(fmt.Sprintf("not in the backup: %s: %s", left.Name, left.Why)))
	}
	fmt.Fprintf(c.out, "%s: %s, written and read back\n", file, contentsText(contents))
	if contents.Lacks() {
		return &CheckFailed{"the backup is written, but it lacks what may be somebody's work (see above)"}
	}
	return nil
}

func restoreCommand() *cobra.Command {
	return newCommand("restore", cobra.ExactArgs(2), func(_ context.Context, c *console, args []string) error {
		contents, err := backup.Restore(args[0], args[1])
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s: %s, every hash is right\n", args[1], contentsText(contents))
		fmt.Fprintf(c.out, "To see how far the books are, type: %s\n", cli.Line("verbatim", "status", filepath.Join(args[1], workspace.Usual)))
		return nil
	})
}

// contentsText is the size of a backup for people.
func contentsText(c *backup.Contents) string {
	size := c.Size()
	switch {
	case size < 10_000:
		return fmt.Sprintf("%s, %d bytes", count(len(c.Files), "file"), size)
	case size < 10_000_000:
		return fmt.Sprintf("%s, %d kB", count(len(c.Files), "file"), size/1000)
	}
	return fmt.Sprintf("%s, %d MB", count(len(c.Files), "file"), size/1_000_000)
}
