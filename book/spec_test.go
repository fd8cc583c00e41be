package book

import "testing"

// The metadata prefix that the specification gives as an example.
func TestSpecExamplePrefix(t *testing.T) {
	m := Metadata{Title: "The Mystic Gate", Author: "Annie Besant", Date: year(1901), Nationality: "British", Genre: "religious treatise", Profession: "theosophist"}
	if got, want := m.Frame(), "The following passage comes from The Mystic Gate, a religious treatise published in 1901 by Annie Besant, a British theosophist."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
