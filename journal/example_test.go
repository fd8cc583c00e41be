package journal_test

import (
	"fmt"

	"verbatim/journal"
)

// Every item carries its evidence and the place of the evidence in the journal.
func ExampleExtractor_Items() {
	text := "Woke up with a stiff neck. No cramps today. My sister has a cough."
	for _, item := range journal.New(journal.Cards()).Items(text) {
		fmt.Printf("%s, %s: %q by %s\n", item.Domain, item.Polarity, text[item.ByteStart:item.ByteEnd], item.Card)
	}
	// Output:
	// symptom, present: "a stiff neck" by symptom/noun-after-verb
	// symptom, absent: "No cramps today" by symptom/no-noun
}
