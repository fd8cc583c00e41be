package cloze_test

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/cloze"
	"verbatim/tag"
)

func Example() {
	doc, err := verbatim.NewDocument("lamp", `The lamp was lit at dusk by the keeper of the rock, who had climbed the
hundred and forty stairs without a rest, as he had done on every evening of
the nineteen years that he had lived in the tower. The glass was clean. The
boats stayed in the harbour that night, because the pilots trusted nothing.
The keeper went to bed.
`)
	if err != nil {
		panic(err)
	}
	var tagger tag.Tagger
	text := tagger.Open(doc)
	lines, _ := tagger.All(text)
	book, err := cloze.New(text, lines, 0)
	if err != nil {
		panic(err)
	}
	for draft := range book.Drafts("causalclause") {
		_, end, _ := strings.Cut(draft.Masked, "The glass was clean. ")
		fmt.Println(end)
		fmt.Println(draft.Truth)
		fmt.Println(draft.TruthAt.Prove(doc, draft.Truth)) // nil: the source says so
	}
	// Output:
	// The boats stayed in the harbour that night, [masked clause describing a cause or reason].
	// because the pilots trusted nothing
	// <nil>
}
