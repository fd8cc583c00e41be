package sentence

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/growth"
)

// Blank lines separate paragraphs, with any kind of line end.
func TestParagraphs(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"LF", "One.\nTwo.\n\nThree.", "0:One. 0:Two. 1:Three."},
		{"CRLF", "One.\r\nTwo.\r\n\r\nThree.", "0:One. 0:Two. 1:Three."},
		{"lone CR", "One.\rTwo.\r\rThree.", "0:One. 0:Two. 1:Three."},
		{"blank line with white space", "One\n \t\f\u00a0\nTwo\n\v\n\n\nThree", "0:One 1:Two 2:Three"},
		{"byte-order mark", "\ufeffOne.\n\nTwo.", "0:One. 1:Two."},
		{"byte-order mark alone", "\ufeff", ""},
		{"form feed and no-break space", "\fOne.\u00a0Two.\f\n", "0:One. 0:Two."},
		{"empty", "", ""},
		{"white space", " \n\n\t ", ""},
		{"no final punctuation", "One\n\nTwo", "0:One 1:Two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for s := range SplitText(c.text) {
				got = append(got, string(rune('0'+s.Paragraph))+":"+c.text[s.Start:s.End])
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q: got %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// The whole text decides whether a lower-case letter may start a sentence.
func TestLowerCase(t *testing.T) {
	for _, c := range []struct{ name, marked string }{
		{"journal", "slept badly again. // head hurts since noon. // went for a walk, felt better! // no dinner."},
		{"journal with i", "Today i was tired. // i ate late. // Then i slept."},
		{"misread comma", "He rose early. // She did not. // They had seen the boat. and the boat had seen them. // Nobody moved. // The wind fell."},
		{"fragment", "He rose early. and went out."},
		{"abbreviations", "took approx. two pills. // saw dr. moss at noon. // felt ok."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := english.mark(unmark(c.marked)); got != c.marked {
				t.Errorf("got  %s\nwant %s", got, c.marked)
			}
		})
	}
}

func TestSplitStopsEarly(t *testing.T) {
	n := 0
	for range SplitText("One. Two. Three.") {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d sentences after a break, want 1", n)
	}
}

// Sentences and the white space between them are the whole text.
func FuzzPieces(f *testing.F) {
	for _, e := range english.examples {
		f.Add(unmark(e.marked))
	}
	for _, text := range hostile(40) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPieces(t, text, SplitText(text)) })
}

func checkPieces(t *testing.T, text string, sentences iter.Seq[verbatim.Sentence]) {
	t.Helper()
	bom := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	done, number, paragraph, valid := bom, 0, 0, utf8.ValidString(text)
	for s := range sentences {
		if s.Start < done || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("sentence %d is bytes %d-%d after byte %d", number, s.Start, s.End, done)
		}
		gap, piece := text[done:s.Start], text[s.Start:s.End]
		if strings.TrimSpace(gap) != "" {
			t.Fatalf("%q is in no sentence", gap)
		}
		if strings.TrimSpace(piece) != piece {
			t.Fatalf("%q is not trimmed", piece)
		}
		if valid && !utf8.ValidString(piece) {
			t.Fatalf("%q splits a character", piece)
		}
		if blank := lineBreaks(gap) > 1 && number > 0; blank != (s.Paragraph == paragraph+1) || !blank && s.Paragraph != paragraph {
			t.Fatalf("%q is in paragraph %d after %d", piece, s.Paragraph, paragraph)
		}
		if s.Number != number {
			t.Fatalf("sentence %d has the number %d", number, s.Number)
		}
		done, number, paragraph = s.End, number+1, s.Paragraph
	}
	if rest := strings.TrimSpace(text[done:]); rest != "" {
		t.Fatalf("%q is in no sentence", rest)
	}
}

// hostile returns texts of n repetitions of pieces that could make a splitter
// look far ahead or back, or scan repeatedly.
func hostile(n int) map[string]string {
	texts := make(map[string]string)
	for _, piece := range []string{
		".", ". ", "\"", ".\"", ". \" ", "(", ".(", ". ( ", ")", ".)", "!?", "…", "… ", "[", ".[", ". [1", ".[1]", "*", ".*", "- ", ".--",
		"Mr. ", "No. ", "J. ", "etc. ", "a.m. ", "1. ", "a. ", "a.", "word", "Word ", "I ", "\"Ah!\" Tom ", "\"Ah!\" Tom and ", "? Tom ",
		" ", "\n", "\r", "\n ", "\u00a0", "\u2003", "é", "É. ", ":", ":)", ". :) ", "://", "http://a", "• ", "1) A 2) B ", "\xff", "\xe2", ".\xe2\x80", "�.", "1", ".1", "1.1 ",
		"'", "’", "a'", "-a", "CHAPTER 1. ", "II. ", ". 4 The ", "i ", "x. y ",
	} {
		texts[piece] = strings.Repeat(piece, n)
	}
	return texts
}

// The time grows linearly with the text, whatever it consists of.
func TestLinearTime(t *testing.T) {
	for piece, text := range hostile(2_000) {
		checkPieces(t, text, SplitText(text))
		growth.Linear(t, fmt.Sprintf("%q", piece), 4_000, func(n int) {
			for range SplitText(strings.Repeat(piece, n)) {
			}
		})
	}
}

// The number of allocations does not depend on the number of sentences.
func TestAllocations(t *testing.T) {
	count := func(text string) float64 {
		return testing.AllocsPerRun(5, func() {
			for range SplitText(text) {
			}
		})
	}
	one, many := count(sample), count(strings.Repeat(sample, 200))
	if many > one {
		t.Errorf("%v allocations for one chapter, %v for two hundred", one, many)
	}
}

// sample is a page in the style of the period, for benchmarks.
const sample = `CHAPTER IV. The Ferry

The tide had been running out since noon, and by four o'clock there was so
little water under the landing-stage that Mr. Dale's boat lay over on her side
like a tired dog. "We shall be here all night," said the ferryman. "You may
sit, sir, or you may walk to St. Agnes." He spat. "It is nine miles."

"Is there no other way?" Mr. Dale asked.

"There's the causeway! But nobody has crossed it after dark since '61, when
Lieut. Brand went in, horse and all, and Capt. Moss after him." He looked at the
sky--it was the colour of slate--and shook his head. "No. I would not do it for
fifty pounds, nor for five hundred."

Mr. Dale, who had been thirty years a clerk in the house of Pitt, Hale & Co.,
and who had never in that time been late for anything, took out his watch; put
it back; and took it out again. It was, he reflected, a quarter past four. The
coach left at 6 p.m. from the Three Tuns . . . and the letter in his pocket, of
which he had read only p. 2, was already a week old. "Then I shall walk," he
said. "Ah! what a fool I have been."

`

func book(t testing.TB) string {
	files, _ := filepath.Glob("../../shared/data/books/*.txt")
	slices.Sort(files)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	if all.Len() == 0 {
		return strings.Repeat(sample, 5_000_000/len(sample))
	}
	return all.String()
}

func BenchmarkSplit(b *testing.B) {
	for _, c := range []struct{ name, text string }{{"sample", strings.Repeat(sample, 5_000_000/len(sample))}, {"books", book(b)}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				for range SplitText(c.text) {
				}
			}
		})
	}
}
