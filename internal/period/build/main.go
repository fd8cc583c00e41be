// The command build makes words.bin.gz, the word list of package period, from a
// folder of plain texts and a table of their years:
//
//	go run ./internal/period/build TEXTS MANIFEST.csv internal/period/words.bin.gz
//
// The table has the columns file (a path below TEXTS) and year, which may be
// empty. Only facts about words are kept: that a word occurs, in how many books,
// in which year first, and whether it is a name.
package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/period"
)

// least is how many books must have a word. What only one has may be a slip of
// the scan, a word of dialect or an author's own.
const least = 2

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: build TEXTS MANIFEST.csv OUT")
		os.Exit(2)
	}
	if err := build(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// A tally is what is counted about one word.
type tally struct {
	books, dated  int
	first         int // year
	lower, capped int // occurrences in mid-sentence
}

func build(texts, manifest, out string) error {
	years, err := readYears(manifest)
	if err != nil {
		return err
	}
	counts := map[string]*tally{}
	for _, file := range slices.Sorted(maps.Keys(years)) {
		data, err := os.ReadFile(filepath.Join(texts, file))
		if err != nil {
			return err
		}
		countBook(counts, string(data), years[file])
	}
	var list []period.Entry
	dated := 0
	for word, t := range counts {
		if t.books < least {
			continue
		}
		e := period.Entry{Word: word, Books: t.books, Name: t.capped > 9*t.lower}
		if t.dated >= 2 {
			e.Year = t.first
			dated++
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b period.Entry) int { return strings.Compare(a.Word, b.Word) })
	packed, err := period.Pack(list)
	if err != nil {
		return err
	}
	fmt.Printf("%d books, %d words in %d or more, %d of them with a first year; %d bytes\n", len(years), len(list), least, dated, len(packed))
	return os.WriteFile(out, packed, 0o644)
}

// readYears returns the year of each file, 0 if it is not known.
func readYears(manifest string) (map[string]int, error) {
	file, err := os.Open(manifest)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	name, year := slices.Index(rows[0], "file"), slices.Index(rows[0], "year")
	years := map[string]int{}
	for _, row := range rows[1:] {
		years[row[name]], _ = strconv.Atoi(row[year])
	}
	return years, nil
}

func countBook(counts map[string]*tally, text string, year int) {
	seen := map[string]bool{}
	for word, place := range period.Words(text) {
		key := period.Key(word)
		t := counts[key]
		if t == nil {
			t = &tally{}
			counts[strings.Clone(key)] = t
		}
		if place > 0 && !opensSentence(text[:place]) {
			if word[:1] != key[:1] {
				t.capped++
			} else {
				t.lower++
			}
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		t.books++
		if year > 0 {
			t.dated++
			if t.first == 0 || year < t.first {
				t.first = year
			}
		}
	}
}

// opensSentence reports whether the text before a word ends a sentence or opens a
// quotation, so that a capital says nothing.
func opensSentence(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-8):], " \n")
	return before == "" || !strings.ContainsAny(before[len(before)-1:], "abcdefghijklmnopqrstuvwxyz,;")
}
