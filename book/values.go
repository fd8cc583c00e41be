package book

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"verbatim"
)

// isEmpty says whether a value is one of the many ways to say nothing.
func isEmpty(value string) bool {
	switch strings.ToLower(strings.Trim(value, " .,;:[]()")) {
	case "", "<blank>", "nan", "none", "null", "n/a", "unknown", "?", "anonymous", "anon", "various", "multiple", "s.n", "author unknown", "unknown author":
		return true
	}
	return false
}

// tidy repairs a value and folds its white space; a way to say nothing is "".
func tidy(raw string) string {
	value := verbatim.FoldSpace(Repair(raw))
	if isEmpty(value) {
		return ""
	}
	return value
}

// Year reads 1918, 1918.0 or nothing. What is no year is nil, with the reason.
func Year(raw string) (year *int, doubt string) {
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

// Life reads the dates of as many authors as there are. Only a form that can
// mean one thing gives years.
func Life(raw string, authors int) (birth, death *int, doubt string) {
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
		return nil, nil, fmt.Sprintf("%q does not fit %s", value, plural(max(1, authors), "author"))
	case len(ranges) > 1:
		return nil, nil, fmt.Sprintf("%q are the years of several authors; author_birth holds one", value)
	case ranges[0][1] == "":
		// Seen twice, both times before the book: more likely a founding year.
		return nil, nil, fmt.Sprintf("%q may be a year of birth, death or founding", value)
	}
	birth, _ = Year(ranges[0][1])
	death, _ = Year(ranges[0][2])
	if birth != nil && death != nil && *death <= *birth {
		return nil, nil, fmt.Sprintf("%q: death before birth", value)
	}
	return birth, death, ""
}

var lifeRange = regexp.MustCompile(`(\d{3,4})?\s*[-–]\s*(\d{3,4})?`)

// Nationality gives the adjective. An unknown code is not guessed.
func Nationality(raw string) (adjective, doubt string) {
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
	if adjective := nationalities[value]; adjective != "" {
		return adjective // a code, in capitals
	}
	if len(value) <= 3 {
		return ""
	}
	return nationalities[strings.ToLower(value)]
}

// isAdjective says whether a word looks like one that names a people.
func isAdjective(word string) bool {
	if strings.Contains(word, " ") || word == "" || word[0] < 'A' || word[0] > 'Z' {
		return false
	}
	for _, end := range []string{"an", "ish", "ese", "ch", "ic", "i"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
