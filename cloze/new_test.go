package cloze

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/tag"
)

// lines are the tagged sentences of the page.
func lines(t *testing.T) (*tag.Book, []verbatim.Tagged) {
	t.Helper()
	doc, err := verbatim.NewDocument("lamp", page)
	if err != nil {
		t.Fatal(err)
	}
	var tagger tag.Tagger
	text := tagger.Open(doc)
	all, _ := tagger.All(text)
	return text, all
}

// with is the number of the sentence that has a tag.
func with(t *testing.T, lines []verbatim.Tagged, name, connector string) int {
	t.Helper()
	for i, line := range lines {
		for _, x := range line.Tags {
			if x.Name == name && x.Connector == connector {
				return i
			}
		}
	}
	t.Fatalf("no sentence has %s %q", name, connector)
	return 0
}

func TestNewTakesOnlyConfirmedTags(t *testing.T) {
	text, all := lines(t)
	i := with(t, all, "causalclause", "because")
	all[i].Tags[0].Confirmed = "mistral@1234"
	all[with(t, all, "contrastsentence", "but")].Tags = nil
	all[with(t, all, "conditionalclause", "if")].Tags[0].Confirmed = ""
	b, err := New(text, all, 0)
	if err != nil {
		t.Fatal(err)
	}
	if c := find(t, b, "causalclause", "because"); c.ConfirmedBy != "mistral@1234" || c.Sentence != i || c.Text != "because the pilots trusted nothing that they could not see" {
		t.Errorf("got %+v", c)
	}
	if n := len(b.Candidates["contrastsentence"]) + len(b.Candidates["conditionalclause"]); n != 0 {
		t.Errorf("%d candidates come from tags that were rejected", n)
	}
}

// A person may move or repeat lines of the file, or tag a heading.
func TestNewKeepsTheOrderOfTheBook(t *testing.T) {
	text, all := lines(t)
	want, err := New(text, all, 0)
	if err != nil {
		t.Fatal(err)
	}
	all[0].Tags = []verbatim.Tag{{Name: "causalsentence", SentenceEnd: 3, Confirmed: "rules"}}
	mixed := append(slices.Clone(all), all...)
	slices.Reverse(mixed)
	got, err := New(text, mixed, 0)
	if err != nil || !reflect.DeepEqual(got.Candidates, want.Candidates) {
		t.Errorf("got %v, want %v (%v)", got.Candidates, want.Candidates, err)
	}
}

func TestNewRejectsLinesOfAnotherBook(t *testing.T) {
	text, all := lines(t)
	i := with(t, all, "causalclause", "because")
	for name, change := range map[string]func(*verbatim.Tagged){
		"another sentence": func(l *verbatim.Tagged) { l.Sentence, l.Span = "The dogs slept.", verbatim.Span{} },
		"beyond the book":  func(l *verbatim.Tagged) { l.Index = 99 },
		"a place beyond":   func(l *verbatim.Tagged) { l.Tags[0].SentenceEnd = len(l.Sentence) + 1 },
		"a negative place": func(l *verbatim.Tagged) { l.Tags[0].SentenceStart = -1 },
		"an empty place":   func(l *verbatim.Tagged) { l.Tags[0].SentenceStart = l.Tags[0].SentenceEnd },
	} {
		changed := all[i]
		changed.Tags = append([]verbatim.Tag(nil), changed.Tags...)
		change(&changed)
		var old *OutOfDateError
		if _, err := New(text, []verbatim.Tagged{changed}, 0); !errors.As(err, &old) || old.Sentence != changed.Index {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A person may correct a sentence in the file. The [clause] keeps its place in
// the book, unless the correction touches one of its ends.
func TestCorrectedLinesKeepTheirClause(t *testing.T) {
	const book = "The bcats stayed, [because the pilcts slept]."
	for _, c := range []struct {
		line string
		ok   bool
	}{
		{"The boats stayed, [because the pilcts slept].", true},
		{"The bcats stayed, [because the pilots slept].", true},
		{"The two boats stayed, [because the pilcts slept].", true},
		{"The bcats stayed, [because the two pilots slept].", true},
		{"The bcats stayed, [because the pilcts slept]!", true},
		{"The bcats stay, [as the pilcts sleep].", false},
		{"The boats stayed, [because the pilots slept].", false}, // on both sides of an end
	} {
		from, text := unbracket(c.line)
		want, whole := unbracket(book)
		got, ok := carry(from, text, whole)
		if ok != c.ok || ok && got != want {
			t.Errorf("%s: %v, %v; want %v, %v", c.line, got, ok, want, c.ok)
		}
	}
}

func unbracket(s string) (verbatim.Span, string) {
	return verbatim.Span{Start: strings.Index(s, "["), End: strings.Index(s, "]") - 1}, strings.NewReplacer("[", "", "]", "").Replace(s)
}

// A draft read back from its file still knows its sentence and its tag.
func TestDraftsReadBack(t *testing.T) {
	b := open(t, page)
	d, err := b.Draft(find(t, b, "causalclause", "because"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{string(data), strings.Replace(string(data), `"confirmed_by"`, `"checked_by"`, 1)} {
		back := &Draft{}
		if err := json.Unmarshal([]byte(file), back); err != nil || !reflect.DeepEqual(back, d) {
			t.Fatalf("read back: %+v, %v", back, err)
		}
		previous, s, x, found := b.Tagged(back)
		if !found || verbatim.FoldSpace(previous) != "Nobody on the mainland saw it." {
			t.Errorf("the sentence before is %q (%v)", previous, found)
		}
		if part := x.InSentence(); verbatim.FoldSpace(s.Sentence[part.Start:part.End]) != d.Truth || x.Confirmed != "rules" || x.Card != d.Card {
			t.Errorf("the tag is %+v of %q", x, s.Sentence)
		}
	}
	d.Truth = "because it rained"
	if _, _, _, found := b.Tagged(d); found {
		t.Error("found a candidate that the book does not have")
	}
}
