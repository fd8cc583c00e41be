package cloze

import (
	"strings"
	"testing"

	"verbatim/distractor"
)

func TestTheBookKnowsItsOwnWords(t *testing.T) {
	words := NewVocabulary([]string{strings.Repeat("The kloof and the pan were dry. ", 40), strings.Repeat("Tbe kloof, Avith mopane, was tlie last. ", 4), "A zyzzt."})
	for word, want := range map[string]bool{"kloof": true, "mopane": true, "zyzzt": false, "tbe": false, "tlie": false} {
		if got := words.Knows(word); got != want {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
	if words = NewVocabulary([]string{"with " + strings.Repeat("avith ", 5)}); words.Knows("avith") {
		t.Error("avith is with, misread")
	}
}

// A request knows how far each candidate is, which are kin, and what is around.
func TestSurround(t *testing.T) {
	truth := Candidate{Sentence: 1, Tier: "sure", Sure: true, Card: "so/pronoun-next", Connector: "so"}
	list := []Candidate{
		{Sentence: 3, Tier: "sure", Sure: true, Card: "so/and-so"},
		{Sentence: 0, Tier: "wide", Sure: true, Card: "so/and-so"},
		{Sentence: 2, Tier: "sure", Card: "so/and-so"},
		{Sentence: 2, Tier: "sure", Sure: true, Card: "noun/effect"},
		{Sentence: 2, Tier: "sure", Sure: true, Card: "causal/answer", Connector: "why"},
	}
	var r distractor.Request
	Surround(&r, truth, list, []string{"One.", "Two.", "Three."}, nil)
	want := []distractor.Detail{{Kin: true, Distance: 2}, {Distance: 1}, {Distance: 1}, {Distance: 1}, {Distance: 1}}
	for i, d := range r.Details {
		if d != want[i] {
			t.Errorf("candidate %d: %+v, want %+v", i, d, want[i])
		}
	}
	if r.Around != "One. Two. Three." {
		t.Errorf("around it is %q", r.Around)
	}
}
