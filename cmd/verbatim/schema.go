package main

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/distractor"
	"verbatim/grade"
	"verbatim/internal/near"
)

//go:embed schema
var schemaFiles embed.FS

// schemas are the records that people and programs exchange: a description and
// the JSON Schema of each.
var schemas = map[string]struct{ about, text string }{
	"question":         {"a line of the benchmark file, BARCODE-clozequestions.jsonl", schemaFile("question")},
	"tagged":           {"a sentence with its connectors, BARCODE-tagged.jsonl", schemaFile("tagged")},
	"metadata":         {"the metadata of a book, metadata/BARCODE.json", schemaFile("metadata")},
	"decision":         {"a reviewer's decision, BARCODE-decisions.jsonl", schemaFile("decision")},
	"distract":         {"a line that verbatim distract reads", distractor.RequestSchema},
	"distract-answers": {"a line that verbatim distract writes", distractor.AnswersSchema},
	"journal-items":    {"the items of a journal, gold or predicted", string(grade.JournalItems)},
}

func schemaFile(name string) string {
	text, err := schemaFiles.ReadFile("schema/" + name + ".json")
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

func schemaCommand() *cobra.Command {
	names := slices.Sorted(maps.Keys(schemas))
	var list strings.Builder
	for _, name := range names {
		fmt.Fprintf(&list, "  %-17s %s\n", name, schemas[name].about)
	}
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print the JSON Schema of a record",
		Long: `Print the JSON Schema of a record:

` + list.String() + `
To score other domains or attributes, save the schema journal-items, add them,
and pass the file to: verbatim score --schema FILE`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			c := consoleOf(cmd)
			schema, known := schemas[args[0]]
			if !known {
				return fmt.Errorf("unknown schema %q%s; the schemas are %s", args[0], near.Nearest(args[0], names), strings.Join(names, ", "))
			}
			_, err := fmt.Fprint(c.out, schema.text)
			return err
		},
	}
}
