package clean

import (
	"slices"
	"strings"
	"unicode"
)

// An edge is a line that may be a running head: one of the outermost of its
// page or, in a text without pages, a paragraph of one line.
type edge struct {
	line, page int
	number     int    // the page number in it, or -1
	key        string // its letters, without the number's
	sequence   bool   // its number is the one that its page should have
	text       bool   // there is more to it than a number
	foot       bool   // it stands in the lower half of its page
}

// findHeads marks running heads, page numbers and binders' marks. A page
// number is known by its place in the sequence of numbers, a head by standing
// on several pages of this book or beside such a number.
func (b *book) findHeads() {
	if len(b.pages) > 0 {
		b.cut = true
		b.headsOfPages()
	} else {
		b.headsBetweenParagraphs()
	}
}

// edgeLines is how many lines at the top and at the foot of a page may be
// heads: a number, a title, and what the scan made of a rule between them.
const edgeLines = 3

func (b *book) headsOfPages() {
	edges := b.pageEdges()
	b.markSequence(edges)
	seeds := b.repeatedHeads(edges)
	byLine := make(map[int]int, len(edges))
	for i, e := range edges {
		byLine[e.line] = i
	}
	for p, pg := range b.pages {
		if pg.last-pg.first < 2 && len(b.pages) > 0 && !b.sequenceNear(edges, byLine, pg) {
			continue // a half-title, alone on its page
		}
		b.trimPage(pg, edges, byLine, seeds, 1)
		b.trimPage(pg, edges, byLine, seeds, -1)
		b.markSignature(p)
	}
}

// sequenceNear says whether a page's only line carries its page number.
func (b *book) sequenceNear(edges []edge, byLine map[int]int, pg page) bool {
	i, ok := byLine[pg.first]
	return ok && edges[i].sequence
}

func (b *book) pageEdges() []edge {
	var edges []edge
	for p, pg := range b.pages {
		for i := pg.first; i < pg.last; i++ {
			if i >= pg.first+edgeLines && i < pg.last-edgeLines {
				i = pg.last - edgeLines - 1
				continue
			}
			if l := &b.lines[i]; l.end-l.start <= b.width+b.width/4+8 {
				e := makeEdge(b.str(i), i, p)
				e.foot = i-pg.first > pg.last-1-i
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// makeEdge reads a line as a head: number first, number last, or no number.
func makeEdge(s string, lineNo, pageNo int) edge {
	e := edge{line: lineNo, page: pageNo, number: -1}
	words := strings.Fields(s)
	rest := s
	switch {
	case len(words) <= 3 && pageNumber(strings.Join(words, "")) > 0 && hasDigit(s): // 6 1
		e.number, rest = pageNumber(strings.Join(words, "")), ""
	case len(words) > 2 && len(words[0]) < 3 && isNumber(words[0]+words[1]) && hasDigit(words[0]) && hasDigit(words[1]): // 1 8 THE MOOR
		e.number, rest = pageNumber(words[0]+words[1]), strings.Join(words[2:], " ")
	case pageNumber(words[0]) > 0 && (len(words) == 1 || hasDigit(words[0]) || unicode.IsLower(firstRune(words[0]))):
		e.number, rest = pageNumber(words[0]), s[strings.Index(s, words[0])+len(words[0]):]
	case len(words) > 2 && pageNumber(words[len(words)-2]+words[len(words)-1]) > 0 && hasDigit(words[len(words)-2]) && hasDigit(words[len(words)-1]):
		e.number, rest = pageNumber(words[len(words)-2]+words[len(words)-1]), strings.Join(words[:len(words)-2], " ")
	case pageNumber(words[len(words)-1]) > 0:
		last := words[len(words)-1]
		e.number, rest = pageNumber(last), s[:strings.LastIndex(s, last)]
	}
	if strings.HasSuffix(s, "*") {
		e.number = -1 // a binder's mark
	}
	e.key = letters(rest)
	e.text = e.key != ""
	return e
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// markSequence finds the numbers that grow by one from page to page. Plates
// and blank leaves shift the count, so a number is held against its neighbours
// and not against the whole book.
func (b *book) markSequence(edges []edge) {
	const reach = 15 // pages
	from := 0
	for i := range edges {
		e := &edges[i]
		if e.number < 0 {
			continue
		}
		for edges[from].page < e.page-reach {
			from++
		}
		same, close := 0, 0
		for j := from; j < len(edges) && edges[j].page <= e.page+reach; j++ {
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

// seeds are the heads of a book, by their letters and by where they stand.
type seeds struct {
	heads [2]map[string]int // at the top and at the foot: the line where each stood first
	pages []bool            // whether a page number of the sequence stands near
}

func (s *seeds) has(key string, foot bool) bool {
	_, ok := s.first(key, foot)
	return ok
}

func (s *seeds) first(key string, foot bool) (int, bool) {
	side := 0
	if foot {
		side = 1
	}
	line, ok := s.heads[side][key]
	return line, ok
}

// repeatedHeads are the titles that stand at the same edge of at least three
// pages, often enough beside a page number: without that they may be names
// under letters. A chapter's title is one from the start.
func (b *book) repeatedHeads(edges []edge) *seeds {
	s := &seeds{pages: make([]bool, len(b.pages)+1)}
	any := b.nearNumbers(edges, s.pages)
	for side := range s.heads {
		count, numbered, first := map[string]int{}, map[string]int{}, map[string]int{}
		last := map[string]int{}
		for i, e := range edges {
			beside := e.sequence || i > 0 && besideNumber(&e, &edges[i-1]) || i+1 < len(edges) && besideNumber(&e, &edges[i+1])
			if e.foot != (side == 1) || len(e.key) < 4 || !beside && (b.opensHeading(b.str(e.line)) || unicode.IsLower(firstLetter(b.str(e.line)))) {
				continue
			}
			if p, seen := last[e.key]; seen && p == e.page {
				continue
			} else if !seen {
				first[e.key] = e.line
			}
			last[e.key] = e.page
			count[e.key]++
			if beside || e.number > 0 {
				numbered[e.key]++
			}
		}
		for key, n := range count {
			if n < 3 && (n < 2 || numbered[key] == 0) || any && numbered[key]*3 < n {
				delete(first, key)
			}
		}
		s.heads[side] = first
	}
	b.chapterTitles(edges, s)
	return s
}

func besideNumber(e, o *edge) bool {
	return o.page == e.page && o.sequence && !o.text && max(o.line-e.line, e.line-o.line) == 1
}

// nearNumbers marks the pages that have a number of the sequence on them or a
// few pages away; it says whether there is a sequence at all.
func (b *book) nearNumbers(edges []edge, near []bool) bool {
	const reach = 4
	n := 0
	for _, e := range edges {
		if e.sequence && e.number < romanOffset {
			n++
			for p := max(0, e.page-reach); p <= min(len(near)-1, e.page+reach); p++ {
				near[p] = true
			}
		}
	}
	if n >= 5 {
		return true
	}
	for p := range near { // a book without page numbers: heads may stand anywhere
		near[p] = true
	}
	return false
}

// chapterTitles adds the titles that follow CHAPTER IV. at the top of a page:
// what repeats them over later pages is a head.
func (b *book) chapterTitles(edges []edge, s *seeds) {
	for i := 0; i+1 < len(edges); i++ {
		title := &edges[i+1]
		if !edges[i].foot && edges[i].page == title.page && b.opensHeading(b.str(edges[i].line)) &&
			len(title.key) >= 6 && inCapitals(b.str(title.line)) && !s.has(title.key, false) {
			s.heads[0][title.key] = title.line
		}
	}
}

func firstLetter(s string) rune {
	if strings.HasPrefix(s, "&") { // an entity, most often a quotation mark
		_, s, _ = strings.Cut(s, ";")
	}
	for _, r := range s {
		if unicode.IsLetter(r) {
			return r
		}
	}
	return 0
}

// trimPage takes heads and numbers off one edge of a page, from outside in.
func (b *book) trimPage(pg page, edges []edge, byLine map[int]int, seeds *seeds, step int) {
	at := pg.first
	if step < 0 {
		at = pg.last - 1
	}
	var before *edge // the edge just outside
	for n := 0; n < edgeLines && at >= pg.first && at < pg.last && b.lines[at].kind == 0; n++ {
		i, ok := byLine[at]
		if !ok {
			return
		}
		e := &edges[i]
		var inner *edge
		if j, ok := byLine[at+step]; ok && at+step >= pg.first && at+step < pg.last {
			inner = &edges[j]
		}
		kind := b.headKind(e, before, inner, edges, seeds)
		if kind == 0 {
			return
		}
		b.lines[at].kind = kind
		before, at = e, at+step
	}
}

// headKind says whether an edge is a head, with the edges on either side.
func (b *book) headKind(e, outer, inner *edge, edges []edge, seeds *seeds) Kind {
	s := b.str(e.line)
	bare := func(o *edge) bool { return o != nil && o.sequence && !o.text }
	switch {
	case e.sequence && !e.text:
		return PageNumber
	case b.opensHeading(s) && !e.sequence && !(seeds.has(e.key, e.foot) && (bare(outer) || bare(inner))):
		return 0
	case e.sequence && !unicode.IsLower(firstLetter(strings.TrimLeft(s, "0123456789 "))):
		return RunningHead
	case e.sequence && len(e.key) <= 30 && e.number < romanOffset:
		return RunningHead
	}
	if b.isSeed(e, s, seeds, edges) {
		if first, ok := seeds.first(e.key, e.foot); ok && first == e.line && !bare(outer) && !bare(inner) && inCapitals(s) {
			return 0 // the title itself, before it became a head
		}
		if inCapitals(s) && inner != nil && !e.sequence && !inner.sequence && !bare(outer) && inCapitals(b.str(inner.line)) {
			return 0 // a title page
		}
		return RunningHead
	}
	if inner != nil && (len(s) <= 2 || len(s) <= 5 && hasDigit(s)) && b.headKind(inner, e, nil, edges, seeds) == RunningHead {
		return PageNumber // misread, or a speck over a head
	}
	if (bare(outer) || bare(inner)) && inCapitals(s) && len(e.key) >= 3 && len(s) < b.width+8 && roman(strings.Trim(s, ". ")) == 0 {
		return RunningHead
	}
	return 0
}

// isSeed says whether a line is one of the repeated heads, as well as the scan
// could read it. Only heads of near pages are tried with mistakes allowed.
func (b *book) isSeed(e *edge, s string, seeds *seeds, edges []edge) bool {
	if len(e.key) < 4 || !seeds.pages[e.page] {
		return false
	}
	if seeds.has(e.key, e.foot) {
		return true
	}
	keys := []string{e.key}
	if words := strings.Fields(s); len(words) > 1 { // a number that could not be read
		if len(words[0]) <= 4 {
			keys = append(keys, letters(strings.Join(words[1:], " ")))
		}
		if len(words[len(words)-1]) <= 4 {
			keys = append(keys, letters(strings.Join(words[:len(words)-1], " ")))
		}
	}
	for _, key := range keys {
		if len(key) >= 4 && seeds.has(key, e.foot) {
			return true
		}
	}
	looksLikeText := unicode.IsLower(firstLetter(s)) || len(s) > b.width*9/10 && !inCapitals(s)
	return !looksLikeText && b.similarNear(e, keys, seeds, edges)
}

func (b *book) similarNear(e *edge, keys []string, seeds *seeds, edges []edge) bool {
	const reach = 60 // edges, some ten pages
	at := e.index(edges)
	var tried []string
	for j := max(0, at-reach); j < min(len(edges), at+reach); j++ {
		other := edges[j].key
		if !seeds.has(other, e.foot) || slices.Contains(tried, other) {
			continue
		}
		if tried = append(tried, other); len(tried) > 12 {
			return false
		}
		for _, key := range keys {
			if len(key) >= 6 && similar(key, other) {
				return true
			}
		}
	}
	return false
}

// index finds an edge in the list, which is in the order of lines.
func (e *edge) index(edges []edge) int {
	low, high := 0, len(edges)
	for low < high {
		if mid := (low + high) / 2; edges[mid].line < e.line {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// markSignature marks the binder's mark that stands last on some pages: 13, 8*, G.
func (b *book) markSignature(p int) {
	pg := b.pages[p]
	for i := pg.last - 1; i > pg.first; i-- {
		if b.lines[i].kind != 0 {
			continue
		}
		s := b.str(i)
		switch bare := strings.Trim(s, ".,'\"»«^-—*• "); {
		case b.lines[i-1].kind != 0:
		case isSignature(s):
			b.lines[i].kind = Signature
		case len(bare) == 3 && pageNumber(bare) > 0 && pageNumber(bare) < romanOffset || len(bare) == 3 && isDigit(bare[1]) && isDigit(bare[2]):
			b.lines[i].kind = PageNumber // misread, at the foot of a chapter's first page
		}
		return
	}
}

// isSignature says whether a line is a binder's mark: a figure of one or two
// digits, a capital, both (also apart), with or without a star.
func isSignature(s string) bool {
	mark := strings.ReplaceAll(strings.TrimSuffix(s, "*"), " ", "")
	switch len(mark) {
	case 1:
		return isDigit(mark[0]) || mark[0]-'A' < 26
	case 2:
		return isDigit(mark[1]) && (isDigit(mark[0]) || lower(mark[0])-'a' < 26) || mark == "II" // H, misread
	}
	return false
}

// headsBetweenParagraphs finds heads in a text that has lost its pages: they
// stand between blank lines, their numbers grow, and most of them interrupt a
// sentence, which a chapter's number never does.
func (b *book) headsBetweenParagraphs() {
	var edges []edge
	for i := range b.lines {
		l := &b.lines[i]
		if l.kind == 0 && l.end-l.start <= 80 && l.blank > 0 && (i+1 == len(b.lines) || b.lines[i+1].blank > 0) && i > 0 {
			if e := makeEdge(b.str(i), i, len(edges)); e.number > 0 || inCapitals(b.str(i)) {
				edges = append(edges, e)
			}
		}
	}
	b.sequenceBetween(edges)
	heads, cuts := 0, 0
	titles, cutTitles := map[string]int{}, map[string]int{}
	for _, e := range edges {
		cut := b.interrupts(e.line)
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
	numbers := heads >= 3 && cuts*3 >= heads
	for _, e := range edges {
		s := b.str(e.line)
		// Without a number it must cut most sentences that it meets: titles,
		// and names under letters, do not.
		repeated := len(e.key) >= 4 && titles[e.key] >= 3 && cutTitles[e.key]*3 >= titles[e.key]*2
		switch {
		case e.sequence && numbers && !e.text:
			b.lines[e.line].kind = PageNumber
		case e.sequence && numbers && (inCapitals(s) || isTitle(s) && !b.opensHeading(s)), inCapitals(s) && repeated && !b.opensHeading(s):
			b.lines[e.line].kind = RunningHead
		default:
			continue
		}
		b.cut = true
	}
}

// sequenceBetween marks numbers of which a neighbour, a page's length away,
// is one, two or three more or less.
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

// interrupts says whether a line stands in the middle of a sentence: the line
// before it has no final mark, and the line after it goes on in small letters.
func (b *book) interrupts(i int) bool {
	if i+1 >= len(b.lines) || i == 0 {
		return false
	}
	return !endsSentence(b.str(i-1)) && !inCapitals(b.str(i-1)) && unicode.IsLower(firstRune(b.str(i+1)))
}
