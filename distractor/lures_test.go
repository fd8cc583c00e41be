package distractor

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestTheLuresDoWhatTheirExamplesSay(t *testing.T) {
	for _, err := range usual.Check() {
		t.Error(err)
	}
	if cards, examples := usual.Examples(); cards < 20 || examples < 2*cards-4 {
		t.Errorf("%d cards have %d examples", cards, examples)
	}
}

func TestAMistakeInTheLuresIsNamedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"reason: x\ntest: moon\nseverity: 1":    `lures.txt:2: there is no test "moon" for a reason; use one of: capital, half a pair, `,
		"reason: x\ntest: person\nseverity: hi": `lures.txt:3: "hi" is no severity; write never, or a number from 1 to 99`,
		"reason: x\ntest: person":               "lures.txt:1: the reason x is not complete; give it a test and a severity",
		"slip: x\nweight: 1":                    "lures.txt:1: the slip x is not complete; give it a test and a weight",
		"slip: x\ntest: note\nweight: heavy":    `lures.txt:3: "heavy" is no weight`,
		"weight: luck 2":                        `lures.txt:1: "luck 2" is no weight`,
		"list: he\nword: he":                    `lures.txt:2: a list has no "word"; use does or words`,
		"he":                                    "lures.txt:1: \"he\" is not of the form `key: value`",
		"rule: x":                               `lures.txt:1: a paragraph cannot start with "rule"`,
		"list: he\nwords: he":                   "lures.txt: there is no weight: topic; add it",
	} {
		_, err := LoadLures(fstest.MapFS{"lures.txt": {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A user's file takes the place of the built-in one, and its examples are tested.
func TestAUsersLuresReplaceTheBuiltInOnes(t *testing.T) {
	text, err := english.ReadFile("english/lures.txt")
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(text), "for the rhinoceros had charged again", "for nobody came", 1)
	l, err := LoadLures(fstest.MapFS{"lures.txt": {Data: []byte(own)}})
	if err != nil {
		t.Fatal(err)
	}
	if wrong := l.Check(); len(wrong) != 1 || !strings.Contains(wrong[0].Error(), "stranger does not do this: it finds nothing") {
		t.Errorf("the mistakes are %v", wrong)
	}
	if l.Hash() == usual.Hash() {
		t.Error("other files have the same hash")
	}
}

// If too few candidates are left, the least severe reasons give way first.
func TestCandidatesSetAsideComeBackInOrder(t *testing.T) {
	r := Request{
		Passage: "The ferry was late and the men had gone home. The wind had dropped, [masked clause]. Nobody was surprised.",
		Mask:    "[masked clause]", GroundTruth: "for the night was warm",
		Candidates: []string{"for Wickham had told them nothing", "for she had said so", "for he said “no", "for nobody had come", "for there is no wind now"},
		Details:    []Detail{{Kin: true}, {Kin: true}, {Kin: true}, {Kin: true}, {Kin: true}},
	}
	for want, order := range map[int]string{1: "3", 2: "34", 3: "341", 9: "3410"} {
		ranked, aside, err := RankLures(t.Context(), &overlap{}, &r, want)
		got := ""
		for _, one := range ranked {
			got += string(rune('0' + one.Index))
		}
		if err != nil || got != order || len(ranked)+len(aside) != len(r.Candidates) {
			t.Errorf("%d wanted: %s, and %v set aside, %v; want %s", want, got, aside, err, order)
		}
	}
}
