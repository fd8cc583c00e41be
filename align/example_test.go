package align_test

import (
	"fmt"

	"verbatim/align"
)

func Example() {
	journal := align.NewText("Couldn’t sleep.  No fever today, but a dull headache.")
	for _, quotation := range []string{"a dull headache", "couldn't sleep", "No fever today but", "fever today"} {
		m := journal.Find(quotation, 0)
		fmt.Printf("%v %d-%d %q\n", m.Kind, m.Start, m.End, m.Words())
	}
	fmt.Println(journal.Find("a dull backache", 0).Kind)
	// Output:
	// exact 39-54 ""
	// form 0-16 "curly quote, case"
	// edited 19-38 "comma"
	// exact 22-33 ""
	// absent
}
