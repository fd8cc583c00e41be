package tag_test

import (
	"encoding/json"
	"strings"
	"testing"

	"verbatim/tag"
)

// The tag format of the specification: {'contrastsentence': ('but', 0),
// 'conditionalclause': ('if', 21)}.
func TestSpecTagFormat(t *testing.T) {
	b := open(t, "But the men of the northern valley would never have crossed so wide a river in the dark of that night, if they had known its depth.\n")
	for line := range new(tag.Tagger).Lines(b) {
		data, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"contrastsentence":["but",0]`, `"conditionalclause":["if",21]`} {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s is not in %s", want, data)
			}
		}
	}
}

// After a why-question the record says why, at the first word of the answer.
func TestSpecAnswerToWhy(t *testing.T) {
	b := open(t, "Nobody moved at all that day. Why? The horses were spent and lame.\n")
	lines, _ := new(tag.Tagger).All(b)
	last := lines[len(lines)-1]
	data, err := json.Marshal(last)
	if err != nil || !strings.Contains(string(data), `"causalsentence":["why",0]`) {
		t.Errorf("got %s (%v)", data, err)
	}
}
