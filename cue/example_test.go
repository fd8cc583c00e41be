package cue_test

import (
	"fmt"
	"testing/fstest"

	"verbatim/cue"
)

// Tags finds the connectors of a sentence and the text that each one governs.
// A question can mask that text.
func ExampleReader_Tags() {
	reader := cue.Connectors().NewReader()
	sentence := "But nobody would row them over, for the boat was old."
	tags, _ := reader.Tags("", sentence)
	for _, tag := range tags {
		fmt.Printf("%s by card %s\n", tag.Name, tag.Card)
		fmt.Printf("  [%s]\n", sentence[tag.Scope.Start:tag.Scope.End])
	}
	// Output:
	// contrastsentence by card but/contrast
	//   [But nobody would row them over, for the boat was old.]
	// causalclause by card for/clause-with-verb
	//   [for the boat was old]
}

// Your own folder goes on top of the embedded cards: it can add cards and words.
func ExampleLoad() {
	folder := fstest.MapFS{"mine.txt": {Data: []byte(`
more:  degree adjectives
words: puissant

rule:  mine/howbeit
match: howbeit
place: after ,
sense: concessive
kind:  subordinator
yes:   He stayed, [howbeit] he was asked to go.
`)}}
	cards, err := cue.Load(folder, cue.ConnectorCards(), cue.Words())
	if err != nil {
		fmt.Println(err) // names the file and line of each mistake
		return
	}
	for _, failure := range cards.Check() {
		fmt.Println(failure) // a card does not match its own example
	}
	reader := cards.NewReader()
	for _, hit := range reader.Hits("", "No king, however puissant, stayed, howbeit they were asked to.") {
		fmt.Println(hit.Connector, hit.Sense, hit.Card)
	}
	// Output:
	// however concessive however/degree
	// howbeit concessive mine/howbeit
}

// Cards can find more than connectors. Here: negations, whose scope ends at the
// end of the clause, or at a comma before `but`.
func ExampleLoad_negation() {
	cards, err := cue.Load(fstest.MapFS{"negation.txt": {Data: []byte(`
list:  senses
words: absent none

rule:  negation/no-doubt
match: no doubt
sense: none
yes:   There was [no doubt] of it.

rule:  negation/no
match: no | not | never
sense: absent
kind:  negator
yes:   I had [no] fever.

rule:  negation/scope-comma
on:    negator
has:   , but in the rest
scope: to the next comma
tier:  sure
yes:   I had [no fever], but my head ached.

rule:  negation/scope
on:    negator
scope: to the end of the clause
tier:  sure
yes:   I had [no fever at all].
`)}}, cue.Words())
	if err != nil {
		fmt.Println(err)
		return
	}
	sentence := "No doubt I slept, but I had no cramps, but some pain."
	tags, _ := cards.NewReader().Tags("", sentence)
	for _, tag := range tags {
		fmt.Printf("%s: [%s]\n", tag.Sense, sentence[tag.Scope.Start:tag.Scope.End])
	}
	// Output:
	// absent: [no cramps]
}
