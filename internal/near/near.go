// Package near compares words that differ in only a few letters.
package near

import "fmt"

// Nearest suggests the name that s is probably a misspelling of: "; did you
// mean "match"?", or nothing.
func Nearest(s string, names []string) string {
	best, bestAt := "", len(s)/3+1
	for _, name := range names {
		if d := Distance(s, name); d < bestAt || d == bestAt && name < best {
			best, bestAt = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// Distance is the edit distance (Levenshtein) of two strings, in bytes.
func Distance(a, b string) int {
	var short [96]int // most are, and need no allocation
	row := append(short[:0], make([]int, len(b)+1)...)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
