// Package near compares words that differ in only a few letters.
package near

import "fmt"

// Nearest suggests the name that s is probably a misspelling of: "; did you
// mean "match"?", or nothing.
func Nearest(s string, names []string) string {
	best, bestAt := "", len(s)/3+1
	for _, name := range names {
		if d := mistyped(s, name); d < bestAt || d == bestAt && name < best {
			best, bestAt = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// mistyped counts what a person mistyped: letters too many, missing, wrong, or two
// neighbours in the wrong order (mkae).
func mistyped(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	before, last, row := rows[0], rows[1], rows[2]
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
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
