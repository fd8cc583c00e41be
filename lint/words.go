package lint

import (
	_ "embed"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words are the lower-case words of a text: runs of letters, with apostrophes
// inside, and runs of digits.
func words(text string) []string {
	var found []string
	runes := []rune(text)
	for i := 0; i < len(runes); {
		switch start := i; {
		case letter(runes[i]):
			for i < len(runes) && (letter(runes[i]) || apostrophe(runes[i]) && i+1 < len(runes) && letter(runes[i+1])) {
				i++
			}
			found = append(found, strings.ReplaceAll(strings.ToLower(string(runes[start:i])), "’", "'"))
		case unicode.IsDigit(runes[i]):
			for i < len(runes) && unicode.IsDigit(runes[i]) {
				i++
			}
			found = append(found, string(runes[start:i]))
		default:
			i++
		}
	}
	return found
}

// letter is what a word is made of: all that is alphanumeric, but no digit.
func letter(r rune) bool { return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.No) }

func apostrophe(r rune) bool { return r == '\'' || r == '’' }

func wordSet(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, w := range list {
		set[w] = true
	}
	return set
}

//go:embed english/words.txt
var lists string

// listed is a word list of the file as a set.
func listed(name string) map[string]bool {
	for line := range strings.Lines(lists) {
		if words, found := strings.CutPrefix(line, name+":"); found {
			return wordSet(strings.Fields(words))
		}
	}
	panic("no list " + name) // the file is embedded; every test would fail
}

var (
	negative    = listed("negative")
	function    = listed("function")
	firstPerson = listed("first person")
	thirdPerson = listed("third person")
	past        = listed("past")
	present     = listed("present")
)

func negated(w string) bool { return negative[w] || strings.HasSuffix(w, "n't") }

func share(list []string, of func(string) bool) float64 {
	return float64(tally(list, of)) / float64(max(1, len(list)))
}

func tally(list []string, of func(string) bool) int {
	n := 0
	for _, w := range list {
		if of(w) {
			n++
		}
	}
	return n
}

func in(set map[string]bool) func(string) bool { return func(w string) bool { return set[w] } }

// capitals counts words after the first that begin with a capital, but for I.
func capitals(text string) int {
	n := 0
	for i, w := range strings.Fields(text) {
		w = strings.TrimLeft(w, `“"'‘(`)
		if first, _ := utf8.DecodeRuneInString(w); i > 0 && unicode.IsUpper(first) && w != "I" && w != "I'm" && w != "I," {
			n++
		}
	}
	return n
}

func countAny(text, of string) int {
	n := 0
	for _, r := range text {
		if strings.ContainsRune(of, r) {
			n++
		}
	}
	return n
}

const (
	otherStops = ";:—–-"
	quotes     = `"“”`
)

// TraitNames names what Traits measures, in order.
var TraitNames = []string{"log length", "words per letter", "variety", "commas", "other stops", "capitals", "quotation marks",
	"negations", "function words", "first person", "third person", "word length", "digits", "final stop", "first letter", "long words"}

// plainTraits is how many of them belong to the twelve classic features.
const plainTraits = 11

// Traits measures what can be seen on one option alone, without reading it.
func Traits(text string) []float64 {
	w := words(text)
	n, chars := float64(max(1, len(w))), float64(utf8.RuneCountInString(text))
	letters := 0.0
	for _, x := range w {
		letters += float64(utf8.RuneCountInString(x))
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	return []float64{
		math.Log(chars + 1), n / math.Max(1, chars), float64(len(wordSet(w))) / n, float64(strings.Count(text, ",")),
		float64(countAny(text, otherStops)), float64(capitals(text)), float64(countAny(text, quotes)),
		float64(tally(w, negated)), share(w, in(function)), share(w, in(firstPerson)), share(w, in(thirdPerson)),
		letters / n, float64(countAny(text, "0123456789")), truth(strings.ContainsRune(".!?", last)), truth(unicode.IsUpper(first)),
		share(w, func(x string) bool { return len(x) > 7 }),
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Opening is the first word of an option, in lower case: mostly its connector.
func Opening(text string) string { return at(words(text), 0) }

// Closing is the last word of an option, in lower case.
func Closing(text string) string {
	w := words(text)
	return at(w, len(w)-1)
}

func at(list []string, i int) string {
	if i < 0 || i >= len(list) {
		return ""
	}
	return list[i]
}

// Overlap is the share of common words of two texts: 1 for the same words.
func Overlap(a, b string) float64 { return jaccard(wordSet(words(a)), wordSet(words(b))) }

func jaccard(a, b map[string]bool) float64 {
	common := 0
	for w := range a {
		if b[w] {
			common++
		}
	}
	return float64(common) / float64(max(1, len(a)+len(b)-common))
}

// Same reports whether a reader would call two options the same: apart from case,
// white space, quotation marks and final stops.
func Same(a, b string) bool { return sameness(a) == sameness(b) }

func sameness(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(quotes, r):
			return -1
		case r == '’' || r == '‘':
			return '\''
		}
		return unicode.ToLower(r)
	}, strings.Join(strings.Fields(text), " "))
	return strings.TrimRight(strings.TrimSpace(text), ".,;:!? ")
}
