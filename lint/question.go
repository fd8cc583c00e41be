// Package lint measures what gives the answers of multiple-choice questions away,
// and what is dirty in them. It knows no book and no model: a ranker is a function
// that it is given.
//
// What to count on: ties are split evenly, so the order of options cannot matter;
// learned attacks are trained on other books only; intervals are drawn over books;
// the same questions give the same figures, digit by digit, on every machine.
package lint

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A Question is one multiple-choice question as lint sees it.
type Question struct {
	ID       string
	Book     string // questions of one book are not independent; learned attacks never see the book they are tested on
	Category string
	Options  []string // the ground truth first
	Types    []string // of the options; may be empty
	Passage  string   // what the reader sees besides the options; may be empty
	Mask     string   // what replaces the answer in the passage; may be empty
	Position int      // of the ground truth in the file, from 0
	Fit      []float64
	Clause   bool // options are clauses, not sentences

	Ours    bool              // it has the fields of the benchmark
	Fields  map[string]string // fields about its source, by name
	Licence bool              // some field states a licence
	Year    int               // of the source; 0 if unknown
	Choice  string            // what chose its options; empty: the fit alone
	File    string
	Line    int
}

var maskPattern = regexp.MustCompile(`\[masked [^\]]*\]`)

// visible is the passage without its mask and without the instruction.
func (q *Question) visible() string {
	text, _, _ := strings.Cut(q.Passage, "\n\nWrite a ")
	if q.Mask != "" {
		return strings.ReplaceAll(text, q.Mask, " ")
	}
	return maskPattern.ReplaceAllString(text, " ")
}

func (q *Question) chance() float64 { return 1 / float64(len(q.Options)) }

// written reports whether a model or a person wrote an option, as its type says.
func (q *Question) written(option int) bool {
	if option >= len(q.Types) {
		return false
	}
	kind := strings.TrimPrefix(q.Types[option], "manual_")
	return strings.HasPrefix(kind, "anachronistic") || strings.HasPrefix(kind, "negation") || strings.HasPrefix(kind, "twin")
}

// books are the books of questions, in order.
func books(questions []*Question) []string {
	var names []string
	for _, q := range questions {
		names = append(names, q.Book)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// byBook gives the number of each question's book.
func byBook(questions []*Question) (of []int, count int) {
	names := books(questions)
	for _, q := range questions {
		i, _ := slices.BinarySearchFunc(names, q.Book, cmp.Compare[string])
		of = append(of, i)
	}
	return of, len(names)
}
