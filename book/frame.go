package book

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Frame returns the sentence that begins every question of a book:
//
//	The following passage comes from The Mystic Gate, a religious treatise
//	published in 1901 by Annie Besant, a British theosophist.
//
// It leaves out what is missing and stays idiomatic.
func (m *Metadata) Frame() string {
	title := m.Title
	if utf8.RuneCountInString(title) > 100 {
		title, _ = splitSubtitle(title)
	}
	var rest []string
	if what := genrePhrase(m.Genre); what != "" {
		rest = append(rest, what)
	}
	if m.Date != nil {
		verb := "published in"
		if *m.Date < 1450 {
			verb = "written around" // Beowulf was not published
		}
		rest = append(rest, fmt.Sprintf("%s %d", verb, *m.Date))
	}
	frame := "The following passage comes from " + title
	if len(rest) > 0 {
		frame += "," // "from The Mystic Gate by Annie Besant" needs no comma
	}
	if by := m.by(); by != "" {
		rest = append(rest, "by "+by)
	}
	for _, part := range rest {
		frame += " " + part
	}
	if strings.HasSuffix(frame, ".") || len(rest) == 0 && strings.HasSuffix(frame, "?") || strings.HasSuffix(frame, "!") {
		return frame // Jr. and M.P. end with a full stop
	}
	return frame + "."
}

// by describes the author.
func (m *Metadata) by() string {
	author, nationality, profession := m.Author, nonEmpty(m.Nationality), lowerFirst(nonEmpty(m.Profession))
	if isEmpty(author) {
		if profession == "" {
			return "" // "by a British author" does not fit a periodical
		}
		return article(strings.TrimSpace(nationality + " " + profession))
	}
	if isBody(author) {
		if first, _, _ := strings.Cut(author, " "); strings.EqualFold(first, "the") {
			return author
		}
		return "the " + author
	}
	if profession == "" {
		if nationality == "" || isPlace(author) || !strings.Contains(author, " ") {
			return author
		}
		profession = "author" // true of everyone in a frame
	}
	described := strings.TrimSpace(nationality + " " + profession)
	if strings.Contains(author, " and ") {
		return author + ", " + plurals(described)
	}
	return author + ", " + article(described)
}

func nonEmpty(value string) string {
	if isEmpty(value) {
		return ""
	}
	return strings.TrimSpace(value)
}

// isPlace reports whether an author is a country: Great Britain publishes laws.
func isPlace(author string) bool {
	adjective := nationalities[strings.ToLower(author)]
	return strings.Contains(author, "(") || adjective != "" && !strings.EqualFold(adjective, author)
}

// genrePhrase returns a genre with its article: a novel, an essay, a work of
// fiction, a collection of sermons.
func genrePhrase(genre string) string {
	if _, narrower, found := strings.Cut(genre, ": "); found {
		genre = narrower // "science: geology"
	}
	genre = lowerFirst(nonEmpty(genre))
	if genre == "" {
		return ""
	}
	if phrase := genres[strings.ToLower(genre)]; phrase != "" {
		return phrase
	}
	first, _, _ := strings.Cut(genre, " ")
	if first == "a" || first == "an" || first == "the" {
		return genre
	}
	if isPlural(genre) {
		return "a collection of " + genre
	}
	return article(genre)
}

// isPlural reports whether the head of a phrase is plural: the word before of, in,
// on, for, about.
func isPlural(phrase string) bool {
	head := phrase
	for _, link := range []string{" of ", " in ", " on ", " for ", " about "} {
		if before, _, found := strings.Cut(head, link); found {
			head = before
		}
	}
	word := strings.ToLower(head[strings.LastIndexByte(head, ' ')+1:])
	return strings.HasSuffix(word, "s") && !endsWith(word, "ss", "us", "is", "ics", "series")
}

func startsWith(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

func endsWith(text string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(suffix string) bool { return strings.HasSuffix(text, suffix) })
}

// lowerFirst lower-cases the first letter, unless the capital belongs to a name or
// an abbreviation.
func lowerFirst(text string) string {
	first, _, _ := strings.Cut(text, " ")
	switch {
	case nationalities[strings.ToLower(first)] != "", strings.ContainsAny(first, ".'’"), slices.Contains(names, first),
		first == strings.ToUpper(first):
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[size:]
}

// names are adjectives that keep their capital.
var names = []string{"Christian", "Catholic", "Protestant", "Anglican", "Methodist", "Presbyterian", "Baptist", "Quaker", "Mormon", "Jesuit",
	"Jewish", "Hindu", "Buddhist", "Muslim", "Victorian", "Latin", "Hebrew", "Arctic", "Antarctic", "African", "European", "Asian",
	"Shakespearean", "Socratic", "Gothic", "Unitarian", "Congregational", "Episcopal"}

// plurals turns "American engineer and editor" into "American engineers and editors".
func plurals(phrase string) string {
	parts := strings.Split(phrase, " and ")
	for i, word := range parts {
		stem, y := strings.CutSuffix(word, "y")
		switch {
		case strings.HasSuffix(word, "man"):
			parts[i] = strings.TrimSuffix(word, "man") + "men"
		case y && stem != "" && !endsWith(stem, "a", "e", "i", "o", "u"):
			parts[i] = stem + "ies"
		case endsWith(word, "s", "x", "ch", "sh"):
			parts[i] += "es"
		default:
			parts[i] += "s"
		}
	}
	return strings.Join(parts, " and ")
}

// article adds a or an to a phrase, by its sound.
func article(phrase string) string {
	if opensWithVowelSound(phrase) {
		return "an " + phrase
	}
	return "a " + phrase
}

func opensWithVowelSound(phrase string) bool {
	word := strings.TrimLeft(phrase, "\"'“‘([")
	if end := strings.IndexAny(word, " -–"); end > 0 {
		word = word[:end]
	}
	lower := strings.ToLower(word)
	switch {
	case word == "":
		return false
	case word[0] >= '0' && word[0] <= '9':
		return word[0] == '8' || lower == "11" || strings.HasPrefix(lower, "18") && len(lower) != 3
	case isSpelled(word): // an M.P., a U.S. senator, an FRS
		return strings.ContainsRune("AEFHILMNORSX", unicode.ToUpper(rune(word[0])))
	case startsWith(lower, "hour", "honest", "honour", "honor", "heir"):
		return true
	case startsWith(lower, "eu", "ew", "uni", "use", "usu", "uto", "ura", "urol", "ubiq", "one", "once", "ouija", "ukulele"):
		return startsWith(lower, "unim", "unin", "unid") // unlike unicorn: unimportant, uninspired, unidentified
	}
	r, _ := utf8.DecodeRuneInString(lower)
	return strings.ContainsRune("aeiouàáâäæèéêëìíîïòóôöøœùúûü", r)
}

// isSpelled reports whether a word is pronounced letter by letter.
func isSpelled(word string) bool {
	if strings.Contains(strings.TrimRight(word, ".,"), ".") || len(word) == 2 && word[1] == '.' || len(word) == 1 {
		return word[0] >= 'A' && word[0] <= 'Z'
	}
	return len(word) <= 4 && word == strings.ToUpper(word) && !strings.ContainsAny(word, "0123456789")
}

//go:embed english/nationalities.txt
var nationalitiesFile string

//go:embed english/genres.txt
var genresFile string

//go:embed english/bodies.txt
var bodiesFile string

// nationalities maps a code, a country or an adjective to the adjective. genres
// maps a genre to its phrase in a frame. bodies are words in names of organizations.
var (
	nationalities = readNationalities()
	genres        = readPairs(genresFile)
	bodies        = readPairs(bodiesFile)
)

// readPairs reads lines of "key: value", or of keys alone.
func readPairs(file string) map[string]string {
	pairs := map[string]string{}
	for line := range strings.Lines(file) {
		if key, value, _ := strings.Cut(strings.TrimSpace(line), ":"); key != "" && key[0] != '#' {
			pairs[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return pairs
}

// readNationalities reads "American: US USA; United States; America": codes
// before the first semicolon, names after it.
func readNationalities() map[string]string {
	of := map[string]string{}
	for adjective, rest := range readPairs(nationalitiesFile) {
		of[strings.ToLower(adjective)] = adjective
		codes, names, _ := strings.Cut(rest, ";")
		for code := range strings.FieldsSeq(codes) {
			of[code] = adjective
		}
		for name := range strings.SplitSeq(names, ";") {
			if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
				of[name] = adjective
			}
		}
	}
	return of
}
