package book

import (
	_ "embed"
	"strings"
)

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
