// Package period knows the words of English prose before 1929: which exist, how
// widely they are used, and in which year they are first seen.
//
// What you can rely on: a word is known if it occurs in at least two of 869
// books, most of them from 1850 to 1925: 118,675 words. A year of first use, for
// 98,538 words, comes from the 631 books that are dated, often with the year of a
// later edition, so a word may be older than its year. The list is words.bin.gz,
// 350 KB; the command in build made it.
package period

import (
	_ "embed"
	"iter"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed words.bin.gz
var packed []byte

// entries are the words, sorted; they are unpacked when they are first needed.
var entries = sync.OnceValue(func() []Entry {
	list, err := unpack(packed)
	if err != nil {
		panic(err) // a test reads the embedded list
	}
	return list
})

// An Entry is one word of the list.
type Entry struct {
	Word  string // as Key gives it
	Books int    // about how many of the books have it
	Year  int    // of the first dated book that has it; 0 if fewer than two have it
	Name  bool   // nearly always written with a capital
}

// Total is how many books the list was made from.
const Total = 869

// Find returns the entry of a word in any case.
func Find(word string) (Entry, bool) {
	key, list := Key(word), entries()
	i := sort.Search(len(list), func(i int) bool { return list[i].Word >= key })
	if i < len(list) && list[i].Word == key {
		return list[i], true
	}
	return Entry{}, false
}

// Known reports whether a word, in any case, is in the list. A word with a
// possessive ending or a hyphen is known if its parts are.
func Known(word string) bool {
	word = strings.TrimSuffix(Key(word), "'s")
	if _, found := Find(word); found {
		return true
	}
	parts := strings.Split(word, "-")
	if len(parts) == 1 {
		return false
	}
	for _, part := range parts {
		if _, found := Find(part); !found {
			return false
		}
	}
	return true
}

// Attested returns the first year in which a word is seen; ok is false if fewer
// than two dated books have it.
func Attested(word string) (year int, ok bool) {
	e, _ := Find(word)
	return e.Year, e.Year > 0
}

// Key is the form in which a word is in the list: lower case, with straight
// apostrophes.
func Key(word string) string {
	return strings.ToLower(strings.ReplaceAll(word, "’", "'"))
}

// Words gives the words of a text with their places: runs of letters, with
// apostrophes between letters. A hyphen separates words.
func Words(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) {
				i += size
				continue
			}
			end := wordEnd(text, i+size)
			if !yield(text[i:end], i) {
				return
			}
			i = end
		}
	}
}

// wordEnd is where the word that has begun before i ends.
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsLetter(r):
		case r == '\'' || r == '’':
			if next, _ := utf8.DecodeRuneInString(text[i+size:]); !unicode.IsLetter(next) {
				return i
			}
		default:
			return i
		}
		i += size
	}
	return i
}
