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

// Examples are drawn at random: with other seeds each sure candidate comes
// first at some time, and with one seed the order is always the same.
func TestSpecStep5RandomDraws(t *testing.T) {
	var text strings.Builder
	for _, boat := range []string{"first", "second", "third", "fourth", "fifth"} {
		text.WriteString("The " + boat + " boat stayed in the harbour, because the " + boat + " pilot trusted nobody. ")
	}
	b := open(t, text.String()+"\n")
	first := map[string]int{}
	for seed := range int64(200) {
		b.seed = seed
		order := b.drawn("causalclause")
		first[order[0].Text]++
		if again := b.drawn("causalclause"); !slices.Equal(again, order) {
			t.Errorf("seed %d draws two orders", seed)
		}
	}
	if len(first) != 5 {
		t.Errorf("only %d of 5 candidates are ever drawn first", len(first))
	}
	for text, n := range first {
		if n < 20 || n > 60 {
			t.Errorf("%q is drawn first %d times of 200, want about 40", text, n)
		}
	}
}

// The distractor generator gets the prefix, the passage, the prompt, the ground
// truth, and all candidates of the category.
func TestSpecStep8Request(t *testing.T) {
	b := open(t, page+"\nThe dogs slept through it all, because the night was warm. They woke at noon.\n")
	d, err := b.Draft(find(t, b, "causalclause", "because"))
	if err != nil {
		t.Fatal(err)
	}
	r := b.Request(d, specPrefix, []string{"negation"}, nil)
	if r.MetadataPrefix != specPrefix || r.Passage != d.Masked || r.Prompt != d.Kind().Prompt() || r.Mask != d.Kind().Mask || r.GroundTruth != d.Truth {
		t.Errorf("the request is not about the draft: %+v", r)
	}
	if r.AnswerType != "clause" || !slices.Equal(r.Types, []string{"negation"}) {
		t.Errorf("the answer type is %s, the types are %v", r.AnswerType, r.Types)
	}
	var want []string
	for _, c := range b.Candidates["causalclause"] {
		want = append(want, c.Text)
	}
	if len(want) < 2 || !slices.Equal(r.Candidates, want) {
		t.Errorf("the candidates are %q, want all of the category: %q", r.Candidates, want)
	}
}

// What a question holds: prefix, passage and prompt, the lists of answers, the
// metadata, and how it was made.
func TestSpecStep10Question(t *testing.T) {
	b := open(t, page)
	d, err := b.Draft(find(t, b, "causalclause", "because"))
	if err != nil {
		t.Fatal(err)
	}
	year := 1881
	m := &book.Metadata{Title: "The Lamp", Author: "Ambrose Tillott", Date: &year, Nationality: "British", Genre: "tale", Profession: "keeper", Birth: &year, HTID: "hvd.lamp"}
	q, err := b.Question(m, d.Kind(), d.Masking, []verbatim.Option{{Type: "manual", Text: "because it rained", At: verbatim.Selector{Status: verbatim.Absent}}})
	if err != nil {
		t.Fatal(err)
	}
	if q.MetadataFrame != m.Frame() {
		t.Errorf("the prefix is %q", q.MetadataFrame)
	}
	if q.MainQuestion != d.Masked+"\n\n"+d.Kind().Prompt() {
		t.Errorf("the question is not passage and prompt: %q", q.MainQuestion)
	}
	if !slices.Equal(q.AnswerStrings, []string{d.Truth, "because it rained"}) || !slices.Equal(q.AnswerTypes, []string{"ground_truth", "manual"}) {
		t.Errorf("the answers are %q of the types %q", q.AnswerStrings, q.AnswerTypes)
	}
	if !slices.Equal(q.AnswerProbabilities, []verbatim.Probability{1, 0}) {
		t.Errorf("the probabilities are %v", q.AnswerProbabilities)
	}
	if got := Described(q); got.Title != m.Title || got.Author != m.Author || *got.Date != year || got.Nationality != m.Nationality ||
		got.Genre != m.Genre || got.Profession != m.Profession || *got.Birth != year || got.HTID != m.HTID {
		t.Errorf("the metadata are %+v", got)
	}
	if q.QuestionProcess != "automatic" {
		t.Errorf("question_process is %q", q.QuestionProcess)
	}
	if q.QuestionCategory != "cloze_causalclause" {
		t.Errorf("question_category is %q", q.QuestionCategory)
	}
}
