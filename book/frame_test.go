package book

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func year(n int) *int { return &n }

// The example of the specification.
func ExampleMetadata_Frame() {
	m := &Metadata{Title: "The Mystic Gate", Author: "Annie Besant", Date: year(1901), Nationality: "British", Genre: "religious treatise", Profession: "theosophist"}
	fmt.Println(m.Frame())
	// Output: The following passage comes from The Mystic Gate, a religious treatise published in 1901 by Annie Besant, a British theosophist.
}

// Specification test 0: frames for all kinds of metadata.
func TestSpec0Frames(t *testing.T) {
	whole := Metadata{Title: "The Keeper", Author: "Ambrose Tillott", Date: year(1881), Nationality: "British", Genre: "tale", Profession: "lamp-keeper"}
	for _, c := range []struct {
		name   string
		change func(*Metadata)
		want   string // after "The following passage comes from The Keeper"
	}{
		{"all", func(m *Metadata) {}, ", a tale published in 1881 by Ambrose Tillott, a British lamp-keeper."},
		{"no author", func(m *Metadata) { m.Author = "" }, ", a tale published in 1881 by a British lamp-keeper."},
		{"no author, no profession", func(m *Metadata) { m.Author, m.Profession = "", "" }, ", a tale published in 1881."},
		{"an unknown author", func(m *Metadata) { m.Author, m.Profession = "Unknown", "unknown" }, ", a tale published in 1881."},
		{"no nationality", func(m *Metadata) { m.Nationality = "" }, ", a tale published in 1881 by Ambrose Tillott, a lamp-keeper."},
		{"no profession", func(m *Metadata) { m.Profession = "" }, ", a tale published in 1881 by Ambrose Tillott, a British author."},
		{"no nationality, no profession", func(m *Metadata) { m.Profession, m.Nationality = "", "" }, ", a tale published in 1881 by Ambrose Tillott."},
		{"no year", func(m *Metadata) { m.Date = nil }, ", a tale by Ambrose Tillott, a British lamp-keeper."},
		{"no genre", func(m *Metadata) { m.Genre = "" }, ", published in 1881 by Ambrose Tillott, a British lamp-keeper."},
		{"no genre, no year", func(m *Metadata) { m.Genre, m.Date = "", nil }, " by Ambrose Tillott, a British lamp-keeper."},
		{"title only", func(m *Metadata) { *m = Metadata{Title: m.Title} }, "."},
		{"an Irish astronomer", func(m *Metadata) { m.Nationality, m.Profession = "Irish", "astronomer" }, ", a tale published in 1881 by Ambrose Tillott, an Irish astronomer."},
		{"an essay", func(m *Metadata) { m.Genre = "Essay" }, ", an essay published in 1881 by Ambrose Tillott, a British lamp-keeper."},
		{"plural genre", func(m *Metadata) { m.Genre = "short stories" }, ", a collection of short stories published in 1881 by Ambrose Tillott, a British lamp-keeper."},
		{"mass genre", func(m *Metadata) { m.Genre = "fiction" }, ", a work of fiction published in 1881 by Ambrose Tillott, a British lamp-keeper."},
		{"class and genre", func(m *Metadata) { m.Genre = "science: geology" }, ", a work on geology published in 1881 by Ambrose Tillott, a British lamp-keeper."},
		{"genre with its article", func(m *Metadata) { m.Genre = "an epic" }, ", an epic published in 1881 by Ambrose Tillott, a British lamp-keeper."},
		{"two authors", func(m *Metadata) { m.Author = "Ada Moss and S. Lowe" }, ", a tale published in 1881 by Ada Moss and S. Lowe, British lamp-keepers."},
		{"an organization", func(m *Metadata) { m.Author, m.Profession = "Western Optical Society", "" }, ", a tale published in 1881 by the Western Optical Society."},
		{"a country", func(m *Metadata) { m.Author, m.Profession = "Great Britain", "" }, ", a tale published in 1881 by Great Britain."},
		{"a suffix with a full stop", func(m *Metadata) { m.Author, m.Profession, m.Nationality = "S. Lowe, Jr.", "", "" }, ", a tale published in 1881 by S. Lowe, Jr."},
		{"an old poem", func(m *Metadata) { *m = Metadata{Title: m.Title, Genre: "poem", Date: year(900)} }, ", a poem written around 900."},
		{"a profession with letters", func(m *Metadata) { m.Profession, m.Nationality = "M.P.", "" }, ", a tale published in 1881 by Ambrose Tillott, an M.P."},
	} {
		m := whole
		c.change(&m)
		got := strings.TrimPrefix(m.Frame(), "The following passage comes from The Keeper")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

var broken = regexp.MustCompile(`  | ,|,,|\.\.|, \.| \.|by,|by\.|\ba [aeiou]|unknown|anonymous| (a|an|by|in)\.$|null|nil`)

// The frame is well-formed for every subset of missing fields: no double space, no
// stray comma, no article without a noun.
func TestFramesOfEverySubset(t *testing.T) {
	for subset := range 1 << 6 {
		m := Metadata{Title: "The Keeper", Author: "Ambrose Tillott", Date: year(1881), Nationality: "American", Genre: "essay", Profession: "oculist", Birth: year(1850)}
		for i, clear := range []func(){func() { m.Author = "" }, func() { m.Date = nil }, func() { m.Nationality = "" }, func() { m.Genre = "" }, func() { m.Profession = "" }, func() { m.Birth = nil }} {
			if subset>>i&1 == 1 {
				clear()
			}
		}
		if frame := m.Frame(); broken.MatchString(frame) || !strings.HasSuffix(frame, ".") {
			t.Errorf("subset %06b reads %q", subset, frame)
		}
	}
}

func TestAOrAn(t *testing.T) {
	for _, phrase := range strings.Split("a European, an heir, an honest man, a useful book, a unitarian, an unimportant tale, an hour, a history, an M.P., an F.R.S., a U.S. senator, an 1880 essay, an 8th, a 19th, a one-act play, an opera, a ewe, an uncle, an English, a Welsh, an X-ray, a university, an umbrella, an épopée", ", ") {
		bare := phrase[strings.IndexByte(phrase, ' ')+1:]
		if got := article(bare); got != phrase {
			t.Errorf("%q, want %q", got, phrase)
		}
	}
}
