package sentence_test

import (
	"fmt"
	"testing/fstest"

	"verbatim"
	"verbatim/sentence"
)

func ExampleSplit() {
	doc, _ := verbatim.NewDocument("ferry", `"Is it far?" Mr. Dale asked. "No. It is nine miles."`)
	for s := range sentence.Split(doc) {
		fmt.Println(s.Number, doc.Quote(s.Span))
	}
	// Output:
	// 0 "Is it far?" Mr. Dale asked.
	// 1 "No.
	// 2 It is nine miles."
}

// Your own folder can add words to a list, with an example that tests them.
func ExampleNewRules() {
	const text = "Hptm. Weil rose. Nobody spoke."
	folder := fstest.MapFS{"mine.txt": {Data: []byte(`
list:    titles
does:    Military ranks.
words:   Obrst Hptm
example: Obrst. Falk sent Hptm. Weil away. // Nobody knew why.
`)}}
	rules, err := sentence.NewRules(folder)
	if err != nil {
		fmt.Println(err) // names the file and line of each mistake
		return
	}
	if err := rules.Check(); err != nil {
		fmt.Println(err) // an example failed
	}
	for s := range rules.SplitText(text) {
		fmt.Println(text[s.Start:s.End])
	}
	// Output:
	// Hptm. Weil rose.
	// Nobody spoke.
}
