package cloze

import "strings"

// A Category is one kind of question: what is hidden, and what it does in the
// argument.
type Category struct {
	Name string // the tag: causalsentence, conditionalclause, ...
	Mask string // what stands in the passage in its place
}

// Categories are all kinds of question, in the order of the specification.
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

// Unit is what is hidden: sentence or clause.
func (c Category) Unit() string {
	if c.Clause() {
		return "clause"
	}
	return "sentence"
}

// Clause says whether a clause is hidden, and not a whole sentence.
func (c Category) Clause() bool { return strings.HasSuffix(c.Name, "clause") }

// Prompt is what the question asks for.
func (c Category) Prompt() string {
	return "Write a " + c.Unit() + " appropriate for this book that could stand in the position marked by " + c.Mask + ":"
}
