package clean_test

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/clean"
)

const scan = `<page 7>
THE WEIR. 7
She waited until the lamps were lit. At last she walked to-
<page 8>
8 THE WEIR.
ward the church, and heard the water
<page 9>
THE WEIR. 9
in the dark.
`

// Read removes page marks and running heads, and joins the words and sentences
// that they interrupt.
func ExampleRead() {
	doc, _ := verbatim.NewDocument("weir", scan)
	reading := clean.Read(doc)
	fmt.Print(reading.Copy.Text)
	for place := range reading.Places(0) {
		fmt.Printf("%s: %q -> %q\n", place.Kind, place.Source, place.Text)
	}
	// Output:
	// She waited until the lamps were lit. At last she walked toward the church, and heard the water in the dark.
	// page mark: "<page 7>\n" -> ""
	// running head: "THE WEIR. 7\n" -> ""
	// hyphen: "-\n" -> ""
	// page mark: "<page 8>\n" -> ""
	// running head: "8 THE WEIR.\n" -> ""
	// page join: "\n" -> " "
	// page mark: "<page 9>\n" -> ""
	// running head: "THE WEIR. 9\n" -> ""
}

// Source maps a span of the copy to the source. The selector can be checked
// against the source without this package.
func ExampleReading_Source() {
	doc, _ := verbatim.NewDocument("weir", scan)
	reading := clean.Read(doc)
	const quote = "heard the water in the dark."
	start := strings.Index(reading.Copy.Text, quote)
	selector := reading.Source(verbatim.Span{Start: start, End: start + len(quote)})
	fmt.Printf("%s: %q\n", selector.Status, selector.Exact)
	fmt.Println(selector.Prove(doc, quote))
	// Output:
	// mapped: "heard the water\n<page 9>\nTHE WEIR. 9\nin the dark."
	// <nil>
}
