package clean

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"verbatim/internal/near"
)

// A page is the lines [first, last) between two page breaks.
type page struct{ first, last int }

// findPages finds where pages start: at marks such as <page 12>, at frequent form
// feeds, or at frequent double blank lines where single ones are rare.
func (b *book) findPages() {
	marks, feeds, single, double, kept := 0, 0, 0, 0, 0
	for i, l := range b.kept() {
		kept++
		s := b.str(i)
		isMark := func(p string) bool { return matchMark(s, p) == len(s) }
		if len(s) < 30 && slices.ContainsFunc(b.pageLines, isMark) {
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
		b.cutPages(byFeed || byMark, byBlank)
	}
}

// cutPages groups the kept lines into pages, which start after removed lines,
// at form feeds or at double blank lines.
func (b *book) cutPages(byFeed, byBlank bool) {
	previous := -2
	for i, l := range b.kept() {
		if previous != i-1 || byFeed && l.feed || byBlank && l.blank >= 2 {
			b.pages = append(b.pages, page{first: i})
			l.newPage = true
		}
		b.pages[len(b.pages)-1].last = i + 1
		previous = i
	}
}

// matchMark returns how many bytes at the start of s match the pattern, or 0.
// In a pattern, # is a number and ## is any run of # and digits.
func matchMark(s, pattern string) int {
	rest := s
	for i := 0; i < len(pattern); i++ {
		before := rest
		switch {
		case strings.HasPrefix(pattern[i:], "##"):
			rest = strings.TrimLeft(rest, "#0123456789")
			i++
		case pattern[i] == '#':
			rest = strings.TrimLeft(rest, "0123456789ivxlcIVXLC")
		case rest != "" && lower(rest[0]) == lower(pattern[i]):
			rest = rest[1:]
		}
		if rest == before {
			return 0
		}
	}
	return len(s) - len(rest)
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
	figures := misread.Replace(word)
	n, err := strconv.Atoi(figures)
	switch {
	case err == nil && isDigit(figures[0]) && hasDigit(word):
		if len(word) > 4 || n == 0 {
			return -1
		}
		return n
	case roman(word) > 0:
		return romanOffset + roman(word)
	}
	return -1
}

// misread maps letters to the digits that scans confuse with them.
var misread = strings.NewReplacer("o", "0", "O", "0", "Q", "0", "i", "1", "I", "1", "l", "1", "J", "1", "S", "5", "s", "5", "B", "8")

// roman returns the value of a roman numeral in upper or lower case, or 0.
func roman(word string) int {
	if word == "" || len(word) > 9 || word != strings.ToUpper(word) && word != strings.ToLower(word) {
		return 0
	}
	total, last := 0, 0
	for i := len(word) - 1; i >= 0; i-- {
		digit := strings.IndexByte("ivxlcdm", lower(word[i]))
		if digit < 0 {
			return 0
		}
		value := [...]int{1, 5, 10, 50, 100, 500, 1000}[digit]
		if value < last {
			total -= value
		} else {
			total += value
			last = value
		}
	}
	return total
}

// letters returns the letters of words in upper case, for comparing heads.
func letters(words ...string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, strings.Join(words, ""))
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

// opensHeading recognizes CHAPTER IV., Book the Second, PREFACE.
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
	return word != "" && strings.Trim(word, "0123456789") == "" || roman(word) > 0
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
	return near.Distance(a, c) <= max(len(a), len(c))/4
}

// headsBetweenParagraphs finds heads in a text that has lost its page marks.
// Their numbers grow, and most of them interrupt a sentence, which a chapter
// number never does. Usually they are between blank lines. If not, all lines
// are searched and more page numbers must agree.
func (b *book) headsBetweenParagraphs() {
	if !b.markLostPages(true, 3) {
		b.markLostPages(false, 10)
	}
}

// markLostPages marks heads among the lines between blank lines (`alone`) or all
// lines, if there are `least` page numbers, and reports whether it found any.
func (b *book) markLostPages(alone bool, least int) bool {
	edges, isEdge := b.looseEdges(alone)
	b.sequenceBetween(edges)
	heads, cuts := 0, 0
	titles, cutTitles := map[string]int{}, map[string]int{}
	for _, e := range edges {
		cut := b.interrupts(e.line, isEdge)
		titles[e.key]++
		if e.sequence {
			heads++
		}
		if cut {
			cutTitles[e.key]++
		}
		if cut && e.sequence {
			cuts++
		}
	}
	numbers := heads >= least && cuts*3 >= heads
	if !alone && !numbers {
		return false
	}
	for _, e := range edges {
		s := b.str(e.line)
		// Without a number, a title must interrupt most of the sentences around
		// it: chapter titles and names below letters do not.
		repeated := len(e.key) >= 4 && titles[e.key] >= 3 && cutTitles[e.key]*3 >= titles[e.key]*2 && !b.opensHeading(s)
		switch {
		case e.sequence && numbers && !e.text:
			b.lines[e.line].kind = PageNumber
		case e.sequence && numbers && (inCapitals(s) || isTitle(s) && !b.opensHeading(s)), inCapitals(s) && repeated:
			b.lines[e.line].kind = RunningHead
		default:
			continue
		}
		b.cut = true
	}
	return b.cut
}

// looseEdges returns the lines that have a number at one end or are in
// capitals; with `alone`, only lines between blank lines.
func (b *book) looseEdges(alone bool) (edges []edge, isEdge map[int]bool) {
	isEdge = map[int]bool{}
	for i := 1; i < len(b.lines); i++ {
		l := &b.lines[i]
		if l.kind != 0 || l.end-l.start > 80 {
			continue
		}
		if alone && (l.blank == 0 || i+1 < len(b.lines) && b.lines[i+1].blank == 0) {
			continue
		}
		if !alone && l.end-l.start > b.width*4/5 {
			continue
		}
		s := b.str(i)
		if e := makeEdge(s, i, len(edges)); e.number > 0 && (alone || !e.text || inCapitals(s)) || inCapitals(s) {
			edges = append(edges, e)
			isEdge[i] = true
		}
	}
	return edges, isEdge
}

// sequenceBetween marks numbers that fit a neighbor about one to three pages away.
func (b *book) sequenceBetween(edges []edge) {
	const leastPage, mostPage = 200, 12000 // bytes
	var numbered []*edge
	for i := range edges {
		if edges[i].number > 0 && edges[i].number < romanOffset {
			numbered = append(numbered, &edges[i])
		}
	}
	for i, e := range numbered {
		for _, o := range numbered[i+1 : min(len(numbered), i+4)] {
			apart, bytes := o.number-e.number, b.lines[o.line].start-b.lines[e.line].start
			if apart >= 1 && apart <= 3 && bytes >= leastPage*apart && bytes <= mostPage*apart {
				e.sequence, o.sequence = true, true
			}
		}
	}
}

// interrupts reports whether a line, with other possible heads around it, is in
// the middle of a sentence: no final punctuation before it, lower case after it.
func (b *book) interrupts(i int, isEdge map[int]bool) bool {
	before, after := i-1, i+1
	for range edgeLines - 1 {
		if isEdge[before] {
			before--
		}
		if isEdge[after] {
			after++
		}
	}
	if before < 0 || after >= len(b.lines) {
		return false
	}
	return !endsSentence(b.str(before)) && !inCapitals(b.str(before)) && unicode.IsLower(firstRune(b.str(after)))
}
