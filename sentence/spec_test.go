package sentence_test

import (
	"slices"
	"testing"

	"verbatim/sentence"
)

// The example passage of the specification has these sentences.
func TestSpecStep1Sentences(t *testing.T) {
	want := []string{
		`The Self is one, however varying may be the forms of his manifestation, when working through and by means of the different kinds of matter.`,
		`It is, of course, true that there is but One Self in the fullest sense of the words ; that as rays flame forth from the stm, the Selves that are the true Men are but rays of the Supreme Self, and that each Self may whisper : "I am He."`,
		`But for our present purpose, taking a single ray, we may assert also in its separation its own inherent unity, even though this be hidden by its forms.`,
		`Consciousness is a unit, and the divisions we make in it are either made for purposes of study, or are illusions, due to the limitation of our perceptive power by the organs through which it works in the lower worlds.`,
	}
	text := want[0] + " " + want[1] + "\n" + want[2] + " " + want[3] + "\n"
	var got []string
	for s := range sentence.SplitText(text) {
		got = append(got, text[s.Start:s.End])
	}
	if !slices.Equal(got, want) {
		t.Errorf("the passage has the sentences %q, want %q", got, want)
	}
}
