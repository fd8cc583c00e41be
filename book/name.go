package book

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parseAuthor converts a library's form of a name to that of a title page: "Moss,
// Harriet A.; Lowe, Jr., Sam." is "Harriet A. Moss and Sam Lowe, Jr." `authors` is
// the number of authors; a person must settle a doubt.
func parseAuthor(raw string) (name string, authors int, doubt string) {
	value := tidy(raw)
	if value == "" {
		return "", 0, ""
	}
	var names []string
	for part := range strings.SplitSeq(value, ";") {
		one, why := oneAuthor(strings.TrimSpace(part))
		if why != "" {
			doubt = why
		}
		if one != "" {
			names = append(names, one)
		}
	}
	return joinNames(names), len(names), doubt
}

func joinNames(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func oneAuthor(value string) (name, doubt string) {
	if isEmpty(value) {
		return "", ""
	}
	bare, aside := setAside(value)
	bare = trimName(bare)
	parts := strings.Split(bare, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	switch {
	case len(parts) == 1 || isBody(bare):
		// The parenthesis is part of the name of a place.
		name = strings.TrimSpace(bare + " " + aside)
		if len(parts) > 1 {
			doubt = "the name looks like that of a body and was not turned round"
		}
	case len(parts) == 2 && isDates(parts[1]):
		name = parts[0]
	case len(parts) == 2 && strings.HasSuffix(parts[1], "'"):
		name = parts[1] + parts[0] // Guy d'Aubray
	case len(parts) == 2:
		name = parts[1] + " " + parts[0]
	default:
		name, doubt = withTitle(bare, parts)
	}
	return strings.TrimSpace(name), doubt
}

// withTitle converts a name of more than two parts: titles precede the name,
// suffixes follow it, dates are dropped.
func withTitle(bare string, parts []string) (name, doubt string) {
	var before, after []string
	rest := parts[:1]
	for _, part := range parts[1:] {
		switch word := strings.TrimSuffix(part, "."); {
		case isDates(part):
		case isOneOf(word, "Mrs", "Mr", "Miss", "Dr", "Rev", "Sir", "Lady", "Lord", "Dame", "Prof", "Hon"):
			before = append(before, part)
		case isOneOf(word, "Jr", "Sr", "Esq", "Bart", "2d", "3d", "II", "III"):
			after = append(after, part)
		default:
			rest = append(rest, part)
		}
	}
	switch len(rest) {
	case 1:
		name = rest[0]
	case 2:
		name = rest[1] + " " + rest[0]
	default:
		return bare, "the name has several commas and was left as it is"
	}
	name = strings.TrimSpace(strings.Join(before, " ") + " " + name)
	return strings.Join(append([]string{name}, after...), ", "), ""
}

func isOneOf(word string, list ...string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return strings.EqualFold(word, w) })
}

var dates = regexp.MustCompile(`^(b\. |d\. |fl\. |ca?\. )?\d{3,4}\??( ?- ?(\d{3,4}\??)?)?\.?$|^-\d{4}\.?$`)

func isDates(part string) bool { return dates.MatchString(strings.TrimSpace(part)) }

// setAside separates a parenthesis from a name.
func setAside(value string) (bare, aside string) {
	open, end := strings.IndexByte(value, '('), strings.LastIndexByte(value, ')')
	if open < 0 || end < open {
		return value, ""
	}
	return strings.TrimSpace(value[:open]) + value[end+1:], value[open : end+1]
}

// trimName removes what libraries add after a name: commas, and the full stop
// unless it belongs to an initial or an abbreviation.
func trimName(name string) string {
	for {
		trimmed := strings.TrimRight(name, " ,;:/")
		if strings.HasSuffix(trimmed, ".") && !keepsStop(trimmed, nameStops) {
			trimmed = strings.TrimSuffix(trimmed, ".")
		}
		if trimmed == name {
			return name
		}
		name = trimmed
	}
}

var nameStops = map[string]bool{"Jr.": true, "Sr.": true, "Mrs.": true, "Mr.": true, "Dr.": true, "Esq.": true, "Rev.": true, "Bart.": true, "Hon.": true, "Prof.": true}

// keepsStop reports whether the final full stop belongs to the last word: an
// initial (also A.-B.), a dotted abbreviation or a word in the list.
func keepsStop(text string, list map[string]bool) bool {
	word := text[strings.LastIndexAny(text, " ,(")+1:]
	if list[word] {
		return true
	}
	stem := strings.TrimSuffix(word, ".")
	last := stem[strings.LastIndexAny(stem, ".-")+1:]
	r, size := utf8.DecodeRuneInString(last)
	return size > 0 && size == len(last) && unicode.IsUpper(r)
}

// isBody reports whether a name is that of an organization.
func isBody(name string) bool {
	for word := range strings.FieldsSeq(name) {
		if _, found := bodies[strings.Trim(word, ".,()")]; found {
			return true
		}
	}
	return strings.Count(name, ",") > 1 && strings.Contains(name, " and ")
}
