package cloze

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/book"
	"verbatim/tag"
)

// Two paragraphs under a heading, with the line breaks of a scan.
const page = `CHAPTER I.

The lamp was lit at dusk by the keeper of the rock, who had
climbed the hundred and forty stairs without a rest, as he had
done on every evening of the nineteen years that he had lived in
the tower. The glass was clean. But the wick had been cut too
short, and the flame stood low in its brass cup. Nobody on the
mainland saw it. The boats stayed in the harbour that night,
because the pilots trusted nothing that they could not see.

The morning came up red over the sound, and the keeper went down
to the landing with his basket and his two dogs, for the bread was
due. He would have told the pilots the whole matter, if they had
asked him about the flame. They asked for nothing but his herrings.
`

func open(t *testing.T, text string) *Book {
	t.Helper()
	doc, err := verbatim.NewDocument("lamp", text)
	if err != nil {
		t.Fatal(err)
	}
	return fromRules(t, doc, 0)
}

// fromRules takes the candidates straight from the rules.
func fromRules(t *testing.T, doc *verbatim.Document, seed int64) *Book {
	t.Helper()
	var tagger tag.Tagger
	text := tagger.Open(doc)
	lines, _ := tagger.All(text)
	b, err := New(text, lines, seed)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func find(t *testing.T, b *Book, category, connector string) Candidate {
	t.Helper()
	for _, c := range b.Candidates[category] {
		if c.Connector == connector {
			return c
		}
	}
	t.Fatalf("no %s with %q in %v", category, connector, b.Candidates)
	return Candidate{}
}

// Passages have whole sentences, at least 40 words before the mask, the next
// sentence in 60% of the draws, and no heading.
func TestSpec4Passages(t *testing.T) {
	b := open(t, page)
	next := 0
	for seed := range int64(40) {
		b.seed = seed
		c := find(t, b, "causalclause", "because")
		d, err := b.Draft(c)
		if err != nil {
			t.Fatal(err)
		}
		before, after, _ := strings.Cut(d.Masked, d.Kind().Mask)
		if words := len(strings.Fields(before)); words < 40 {
			t.Errorf("only %d words before the mask", words)
		}
		if !strings.HasPrefix(d.Masked, "The lamp was lit at dusk") && !strings.HasPrefix(d.Masked, "The glass") && !strings.HasPrefix(d.Masked, "But") {
			t.Errorf("the passage does not start with a sentence: %s", d.Masked)
		}
		switch after {
		case ".":
		case ". The morning came up red over the sound, and the keeper went down to the landing with his basket and his two dogs, for the bread was due.":
			next++
		default:
			t.Errorf("after the mask: %q", after)
		}
	}
	if next < 14 || next > 34 {
		t.Errorf("%d of 40 draws take the next sentence; want about 24", next)
	}
}

func TestUnsuitablePassages(t *testing.T) {
	b := open(t, page)
	if _, err := b.Draft(find(t, b, "contrastsentence", "but")); err != nil {
		t.Errorf("43 words before it: %v", err)
	}
	short := open(t, strings.Replace(page, "who had\nclimbed the hundred and forty stairs without a rest, as he had\ndone on every evening of the nineteen years that he had lived in\nthe tower", "who\nwas old", 1))
	if _, err := short.Draft(find(t, short, "contrastsentence", "but")); !errors.Is(err, errHeading) && !errors.Is(err, errStart) {
		t.Errorf("too few words before it: %v", err)
	}
	b.seed = seedFor(t, b, "conditionalclause", "if", true)
	ending := open(t, strings.TrimSuffix(page, " They asked for nothing but his herrings.\n"))
	ending.seed = b.seed
	if _, err := ending.Draft(find(t, ending, "conditionalclause", "if")); !errors.Is(err, errEnd) {
		t.Errorf("no sentence after it: %v", err)
	}
	parted := open(t, strings.Replace(page, "\nThe morning", "\nCHAPTER II.\n\nThe morning", 1))
	parted.seed = seedFor(t, parted, "causalclause", "because", true)
	if _, err := parted.Draft(find(t, parted, "causalclause", "because")); !errors.Is(err, errHeading) {
		t.Errorf("a heading after it: %v", err)
	}
}

// seedFor finds a seed with or without the next sentence.
func seedFor(t *testing.T, b *Book, category, connector string, next bool) int64 {
	c := find(t, b, category, connector)
	for seed := range int64(100) {
		b.seed = seed
		if (b.draw("next", category, c.Text) < nextShare) == next {
			return seed
		}
	}
	t.Fatal("no such seed")
	return 0
}

func TestMasks(t *testing.T) {
	b := open(t, page)
	for _, c := range []struct{ category, connector, truth, around string }{
		{"contrastsentence", "but", "But the wick had been cut too short, and the flame stood low in its brass cup.", "The glass was clean. [masked sentence describing a tension or contrast]"},
		{"causalclause", "because", "because the pilots trusted nothing that they could not see", "in the harbour that night, [masked clause describing a cause or reason]."},
		{"conditionalclause", "if", "if they had asked him about the flame", "the whole matter, [masked clause describing a condition]."},
	} {
		d, err := b.Draft(find(t, b, c.category, c.connector))
		if err != nil {
			t.Fatal(err)
		}
		if d.Truth != c.truth || !strings.Contains(d.Masked, c.around) {
			t.Errorf("%s: %q is masked in %q", c.category, d.Truth, d.Masked)
		}
		if got := strings.Replace(d.Masked, d.Kind().Mask, d.Truth, 1); got != d.Passage {
			t.Errorf("%s: unmasked it is %q, want %q", c.category, got, d.Passage)
		}
		prove(t, b, d.Masking)
	}
}

func prove(t *testing.T, b *Book, m verbatim.Masking) {
	t.Helper()
	for _, err := range []error{b.Reading.Prove(&m.PassageAt, m.Passage), b.Reading.Prove(&m.TruthAt, m.Truth)} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestEveryMaskAndPrompt(t *testing.T) {
	for _, c := range Categories {
		if !strings.HasPrefix(c.Mask, "[masked "+c.unit()+" ") || !strings.HasSuffix(c.Name, c.unit()) {
			t.Errorf("the mask of %s is %s", c.Name, c.Mask)
		}
		want := fmt.Sprintf("Write a %s appropriate for this book that could stand in the position marked by %s:", c.unit(), c.Mask)
		if c.Prompt() != want {
			t.Errorf("the prompt of %s is %q", c.Name, c.Prompt())
		}
	}
}

// An additional candidate changes no other draw.
func TestDrawsAreIndependent(t *testing.T) {
	b := open(t, page)
	more := open(t, page+"\nThe dogs slept through it all, because the night was warm. They woke at noon.\n")
	for _, category := range Categories {
		var before, after []string
		for _, c := range b.drawn(category.Name) {
			before = append(before, c.Text)
		}
		for _, c := range more.drawn(category.Name) {
			if !strings.Contains(c.Text, "the night was warm") {
				after = append(after, c.Text)
			}
		}
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%s: the order changed from %q to %q", category.Name, before, after)
		}
	}
	if b.draw("next", "a", "b") == b.draw("next", "ab", "") {
		t.Error("two choices share one draw")
	}
}

func TestIDsDependOnWhatTheReviewerSees(t *testing.T) {
	b := open(t, page)
	corrected := open(t, strings.Replace(page, "his herrings", "his best herrings", 1))
	moved := open(t, "A lost line was found.\n\n"+page)
	d, _ := b.Draft(find(t, b, "causalclause", "because"))
	for name, other := range map[string]*Book{"corrected elsewhere": corrected, "moved": moved} {
		same, err := other.Draft(find(t, other, "causalclause", "because"))
		if err != nil || same.ID != d.ID {
			t.Errorf("%s: a different id (%v)", name, err)
		}
	}
}

func TestEditsKeepTheMask(t *testing.T) {
	b := open(t, page)
	d, _ := b.Draft(find(t, b, "causalclause", "because"))
	kind := d.Kind()
	if _, err := Edit(d.Masking, kind, "The boats stayed."); err == nil {
		t.Error("accepted a passage without a mask")
	}
	if _, err := Edit(d.Masking, kind, kind.Mask+" and "+kind.Mask); err == nil {
		t.Error("accepted a passage with two masks")
	}
	if _, err := Edit(d.Masking, kind, " "+kind.Mask); err == nil {
		t.Error("accepted a passage that is only a mask")
	}
	edited, err := Edit(d.Masking, kind, "The boats stayed,\n"+kind.Mask+".")
	if err != nil || edited.Passage != "The boats stayed, "+d.Truth+"." || edited.PassageAt.Status != verbatim.Absent || edited.TruthAt.Status == verbatim.Absent {
		t.Errorf("%v: %+v", err, edited)
	}
	if same, err := Edit(d.Masking, kind, d.Masked); err != nil || !reflect.DeepEqual(same, d.Masking) {
		t.Error("an edit without a change changed something")
	}
	truth, err := EditTruth(d.Masking, kind, "because they were afraid")
	if err != nil || truth.TruthAt.Status != verbatim.Absent || !strings.Contains(truth.Passage, "that night, because they were afraid.") {
		t.Errorf("%v: %+v", err, truth)
	}
}

// A clause moves by words and stays a quotation.
func TestMovingAClause(t *testing.T) {
	b := open(t, page)
	d, _ := b.Draft(find(t, b, "causalclause", "because"))
	for _, c := range []struct {
		start, end int
		want       string // "" for an error
	}{
		{0, 0, "because the pilots trusted nothing that they could not see"},
		{0, -3, "because the pilots trusted nothing that they"},
		{1, 0, "the pilots trusted nothing that they could not see"},
		{-2, 0, "that night, because the pilots trusted nothing that they could not see"},
		{-2, -9, "that night, because"},
		{0, -10, ""},
		{-500, 0, ""},
		{12, 0, ""},
	} {
		m, err := b.Move(d.Masking, d.Kind(), d.Place, c.start, c.end)
		if c.want == "" {
			if err == nil {
				t.Errorf("%d, %d: %q is masked; want an error", c.start, c.end, m.Truth)
			}
			continue
		}
		if err != nil || m.Truth != c.want {
			t.Errorf("%d, %d: %q is masked (%v)", c.start, c.end, m.Truth, err)
			continue
		}
		if strings.Replace(m.Masked, d.Kind().Mask, m.Truth, 1) != d.Passage {
			t.Errorf("%d, %d: the passage is %q", c.start, c.end, m.Masked)
		}
		prove(t, b, m)
		if back, err := b.Move(m, d.Kind(), d.Place, -c.start, -c.end); err != nil || back.Truth != d.Truth {
			t.Errorf("%d, %d and back: %q is masked (%v)", c.start, c.end, back.Truth, err)
		}
	}
}

func meta() *book.Metadata {
	m := &book.Metadata{Title: "The Lamp", Author: "Ambrose Tillott", Genre: "tale"}
	return m
}

func TestQuestionsFollowTheBook(t *testing.T) {
	b := open(t, page)
	d, _ := b.Draft(find(t, b, "causalclause", "because"))
	text, at := b.Quote(find(t, b, "contrastsentence", "but").Span)
	options := []verbatim.Option{{Type: "same_book", Text: text, At: at}, {Type: "manual", Text: "because it rained", At: verbatim.Selector{Status: verbatim.Absent}}}
	for name, changed := range map[string]string{
		"unchanged":           page,
		"something before":    "A lost line was found.\n\n" + page,
		"other line ends":     strings.ReplaceAll(page, "\n", "\r\n"),
		"another line length": strings.ReplaceAll(page, " in\nthe tower", " in the\ntower"),
		"its clause earlier":  strings.Repeat("-", d.TruthAt.ByteStart) + " " + d.TruthAt.Exact + ".\n\n" + page,
	} {
		other := open(t, changed)
		q, err := other.Question(meta(), d.Kind(), d.Masking, options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if wrong := Check(q); len(wrong) > 0 {
			t.Errorf("%s: %v", name, wrong)
		}
		for _, claim := range q.Claims() {
			if err := other.Reading.Prove(claim.Selector, claim.Text); err != nil && !errors.Is(err, verbatim.ErrAbsent) {
				t.Errorf("%s: %s: %v", name, claim.Name, err)
			}
		}
		if q.AnswerStrings[0] != d.Truth || len(q.AnswerTypes) != 3 || !slices.Equal(q.AnswerProbabilities, []verbatim.Probability{1, 0, 0}) || q.Passage != d.Passage {
			t.Errorf("%s: %+v", name, q)
		}
	}
	gone := open(t, strings.Replace(page, "trusted nothing", "feared everything", 1))
	var why *GoneError
	if _, err := gone.Question(meta(), d.Kind(), d.Masking, options); !errors.As(err, &why) || why.What != "passage" {
		t.Errorf("a lost passage: %v", err)
	}
}

// Every kind of space next to a mask becomes one space.
func TestMasksKeepTheirSpaces(t *testing.T) {
	for _, space := range []string{" ", "\n", "\u00a0", "\u2003", "\u3000", "\u0085"} {
		if got := foldKeepingEnds(space + "so" + space); got != " so " {
			t.Errorf("with %q: %q", space, got)
		}
	}
}

// No two answers say the same, and a same-book answer has a place in the book.
func TestCheckAnswers(t *testing.T) {
	b := open(t, page)
	d, _ := b.Draft(find(t, b, "causalclause", "because"))
	text, at := b.Quote(find(t, b, "contrastsentence", "but").Span)
	absent := verbatim.Selector{Status: verbatim.Absent}
	for _, c := range []struct {
		options []verbatim.Option
		wrong   string // "" for none
	}{
		{[]verbatim.Option{{Type: "same_book", Text: text, At: at}, {Type: "manual_same_book", Text: "because it rained", At: absent}}, ""},
		{[]verbatim.Option{{Type: "same_book", Text: "because it rained", At: absent}},
			`answer_types: number 2 is same_book, but it has no place in the book; an answer that a person wrote or edited is manual_same_book`},
		{[]verbatim.Option{{Type: "negation", Text: "because it rained", At: absent}, {Type: "manual", Text: "Because it rained.", At: absent}},
			`answer_strings: numbers 2 and 3 say the same`},
		{[]verbatim.Option{{Type: "manual", Text: "Because the pilots trusted nothing that they could not see.", At: absent}},
			`answer_strings: numbers 1 and 2 say the same`},
	} {
		q, err := b.Question(meta(), d.Kind(), d.Masking, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if got := errors.Join(Check(q)...); got == nil && c.wrong != "" || got != nil && got.Error() != c.wrong {
			t.Errorf("%v: %v, want %s", q.AnswerStrings[1:], got, c.wrong)
		}
	}
}
