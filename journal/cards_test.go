package journal

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryCardPassesItsExamples(t *testing.T) {
	for _, failure := range Check(Cards()) {
		t.Error(failure)
	}
}

// A card that asks for an unknown given never applies.
func TestCardsAskOnlyForKnownGivens(t *testing.T) {
	for _, name := range Cards().Givens() {
		if !slices.Contains(given, name) {
			t.Errorf("a card asks for %q, which the extractor never gives", name)
		}
	}
}

// closedLists may contain a word that some journal uses as a name, because they
// are closed classes: a mouth is a body part, even in "mouth ulcer". The daily
// drinks name an hour of the day, as meals do.
var closedLists = []string{"body parts", "functions", "bodily", "meals", "measures", "mood words", "faculties", "degree adjectives", "degree adverbs",
	"daily drinks", "others", "openers", "senses", "number words", "joint words", "doings", "head states"}

// levelWords name feelings and sensations but also express intensity or arousal;
// degree.txt needs them.
var levelWords = strings.Fields("pounding throbbing hammering jumpy restless shaken shaking trembling numb sluggish heavy dull drained fire huuurts")

// ordinaryWords occur in the names of foods and feelings ("fed up", "on fire"),
// but are function words or common verbs in the cards. Tea is here as a meal,
// "crave" as a verb, "sorry" as an apology, and hot, cold and loose as measures.
var ordinaryWords = strings.Fields("up out off on way fine ok okay well nothing full touched fall fed gave hope drink trouble back better good low so bath theek patient mein empty hurts tea hot cold loose sorry craving cravings shake running pulled")

// No card names an ailment, a food or a feeling. The test journals list these
// names under words:.
func TestNoCardNamesAnAilmentAFoodOrAFeeling(t *testing.T) {
	texts, err := readOwnTexts(filepath.Join("testdata", "own"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, o := range texts {
		for _, name := range o.Words {
			for word := range strings.FieldsSeq(strings.ToLower(name)) {
				names[word] = !slices.Contains(levelWords, word) && !slices.Contains(ordinaryWords, word)
			}
		}
	}
	files, err := fs.Glob(embedded, "english/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	inBraces := regexp.MustCompile(`\{[^}]*\}`)
	for _, file := range files {
		content, err := fs.ReadFile(embedded, file)
		if err != nil {
			t.Fatal(err)
		}
		list, number := "", 0
		for line := range strings.Lines(string(content)) {
			number++
			key, value, _ := strings.Cut(line, ":")
			switch key {
			case "list", "more":
				list = strings.TrimSpace(value)
			case "rule":
				list = ""
			case "match", "says", "never", "has", "lacks", "after", "before", "drop", "after first", "from first", "words":
				for word := range strings.FieldsSeq(inBraces.ReplaceAllString(value, " ")) {
					if names[word] && !slices.Contains(closedLists, list) {
						t.Errorf("%s:%d: %q is the name of an ailment, a food or a feeling", file, number, word)
					}
				}
			}
		}
	}
}
