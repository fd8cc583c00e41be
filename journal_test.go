package verbatim_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"verbatim"
)

func ExampleItem_Locate() {
	text := "Fever at noon. By night the fever was gone."
	item := verbatim.Item{Domain: "symptom", EvidenceSpan: "fever"}
	fmt.Println(item.Locate(text))
	item.EvidenceSpan = "chill"
	_, found := item.Locate(text)
	fmt.Println(found)
	// Output:
	// {28 33} true
	// false
}

// Of two occurrences, Locate finds the one at the item's place, in bytes or code
// points. It ignores a place that does not contain the words.
func TestLocateUsesTheItemsPlace(t *testing.T) {
	text := "Été: tired. Été passed, still tired."
	for name, c := range map[string]struct {
		place *verbatim.Place
		want  int
	}{
		"no place":                        {nil, 7},
		"bytes":                           {&verbatim.Place{ByteStart: 34, ByteEnd: 39}, 34},
		"code points":                     {&verbatim.Place{Start: 30, End: 35}, 34},
		"a place with other words":        {&verbatim.Place{ByteStart: 1, ByteEnd: 6}, 7},
		"a place outside the text":        {&verbatim.Place{ByteStart: 99, ByteEnd: 104, Start: 99, End: 104}, 7},
		"a place before the text":         {&verbatim.Place{ByteStart: -5, ByteEnd: 0, Start: -5}, 7},
		"an end that does not fit":        {&verbatim.Place{Start: 30, End: 31}, 7},
		"an end before the start":         {&verbatim.Place{ByteStart: 39, ByteEnd: 34}, 7},
		"the last place, to the very end": {&verbatim.Place{ByteStart: 34, ByteEnd: 39, Start: 1, End: 2}, 34},
	} {
		item := verbatim.Item{EvidenceSpan: "tired", Place: c.place}
		if got, ok := item.Locate(text); !ok || got.Start != c.want || text[got.Start:got.End] != "tired" {
			t.Errorf("%s: found at %v, want %d", name, got, c.want)
		}
	}
	if _, ok := (&verbatim.Item{}).Locate(text); ok {
		t.Error("an empty span was found")
	}
}

// Numbers, quotes and < > & come back as they were written.
func TestItemsSurviveJSON(t *testing.T) {
	for _, line := range []string{
		`{"journal_id":"A","items":[{"domain":"mind","evidence_span":"<foggy> & slow","polarity":"present","note":"n"}]}`,
		`{"journal_id":"A","items":[{"domain":"food","evidence_span":"tea","byte_start":3,"byte_end":6,"start":3,"end":6}]}`,
		`{"journal_id":"A","items":[]}`,
	} {
		var record verbatim.JournalItems
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := verbatim.Write(&out, verbatim.All([]verbatim.JournalItems{record})); err != nil {
			t.Fatal(err)
		}
		if out.String() != line+"\n" {
			t.Errorf("%s\ncame back as\n%s", line, out.String())
		}
	}
}

func TestNoItemsAreAnEmptyList(t *testing.T) {
	out, err := json.Marshal(verbatim.JournalItems{ID: "A"})
	if err != nil || string(out) != `{"journal_id":"A","items":[]}` {
		t.Errorf("%s, %v", out, err)
	}
}
