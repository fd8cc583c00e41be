package cue

import "fmt"

// Nearest suggests a name that differs in only a few letters.
func Nearest(s string, names []string) string {
	best, bestAt := "", len(s)/3+1
	for _, name := range names {
		if d := distance(s, name); d < bestAt || d == bestAt && name < best {
			best, bestAt = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; do you mean %q?", best)
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			last, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, last+cost)
		}
	}
	return row[len(b)]
}
