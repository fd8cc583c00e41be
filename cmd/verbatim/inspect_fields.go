package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/fields"
)

func inspectFieldsCommand() *cobra.Command {
	var asJSON bool
	cmd := newCommand("inspect-fields", cobra.ExactArgs(2), func(_ context.Context, c *console, paths []string) error {
		all, err := fields.Compare(paths[0], paths[1])
		if err != nil {
			return err
		}
		if asJSON {
			return verbatim.Write(c.out, verbatim.All(all))
		}
		return printFields(c.out, paths, all)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"field","first","second"} for each field`)
	return cmd
}

func printFields(out io.Writer, paths []string, all []fields.Field) error {
	both := 0
	for i, path := range paths {
		fmt.Fprintf(out, "only in %s:\n", path)
		none := true
		for _, f := range all {
			here, there := f.First, f.Second
			if i == 1 {
				here, there = there, here
			}
			if here.Records > 0 && there.Records == 0 {
				none = false
				fmt.Fprintf(out, "  %-24s in %d of %d, %v\n", f.Name, here.Records, here.Of, here.Types)
			}
		}
		if none {
			fmt.Fprintln(out, "  nothing")
		}
	}
	for _, f := range all {
		if f.First.Records > 0 && f.Second.Records > 0 {
			both++
			if !slices.Equal(f.First.Types, f.Second.Types) {
				fmt.Fprintf(out, "different type: %s is %v in the first and %v in the second\n", f.Name, f.First.Types, f.Second.Types)
			}
		}
	}
	_, err := fmt.Fprintf(out, "in both: %s\n", count(both, "field"))
	return err
}
