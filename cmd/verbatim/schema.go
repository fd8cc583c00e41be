package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/grade"
)

// schemas are the records that have a JSON Schema.
var schemas = map[string][]byte{
	"journal-items": grade.JournalItems,
}

func schemaCommand() *cobra.Command {
	names := slices.Sorted(maps.Keys(schemas))
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print the JSON Schema of a record",
		Long: `Print the JSON Schema of a record: ` + strings.Join(names, ", ") + `.

Save it, add a domain or an attribute, and give it to: verbatim score --schema FILE`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			schema, known := schemas[args[0]]
			if !known {
				return fmt.Errorf("there is no schema %q; there are: %s", args[0], strings.Join(names, ", "))
			}
			_, err := cmd.OutOrStdout().Write(schema)
			return err
		},
	}
}
