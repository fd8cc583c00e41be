package book

import (
	"bufio"
	"embed"
	"strings"
)

//go:embed english/*.txt
var english embed.FS

// nationalities maps a code, a country or an adjective to the adjective. genres
// maps a genre to its phrase in a frame. bodies are words in names of organizations.
var (
	nationalities = readNationalities()
	genres        = readPairs("english/genres.txt")
	bodies        = readWords("english/bodies.txt")
)

func lines(file string) []string {
	data, err := english.ReadFile(file)
	if err != nil {
		panic(err) // the file is embedded above
	}
	var kept []string
	scan := bufio.NewScanner(strings.NewReader(string(data)))
	for scan.Scan() {
		if line := strings.TrimSpace(scan.Text()); line != "" && line[0] != '#' {
			kept = append(kept, line)
		}
	}
	return kept
}

func readPairs(file string) map[string]string {
	pairs := map[string]string{}
	for _, line := range lines(file) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			pairs[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return pairs
}

func readWords(file string) map[string]bool {
	words := map[string]bool{}
	for _, line := range lines(file) {
		words[line] = true
	}
	return words
}

// readNationalities reads "American: US USA; United States; America": codes
// before the first semicolon, names after it.
func readNationalities() map[string]string {
	of := map[string]string{}
	for adjective, rest := range readPairs("english/nationalities.txt") {
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
