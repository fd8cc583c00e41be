package distractor

import (
	"slices"
	"strings"
)

// A Difference compares an answer with its negation, word by word.
type Difference struct {
	Removed, Added []string // words
	Flag           string   // unchanged, only not, or empty: the prompt asks for more than a "not"

	before, after         []string
	keptBefore, keptAfter map[int]bool
}

// Compare finds what a negation changed.
func Compare(original, negation string) Difference {
	d := Difference{before: strings.Fields(original), after: strings.Fields(negation)}
	d.keptBefore, d.keptAfter = common(d.before, d.after)
	d.Removed, d.Added = without(d.before, d.keptBefore), without(d.after, d.keptAfter)
	switch {
	case strings.EqualFold(strings.TrimRight(original, ".!?"), strings.TrimRight(negation, ".!?")):
		d.Flag = "unchanged"
	case onlyNot(d.Removed, d.Added):
		d.Flag = "only not"
	}
	return d
}

// Bracketed shows both texts with the changed words in [brackets].
func (d Difference) Bracketed() (original, negation string) {
	return bracketed(d.before, d.keptBefore), bracketed(d.after, d.keptAfter)
}

func bracketed(words []string, kept map[int]bool) string {
	words = slices.Clone(words)
	for i := range words {
		if kept[i] {
			continue
		}
		if i == 0 || kept[i-1] {
			words[i] = "[" + words[i]
		}
		if i+1 == len(words) || kept[i+1] {
			words[i] += "]"
		}
	}
	return strings.Join(words, " ")
}

// onlyNot reports whether the negation only adds "not", with the auxiliary and
// the other form of the verb that it needs (walked: did not walk).
func onlyNot(removed, added []string) bool {
	negated, others := false, 0
	for _, word := range added {
		bare := strings.ToLower(strings.Trim(word, ".,;:!?"))
		switch {
		case bare == "not" || bare == "cannot" || strings.HasSuffix(bare, "n't") || strings.HasSuffix(bare, "n’t"):
			negated = true
		case slices.Contains([]string{"do", "does", "did"}, bare):
		default:
			others++
			if !slices.ContainsFunc(removed, func(r string) bool { return sharesStart(strings.ToLower(r), bare) }) {
				return false
			}
		}
	}
	return negated && len(removed) <= 1 && others <= 1
}

func sharesStart(a, b string) bool { return len(a) > 1 && len(b) > 1 && a[:2] == b[:2] }

// common finds the longest common sequence of words, by their places in both.
func common(a, b []string) (inA, inB map[int]bool) {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if strings.EqualFold(a[i], b[j]) {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	inA, inB = map[int]bool{}, map[int]bool{}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case strings.EqualFold(a[i], b[j]):
			inA[i], inB[j] = true, true
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return inA, inB
}

func without(words []string, kept map[int]bool) []string {
	left := []string{}
	for i, word := range words {
		if !kept[i] {
			left = append(left, word)
		}
	}
	return left
}
