package book

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"verbatim"
)

// isEmpty reports whether a value means that there is none.
func isEmpty(value string) bool {
	switch strings.ToLower(strings.Trim(value, " .,;:[]()")) {
	case "", "<blank>", "nan", "none", "null", "n/a", "unknown", "?", "anonymous", "anon", "various", "multiple", "s.n", "author unknown", "unknown author":
		return true
	}
	return false
}

// tidy repairs a value and folds its white space. It returns "" for no value.
func tidy(raw string) string {
	value := verbatim.FoldSpace(repair(raw))
	if isEmpty(value) {
		return ""
	}
	return value
}

// parseYear reads 1918, 1918.0 or nothing. If it is not a year, it returns nil and
// the reason.
func parseYear(raw string) (year *int, doubt string) {
	value := tidy(raw)
	if value == "" {
		return nil, ""
	}
	if unknownDigits.MatchString(value) {
		return nil, fmt.Sprintf("%q is a range, %s-%s", value, strings.ReplaceAll(value, "u", "0"), strings.ReplaceAll(value, "u", "9"))
	}
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || number != math.Trunc(number) || number < 1 || number > 9999 {
		return nil, fmt.Sprintf("%q is no year", value)
	}
	if number == 9999 {
		return nil, "9999 stands for a serial that still appears"
	}
	n := int(number)
	if n < 1450 || n > 2100 {
		doubt = fmt.Sprintf("%d lies outside the years of printing", n)
	}
	return &n, doubt
}

var unknownDigits = regexp.MustCompile(`^\d{1,3}u{1,3}$`)

// parseLife reads the years of birth and death of the authors. It returns years
// only if they are unambiguous.
func parseLife(raw string, authors int) (birth, death *int, doubt string) {
	value := tidy(raw)
	if value == "" {
		return nil, nil, ""
	}
	ranges := lifeRange.FindAllStringSubmatch(value, -1)
	rest := strings.Trim(lifeRange.ReplaceAllString(value, ""), " ,;.")
	switch {
	case rest != "" || len(ranges) == 0:
		return nil, nil, fmt.Sprintf("%q is not of the form 1829-1900", value)
	case len(ranges) != max(1, authors):
		number := "1 author"
		if authors > 1 {
			number = fmt.Sprintf("%d authors", authors)
		}
		return nil, nil, fmt.Sprintf("%q does not fit %s", value, number)
	case len(ranges) > 1:
		return nil, nil, fmt.Sprintf("%q are the years of several authors; author_birth holds one", value)
	case ranges[0][1] == "":
		// Seen twice, both times before the book was published: more likely a
		// founding year.
		return nil, nil, fmt.Sprintf("%q may be a year of birth, death or founding", value)
	}
	birth, _ = parseYear(ranges[0][1])
	death, _ = parseYear(ranges[0][2])
	if birth != nil && death != nil && *death <= *birth {
		return nil, nil, fmt.Sprintf("%q: death before birth", value)
	}
	return birth, death, ""
}

var lifeRange = regexp.MustCompile(`(\d{3,4})?\s*[-–]\s*(\d{3,4})?`)

// parseNationality returns the adjective. It does not guess an unknown code.
func parseNationality(raw string) (adjective, doubt string) {
	value := tidy(raw)
	if value == "" {
		return "", ""
	}
	code, remark, found := strings.Cut(value, "(")
	code = strings.TrimSpace(code)
	adjective = nationalityOf(code)
	switch {
	case adjective != "" && found:
		return adjective, fmt.Sprintf("the catalogue adds (%s", remark)
	case adjective != "":
		return adjective, ""
	case code == strings.ToUpper(code) && len(code) <= 3:
		return "", fmt.Sprintf("%q is a code that is not in the table of nationalities", value)
	case isAdjective(value):
		return value, ""
	}
	return "", fmt.Sprintf("%q is no nationality that the table knows", value)
}

func nationalityOf(value string) string {
	if adjective := nationalities[value]; adjective != "" || len(value) <= 3 {
		return adjective // a code, in capitals
	}
	return nationalities[strings.ToLower(value)]
}

// isAdjective reports whether a word looks like an adjective of nationality.
func isAdjective(word string) bool {
	return !strings.Contains(word, " ") && word != "" && word[0] >= 'A' && word[0] <= 'Z' && endsWith(word, "an", "ish", "ese", "ch", "ic", "i")
}
