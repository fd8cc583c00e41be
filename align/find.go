package align

import (
	"slices"
	"unicode/utf8"
)

// A finder looks for the tokens of a quotation in those of a text. It keeps its
// memory from one quotation to the next.
type finder struct {
	said, text []token
	limit      int32
	steps      []step
	rows       [][]int32 // of each number of said tokens: the steps that come after them
}

// A step says that the first `said` tokens of the quotation are in the text, and
// that `found` tokens of the text end there.
type step struct {
	said, found int32
	cost        int32
	start       int32 // the first token of the text
	before      int32 // the step before, or -1
	how         how
}

// how is what the last step did.
type how uint8

const (
	begin  how = iota
	equal      // a token is the same
	letter     // a word with one letter wrong
	joined     // two words of the text are one in the quotation
	split      // the other way around
	added      // a mark of the quotation is not in the text
	missed     // a mark of the text is not in the quotation
	other      // another mark
)

// find returns the last step of the nearest place, or -1.
func (f *finder) find(said, text []token, from int) int32 {
	f.said, f.text = said, text
	f.limit = int32(characters(said) / CharactersPerEdit)
	if len(said) > 2*len(text)+2 {
		return -1
	}
	if f.walk() || f.limit > 0 && f.walkPlainly() {
		return f.best(from)
	}
	return -1
}

// walkPlainly is walk without edits.
func (f *finder) walkPlainly() bool {
	f.limit = 0
	return f.walk()
}

// maxSteps bounds the work for a text that repeats itself endlessly. Ordinary
// quotations need about as many steps as the text has words.
const maxSteps = 1 << 17

// walk goes through the quotation token by token and keeps all places that are
// still within the limit, which are soon very few. It returns false if they are
// too many.
func (f *finder) walk() bool {
	said, text := f.said, f.text
	f.steps = f.steps[:0]
	for len(f.rows) <= len(said)+1 {
		f.rows = append(f.rows, nil)
	}
	for i := range f.rows {
		f.rows[i] = f.rows[i][:0]
	}
	for at := range text {
		f.leave(int32(at))
	}
	for i := 1; i < len(said); i++ {
		f.settle(int32(i))
		for n := 0; n < len(f.rows[i]); n++ { // a missed mark adds to the same row
			if len(f.steps) > maxSteps+len(text) {
				return false
			}
			f.advance(f.rows[i][n])
		}
	}
	return true
}

func characters(said []token) (n int) {
	for _, t := range said {
		n += int(t.letters) + 1 // and the space after it
	}
	return n - 1
}

// leave takes the first step from a token of the text.
func (f *finder) leave(at int32) {
	f.steps = append(f.steps, step{found: at, start: at, before: -1})
	n := len(f.steps)
	if f.pair(int32(n - 1)); len(f.steps) == n { // it led nowhere
		f.steps = f.steps[:n-1]
	}
}

// settle leaves the cheapest of the steps that end at the same token.
func (f *finder) settle(row int32) {
	list := f.rows[row]
	slices.SortFunc(list, func(a, b int32) int {
		x, y := &f.steps[a], &f.steps[b]
		switch {
		case x.found != y.found:
			return int(x.found - y.found)
		case x.cost != y.cost:
			return int(x.cost - y.cost)
		case x.start != y.start:
			return int(y.start - x.start)
		}
		return int(a - b)
	})
	f.rows[row] = slices.CompactFunc(list, func(a, b int32) bool { return f.steps[a].found == f.steps[b].found })
}

// advance takes all possible steps from a step.
func (f *finder) advance(at int32) {
	f.pair(at)
	s := f.steps[at]
	if f.said[s.said].kind == aMark {
		f.add(at, added, 1, 0, 1)
	}
	if int(s.found) < len(f.text) && f.text[s.found].kind == aMark {
		f.add(at, missed, 0, 1, 1)
	}
}

// pair compares the next tokens of both sides.
func (f *finder) pair(at int32) {
	s := f.steps[at]
	if int(s.found) == len(f.text) {
		return
	}
	said, here := &f.said[s.said], &f.text[s.found]
	switch {
	case said.word == here.word:
		f.add(at, equal, 1, 1, 0)
	case said.kind == aMark && here.kind == aMark:
		f.add(at, other, 1, 1, 1)
	case oneLetter(said, here):
		f.add(at, letter, 1, 1, 1)
	}
	if len(said.word) > len(here.word) && int(s.found)+1 < len(f.text) && isJoined(said, here, &f.text[s.found+1]) {
		f.add(at, joined, 1, 2, 1)
	}
	if len(said.word) < len(here.word) && int(s.said)+1 < len(f.said) && isJoined(here, said, &f.said[s.said+1]) {
		f.add(at, split, 2, 1, 1)
	}
}

// add adds the step that consumes tokens of both sides, if it is within the limit.
func (f *finder) add(at int32, by how, said, found, cost int32) {
	s := f.steps[at]
	if s.cost+cost > f.limit {
		return
	}
	next := step{said: s.said + said, found: s.found + found, cost: s.cost + cost, start: s.start, before: at, how: by}
	f.rows[next.said] = append(f.rows[next.said], int32(len(f.steps)))
	f.steps = append(f.steps, next)
}

// isJoined reports whether a word is two words without the space between them.
func isJoined(whole, first, second *token) bool {
	return first.kind <= aNumber && second.kind <= aNumber && whole.word[:len(first.word)] == first.word && whole.word[len(first.word):] == second.word
}

// best returns the cheapest of the steps that consumed the whole quotation, the
// first that begins at `from` or later, or else the first.
func (f *finder) best(from int) int32 {
	best := int32(-1)
	rank := func(at int32) (cost int32, before bool, length int32) {
		s := &f.steps[at]
		return s.cost, int(f.text[s.start].start) < from, s.found - s.start
	}
	for _, at := range f.rows[len(f.said)] {
		if best < 0 {
			best = at
			continue
		}
		cost, before, length := rank(at)
		leastCost, leastBefore, leastLength := rank(best)
		sooner := f.steps[at].start < f.steps[best].start
		switch {
		case cost != leastCost:
			sooner = cost < leastCost
		case before != leastBefore:
			sooner = !before
		case f.steps[at].start == f.steps[best].start:
			sooner = length < leastLength
		}
		if sooner {
			best = at
		}
	}
	return best
}

// oneLetter reports whether two words differ by one letter that is added, missing
// or wrong, by two neighbours that are swapped, or only by apostrophes.
func oneLetter(a, b *token) bool {
	if a.kind != aWord || b.kind != aWord || a.letters-b.letters > 1 || b.letters-a.letters > 1 {
		return false
	}
	short := min(a.letters, b.letters) < LettersToEdit
	if short && a.letters == b.letters {
		return false
	}
	x, y := unlike(a.word, b.word)
	if x == "'" && y == "" || x == "" && y == "'" {
		return true
	}
	if short || len(x) > 2*utf8.UTFMax || len(y) > 2*utf8.UTFMax {
		return false
	}
	m, n := utf8.RuneCountInString(x), utf8.RuneCountInString(y)
	if m == 2 && n == 2 { // swapped?
		_, size := utf8.DecodeRuneInString(x)
		return x[size:]+x[:size] == y
	}
	return m <= 1 && n <= 1
}

// unlike removes the common start and end of two words.
func unlike(x, y string) (string, string) {
	for x != "" && y != "" {
		r, size := utf8.DecodeRuneInString(x)
		if s, _ := utf8.DecodeRuneInString(y); s != r {
			break
		}
		x, y = x[size:], y[size:]
	}
	for x != "" && y != "" {
		r, size := utf8.DecodeLastRuneInString(x)
		if s, _ := utf8.DecodeLastRuneInString(y); s != r {
			break
		}
		x, y = x[:len(x)-size], y[:len(y)-size]
	}
	return x, y
}
