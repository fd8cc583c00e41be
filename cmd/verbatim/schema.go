package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/distractor"
	"verbatim/grade"
	"verbatim/internal/near"
)

// schemas are the records that people and programs exchange, each with its
// JSON Schema; help/schema.txt says what they are.
var schemas = map[string]string{
	"question":         embeddedText("schema/question.json"),
	"tagged":           embeddedText("schema/tagged.json"),
	"metadata":         embeddedText("schema/metadata.json"),
	"decision":         embeddedText("schema/decision.json"),
	"distract":         distractor.RequestSchema,
	"distract-answers": distractor.AnswersSchema,
	"journal-items":    string(grade.JournalItems),
}

func schemaCommand() *cobra.Command {
	names := slices.Sorted(maps.Keys(schemas))
	cmd := newCommand("schema", cobra.ExactArgs(1), func(_ context.Context, c *console, args []string) error {
		schema, known := schemas[args[0]]
		if !known {
			return fmt.Errorf("unknown schema %q%s; the schemas are %s", args[0], near.Nearest(args[0], names), strings.Join(names, ", "))
		}
		_, err := fmt.Fprint(c.data, schema)
		return err
	})
	cmd.ValidArgs = names
	return cmd
}
