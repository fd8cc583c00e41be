package clean

import (
	"html"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// A writer collects the repairs of one text, in order.
type writer struct {
	*book
	repairs  []Repair
	headings []verbatim.Span // in the source
	open     bool            // inside a quotation of this paragraph
	mark     int             // index of the next of b.marks
	label    int             // index of the next of b.labels
}

func (w *writer) add(k Kind, start, end int, text string) {
	if w.text[start:end] != text {
		w.repairs = append(w.repairs, Repair{k, verbatim.Span{Start: start, End: end}, text})
	}
}

// write builds the copy and the list of repairs.
func (b *book) write(doc *verbatim.Document) *Reading {
	w := &writer{book: b}
	if strings.HasPrefix(b.text, bom) {
		w.add(BOM, 0, len(bom), "")
	}
	previous, gone := -1, -1 // the last kept line; the first removed one after it
	for i := range b.lines {
		if b.lines[i].kind != 0 {
			if gone < 0 {
				gone = i
			}
			continue
		}
		if previous >= 0 {
			w.gap(previous, i, gone)
		} else if gone >= 0 {
			w.drop(gone, i, b.lines[i].start)
		}
		if b.lines[i].heading {
			w.headings = append(w.headings, verbatim.Span{Start: b.lines[i].start, End: b.lines[i].end})
		}
		w.line(i)
		previous, gone = i, -1
	}
	if gone >= 0 {
		w.drop(gone, len(b.lines), b.lines[len(b.lines)-1].end)
	}
	return w.reading(doc)
}

// drop removes the lines [first, last), each with the white space after it.
func (w *writer) drop(first, last, end int) {
	for i := first; i < last; {
		j := i + 1
		for j < last && w.lines[j].kind == w.lines[i].kind && w.lines[i].kind != PageNumber {
			j++
		}
		stop := end
		if j < last {
			stop = w.lines[j].start
		}
		w.add(w.lines[i].kind, w.lines[i].start, stop, "")
		i = j
	}
}

// gap repairs the text between two kept lines; gone is the first removed one, or -1.
func (w *writer) gap(previous, i, gone int) {
	p, l := &w.lines[previous], &w.lines[i]
	start, stop := p.end, l.start
	if gone >= 0 {
		stop = w.lines[gone].start
	}
	if l.link == paragraph {
		w.open = false
		w.paragraphEnd(start, stop)
	} else {
		w.lineEnd(previous, i, start, stop, gone >= 0)
	}
	if gone >= 0 {
		w.drop(gone, i, l.start)
	}
}

func (w *writer) paragraphEnd(start, stop int) {
	white := w.text[start:stop]
	if !strings.ContainsAny(white, "\r\f") && strings.Contains(white, "\n\n") {
		return
	}
	kind := Paragraph
	if strings.Contains(white, "\f") {
		kind = PageMark
	}
	w.add(kind, start, stop, "\n\n")
}

func (w *writer) lineEnd(previous, i, start, stop int, cut bool) {
	p, l := &w.lines[previous], &w.lines[i]
	kind := LineWrap
	if cut || l.newPage {
		kind = PageJoin
	}
	switch first, second := w.str(previous), w.str(i); {
	case p.broken == dropped:
		_, size := utf8.DecodeLastRuneInString(first)
		w.add(Hyphen, p.end-size, stop, "")
	case p.broken == authored:
		w.add(Hyphen, start, stop, "")
	case p.broken == lost:
		w.add(BrokenWord, start, stop, "")
	case l.link == verse:
		if strings.Trim(w.text[start:stop], " \t\n") != "" || strings.Count(w.text[start:stop], "\n") != 1 {
			w.add(kind, start, stop, "\n")
		}
	case strings.HasPrefix(second, "”"), w.isDetached(l.start) && !strings.HasSuffix(first, "."), strings.HasSuffix(first, "“"), gluedDash(first):
		w.add(kind, start, stop, "")
	default:
		w.add(kind, start, stop, " ")
	}
}

// gluedDash reports whether a line ends in a dash without a space before it, so
// that none belongs after it: `he paused--|then went on`.
func gluedDash(s string) bool {
	cut, ok := strings.CutSuffix(s, "--")
	if !ok {
		cut, ok = strings.CutSuffix(s, "—")
	}
	return ok && cut != "" && !isSpace(cut[len(cut)-1]) && !strings.HasSuffix(cut, "-")
}

// isDetached reports whether there is a punctuation mark at i followed by a
// space, a closing quotation mark or the end. An ellipsis does not count.
func (w *writer) isDetached(i int) bool {
	if strings.IndexByte(";:!?,.", w.text[i]) < 0 {
		return false
	}
	rest := w.text[i+1:]
	if rest == "" || rest[0] == '\n' || rest[0] == '\r' {
		return true
	}
	if rest[0] == ' ' {
		return w.text[i] != '.' && w.text[i] != ',' || len(rest) < 2 || rest[1] != '.' && rest[1] != ','
	}
	return rest[0] == '"' || rest[0] == '\'' || strings.HasPrefix(rest, "”") || strings.HasPrefix(rest, "’") || strings.HasPrefix(rest, "&quot;")
}

// busy marks the bytes where a line may need a repair.
var busy = func() (t [256]bool) {
	for _, c := range []byte(" &\"*[{\xC2\xE2") {
		t[c] = true
	}
	return t
}()

// line repairs the text inside one kept line.
func (w *writer) line(n int) {
	start, end := w.lines[n].start, w.lines[n].end
	if w.lines[n].broken == dropped { // its hyphen is removed with the line end
		_, size := utf8.DecodeLastRuneInString(w.text[start:end])
		end -= size
	}
	nextMark := w.nextMark(start)
	for i := start; i < end; {
		switch c := w.text[i]; {
		case i == nextMark:
			i = w.noteMark(start, i, w.marks[w.mark].End, end)
		case !busy[c]:
			i++
			continue
		case c == ' ':
			i = w.space(start, i, end)
		case c == '&':
			i = w.entity(start, i, end)
		case c == '"':
			i = w.quote(start, i, i+1, end)
		case c == '*' || c == '[' || c == '{':
			i = w.bracket(start, i, end)
		default:
			i = w.rune(start, i, end)
		}
		nextMark = w.nextMark(i)
	}
}

func (w *writer) nextMark(start int) int {
	for w.mark < len(w.marks) && w.marks[w.mark].Start < start {
		w.mark++
	}
	if w.mark < len(w.marks) {
		return w.marks[w.mark].Start
	}
	return -1
}

// space removes a space before punctuation or a closing quotation mark.
func (w *writer) space(start, i, end int) int {
	j := i + 1
	for j < end && w.text[j] == ' ' {
		j++
	}
	if j >= end || j > i+1 { // several spaces: a table
		return j
	}
	switch c := w.text[j]; {
	case c|0x20-'a' < 26:
		return j
	case w.isDetached(j) && i > start && w.text[i-1] != '.' && w.text[i-1] != ',' && w.text[i-1] != '-':
		w.add(Space, i, j, "")
	case c == 0xE2 && strings.HasPrefix(w.text[j:end], "”") && w.open:
		w.add(Space, i, j, "")
	}
	return j
}

// quote handles a straight quotation mark at [i, j), which may be an entity. If
// it has one space on each side, the space inside the quotation is removed.
// Several spaces belong to a table.
func (w *writer) quote(start, i, j, end int) int {
	before, after := i > start && w.text[i-1] == ' ', j < end && w.text[j] == ' '
	w.open = !w.open
	if before && after && i-1 > start && j+1 < end { // the context is more reliable than a count that may have missed one
		switch last, next := w.text[i-2], w.text[j+1]; {
		case next-'A' < 26 && (last == ',' || last == ':'):
			w.open = true
		case next-'a' < 26 && strings.IndexByte(".!?", last) >= 0:
			w.open = false
		}
	} else if before && j == end {
		w.open = false
	} else if i == start && after {
		w.open = true
	}
	n := len(w.repairs)
	if !w.open && before && (after || j == end) && i-1 > start && w.text[i-2] != ' ' && (n == 0 || w.repairs[n-1].End < i) {
		w.add(Space, i-1, i, "")
	}
	w.add(Entity, i, j, "\"")
	if w.open && (i == start || before) && after && j+1 < end && w.text[j+1] != ' ' {
		w.add(Space, j, j+1, "")
		return j + 1
	}
	return j
}

// rune handles curly quotation marks, daggers and soft hyphens (0xC2, 0xE2).
func (w *writer) rune(start, i, end int) int {
	r, size := utf8.DecodeRuneInString(w.text[i:end])
	j := i + size
	switch r {
	case '“', '‘':
		w.open = w.open || r == '“'
		if (i == start || !isWordByte(w.text[i-1])) && j+1 < end && w.text[j] == ' ' && w.text[j+1] != ' ' {
			w.add(Space, j, j+1, "")
			return j + 1
		}
	case '”':
		w.open = false
	case '†', '‡':
		if i > start && (j == end || w.text[j] == ' ') && w.cut {
			return w.noteMark(start, i, j, end)
		}
	case '\u00ad':
		w.add(Hyphen, i, j, "")
	}
	return j
}

// bracket handles note marks and page marks: *, [3], [Pg 12].
func (w *writer) bracket(start, i, end int) int {
	for w.label < len(w.labels) && w.labels[w.label].Start < i {
		w.label++
	}
	if w.label < len(w.labels) && w.labels[w.label].Start == i {
		return w.pageLabel(start, i, w.labels[w.label].End, end)
	}
	for _, p := range w.pageInside {
		if n := matchMark(w.text[i:end], p); n > 0 && n < end-start {
			if i+n < end && w.text[i+n] == ' ' && (i == start || w.text[i-1] == ' ') {
				n++
			}
			w.add(PageMark, i, i+n, "")
			return i + n
		}
	}
	if i == start {
		return i + 1
	}
	if w.text[i] == '*' {
		j := i + 1
		before := w.text[i-1]
		if w.cut && !w.open && (j == end || w.text[j] == ' ') && (isWordByte(before) || strings.IndexByte(".,;!?", before) >= 0 ||
			before == ' ' && i-2 > start && strings.IndexByte(".!?", w.text[i-2]) >= 0) {
			return w.noteMark(start, i, j, end)
		}
		return j
	}
	if close := strings.IndexByte(w.text[i:min(end, i+6)], ']'); w.bracketed && close > 1 && w.text[i-1] != ' ' {
		if label := w.text[i+1 : i+close]; isNumber(label) && len(label) <= 3 || label == "*" || len(label) == 1 && label[0]-'A' < 26 {
			return w.noteMark(start, i, i+close+1, end)
		}
	}
	return i + 1
}

// pageLabel removes a page number in brackets at [i, j), and one of two spaces
// around it. At the start of a line the space after it goes too.
func (w *writer) pageLabel(start, i, j, end int) int {
	switch before := i == start || w.text[i-1] == ' '; {
	case before && j < end && w.text[j] == ' ':
		j++
	case before && i-1 > start && (j == end || w.isDetached(j)):
		i--
	}
	if n := len(w.repairs); n > 0 && w.repairs[n-1].End > i {
		i = w.repairs[n-1].End
	}
	w.add(PageMark, i, j, "")
	return j
}

// noteMark removes a note mark at [i, j), and one of two spaces around it.
func (w *writer) noteMark(start, i, j, end int) int {
	if i-1 > start && w.text[i-1] == ' ' && (j >= end || w.text[j] == ' ') {
		i--
	}
	if n := len(w.repairs); n > 0 && w.repairs[n-1].End > i {
		return j
	}
	w.add(NoteMark, i, j, "")
	return j
}

// entity replaces an HTML entity, even if escaped twice: &amp;quot; becomes ".
func (w *writer) entity(start, i, end int) int {
	j := i + 1
	for n := 0; n < 3 && strings.HasPrefix(w.text[j:end], "amp;"); n++ {
		j += len("amp;")
	}
	name := strings.IndexByte(w.text[j:min(end, j+12)], ';')
	token, stop := "&"+"amp;", j
	if name > 0 && w.text[j] != '&' {
		token, stop = "&"+w.text[j:j+name+1], j+name+1
	} else if j == i+1 {
		return i + 1
	}
	text := html.UnescapeString(token)
	r, size := utf8.DecodeRuneInString(text)
	if size < len(text) || text == token || r < ' ' {
		if j == i+1 {
			return i + 1
		}
		r, stop = '&', j // what follows &amp; is not an entity
	}
	if r == '\u00a0' {
		r = ' '
	}
	if r == '"' {
		return w.quote(start, i, stop, end)
	}
	w.add(Entity, i, stop, string(r))
	return stop
}

// reading builds the copy from the source and the repairs.
func (w *writer) reading(doc *verbatim.Document) *Reading {
	r := &Reading{Copy: doc, Repairs: w.repairs, Headings: w.headings, source: doc}
	if len(w.repairs) == 0 {
		return r
	}
	size := len(doc.Text)
	for _, rep := range w.repairs {
		size += len(rep.Text) - rep.Len()
	}
	var out strings.Builder
	out.Grow(size)
	r.copied = make([]int, len(w.repairs))
	done := 0
	for i, rep := range w.repairs {
		out.WriteString(doc.Text[done:rep.Start])
		r.copied[i] = out.Len()
		out.WriteString(rep.Text)
		done = rep.End
	}
	out.WriteString(doc.Text[done:])
	copied, err := verbatim.NewDocument(doc.ID, out.String())
	if err != nil {
		panic(err) // repairs start and end between code points
	}
	r.Copy = copied
	r.Headings = r.Headings[:0]
	for _, s := range w.headings {
		if s = (verbatim.Span{Start: r.place(s.Start), End: r.place(s.End)}); s.Len() > 0 {
			r.Headings = append(r.Headings, s)
		}
	}
	return r
}
