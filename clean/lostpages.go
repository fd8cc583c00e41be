package clean

import "unicode"

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
