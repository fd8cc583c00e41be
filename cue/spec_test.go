package cue

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The example passage of the specification, sentence by sentence.
const (
	specBefore = `The Self is one, however varying may be the forms of his manifestation, when working through and by means of the different kinds of matter.`
	specCourse = `It is, of course, true that there is but One Self in the fullest sense of the words ; that as rays flame forth from the stm, the Selves that are the true Men are but rays of the Supreme Self, and that each Self may whisper : "I am He."`
	specTruth  = `But for our present purpose, taking a single ray, we may assert also in its separation its own inherent unity, even though this be hidden by its forms.`
	specAfter  = `Consciousness is a unit, and the divisions we make in it are either made for purposes of study, or are illusions, due to the limitation of our perceptive power by the organs through which it works in the lower worlds.`
)

// Every example sentence and clause of the specification has the tags that it
// states. A clause is at the end of a sentence here.
func TestSpecExampleSentences(t *testing.T) {
	r := Connectors().NewReader()
	for _, c := range []struct{ previous, sentence, want string }{
		{specCourse, specTruth, "contrastsentence but 0, concessiveclause even though 20"},
		{specBefore, specCourse, ""},
		{specTruth, specAfter, ""},
		{"", specBefore, ""}, // however varying: a degree, no contrast
		{"", "But for our present purpose, we may assert also the inherent unity of each self, even though this be hidden by its forms.",
			"contrastsentence but 0, concessiveclause even though 15"},
		{"", "As a result, the judge condemned him and sentenced him to die that day.", "effectsentence as a result 0"},
		{"", "Nobody climbs the hill, because its sides are so steep that a stone will slide down.", "causalclause because 4"},
		{"", "Nobody climbs the hill, because its sides slope so gently that stones never slide.", "causalclause because 4"},
		{"", "The hall will be built, provided that the funds are sufficient to cover costs.", "conditionalclause provided that 5"},
		{"", "The hall will not be built, provided that the funds fail to cover costs.", "conditionalclause provided that 6"},
	} {
		if got := r.tagList(c.previous, c.sentence); got != c.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", c.sentence, got, c.want)
		}
	}
}

// The tag list of the specification: "a contrast sentence with a conditional
// clause" is contrastsentence (but, 0) and conditionalclause (if, 21).
func TestSpecTwoTagsInOneSentence(t *testing.T) {
	sentence := "But the men of the northern valley would never have crossed so wide a river in the dark of that night, if they had known its depth."
	if got, want := Connectors().NewReader().tagList("", sentence), "contrastsentence but 0, conditionalclause if 21"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The ambiguous words of the specification, in both senses: the rules keep the
// tag for a language model, or drop it where the sense is clear.
func TestSpecAmbiguousWords(t *testing.T) {
	r := Connectors().NewReader()
	for _, c := range []struct{ sentence, want string }{
		{"The plan was given up, since no one in the town would pay for it.", "causalclause since 5"},
		{"The men have not been seen there since the mill was burnt.", ""},
		{"They took the lower path, as the upper was blocked with snow.", "causalclause as 5"},
		{"He whistled a tune, as he walked along the dyke.", ""},
		{"If the seal is whole, then the letter was never opened.", "effectclause then 5"},
		{"He locked the door, then he went home by the river.", ""},
		{"The elder was grave, while the younger never ceased to laugh.", "concessiveclause while 4"},
		{"They lit the lamps, while the bells were ringing in the town.", ""},
	} {
		if got := r.tagList("", c.sentence); got != c.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", c.sentence, got, c.want)
		}
	}
}

// tagList returns the tags of a sentence: name, connector and word.
func (r *Reader) tagList(previous, sentence string) string {
	tags, _ := r.Tags(previous, sentence)
	slices.SortStableFunc(tags, func(a, b Tag) int { return a.Word - b.Word })
	var all []string
	for _, tag := range tags {
		all = append(all, tag.Name+" "+tag.Connector+" "+strconv.Itoa(tag.Word))
	}
	return strings.Join(all, ", ")
}
