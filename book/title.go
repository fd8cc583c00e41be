package book

import (
	"regexp"
	"strings"
)

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
