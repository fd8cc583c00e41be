package cloze

import (
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/book"
)

// The example question of the specification.
const (
	specPrefix  = `The following passage comes from The Mystic Gate, a religious treatise published in 1901 by Annie Besant, a British theosophist.`
	specPassage = `The Self is one, however varying may be the forms of his manifestation, when working through and by means of the different kinds of matter. It is, of course, true that there is but One Self in the fullest sense of the words ; that as rays flame forth from the stm, the Selves that are the true Men are but rays of the Supreme Self, and that each Self may whisper : "I am He." [masked sentence describing a tension or contrast] Consciousness is a unit, and the divisions we make in it are either made for purposes of study, or are illusions, due to the limitation of our perceptive power by the organs through which it works in the lower worlds.`
	specPrompt  = `Write a sentence appropriate for this book that could stand in the position marked by [masked sentence describing a tension or contrast]:`
	specTruth   = `But for our present purpose, taking a single ray, we may assert also in its separation its own inherent unity, even though this be hidden by its forms.`
)

// The example passage gives the example question. The passage starts where 40
// words come before the mask: the sentence before it has enough.
func TestSpecExampleQuestion(t *testing.T) {
	source := strings.Replace(specPassage, "[masked sentence describing a tension or contrast]", specTruth, 1)
	b := open(t, source+"\n")
	b.seed = seedFor(t, b, "contrastsentence", "but", true)
	d, err := b.Draft(find(t, b, "contrastsentence", "but"))
	if err != nil {
		t.Fatal(err)
	}
	if d.Truth != specTruth {
		t.Errorf("the ground truth is %q", d.Truth)
	}
	if _, want, _ := strings.Cut(specPassage, "kinds of matter. "); normal(d.Masked) != normal(want) {
		t.Errorf("the passage is\n%s\nwant\n%s", d.Masked, want)
	}
	if prompt := d.Kind().Prompt(); prompt != specPrompt {
		t.Errorf("the prompt is %q", prompt)
	}
	prove(t, b, d.Masking)
	year := 1901
	m := book.Metadata{Title: "The Mystic Gate", Author: "Annie Besant", Date: &year, Nationality: "British", Genre: "religious treatise", Profession: "theosophist"}
	if got := m.Frame(); got != specPrefix {
		t.Errorf("the prefix is %q", got)
	}
}

// normal is a text without the spaces that scans have before punctuation.
func normal(s string) string {
	return strings.NewReplacer(" ;", ";", " :", ":").Replace(verbatim.FoldSpace(s))
}

// The list of tags in the specification, with one correction: its effectclause
// says "sentence".
func TestSpecTagsAndMasks(t *testing.T) {
	want := []Category{
		{"causalsentence", "[masked sentence describing a cause or reason]"},
		{"causalclause", "[masked clause describing a cause or reason]"},
		{"effectsentence", "[masked sentence describing an inference or effect]"},
		{"effectclause", "[masked clause describing an inference or effect]"},
		{"contrastsentence", "[masked sentence describing a tension or contrast]"},
		{"contrastclause", "[masked clause describing a tension or contrast]"},
		{"conditionalclause", "[masked clause describing a condition]"},
		{"concessiveclause", "[masked clause conceding a limit or exception]"},
	}
	if !slices.Equal(Categories, want) {
		t.Errorf("got %v", Categories)
	}
	if c, ok := CategoryOf("cloze_effectclause"); !ok || c != want[3] {
		t.Errorf("cloze_effectclause is %v", c)
	}
}
