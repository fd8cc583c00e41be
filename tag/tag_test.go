package tag_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/tag"
)

const page = `CHAPTER I.

The lamp was lit at dusk. The glass was clean. But the wick had been cut too
short, and the flame stood low. The boats stayed in the har-
bour, because the pilots trusted nothing that they could not see.

Chapter II. The Keeper Waits, but Nobody Came to the Tower.

Therefore the keeper went down to the landing.
`

func open(t *testing.T, text string) *tag.Book {
	t.Helper()
	doc, err := verbatim.NewDocument("lamp", text)
	if err != nil {
		t.Fatal(err)
	}
	return new(tag.Tagger).Open(doc)
}

// Each tag has its place in the sentence and in the source.
func TestLines(t *testing.T) {
	b := open(t, page)
	var got []string
	for line, rejected := range new(tag.Tagger).Lines(b) {
		for _, x := range line.Tags {
			in := x.InSentence()
			got = append(got, fmt.Sprintf("%d %s %s[%s]", line.Index, x.Name, line.Sentence[:in.Start], line.Sentence[in.Start:in.End]))
			if source := verbatim.FoldSpace(b.Source.Quote(x.Span)); strings.ReplaceAll(source, "har- bour", "harbour") != line.Sentence[in.Start:in.End] {
				t.Errorf("sentence %d: the source has %q", line.Index, source)
			}
		}
		for _, x := range rejected {
			got = append(got, fmt.Sprintf("%d %s %s", x.Index, x.Sense, x.Reason))
			if !line.Span.Contains(x.Span) {
				t.Errorf("sentence %d: %q is outside it", line.Index, b.Source.Quote(x.Span))
			}
		}
	}
	want := []string{
		"3 contrastsentence [But the wick had been cut too short, and the flame stood low.]",
		"4 causalclause The boats stayed in the harbour, [because the pilots trusted nothing that they could not see]",
		"5 contrast it is a heading",
		"6 effectsentence [Therefore the keeper went down to the landing.]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// All keeps what Lines yields: later sentences do not overwrite it.
func TestAllKeepsEveryLine(t *testing.T) {
	b := open(t, page)
	var tagger tag.Tagger
	lines, rejected := tagger.All(b)
	i, n := 0, 0
	for line, no := range tagger.Lines(b) {
		if len(line.Tags)+len(lines[i].Tags) > 0 && !reflect.DeepEqual(*line, lines[i]) {
			t.Errorf("sentence %d is %+v, not %+v", i, lines[i], *line)
		}
		if !slices.Equal(no, rejected[n:n+len(no)]) {
			t.Errorf("sentence %d: rejected %v, not %v", i, rejected[n:n+len(no)], no)
		}
		i, n = i+1, n+len(no)
	}
	if i != len(lines) || n != len(rejected) || i != len(b.Sentences) {
		t.Errorf("%d lines and %d rejected tags; want %d and %d", len(lines), len(rejected), i, n)
	}
}

func TestPreviousStopsAtHeadings(t *testing.T) {
	b := open(t, page)
	for i, want := range map[int]string{0: "", 1: "", 2: "The lamp was lit at dusk.", 6: ""} {
		if got := b.Previous(i); got != want {
			t.Errorf("before sentence %d: %q, want %q", i, got, want)
		}
	}
	if !b.Heading(0) || b.Heading(1) || !b.Heading(5) {
		t.Error("the headings are sentences 0 and 5")
	}
}

// A line fits the sentence that has its text, or its place where someone
// corrected the text.
func TestFits(t *testing.T) {
	b := open(t, page)
	for _, c := range []struct {
		index, start, end int
		sentence          string
		want              bool
	}{
		{3, 0, 0, "But the wick had been cut too short, and the flame stood low.", true},
		{2, 38, 58, "The gla55 was clean.", true},
		{3, 38, 58, "The glass was clean.", false},
		{2, 0, 0, "But the wick had been cut too short.", false},
		{-1, 0, 0, "", false},
		{99, 0, 0, "", false},
	} {
		line := &verbatim.Tagged{Index: c.index, Sentence: c.sentence, Span: verbatim.Span{Start: c.start, End: c.end}}
		if got := b.Fits(line); got != c.want {
			t.Errorf("sentence %d, %q: %v, want %v", c.index, c.sentence, got, c.want)
		}
	}
}

// A line read back from its file fits.
func TestLinesReadBackFit(t *testing.T) {
	b := open(t, page)
	for line := range new(tag.Tagger).Lines(b) {
		var back verbatim.Tagged
		if err := json.Unmarshal(line.AppendJSON(nil), &back); err != nil || !b.Fits(&back) {
			t.Errorf("sentence %d: %v", line.Index, err)
		}
	}
}
