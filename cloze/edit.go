package cloze

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
)

// Edit takes a masked passage that a person has rewritten. It no longer has a place
// in the source; the ground truth keeps its own.
func Edit(m verbatim.Masking, category Category, masked string) (verbatim.Masking, error) {
	masked = verbatim.FoldSpace(masked)
	switch strings.Count(masked, category.Mask) {
	case 1:
	case 0:
		return m, fmt.Errorf("the mask %s must stay in the passage", category.Mask)
	default:
		return m, fmt.Errorf("the mask %s must occur only once in the passage", category.Mask)
	}
	if masked == m.Masked {
		return m, nil
	}
	before, after, _ := strings.Cut(masked, category.Mask)
	if strings.TrimSpace(before) == "" && strings.TrimSpace(after) == "" {
		return m, errors.New("the passage must be more than the mask")
	}
	m.Masked, m.Passage, m.PassageAt = masked, before+m.Truth+after, verbatim.Selector{Status: verbatim.Absent}
	return m, nil
}

// EditTruth takes a ground truth that a person has rewritten. It is part of the
// passage, so both lose their place in the source.
func EditTruth(m verbatim.Masking, category Category, truth string) (verbatim.Masking, error) {
	truth = verbatim.FoldSpace(truth)
	if truth == "" || strings.Contains(truth, category.Mask) {
		return m, errors.New("the ground truth must have words and must not contain the mask")
	}
	if truth == m.Truth {
		return m, nil
	}
	before, after, _ := strings.Cut(m.Masked, category.Mask)
	absent := verbatim.Selector{Status: verbatim.Absent}
	m.Truth, m.Passage, m.TruthAt, m.PassageAt = truth, before+truth+after, absent, absent
	return m, nil
}

// Move moves the ends of a masked clause by a number of words: -1 is one word towards
// the beginning of the book. place is the span of the passage in the reading copy.
func (b *Book) Move(m verbatim.Masking, category Category, place verbatim.Span, start, end int) (verbatim.Masking, error) {
	if !category.Clause() {
		return m, errors.New("a whole sentence is masked; only a clause can be moved")
	}
	if m.PassageAt.Status == verbatim.Absent {
		return m, errors.New("the passage was edited, so its clause no longer has a place in the book; move the clause first, then edit")
	}
	before, _, _ := strings.Cut(m.Masked, category.Mask)
	from, to := b.unfold(place, len(before)), b.unfold(place, len(before)+len(m.Truth))
	text := b.Reading.Copy.Text[place.Start:place.End]
	from, ok := moveStart(text, from, start)
	if !ok {
		return m, errors.New("the clause must start in its passage")
	}
	to, ok = moveEnd(text, to, end)
	if !ok || to <= from {
		return m, errors.New("the clause must keep at least one word of its passage")
	}
	return b.mask(place, verbatim.Span{Start: place.Start + from, End: place.Start + to}, category)
}

// unfold converts an offset in the folded passage to one in the reading copy.
func (b *Book) unfold(place verbatim.Span, folded int) int {
	text := b.Reading.Copy.Text[place.Start:place.End]
	at, space := 0, true
	for i, r := range text {
		if unicode.IsSpace(r) {
			if !space {
				at++
			}
			space = true
			continue
		}
		if at >= folded {
			return i
		}
		at += utf8.RuneLen(r)
		space = false
		if at >= folded {
			return i + utf8.RuneLen(r)
		}
	}
	return len(text)
}

// moveStart moves the start of a word by a number of words.
func moveStart(text string, at, words int) (int, bool) {
	at = len(text) - len(strings.TrimLeftFunc(text[at:], unicode.IsSpace))
	for ; words < 0; words++ {
		before := strings.TrimRightFunc(text[:at], unicode.IsSpace)
		if before == "" {
			return at, false
		}
		at = strings.LastIndexFunc(before, unicode.IsSpace) + 1
	}
	for ; words > 0; words-- {
		gap := strings.IndexFunc(text[at:], unicode.IsSpace)
		if gap < 0 {
			return at, false
		}
		at = len(text) - len(strings.TrimLeftFunc(text[at+gap:], unicode.IsSpace))
	}
	return at, at < len(text)
}

// moveEnd moves the end of a word by a number of words; punctuation stays outside.
func moveEnd(text string, at, words int) (int, bool) {
	if words == 0 {
		return at, true
	}
	for ; words < 0; words++ {
		word := strings.LastIndexFunc(strings.TrimRightFunc(text[:at], unicode.IsSpace), unicode.IsSpace) + 1
		at = len(strings.TrimRightFunc(text[:word], unicode.IsSpace))
		if at == 0 {
			return 0, false
		}
	}
	for ; words > 0; words-- {
		rest := strings.TrimLeftFunc(text[at:], notInWord)
		if rest == "" {
			return at, false
		}
		word := strings.IndexFunc(rest+" ", unicode.IsSpace)
		at = len(text) - len(rest) + word
	}
	return len(strings.TrimRightFunc(text[:at], notInWord)), true
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// FindPassage finds a passage in the reading copy by its text, for decisions whose
// draft is gone. The span is empty if the book does not contain it.
func (b *Book) FindPassage(passage string) verbatim.Span {
	first, _, _ := strings.Cut(passage, " ")
	for i := range b.Sentences {
		start := b.Sentences[i].Start
		if !strings.HasPrefix(b.Reading.Copy.Text[start:], first) {
			continue
		}
		for j := i; j < len(b.Sentences) && b.Sentences[j].End-start < 2*len(passage)+100; j++ {
			span := verbatim.Span{Start: start, End: b.Sentences[j].End}
			if verbatim.FoldSpace(b.Reading.Copy.Quote(span)) == passage {
				return span
			}
		}
	}
	return verbatim.Span{}
}
