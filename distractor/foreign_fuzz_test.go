package distractor

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"verbatim"
)

// Any request is read and written again as the same, or its error names its
// place. One that passes the check is answered: the ground truth first, three
// lists of one length, and of the same-book answers only candidates.
func FuzzRequests(f *testing.F) {
	f.Add(`{"passage":"He ran, [m]. Then he slept.","prompt":"Write:","mask":"[m]","ground_truth":"because he could","answer_type":"clause","candidates":["because of rain","since noon"],"types":["same_book","same_book"]}`)
	f.Add(`{"passage":"[m][m]","prompt":"p","mask":"","ground_truth":"x","answer_type":"sentence","types":["negation","anchronistic_m"],"seed":-1,"ranking":-5}`)
	f.Add(`{"passages":"x"}`)
	g := &Generator{Negator: DefaultNegator}
	f.Fuzz(func(t *testing.T, text string) {
		line := verbatim.Line{File: "r.jsonl", Number: 3, Text: []byte(text)}
		r, err := verbatim.Decode[Request](line)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "r.jsonl:3") {
				t.Fatalf("%q: %v names no place", text, err)
			}
			return
		}
		written, _ := json.Marshal(r)
		var back Request
		if err := json.Unmarshal(written, &back); err != nil {
			t.Fatalf("%q was written as %s: %v", text, written, err)
		}
		if r.Check() != nil {
			return
		}
		a, err := g.Make(t.Context(), r)
		if err != nil || a.Error != "" {
			return // no model: it says so
		}
		if len(a.Strings) == 0 || a.Strings[0] != r.GroundTruth || len(a.Strings) != len(a.Types) || len(a.Types) != len(a.Probabilities) {
			t.Fatalf("%q was answered with %+v", text, a)
		}
		for i, kind := range a.Types {
			if kind == "same_book" && !slices.ContainsFunc(r.Candidates, func(c string) bool { return verbatim.FoldSpace(c) == verbatim.FoldSpace(a.Strings[i]) }) {
				t.Fatalf("%q: %q is not a candidate", text, a.Strings[i])
			}
		}
	})
}

// Any prompt file of a user's is read, or the error names it.
func FuzzPrompts(f *testing.F) {
	for _, name := range PromptFiles() {
		text, err := embedded.ReadFile("prompts/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, string(text))
	}
	f.Add("lead-ins.txt", "(((\nexample: a | b\n")
	f.Add("capitals.txt", "\xff \x00")
	f.Add("lead-ins.txt", "voil\xe0 ...:\n") // in Latin-1
	names := PromptFiles()
	f.Fuzz(func(t *testing.T, name, text string) {
		if !slices.Contains(names, name) {
			return
		}
		p, err := LoadPrompts(fstest.MapFS{name: {Data: []byte(text)}})
		if err != nil {
			if !strings.Contains(err.Error(), ".txt") {
				t.Fatalf("%s: %q: %v names no file", name, text, err)
			}
			return
		}
		if len(p.files) != len(names) {
			t.Fatalf("%d files of %d", len(p.files), len(names))
		}
	})
}
