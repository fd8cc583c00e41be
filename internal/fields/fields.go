// Package fields compares the fields of two JSON Lines files.
package fields

import (
	"cmp"
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
	uses := map[string]*[2]Use{}
	var records [2]int
	for i, path := range []string{first, second} {
		file, err := os.Open(path)
		if err != nil {
			return nil, durable.CannotRead(err)
		}
		defer file.Close()
		for record, err := range verbatim.Read[map[string]json.RawMessage](file, path) {
			if err != nil {
				return nil, err
			}
			records[i]++
			for name, value := range record {
				if uses[name] == nil {
					uses[name] = &[2]Use{{Types: []string{}}, {Types: []string{}}}
				}
				uses[name][i].add(value)
			}
		}
		if records[i] == 0 {
			return nil, fmt.Errorf("%s has no records", path)
		}
	}
	var fields []Field
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		one, two := uses[name][0], uses[name][1]
		one.Of, two.Of = records[0], records[1]
		fields = append(fields, Field{name, one, two})
	}
	return fields, nil
}

var types = map[byte]string{'"': "string", '[': "list", '{': "object", 't': "boolean", 'f': "boolean", 'n': "null"}

func (u *Use) add(value json.RawMessage) {
	u.Records++
	if kind := cmp.Or(types[value[0]], "number"); !slices.Contains(u.Types, kind) {
		u.Types = append(u.Types, kind)
		slices.Sort(u.Types)
	}
}
