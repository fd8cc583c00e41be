package cue

import (
	"slices"
	"strings"
)

// A set says in which word lists a word stands.
type set [2]uint64

func (s set) has(list int) bool { return s[list>>6]&(1<<(list&63)) != 0 }
func (s *set) add(list int)     { s[list>>6] |= 1 << (list & 63) }
func (s set) any(other set) bool {
	return s[0]&other[0] != 0 || s[1]&other[1] != 0
}

const mostLists = 128

// An entry is a word that a list or a card names.
type entry struct {
	text   string
	lists  set
	starts []*phrase // the phrases of cards that begin with it, longest first
	calls  calls     // the piece cards that its presence can bring up
	sign   sign      // its bit in the sign of a piece
}

// A lexicon holds every word that a list or a card names.
type lexicon struct {
	words  map[string]*entry
	none   *entry         // what is said of a word that nobody names
	names  map[string]int // list: its number
	order  []string       // list names, in the order of their files
	givens map[string]Given
	sizes  []int // of the lists, once they are complete

	wholeHyphens bool
}

func newLexicon() *lexicon {
	return &lexicon{words: map[string]*entry{}, none: &entry{}, names: map[string]int{}, givens: map[string]Given{}}
}

func (l *lexicon) look(lower []byte) *entry {
	if e, ok := l.words[string(lower)]; ok {
		return e
	}
	return l.none
}

func (l *lexicon) entry(w string) *entry {
	e, ok := l.words[w]
	if !ok {
		e = &entry{text: w, sign: signOf(len(l.words))}
		l.words[w] = e
	}
	return e
}

// list is a list's number; a name that no file defines is an empty list, and
// the loader has already complained of it.
func (l *lexicon) list(name string) int {
	if n, ok := l.names[name]; ok {
		return n
	}
	return -1
}

// wordsOf gives the words of a list, sorted.
func (l *lexicon) wordsOf(name string) []string {
	var words []string
	n := l.list(name)
	for w, e := range l.words {
		if n >= 0 && e.lists.has(n) {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return words
}

// opensAfterHyphen: does a connector that stands alone follow the hyphen?
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

// empty takes every word out of a list.
func (l *lexicon) empty(list int) {
	for _, e := range l.words {
		e.lists.remove(list)
	}
}

func (l *lexicon) countLists() {
	l.sizes = make([]int, len(l.order))
	for _, e := range l.words {
		for list := range l.sizes {
			if e.lists.has(list) {
				l.sizes[list]++
			}
		}
	}
}
