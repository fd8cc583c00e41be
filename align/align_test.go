package align

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const day = "Woke up with a dull  headache — couldn’t focus. No fever today, but didn't eat.\nHad dal, rice and 5.5 mg at 10:30 ☕️. " +
	"Café au lait made me jittery… I can't sleep through the night; left knee swollen.\tPet mein dard tha. Headache gone by 6."

func TestFind(t *testing.T) {
	for _, c := range []struct {
		quotation, found string
		kind             Kind
		words            string
	}{
		{"dull  headache", "dull  headache", Exact, ""},
		{"ache", "ache", Exact, ""},
		{"Dull  headache", "dull  headache", Form, "case"},
		{"dull headache", "dull  headache", Form, "two spaces"},
		{"couldn't focus", "couldn’t focus", Form, "curly quote"},
		{"but didn’t eat", "but didn't eat", Form, "curly quote"},
		{"No fever today.", "No fever today", Form, "final stop"},
		{"no fever today.", "No fever today", Form, "final stop, case"},
		{`"No fever today"`, "No fever today", Form, "quotation marks around it"},
		{"“no fever”", "No fever", Form, "quotation marks around it, case"},
		{"... made me jittery", "made me jittery", Form, "ellipsis"},
		{"made me jittery...", "made me jittery…", Form, "ellipsis"},
		{"headache - couldn't focus", "headache — couldn’t focus", Form, "dash, curly quote"},
		{"headache—couldn’t", "headache — couldn’t", Form, "space"},
		{"eat. Had dal", "eat.\nHad dal", Form, "line break"},
		{"swollen. Pet mein", "swollen.\tPet mein", Form, "tab"},
		{"Cafe\u0301 au lait", "Café au lait", Form, "Unicode form"},
		{"CAFE\u0301 au lait", "Café au lait", Form, "Unicode form, case"},
		{"10:30 ☕.", "10:30 ☕️.", Form, "invisible character"},
		{" rice\u00a0and 5.5 mg", "rice and 5.5 mg", Form, "non-breaking space"},
		{"HEADACHE gone", "Headache gone", Form, "case"},

		{"made me jittrey", "made me jittery", Edited, "1 letter"},
		{"left knee swolen", "left knee swollen", Edited, "1 letter"},
		{"I cant sleep through the nihgt", "I can't sleep through the night", Edited, "apostrophe, 1 letter"},
		{"Had dal rice and", "Had dal, rice and", Edited, "comma"},
		{"with a dull head ache", "with a dull  headache", Edited, "two spaces, space inside a word"},
		{"No fever today but didn't eat", "No fever today, but didn't eat", Edited, "comma"},

		{"", "", Absent, ""},
		{" \n", "", Absent, ""},
		{".", ".", Exact, ""},
		{"?", "", Absent, ""},
		{"fever today?", "", Absent, ""},                      // a doubt is not a stop
		{"I can sleep through the night", "", Absent, ""},     // the negation must not get lost
		{"Fever today, but did eat", "", Absent, ""},          // the same
		{"a fever today", "", Absent, ""},                     // a word replaced
		{"dal, rice and 5.6 mg", "", Absent, ""},              // another number
		{"dal, rice and 55 mg", "", Absent, ""},               // the same
		{"right knee swollen", "", Absent, ""},                // another word
		{"ACHE", "", Absent, ""},                              // not whole words
		{"headache gone bye bye", "", Absent, ""},             // invented
		{"Pet mein bahut dard tha", "", Absent, ""},           // a word added
		{"severe migraine with aura", "", Absent, ""},         // invented
		{"hedache", "", Absent, ""},                           // too short for an edit
		{"Woke up with a headache", "", Absent, ""},           // a word dropped
		{"headache gone by 6 in the evening", "", Absent, ""}, // longer than the text
	} {
		m := NewText(day).Find(c.quotation, 0)
		if m.Kind != c.kind || day[m.Start:m.End] != c.found || m.Words() != c.words {
			t.Errorf("%q: %v %q (%s), want %v %q (%s)", c.quotation, m.Kind, day[m.Start:m.End], m.Words(), c.kind, c.found, c.words)
		}
	}
}

// Of several places, whole words win, and then the first from a place on.
func TestFindPrefersWholeWordsAndThePlace(t *testing.T) {
	const text = "feverish. Fever came, fever went. Fever again."
	for _, c := range []struct {
		quotation   string
		from, start int
	}{{"fever", 0, 22}, {"Fever", 0, 10}, {"Fever", 11, 34}, {"fever", 30, 22}, {"FEVER", 0, 10}, {"FEVER", 11, 22}, {"FEVER", 23, 34}, {"FEVER", 40, 10}} {
		if m := NewText(text).Find(c.quotation, c.from); m.Start != c.start {
			t.Errorf("%q from %d: at %d, want %d", c.quotation, c.from, m.Start, c.start)
		}
	}
}

// Languages without spaces have no whole words.
func TestFindWithoutSpaces(t *testing.T) {
	const text = "今天早上“头痛”很厉害。"
	if m := NewText(text).Find(`"头痛"很`, 0); text[m.Start:m.End] != "“头痛”很" || m.Words() != "curly quote" {
		t.Errorf("%+v", m)
	}
}

func FuzzFind(f *testing.F) {
	f.Add(day, "No fever today.", 0)
	f.Add(day, "I cant sleep through the nihgt", 200)
	f.Add("e\u0301e\u0301 \xff…\u200d", "é É\xfe", 1)
	f.Add("a.b.c.d", "... a, b", -1)
	f.Add("ĳ ﬁ ß ẞ K", "IJ FI ss k", 3)
	f.Fuzz(func(t *testing.T, text, quotation string, from int) {
		checkFind(t, NewText(text), text, quotation, from)
	})
}

// checkFind holds what must be true of every match.
func checkFind(t *testing.T, in *Text, text, quotation string, from int) Match {
	m := in.Find(quotation, from)
	if m.Start < 0 || m.End < m.Start || m.End > len(text) {
		t.Fatalf("%q in %q: %+v is outside", quotation, text, m)
	}
	piece := text[m.Start:m.End]
	switch m.Kind {
	case Absent:
		if m.Span.End != 0 || strings.TrimSpace(quotation) != "" && strings.Contains(text, quotation) {
			t.Fatalf("%q in %q: %+v", quotation, text, m)
		}
	case Exact:
		if piece != quotation || m.Differences != nil {
			t.Fatalf("%q in %q: %+v", quotation, text, m)
		}
	default:
		if piece == "" || len(m.Differences) == 0 || utf8.ValidString(text) && !utf8.ValidString(piece) {
			t.Fatalf("%q in %q: %+v", quotation, text, m)
		}
		if limit := utf8.RuneCountInString(norm.NFC.String(quotation)) * 3 / CharactersPerEdit; m.Edits > limit { // 3: an ellipsis
			t.Fatalf("%q in %q: %d edits, limit %d", quotation, text, m.Edits, limit)
		}
	}
	return m
}

// A piece of a text, spoiled within the limit, is found; and what is found is
// never farther than what was done.
func TestSpoiledPiecesAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 5))
	text := journalOf(r, 2000)
	in := NewText(text)
	words := strings.Fields(text)
	for range 2000 {
		at, n := r.IntN(len(words)-8), 2+r.IntN(6)
		piece := strings.Join(words[at:at+n], " ")
		spoiled, edits := spoil(r, piece)
		m := checkFind(t, in, text, spoiled, 0)
		if limit := utf8.RuneCountInString(spoiled) / CharactersPerEdit; edits > limit {
			continue
		}
		if m.Kind == Absent || m.Edits > edits {
			t.Fatalf("%q for %q: %+v after %d edits", spoiled, piece, m, edits)
		}
	}
}

// spoil changes what a careless copyist changes.
func spoil(r *rand.Rand, piece string) (string, int) {
	switch r.IntN(6) {
	case 0:
		return strings.ToUpper(piece), 0
	case 1:
		return strings.ReplaceAll(piece, " ", "\n "), 0
	case 2:
		return "“" + piece + "”", 0
	case 3:
		return piece + "\u00a0.", 0
	case 4:
		if strings.Contains(piece, ",") {
			return strings.Replace(piece, ",", "", 1), 1
		}
	}
	for _, word := range strings.Fields(piece) {
		if len(word) > LettersToEdit+1 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
			return strings.Replace(piece, word, word[:2]+word[3:], 1), 1
		}
	}
	return piece, 0
}

func journalOf(r *rand.Rand, length int) string {
	list := strings.Fields("woke tired headache, dull knee pain after breakfast and coffee. felt anxious before meeting; slept badly no fever today stomach cramps since morning")
	var b strings.Builder
	for i := 0; b.Len() < length; i++ {
		fmt.Fprintf(&b, "%s ", list[r.IntN(len(list))])
		if i%5 == 0 {
			fmt.Fprintf(&b, "word%c%c ", 'a'+r.IntN(26), 'a'+r.IntN(26))
		}
	}
	return b.String()
}

// A hostile pair must not take more than linear work per token.
func TestHostile(t *testing.T) {
	for _, text := range []string{strings.Repeat("a, ", 3000), strings.Repeat(". ", 5000), strings.Repeat("ab abab ", 2000), strings.Repeat("-", 9000)} {
		in := NewText(text)
		for _, quotation := range []string{strings.Repeat("A ", 200), strings.Repeat("a,,", 300), strings.Repeat("abab ", 100) + "x", text + "x"} {
			checkFind(t, in, text, quotation, 0)
			if n := cap(in.finder.steps); n > 1e6 {
				t.Errorf("%.9q in %.9q: %d steps", quotation, text, n)
			}
		}
	}
}

func BenchmarkFind(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	text := journalOf(r, 2000)
	words := strings.Fields(text)
	cases := map[string]func(string) string{
		"exact":  func(s string) string { return s },
		"form":   strings.ToUpper,
		"edited": func(s string) string { return strings.Replace(s, ",", "", 1) + " tjred" },
		"absent": func(s string) string { return s + " unknown" },
	}
	for name, change := range cases {
		b.Run(name, func(b *testing.B) {
			start := cpuTime()
			for range b.N { // every quotation with a new journal: the worst case
				at := r.IntN(len(words) - 8)
				NewText(text).Find(change(strings.Join(words[at:at+6], " ")), 0)
			}
			b.ReportMetric(float64(b.N)/(cpuTime()-start).Seconds(), "spans/cpu-s")
		})
	}
}
