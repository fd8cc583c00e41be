package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The specification lists what could go wrong, from 0 to 11. Here is where each
// is tested, or which command shows it to a person.
var specification = []struct {
	number, question string
	tests            []string // file: function
	commands         []string // for what a person must judge
}{
	{"0", "Are metadata prefixes created appropriately?", []string{"book/frame_test.go: TestSpec0Frames", "book/frame_test.go: TestFramesOfEverySubset"}, []string{"inspect frames"}},
	{"1", "What if a very short text has too few candidates?", []string{"cmd/verbatim/trouble_test.go: TestSpec1AVeryShortText"}, nil},
	{"2a", "Is each connector caught by its rules?", []string{"cue/places_test.go: TestEveryConnectorIsCaughtInItsPlaces", "cue/places_test.go: TestCounterExamples", "cue/places_test.go: TestWhyQuestions"}, nil},
	{"2b", "Are they caught in real books?", nil, []string{"inspect connectors"}},
	{"3", "Are ambiguous cases and causal sentences filtered?", []string{"confirm/confirm_test.go: TestSpec3AmbiguousTagsAreKeptOrRejected"}, nil},
	{"4", "Are passages constructed appropriately?", []string{"cloze/cloze_test.go: TestSpec4Passages", "cloze/books_test.go: TestEveryDraftOfTheBooks"}, nil},
	{"5", "Is always one and only one metadataless?", []string{"distractor/make_test.go: TestSpec5ExactlyOneTypeIsMetadataless"}, nil},
	{"6", "Are negations appropriate?", nil, []string{"inspect negations"}},
	{"7", "Does the ranking select the best candidates?", []string{"distractor/rank_test.go: TestSpec7TheFilledSentenceIsFoundByThePositionOfTheMask"}, []string{"inspect ranking"}},
	{"8", "Does metadataless change the prompt, and do the models answer?", []string{"distractor/form_test.go: TestSpec8AnachronisticPrompts"}, []string{"models"}},
	{"9", "Do clauses look like clauses and sentences like sentences?", []string{"distractor/form_test.go: TestSpec9Shape"}, nil},
	{"10", "Does the length check work?", []string{"distractor/make_test.go: TestSpec10AnAnswerOfTheWrongLengthIsRequestedOnceMore"}, nil},
	{"11", "Do the tags of written questions align?", []string{"question_test.go: TestSpec11FieldsOfAQuestion"}, []string{"inspect fields"}},
}

func TestTheSpecificationsListIsTested(t *testing.T) {
	for _, s := range specification {
		if len(s.tests)+len(s.commands) == 0 {
			t.Errorf("%s %s: neither a test nor a command", s.number, s.question)
		}
		for _, place := range s.tests {
			file, function, _ := strings.Cut(place, ": ")
			source, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
			if err != nil || !strings.Contains(string(source), "func "+function+"(") {
				t.Errorf("%s %s: there is no %s (%v)", s.number, s.question, place, err)
			}
		}
		for _, words := range s.commands {
			found, _, err := rootCommand().Find(strings.Fields(words))
			if err != nil || found.CommandPath() != "verbatim "+words {
				t.Errorf("%s %s: there is no command verbatim %s", s.number, s.question, words)
			}
		}
	}
}
