package review

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// Whatever a log holds, each bad line is named with its place, and the decisions
// mean the same in any order and twice.
func FuzzDecisions(f *testing.F) {
	f.Add(`{"id":"a","draft":"d","time":"2026-01-01T00:00:00Z","after":{"verdict":"accepted"}}` + "\n" + `{"id":"b","draft":"d","undoes":"a","reviewer":"Ada"}` + "\n{\n")
	f.Add(`{"id":"a","draft":"d","replaces":["b"]}` + "\n" + `{"id":"b","draft":"d","replaces":["a"]}` + "\n" + `{"id":"a","draft":"e"}`)
	f.Add(`{"id":"a","draft":"d","time":"9999-12-31T23:59:59Z"}` + "\nnull\n[]\n\xff")
	f.Fuzz(func(t *testing.T, text string) {
		var lines []verbatim.Line
		for line, err := range verbatim.Lines(strings.NewReader(text), "log.jsonl") {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line)
		}
		first := meaningOf(t, lines)
		slices.Reverse(lines)
		if second := meaningOf(t, lines); second != first {
			t.Fatalf("forwards it means\n%s\nand backwards\n%s", first, second)
		}
		if twice := meaningOf(t, append(lines, lines...)); twice != first {
			t.Fatalf("once it means\n%s\nand twice\n%s", first, twice)
		}
	})
}

func meaningOf(t *testing.T, lines []verbatim.Line) string {
	log, problems := Load(func(yield func(verbatim.Line, error) bool) {
		for _, line := range lines {
			if !yield(line, nil) {
				return
			}
		}
	})
	for _, problem := range problems {
		if !strings.HasPrefix(problem.Error(), "log.jsonl:") {
			t.Fatalf("%v names no place", problem)
		}
	}
	if log.Len() > len(lines) {
		t.Fatalf("%d decisions in %d lines", log.Len(), len(lines))
	}
	var standings []Standing
	for s := range log.Standings() {
		standings = append(standings, s)
	}
	Count(log, nil, nil, 1)
	past := log.Past("Ada")
	text, err := json.Marshal(struct {
		S []Standing
		P Past
	}{standings, past})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
