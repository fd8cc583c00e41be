package clean

import (
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

// A label is a number in brackets, as [113] or {113}: a page number, if it rises
// through the book page by page, or else a note mark, a year, a verse.
type label struct {
	verbatim.Span
	line   int
	number int
}

// findPageLabels marks the bracketed page numbers that some digital editions
// leave in the text. They count upwards through the book, about a page of text
// apart. Note marks start again or are irregular, and years do not start below
// 1000.
func (b *book) findPageLabels() {
	for _, l := range risingLabels(b.bracketedNumbers()) {
		line := &b.lines[l.line]
		switch {
		case line.kind != 0: // found as a head before
		case l.Span == verbatim.Span{Start: line.start, End: line.end}:
			line.kind = PageNumber
		default:
			b.labels = append(b.labels, l.Span)
		}
	}
}

// bracketedNumbers returns the numbers in brackets, in order. It also returns
// those on lines that were found as page numbers, because they count too.
func (b *book) bracketedNumbers() []label {
	var all []label
	for i := range b.lines {
		l := &b.lines[i]
		if l.kind != 0 && l.kind != PageNumber {
			continue
		}
		for at := l.start; at < l.end; {
			open := strings.IndexAny(b.text[at:l.end], "[{")
			if open < 0 {
				break
			}
			at += open + 1
			if found, ok := b.labelAt(at-1, l.end); ok {
				found.line = i
				all = append(all, found)
				at = found.End
			}
		}
	}
	return all
}

// labelAt reads a number in brackets at a place of a line that ends at end.
func (b *book) labelAt(at, end int) (label, bool) {
	const digits = 4
	closing := "]"
	if b.text[at] == '{' {
		closing = "}"
	}
	inside, _, ok := strings.Cut(b.text[at+1:min(end, at+2+digits)], closing)
	if !ok || inside == "" || inside[0] == '0' || strings.Trim(inside, "0123456789") != "" {
		return label{}, false
	}
	number, _ := strconv.Atoi(inside) // at most four digits
	return label{Span: verbatim.Span{Start: at, End: at + len(inside) + 2}, number: number}, true
}

// risingLabels returns the longest run of numbers that rise with the pages, or
// nothing if it is too short or too irregular to be page numbers.
func risingLabels(all []label) []label {
	const (
		least    = 6    // numbers
		reach    = 60   // how many other numbers may be between two of a run: notes
		pages    = 12   // pages without a number: plates, blank pages, lost numbers
		shortest = 400  // bytes of a page, on average over the gap
		longest  = 9000 // and the most
		years    = 1000 // a run that starts here or later is dates
		even     = 0.8  // this share of the pages must be about as long as the median
	)
	length, before := make([]int, len(all)), make([]int, len(all))
	last := -1
	for i, l := range all {
		length[i], before[i] = 1, -1
		for j := i - 1; j >= 0 && j >= i-reach; j-- {
			apart, bytes := l.number-all[j].number, l.Start-all[j].Start
			if apart >= 1 && apart <= pages && bytes >= shortest*apart && bytes <= longest*apart && length[j]+1 > length[i] {
				length[i], before[i] = length[j]+1, j
			}
		}
		if last < 0 || length[i] > length[last] {
			last = i
		}
	}
	if last < 0 || length[last] < least {
		return nil
	}
	var run []label
	for i := last; i >= 0; i = before[i] {
		run = append(run, all[i])
	}
	slices.Reverse(run)
	if run[0].number >= years || evenShare(run) < even || !throughBook(run, all) {
		return nil
	}
	return run
}

// evenShare is the share of pages that have between half and twice the median
// number of bytes: print fills pages, notes come as they are needed.
func evenShare(run []label) float64 {
	var sizes []int
	for i, l := range run[1:] {
		sizes = append(sizes, (l.Start-run[i].Start)/(l.number-run[i].number))
	}
	median := slices.Sorted(slices.Values(sizes))[len(sizes)/2]
	good := 0
	for _, size := range sizes {
		if size*2 >= median && size <= median*2 {
			good++
		}
	}
	return float64(good) / float64(len(sizes))
}

// throughBook reports whether a run has few rivals: numbers between its ends
// that would fit there as well. A list or a verse count has many.
func throughBook(run, all []label) bool {
	const close = 3
	rivals, next := 0, 0
	for _, l := range all {
		if next < len(run) && l.Span == run[next].Span {
			next++
			continue
		}
		if next > 0 && next < len(run) && l.number > run[next-1].number-close && l.number < run[next].number+close {
			rivals++
		}
	}
	return rivals*2 <= len(run)
}
