package period

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func ExampleKnown() {
	for _, word := range []string{"carriage", "Carriage's", "steam-engine", "tbe", "smartphone"} {
		fmt.Println(word, Known(word))
	}
	// Output:
	// carriage true
	// Carriage's true
	// steam-engine true
	// tbe false
	// smartphone false
}

// Words are first seen about when they came up.
func TestAttested(t *testing.T) {
	for word, span := range map[string][2]int{"carriage": {1700, 1850}, "telephone": {1860, 1900}, "airplane": {1903, 1929}, "aeroplane": {1890, 1920}} {
		if year, ok := Attested(word); !ok || year < span[0] || year > span[1] {
			t.Errorf("%s is first seen in %d, %v; want %d to %d", word, year, ok, span[0], span[1])
		}
	}
	if year, ok := Attested("smartphone"); ok {
		t.Errorf("smartphone is first seen in %d", year)
	}
}

func TestNames(t *testing.T) {
	for word, want := range map[string]bool{"london": true, "elizabeth": true, "carriage": false, "the": false} {
		if e, found := Find(word); !found || e.Name != want {
			t.Errorf("%s: %+v, %v; want a name: %v", word, e, found, want)
		}
	}
}

func TestTheListIsSortedAndUseful(t *testing.T) {
	list := entries()
	for i := 1; i < len(list); i++ {
		if list[i-1].Word >= list[i].Word {
			t.Fatalf("%q comes before %q", list[i-1].Word, list[i].Word)
		}
	}
	if len(list) < 50000 || len(packed) > 400_000 {
		t.Errorf("%d words in %d bytes", len(list), len(packed))
	}
}

func TestPackedEntriesComeBack(t *testing.T) {
	want := []Entry{{"a", 512, 1790, false}, {"ab", 4, 0, false}, {"abé", 8, 1928, true}, {"b", 2, 1850, false}}
	data, err := Pack(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := unpack(data); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if _, err := Pack([]Entry{{Word: "b"}, {Word: "a"}}); err == nil {
		t.Error("an unsorted list was packed")
	}
}

func TestWords(t *testing.T) {
	var got []string
	for word, at := range Words("’Tis the dogs' o’clock; re-set café—it's 5th.") {
		got = append(got, fmt.Sprint(at, ":", word))
	}
	want := "3:Tis 7:the 11:dogs 17:o’clock 28:re 31:set 35:café 43:it's 49:th"
	if strings.Join(got, " ") != want {
		t.Errorf("the words are %s, want %s", strings.Join(got, " "), want)
	}
}

func FuzzUnpack(f *testing.F) {
	data, _ := Pack([]Entry{{"a", 512, 1790, false}, {"ab", 4, 0, true}})
	f.Add(data)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := unpack(data)
		if err == nil {
			for i := 1; i < len(list); i++ {
				_ = list[i].Word
			}
		}
	})
}

// Nearly all words of books that were not used for the list are known.
func TestCoverageOfOtherBooks(t *testing.T) {
	books, _ := filepath.Glob("../../../shared/data/books/*.txt")
	if len(books) == 0 {
		t.Skip("the books of ../shared/data/books are not here")
	}
	words, known, attested := 0, 0, 0
	for _, name := range books {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for word := range Words(string(data)) {
			words++
			if Known(word) {
				known++
			}
			if _, ok := Attested(word); ok {
				attested++
			}
		}
	}
	t.Logf("%d words in %d books: %.2f %% known, %.2f %% with a year", words, len(books), 100*float64(known)/float64(words), 100*float64(attested)/float64(words))
	if known*100 < words*97 {
		t.Errorf("only %d of %d words are known", known, words)
	}
}
