package clean

import (
	"slices"
	"strings"
	"unicode"
)

// An edge is a line that may be a running head: one of the first or last lines
// of its page or, in a text without pages, a paragraph of one line.
type edge struct {
	line, page int
	number     int    // its page number, or -1
	key        string // its letters, without those of the number
	sequence   bool   // its number fits the sequence of page numbers
	text       bool   // it has more than a number
	foot       bool   // it is in the lower half of its page
}

// findHeads marks running heads, which repeat or are next to a page number, page
// numbers, which fit their sequence, and signature marks.
func (b *book) findHeads() {
	if len(b.pages) > 0 {
		b.cut = true
		b.headsOfPages()
	} else {
		b.headsBetweenParagraphs()
	}
}

// edgeLines is how many lines at the top and the bottom of a page may be heads:
// a number, a title, and what the scan made of a rule between them.
const edgeLines = 3

// headFinder looks for the heads of a book that has pages.
type headFinder struct {
	*book
	edges  []edge       // in the order of lines
	byLine map[int]int  // the index of each line's edge
	heads  map[head]int // the repeated heads, with the line of their first occurrence
	near   []bool       // by page: a number of the sequence is on it or close to it
}

// A head is the letters of a running head, and at which edge of pages it is.
type head struct {
	key  string
	foot bool
}

func (b *book) headsOfPages() {
	f := &headFinder{book: b, edges: b.pageEdges(), byLine: map[int]int{}, heads: map[head]int{}, near: make([]bool, len(b.pages))}
	for i, e := range f.edges {
		f.byLine[e.line] = i
	}
	markSequence(f.edges)
	f.findRepeated()
	for _, pg := range b.pages {
		if only := f.edge(pg.first, pg); pg.last-pg.first == 1 && (only == nil || !only.sequence) {
			continue // a half-title page
		}
		f.trimPage(pg, 1)
		f.trimPage(pg, -1)
		f.markFoot(pg)
	}
}

// edge returns the edge for a line, or nil if it is not an edge of the page.
func (f *headFinder) edge(line int, pg page) *edge {
	if i, ok := f.byLine[line]; ok && line >= pg.first && line < pg.last {
		return &f.edges[i]
	}
	return nil
}

func (b *book) pageEdges() []edge {
	var edges []edge
	for p, pg := range b.pages {
		for i := pg.first; i < pg.last; i++ {
			inside := i >= pg.first+edgeLines && i < pg.last-edgeLines
			if s := b.str(i); !inside && len(s) <= b.width+b.width/4+8 {
				e := makeEdge(s, i, p)
				e.foot = i-pg.first > pg.last-1-i
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// makeEdge parses a line as a head: number first, number last, or no number.
func makeEdge(s string, lineNo, pageNo int) edge {
	e := edge{line: lineNo, page: pageNo, number: -1}
	words := strings.Fields(s)
	n := len(words)
	if n == 0 {
		return e
	}
	first, last := words[0], words[n-1]
	switch {
	case n <= 3 && pageNumber(strings.Join(words, "")) > 0 && hasDigit(s): // 6 1
		e.number, words = pageNumber(strings.Join(words, "")), nil
	case n > 2 && len(first) < 3 && isNumber(first+words[1]) && hasDigit(first) && hasDigit(words[1]): // 1 8 THE MOOR
		e.number, words = pageNumber(first+words[1]), words[2:]
	case pageNumber(first) > 0 && (n == 1 || hasDigit(first) || unicode.IsLower(firstRune(first))):
		e.number, words = pageNumber(first), words[1:]
	case n > 2 && pageNumber(words[n-2]+last) > 0 && hasDigit(words[n-2]) && hasDigit(last):
		e.number, words = pageNumber(words[n-2]+last), words[:n-2]
	case pageNumber(last) > 0:
		e.number, words = pageNumber(last), words[:n-1]
	}
	if strings.HasSuffix(s, "*") {
		e.number = -1 // a signature mark
	}
	e.key = letters(words...)
	e.text = e.key != ""
	return e
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// markSequence finds the numbers that grow by one from page to page. It compares
// only neighbors, because plates and blank leaves shift the count.
func markSequence(edges []edge) {
	const reach = 15 // pages
	first := 0
	for i := range edges {
		e := &edges[i]
		if e.number < 0 {
			continue
		}
		for edges[first].page < e.page-reach {
			first++
		}
		same, close := 0, 0
		for j := first; j < len(edges) && edges[j].page <= e.page+reach; j++ {
			o := &edges[j]
			if o.number < 0 || o.page == e.page {
				continue
			}
			switch drift := (e.number - e.page) - (o.number - o.page); {
			case drift == 0:
				same++
			case drift >= -2 && drift <= 2 && max(o.page-e.page, e.page-o.page) <= 6 && (o.number > e.number) == (o.page > e.page):
				close++
			}
		}
		e.sequence = same >= 2 || same+close >= 3
	}
}

// repeats returns the line of the first head with these letters, if it repeats.
func (f *headFinder) repeats(key string, foot bool) (first int, ok bool) {
	first, ok = f.heads[head{key, foot}]
	return first, ok && len(key) >= 4
}

// findRepeated finds titles at the same edge of at least three pages, often
// enough next to a page number (otherwise they may be names below letters). Two
// pages are enough if one of them has a number.
func (f *headFinder) findRepeated() {
	sequence := f.nearNumbers()
	type tally struct{ first, last, pages, numbered int }
	tallies := map[head]*tally{}
	for i := range f.edges {
		e := &f.edges[i]
		s, beside := f.str(e.line), f.besideNumber(i)
		if len(e.key) < 4 || !beside && (f.opensHeading(s) || unicode.IsLower(firstLetter(s))) {
			continue
		}
		t := tallies[head{e.key, e.foot}]
		if t == nil {
			t = &tally{first: e.line, last: -1}
			tallies[head{e.key, e.foot}] = t
		}
		if t.last == e.page {
			continue
		}
		t.last = e.page
		t.pages++
		if beside || e.number > 0 {
			t.numbered++
		}
	}
	for h, t := range tallies {
		enough := t.pages >= 3 || t.pages == 2 && t.numbered > 0
		if enough && (!sequence || t.numbered*3 >= t.pages) {
			f.heads[h] = t.first
		}
	}
	f.addChapterTitles()
}

// besideNumber reports whether an edge has its page number or is next to it.
func (f *headFinder) besideNumber(i int) bool {
	e := &f.edges[i]
	return e.sequence || slices.ContainsFunc(f.edges[max(0, i-1):min(len(f.edges), i+2)], func(o edge) bool {
		return o.page == e.page && o.sequence && !o.text && max(o.line-e.line, e.line-o.line) == 1
	})
}

// nearNumbers marks the pages that have a number of the sequence on them or a
// few pages away. It reports whether there is a sequence at all.
func (f *headFinder) nearNumbers() bool {
	const reach = 4
	n := 0
	for _, e := range f.edges {
		if e.sequence && e.number < romanOffset {
			n++
			for p := max(0, e.page-reach); p <= min(len(f.near)-1, e.page+reach); p++ {
				f.near[p] = true
			}
		}
	}
	if n >= 5 {
		return true
	}
	for p := range f.near { // a book without page numbers: heads may be anywhere
		f.near[p] = true
	}
	return false
}

// addChapterTitles adds the titles that follow CHAPTER IV. at the top of a
// page: if they repeat on later pages, they are heads.
func (f *headFinder) addChapterTitles() {
	for i := 0; i+1 < len(f.edges); i++ {
		chapter, title := &f.edges[i], &f.edges[i+1]
		if chapter.foot || chapter.page != title.page || len(title.key) < 6 || !f.opensHeading(f.str(chapter.line)) || !inCapitals(f.str(title.line)) {
			continue
		}
		if _, known := f.repeats(title.key, false); !known {
			f.heads[head{title.key, false}] = title.line
		}
	}
}

func firstLetter(s string) rune {
	if strings.HasPrefix(s, "&") { // an entity, usually a quotation mark
		_, s, _ = strings.Cut(s, ";")
	}
	if i := strings.IndexFunc(s, unicode.IsLetter); i >= 0 {
		return firstRune(s[i:])
	}
	return 0
}

// trimPage marks heads and numbers at one edge of a page, outermost line first.
func (f *headFinder) trimPage(pg page, step int) {
	at := pg.first
	if step < 0 {
		at = pg.last - 1
	}
	var outer *edge
	for range edgeLines {
		e := f.edge(at, pg)
		if e == nil || f.lines[at].kind != 0 {
			return
		}
		kind := f.headKind(e, outer, f.edge(at+step, pg))
		if kind == 0 {
			return
		}
		f.lines[at].kind = kind
		outer, at = e, at+step
	}
}

// headKind returns the kind of head that an edge is, given those beside it, or 0.
func (f *headFinder) headKind(e, outer, inner *edge) Kind {
	s := f.str(e.line)
	isNumber := func(o *edge) bool { return o != nil && o.sequence && !o.text }
	numbered := isNumber(outer) || isNumber(inner)
	first, repeated := f.repeats(e.key, e.foot)
	switch {
	case e.sequence && !e.text:
		return PageNumber
	case e.sequence && (!unicode.IsLower(firstLetter(strings.TrimLeft(s, "0123456789 "))) || len(e.key) <= 30 && e.number < romanOffset):
		return RunningHead
	case f.opensHeading(s) && !(repeated && numbered):
		return 0
	case f.isRepeated(e, s):
		if inCapitals(s) && !numbered && (repeated && first == e.line || inner != nil && !inner.sequence && inCapitals(f.str(inner.line))) {
			return 0 // the chapter title itself, or a title page
		}
		return RunningHead
	case inner != nil && (len(s) <= 2 || len(s) <= 5 && hasDigit(s)) && f.headKind(inner, e, nil) == RunningHead:
		return PageNumber // misread, or a speck above a head
	case numbered && inCapitals(s) && len(e.key) >= 3 && len(s) < f.width+8 && roman(strings.Trim(s, ". ")) == 0:
		return RunningHead
	}
	return 0
}

// isRepeated recognizes a repeated head, even with scan errors if it is near.
func (f *headFinder) isRepeated(e *edge, s string) bool {
	if len(e.key) < 4 || !f.near[e.page] {
		return false
	}
	keys := []string{e.key}
	if words := strings.Fields(s); len(words) > 1 { // an unreadable number
		last := len(words) - 1
		if len(words[0]) <= 4 {
			keys = append(keys, letters(words[1:]...))
		}
		if len(words[last]) <= 4 {
			keys = append(keys, letters(words[:last]...))
		}
	}
	for _, key := range keys {
		if _, ok := f.repeats(key, e.foot); ok {
			return true
		}
	}
	looksLikeText := unicode.IsLower(firstLetter(s)) || len(s) > f.width*9/10 && !inCapitals(s)
	return !looksLikeText && f.similarNear(e, keys)
}

// similarNear reports whether a nearby head differs only by scan errors.
func (f *headFinder) similarNear(e *edge, keys []string) bool {
	const reach, most = 60, 12 // edges (about ten pages); different heads among them
	at := f.byLine[e.line]
	var tried []string
	for j := max(0, at-reach); j < min(len(f.edges), at+reach) && len(tried) < most; j++ {
		other := f.edges[j].key
		if _, ok := f.repeats(other, e.foot); !ok || slices.Contains(tried, other) {
			continue
		}
		tried = append(tried, other)
		if slices.ContainsFunc(keys, func(key string) bool { return len(key) >= 6 && similar(key, other) }) {
			return true
		}
	}
	return false
}

// markFoot marks a signature mark (13, 8*, G) or a misread page number.
func (f *headFinder) markFoot(pg page) {
	last := pg.last - 1
	for last > pg.first && f.lines[last].kind != 0 {
		last--
	}
	if last <= pg.first || f.lines[last-1].kind != 0 {
		return
	}
	s := f.str(last)
	bare := strings.Trim(s, ".,'\"»«^-—*• ")
	switch {
	case isSignature(bare):
		f.lines[last].kind = Signature
	case len(bare) == 3 && (isDigit(bare[1]) && isDigit(bare[2]) || hasDigit(bare) && pageNumber(bare) > 0):
		f.lines[last].kind = PageNumber
	}
}

// isSignature recognizes a number of one or two digits, a capital, or both.
func isSignature(s string) bool {
	mark := strings.ReplaceAll(s, " ", "")
	switch len(mark) {
	case 1:
		return isDigit(mark[0]) || mark[0]-'A' < 26
	case 2:
		return isDigit(mark[1]) && (isDigit(mark[0]) || lower(mark[0])-'a' < 26) || mark == "II" // misread H
	}
	return false
}
