package journal

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryCardDoesWhatItsExamplesSay(t *testing.T) {
	for _, failure := range Check(Cards()) {
		t.Error(failure)
	}
}

// A card that asks for what is never given never speaks.
func TestCardsAskOnlyForWhatIsGiven(t *testing.T) {
	for _, name := range Cards().Givens() {
		if !slices.Contains(given, name) {
			t.Errorf("a card asks for %q, which the extractor never gives", name)
		}
	}
}

// closedLists may hold a word that some journal uses as a name, because they
// are closed classes: a mouth is a part of the body, also in "mouth ulcer".
var closedLists = []string{"body parts", "functions", "bodily", "meals", "measures", "mood words", "faculties", "degree adjectives", "degree adverbs",
	"others", "openers", "senses", "number words", "joint words", "doings", "head states"}

// levelWords are the names of feelings and sensations that are also words for
// how strong or how lively something is; degree.txt needs them.
var levelWords = strings.Fields("pounding throbbing hammering jumpy restless shaken shaking trembling numb sluggish heavy dull drained fire huuurts")

// ordinaryWords stand in the names of foods and feelings ("fed up", "on fire")
// and are function words or plain verbs in the cards; tea is there as a meal,
// and to crave is a verb whatever is craved.
var ordinaryWords = strings.Fields("up out off on way fine ok okay well nothing full touched fall fed gave hope drink trouble back better good low so bath theek patient mein empty hurts tea craving cravings shake running pulled")

// No card names an ailment, a food or a feeling. The names are those that the
// test journals list under words:.
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
	files, err := fs.Glob(English(), "*.txt")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	inBraces := regexp.MustCompile(`\{[^}]*\}`)
	for _, file := range files {
		content, err := fs.ReadFile(English(), file)
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
