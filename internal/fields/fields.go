// Package fields compares the fields of two JSON Lines files.
package fields

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	"verbatim"
	"verbatim/internal/durable"
)

// A Field of two files: how many records of each have it, and its types.
type Field struct {
	Name   string `json:"field"`
	First  Use    `json:"first"`
	Second Use    `json:"second"`
}

// A Use is how one file uses a field.
type Use struct {
	Records int      `json:"records"` // with the field
	Of      int      `json:"of"`      // all records
	Types   []string `json:"types"`
}

// Compare lists the fields of both files in alphabetical order.
func Compare(first, second string) ([]Field, error) {
	var tables [2]map[string]*Use
	var records [2]int
	all := map[string]bool{}
	for i, path := range []string{first, second} {
		var err error
		if tables[i], records[i], err = read(path); err != nil {
			return nil, err
		}
		for name := range tables[i] {
			all[name] = true
		}
	}
	use := func(i int, name string) Use {
		if u := tables[i][name]; u != nil {
			return Use{u.Records, records[i], u.Types}
		}
		return Use{Of: records[i], Types: []string{}}
	}
	var fields []Field
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fields = append(fields, Field{name, use(0, name), use(1, name)})
	}
	return fields, nil
}

func read(path string) (fields map[string]*Use, records int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, durable.CannotRead(err)
	}
	defer file.Close()
	fields = map[string]*Use{}
	for record, err := range verbatim.Read[map[string]json.RawMessage](file, path) {
		if err != nil {
			return nil, 0, err
		}
		records++
		for name, value := range record {
			if fields[name] == nil {
				fields[name] = &Use{}
			}
			u := fields[name]
			u.Records++
			if kind := typeOf(value); !slices.Contains(u.Types, kind) {
				u.Types = append(u.Types, kind)
				slices.Sort(u.Types)
			}
		}
	}
	if records == 0 {
		return nil, 0, fmt.Errorf("%s has no records", path)
	}
	return fields, records, nil
}

func typeOf(value json.RawMessage) string {
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
