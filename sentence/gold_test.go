package sentence

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// Gold sets, and the F1 in percent that the open half of each must reach. A set
// with 0 is only printed: doyle_ocr needs the cleaner.
var goldSets = []struct {
	name string
	want float64
}{
	{"doyle", 99.7}, {"lit19", 99.6}, {"gum_fiction", 96}, {"gum_written", 94.7}, {"lines", 95.3},
	{"brown_fiction", 99.4}, {"ewt", 89.5}, {"gentle", 80}, {"pud", 99.5}, {"doyle_ocr", 0},
}

const goldFolder = "../../shared/data/sentences"

func TestGold(t *testing.T) {
	for _, set := range goldSets {
		t.Run(set.name, func(t *testing.T) {
			g := readGold(t, set.name)
			p, r, f1 := g.inner(t, g.split())
			t.Logf("%-14s inner P %.2f  R %.2f  F1 %.2f  (want %.1f)", set.name, p, r, f1, set.want)
			if f1 < set.want {
				t.Errorf("inner F1 is %.2f, want %.1f", f1, set.want)
			}
		})
	}
}

// TestGoldenRules counts complete examples, as the authors of the set do.
func TestGoldenRules(t *testing.T) {
	g := readGold(t, "golden")
	found, right := g.split(), 0
	for _, doc := range g.docs {
		outside := func(s verbatim.Span) bool { return !doc.Contains(s) }
		want := slices.DeleteFunc(slices.Clone(g.sentences), outside)
		got := slices.DeleteFunc(slices.Clone(found), outside)
		if slices.Equal(want, got) {
			right++
		} else if os.Getenv("ERRORS") != "" {
			t.Logf("%q", g.text[doc.Start:doc.End])
		}
	}
	t.Logf("golden: %d of %d", right, len(g.docs))
	if right < 42 {
		t.Errorf("%d of %d examples are right, want 42", right, len(g.docs))
	}
}

// gold is one set: its text, documents and sentences.
type gold struct {
	text            string
	docs, sentences []verbatim.Span
}

func readGold(t *testing.T, name string) gold {
	t.Helper()
	base := filepath.Join(goldFolder, name)
	text, err := os.ReadFile(base + ".txt")
	if err != nil {
		t.Skipf("the gold sentences are not here: %v", err)
	}
	return gold{string(text), readSpans(t, base+".docs"), readSpans(t, base+".offsets")}
}

func readSpans(t *testing.T, file string) (spans []verbatim.Span) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var s verbatim.Span
		if _, err := fmt.Sscan(lines.Text(), &s.Start, &s.End); err != nil {
			t.Fatalf("%s: %q: %v", file, lines.Text(), err)
		}
		spans = append(spans, s)
	}
	return spans
}

// split splits every document separately, as a user would.
func (g gold) split() (spans []verbatim.Span) {
	for _, doc := range g.docs {
		for s := range SplitText(g.text[doc.Start:doc.End]) {
			spans = append(spans, verbatim.Span{Start: doc.Start + s.Start, End: doc.Start + s.End})
		}
	}
	return spans
}

var blankLine = regexp.MustCompile(`\n[ \t\r]*\n`)

// inner compares sentence ends, counted in bytes that are not white space. Ends
// at blank lines and at the end of a document are not counted.
func (g gold) inner(t *testing.T, found []verbatim.Span) (precision, recall, f1 float64) {
	solid := make([]int, len(g.text)+1)
	plain := strings.ReplaceAll(g.text, "\u00a0", "  ")
	for i := range len(plain) {
		solid[i+1] = solid[i]
		if !strings.ContainsRune(" \t\r\n\v\f", rune(plain[i])) {
			solid[i+1]++
		}
	}
	free := make(map[int]bool)
	for _, doc := range g.docs {
		free[solid[doc.End]] = true
	}
	for _, place := range blankLine.FindAllStringIndex(g.text, -1) {
		free[solid[place[0]]] = true
	}
	ends := func(spans []verbatim.Span) map[int]int {
		set := make(map[int]int)
		for _, s := range spans {
			if !free[solid[s.End]] {
				set[solid[s.End]] = s.End
			}
		}
		return set
	}
	want, got := ends(g.sentences), ends(found)
	right := 0
	for end := range got {
		if _, ok := want[end]; ok {
			right++
		}
	}
	g.show(t, "false ", got, want)
	g.show(t, "missed", want, got)
	precision, recall = 100*float64(right)/float64(len(got)), 100*float64(right)/float64(len(want))
	return precision, recall, 2 * precision * recall / (precision + recall)
}

// show prints the ends in one set that are not in the other, if ERRORS is set:
// ERRORS=1 go test -v -run Gold/doyle
func (g gold) show(t *testing.T, what string, some, others map[int]int) {
	if os.Getenv("ERRORS") == "" {
		return
	}
	var places []int
	for end, place := range some {
		if _, ok := others[end]; !ok {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	for _, i := range places {
		before := strings.ToValidUTF8(g.text[max(0, i-60):i], "")
		after := strings.ToValidUTF8(g.text[i:min(len(g.text), i+50)], "")
		t.Logf("%s %q", what, before+" // "+after)
	}
}
