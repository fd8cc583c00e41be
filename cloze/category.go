package cloze

import "strings"

// A Category is one kind of question: what is masked, and its role in the argument.
type Category struct {
	Name string // the tag: causalsentence, conditionalclause, ...
	Mask string // what the passage shows instead
}

// Categories are all categories, in the order of the specification.
var Categories = []Category{
	{"causalsentence", "[masked sentence describing a cause or reason]"},
	{"causalclause", "[masked clause describing a cause or reason]"},
	{"effectsentence", "[masked sentence describing an inference or effect]"},
	{"effectclause", "[masked clause describing an inference or effect]"},
	{"contrastsentence", "[masked sentence describing a tension or contrast]"},
	{"contrastclause", "[masked clause describing a tension or contrast]"},
	{"conditionalclause", "[masked clause describing a condition]"},
	{"concessiveclause", "[masked clause conceding a limit or exception]"},
}

// CategoryOf finds a category by its name, with or without "cloze_".
func CategoryOf(name string) (Category, bool) {
	name = strings.TrimPrefix(name, "cloze_")
	for _, c := range Categories {
		if c.Name == name {
			return c, true
		}
	}
	return Category{}, false
}

// unit is what is masked: sentence or clause.
func (c Category) unit() string {
	if c.Clause() {
		return "clause"
	}
	return "sentence"
}

// Clause reports whether the mask replaces a clause, not a whole sentence.
func (c Category) Clause() bool { return strings.HasSuffix(c.Name, "clause") }

// Prompt is the instruction below the passage.
func (c Category) Prompt() string {
	return "Write a " + c.unit() + " appropriate for this book that could stand in the position marked by " + c.Mask + ":"
}

// CategoryNames are the names of all categories, in order.
func CategoryNames() []string {
	var names []string
	for _, c := range Categories {
		names = append(names, c.Name)
	}
	return names
}
