package tag_test

import (
	"fmt"

	"verbatim"
	"verbatim/tag"
)

func Example() {
	doc, err := verbatim.NewDocument("lamp", "The boats stayed in the har-\nbour, because the pilots trusted nothing. But nobody came.\n")
	if err != nil {
		panic(err)
	}
	var tagger tag.Tagger // the embedded cards and lists
	for line, rejected := range tagger.Lines(tagger.Open(doc)) {
		for _, t := range line.Tags {
			part := t.InSentence()
			fmt.Printf("%s: %s[%s]\n", t.Name, line.Sentence[:part.Start], line.Sentence[part.Start:part.End])
		}
		for _, r := range rejected {
			fmt.Printf("no %s: %q: %s\n", r.Sense, r.Connector, r.Reason)
		}
	}
	// Output:
	// causalclause: The boats stayed in the harbour, [because the pilots trusted nothing]
	// no contrast: "but": the clause has fewer than four words
}
