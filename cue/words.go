package cue

import (
	"cmp"
	"slices"
	"strings"
)

// A set is the set of word lists that contain a word.
type set [2]uint64

func (s set) has(list int) bool { return s[list>>6]&(1<<(list&63)) != 0 }
func (s *set) add(list int)     { s[list>>6] |= 1 << (list & 63) }
func (s set) any(other set) bool {
	return s[0]&other[0] != 0 || s[1]&other[1] != 0
}

const maxLists = 128

// An entry is a word in a list or a card.
type entry struct {
	text   string
	lists  set
	starts []*phrase // phrases of cards that start with it, longest first
	cards  bits      // piece cards that may apply if it is present
	bit    int       // in the signature of a piece
}

// A lexicon holds every word in a list or a card.
type lexicon struct {
	words  map[string]*entry
	none   *entry         // entry of all other words
	names  map[string]int // number of each list
	order  []string       // list names, in the order of their files
	givens map[string]Given

	wholeHyphens bool
}

func newLexicon() *lexicon {
	return &lexicon{words: map[string]*entry{}, none: &entry{}, names: map[string]int{}, givens: map[string]Given{}}
}

func (l *lexicon) lookup(lower []byte) *entry { return cmp.Or(l.words[string(lower)], l.none) }

func (l *lexicon) entry(w string) *entry {
	e, ok := l.words[w]
	if !ok {
		e = &entry{text: w, bit: len(l.words) % maxBits}
		l.words[w] = e
	}
	return e
}

// list returns the number of a list, or -1.
func (l *lexicon) list(name string) int {
	if n, ok := l.names[name]; ok {
		return n
	}
	return -1
}

// wordsOf returns the words of a list, sorted.
func (l *lexicon) wordsOf(name string) []string {
	var words []string
	for w, e := range l.words {
		if n, ok := l.names[name]; ok && e.lists.has(n) {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return words
}

// opensAfterHyphen reports whether a connector follows the hyphen, as a word.
func (l *lexicon) opensAfterHyphen(rest string) bool {
	end := 0
	for end < len(rest) && (rest[end]|0x20 >= 'a' && rest[end]|0x20 <= 'z') {
		end++
	}
	if end == 0 || end == len(rest) || rest[end] != ' ' && rest[end] != ',' {
		return false
	}
	e, ok := l.words[strings.ToLower(rest[:end])]
	return ok && len(e.starts) > 0 && !l.wholeHyphens
}

func (s *set) remove(list int) { s[list>>6] &^= 1 << (list & 63) }

// empty removes every word from a list.
func (l *lexicon) empty(list int) {
	for _, e := range l.words {
		e.lists.remove(list)
	}
}

// sizes returns how many words each list has.
func (l *lexicon) sizes() []int {
	sizes := make([]int, len(l.order))
	for _, e := range l.words {
		for list := range sizes {
			if e.lists.has(list) {
				sizes[list]++
			}
		}
	}
	return sizes
}
