package book

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

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
	return nonEmpty(verbatim.FoldSpace(repair(raw)))
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

// parseTitle returns the short title, which frames use, and the long one. Letters
// and case stay unchanged; the short title lacks the cataloguer's additions.
func parseTitle(raw string) (short, long string) {
	value := tidy(raw)
	main, subtitle := splitSubtitle(value)
	short = trimTitle(squareBrackets.ReplaceAllString(main, ""))
	if short == "" { // the cataloguer supplied the whole title, in brackets
		short = trimTitle(strings.Trim(main, "[] "))
	}
	long = trimTitle(main)
	if sub := trimTitle(subtitle); sub != "" {
		long += ": " + sub
	}
	return short, long
}

var squareBrackets = regexp.MustCompile(`\s*\[[^\]]*\]?`)

// splitSubtitle splits at the first " : ", "; " or " ; " outside quotation marks
// and brackets, but not before "or,", which belongs to the title.
func splitSubtitle(title string) (main, subtitle string) {
	depth, quoted := 0, false
	for i := 0; i < len(title); i++ {
		switch c := title[i]; {
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case c == '"':
			quoted = !quoted
		case depth > 0 || quoted:
		case c == ';' || c == ':' && i > 0 && title[i-1] == ' ':
			rest := title[i+1:]
			if strings.HasPrefix(rest, " ") && !startsWith(strings.ToLower(rest), " or,", " or ") {
				return strings.TrimSpace(title[:i]), strings.TrimSpace(rest)
			}
		}
	}
	return title, ""
}

// trimTitle removes what libraries add at the end of a title.
func trimTitle(title string) string {
	for {
		trimmed := strings.TrimRight(title, " ,;:/")
		if strings.HasSuffix(trimmed, "...") {
			trimmed = strings.TrimRight(trimmed, ".")
		} else if strings.HasSuffix(trimmed, ".") && !keepsStop(trimmed, titleStops) {
			trimmed = strings.TrimSuffix(trimmed, ".")
		}
		if trimmed == title {
			return title
		}
		title = trimmed
	}
}

var titleStops = map[string]bool{"etc.": true, "&c.": true, "St.": true, "Co.": true, "Inc.": true, "Ltd.": true, "Jr.": true, "Esq.": true, "vol.": true, "Mass.": true, "Conn.": true}

// repair undoes mojibake: UTF-8 that was read as Latin-1, Windows-1252 or Mac
// Roman, once or twice. Correct text stays unchanged, because hardly any accented
// word, encoded in one of those sets, is also valid UTF-8.
func repair(text string) string {
	for range 2 { // catalogues contain text damaged twice, but not three times
		text = repairOnce(text)
	}
	return text
}

// repairOnce tries Latin-1 first: Mac Roman would often turn the same text into
// nonsense.
func repairOnce(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text
	}
	for _, set := range []*charmap.Charmap{charmap.ISO8859_1, charmap.Windows1252, charmap.Macintosh} {
		bytes, err := set.NewEncoder().String(text)
		if err != nil || !utf8.ValidString(bytes) || strings.ContainsFunc(bytes, isControl) {
			continue
		}
		if set == charmap.Macintosh {
			bytes = norm.NFC.String(bytes) // a Mac decomposes accents
		}
		return bytes
	}
	return text
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
