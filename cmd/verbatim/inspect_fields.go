package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"verbatim/internal/durable"

	"github.com/spf13/cobra"

	"verbatim"
)

func inspectFieldsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "fields A.jsonl B.jsonl",
		Short: "Compare the fields of two question files",
		Long: `Compare the fields of two question files (or any JSON Lines files): which fields
are only in the first, which only in the second, and which differ in type.`,
		Example: `  verbatim inspect fields HWWJNQ-clozequestions.jsonl older.questions.jsonl`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, paths []string) error {
			c := consoleOf(cmd)
			first, err := fieldsOf(paths[0])
			if err != nil {
				return err
			}
			second, err := fieldsOf(paths[1])
			if err != nil {
				return err
			}
			return printFields(c.out, paths, compareFields(first, second), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"field","first","second"} for each field`)
	return cmd
}

// fieldLine is one field: how many records of each file have it, and its types.
type fieldLine struct {
	Field  string    `json:"field"`
	First  fieldFact `json:"first"`
	Second fieldFact `json:"second"`
}

type fieldFact struct {
	Records int      `json:"records"` // with the field
	Of      int      `json:"of"`      // all records
	Types   []string `json:"types"`
}

type fieldTable struct {
	records int
	fields  map[string]*fieldFact
}

func fieldsOf(path string) (*fieldTable, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, durable.CannotRead(err)
	}
	defer file.Close()
	t := &fieldTable{fields: map[string]*fieldFact{}}
	for record, err := range verbatim.Read[map[string]json.RawMessage](file, path) {
		if err != nil {
			return nil, err
		}
		t.records++
		for name, value := range record {
			f := t.fields[name]
			if f == nil {
				f = &fieldFact{}
				t.fields[name] = f
			}
			f.Records++
			if kind := jsonKind(value); !slices.Contains(f.Types, kind) {
				f.Types = append(f.Types, kind)
				slices.Sort(f.Types)
			}
		}
	}
	if t.records == 0 {
		return nil, fmt.Errorf("%s has no records", path)
	}
	return t, nil
}

func jsonKind(value json.RawMessage) string {
	switch value[0] {
	case '"':
		return "string"
	case '[':
		return "list"
	case '{':
		return "object"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func compareFields(first, second *fieldTable) []fieldLine {
	all := map[string]bool{}
	for _, t := range []*fieldTable{first, second} {
		for name := range t.fields {
			all[name] = true
		}
	}
	fact := func(t *fieldTable, name string) fieldFact {
		if f := t.fields[name]; f != nil {
			return fieldFact{f.Records, t.records, f.Types}
		}
		return fieldFact{Of: t.records, Types: []string{}}
	}
	var lines []fieldLine
	for _, name := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, fieldLine{name, fact(first, name), fact(second, name)})
	}
	return lines
}

func printFields(out io.Writer, paths []string, lines []fieldLine, asJSON bool) error {
	if asJSON {
		return verbatim.Write(out, verbatim.All(lines))
	}
	both := 0
	for i, path := range paths {
		fmt.Fprintf(out, "only in %s:\n", path)
		none := true
		for _, line := range lines {
			here, there := line.First, line.Second
			if i == 1 {
				here, there = there, here
			}
			if here.Records > 0 && there.Records == 0 {
				none = false
				fmt.Fprintf(out, "  %-24s in %d of %d, %v\n", line.Field, here.Records, here.Of, here.Types)
			}
		}
		if none {
			fmt.Fprintln(out, "  nothing")
		}
	}
	for _, line := range lines {
		if line.First.Records > 0 && line.Second.Records > 0 {
			both++
			if !slices.Equal(line.First.Types, line.Second.Types) {
				fmt.Fprintf(out, "another type: %s is %v there and %v here\n", line.Field, line.First.Types, line.Second.Types)
			}
		}
	}
	_, err := fmt.Fprintf(out, "in both: %s\n", count(both, "field"))
	return err
}
