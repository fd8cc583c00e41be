package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A page is the lines [first, last) between two page breaks.
type page struct{ first, last int }

// findPages finds where pages start: at marks such as <page 12>, at form feeds,
// or at double blank lines if the text has no marks, no feeds and almost no
// single blank lines. One mark is enough; form feeds and blank lines must occur
// often.
func (b *book) findPages() {
	marks, feeds, single, double, kept := 0, 0, 0, 0, 0
	for i := range b.lines {
		l := &b.lines[i]
		if l.kind != 0 {
			continue
		}
		kept++
		if s := b.str(i); len(s) < 30 && matchesAny(s, b.pageLines) {
			l.kind = PageMark
			marks++
			continue
		}
		switch {
		case l.feed:
			feeds++
		case l.blank == 1:
			single++
		case l.blank >= 2:
			double++
		}
	}
	byMark, byFeed := marks > 0, marks == 0 && feeds >= 3
	byBlank := !byMark && !byFeed && double >= 10 && single*10 <= double && kept >= 8*double
	if byMark || byFeed || byBlank {
		b.cutPages(func(i int) bool {
			l := &b.lines[i]
			return byMark && i > 0 && b.lines[i-1].kind == PageMark || l.feed && !byBlank || byBlank && l.blank >= 2
		})
	}
}

// cutPages groups the kept lines into pages.
func (b *book) cutPages(begins func(line int) bool) {
	open := false
	for i := range b.lines {
		l := &b.lines[i]
		if begins(i) {
			open = false
		}
		if l.kind != 0 {
			open = false
			continue
		}
		if !open {
			b.pages = append(b.pages, page{first: i})
			l.newPage, open = true, true
		}
		b.pages[len(b.pages)-1].last = i + 1
	}
}

// matchesAny reports whether a line matches one of the patterns. In a pattern,
// # is a number and ## is any run of # and digits.
func matchesAny(s string, patterns []string) bool {
	for _, p := range patterns {
		if n := matchMark(s, p); n == len(s) {
			return true
		}
	}
	return false
}

// matchMark returns how many bytes at the start of s match the pattern, or 0.
func matchMark(s, pattern string) int {
	at := 0
	for i := 0; i < len(pattern); i++ {
		if at >= len(s) {
			return 0
		}
		switch {
		case strings.HasPrefix(pattern[i:], "##"):
			start := at
			for at < len(s) && (s[at] == '#' || isDigit(s[at])) {
				at++
			}
			if at == start {
				return 0
			}
			i++
		case pattern[i] == '#':
			start := at
			for at < len(s) && (isDigit(s[at]) || strings.IndexByte("ivxlcIVXLC", s[at]) >= 0) {
				at++
			}
			if at == start {
				return 0
			}
		case lower(s[at]) != lower(pattern[i]):
			return 0
		default:
			at++
		}
	}
	return at
}

func isDigit(c byte) bool { return c-'0' < 10 }

func lower(c byte) byte {
	if c-'A' < 26 {
		return c + 'a' - 'A'
	}
	return c
}

// romanOffset separates roman page numbers from arabic ones.
const romanOffset = 1 << 20

// pageNumber reads a word as a page number, allowing for scan errors: io8, 6o,
// I50, xiv. It returns -1 for any other word.
func pageNumber(word string) int {
	word = strings.Trim(word, ".,;:-—_~*'\"^[](){}|!■•°")
	if word == "" || len(word) > 6 {
		return -1
	}
	n, digits, misread := 0, 0, 0
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case isDigit(c):
			n, digits = n*10+int(c-'0'), digits+1
			continue
		case strings.IndexByte("oOQ", c) >= 0:
			n *= 10
		case strings.IndexByte("iIlJ", c) >= 0:
			n = n*10 + 1
		case c == 'S' || c == 's':
			n = n*10 + 5
		case c == 'B':
			n = n*10 + 8
		default:
			return romanNumber(word)
		}
		misread++
	}
	if digits == 0 {
		return romanNumber(word)
	}
	if digits+misread > 4 || n == 0 {
		return -1
	}
	return n
}

func romanNumber(word string) int {
	if n := roman(word); n > 0 {
		return romanOffset + n
	}
	return -1
}

// roman returns the value of a roman numeral in upper or lower case, or 0.
func roman(word string) int {
	if word == "" || len(word) > 9 || word != strings.ToUpper(word) && word != strings.ToLower(word) {
		return 0
	}
	value, total, last := 0, 0, 0
	for i := len(word) - 1; i >= 0; i-- {
		switch lower(word[i]) {
		case 'i':
			value = 1
		case 'v':
			value = 5
		case 'x':
			value = 10
		case 'l':
			value = 50
		case 'c':
			value = 100
		case 'd':
			value = 500
		case 'm':
			value = 1000
		default:
			return 0
		}
		if value < last {
			total -= value
		} else {
			total += value
			last = value
		}
	}
	return total
}

// letters returns the letters of a line in upper case, for comparing heads.
func letters(s string) string {
	var out strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) {
			out.WriteRune(unicode.ToUpper(r))
		}
	}
	return out.String()
}

// inCapitals reports whether a line is set in capitals: at least three, and at
// most one lower-case letter for every five (scan errors).
func inCapitals(s string) bool {
	upper, small := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			small++
		}
	}
	return upper >= 3 && small*5 <= upper
}

// isTitle reports whether every long word of a line starts with a capital.
func isTitle(s string) bool {
	words := strings.Fields(s)
	for _, w := range words {
		w = strings.TrimLeft(w, "\"'“‘([—")
		if len(w) > 4 && !unicode.IsUpper(firstRune(w)) {
			return false
		}
	}
	return len(words) > 0 && len(words) <= 12
}

// opensHeading reports whether a line starts like a heading: CHAPTER IV., Book
// the Second, PREFACE.
func (b *book) opensHeading(s string) bool {
	first, rest, _ := strings.Cut(s, " ")
	word := strings.ToLower(strings.Trim(first, ".,:;—-[]()_*"))
	if b.alone[word] {
		return len(s) < len(first)+3 || inCapitals(s)
	}
	if !b.numbered[word] || unicode.IsLower(firstRune(strings.TrimLeft(first, "[(_"))) {
		return false
	}
	second, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	number, _, _ := strings.Cut(strings.Trim(second, ".,:;—-[]()_*"), "—")
	return isNumber(number) || b.counts[strings.ToLower(strings.TrimRight(number, ".,:"))]
}

// isNumber reports whether a word is a number, arabic or roman.
func isNumber(word string) bool {
	digits := word != ""
	for i := 0; i < len(word); i++ {
		digits = digits && isDigit(word[i])
	}
	return digits || roman(word) > 0
}

// similar reports whether two heads, given as letters, are equal apart from
// scan errors in at most a quarter of the letters.
func similar(a, c string) bool {
	if a == c {
		return true
	}
	if d := len(a) - len(c); len(a) < 5 || len(a) > 80 || len(c) > 80 || d > len(a)/4 || -d > len(a)/4 {
		return false
	}
	return distance(a, c) <= max(len(a), len(c))/4
}

// distance is the edit distance of two strings, in bytes.
func distance(a, c string) int {
	var row [81 + utf8.UTFMax]int
	for j := range len(c) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(c) {
			cost := 1
			if a[i] == c[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(c)]
}
