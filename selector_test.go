package verbatim_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"verbatim"
)

const scan = "He held the lan-\ntern high ; nobody spoke."

// A span carries its place and can be proved again. This word is broken at the
// end of a line: its selector is mapped and carries the repair.
func ExampleSelector() {
	doc, _ := verbatim.NewDocument("tale", scan)
	sel := doc.Select(verbatim.Span{Start: 12, End: 21},
		[]verbatim.Change{{Span: verbatim.Span{Start: 15, End: 17}}}, "lantern")
	line, _ := json.Marshal(sel)
	fmt.Println(string(line))
	fmt.Println(sel.Prove(doc, "lantern"))
	fmt.Println(sel.Prove(doc, "lanterns"))
	// Output:
	// {"byte_start":12,"byte_end":21,"start":12,"end":21,"exact":"lan-\ntern","prefix":"He held the ","suffix":" high ; nobody spoke.","status":"mapped","repairs":[[15,17,""]]}
	// <nil>
	// the repaired source says "lantern", not "lanterns"
}

func TestSelectDistinguishesExactAndMapped(t *testing.T) {
	doc, _ := verbatim.NewDocument("tale", scan)
	for _, c := range []struct {
		name, text string
		span       verbatim.Span
		changes    []verbatim.Change
		want       verbatim.Status
	}{
		{"unchanged", "He held", verbatim.Span{Start: 0, End: 7}, nil, verbatim.Exact},
		{"a line break became a space", "lan- tern", verbatim.Span{Start: 12, End: 21}, nil, verbatim.Mapped},
		{"a space before punctuation is removed", "high;", verbatim.Span{Start: 22, End: 28},
			[]verbatim.Change{{Span: verbatim.Span{Start: 26, End: 27}}}, verbatim.Mapped},
	} {
		sel := doc.Select(c.span, c.changes, c.text)
		if sel.Status != c.want {
			t.Errorf("%s: status %s, want %s", c.name, sel.Status, c.want)
		}
		if err := sel.Prove(doc, c.text); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestProveRejectsFalseSelectors(t *testing.T) {
	doc, _ := verbatim.NewDocument("tale", "Été: "+scan)
	good := doc.Select(verbatim.Span{Start: 18, End: 28}, []verbatim.Change{{Span: verbatim.Span{Start: 22, End: 24}}}, "lantern")
	if err := good.Prove(doc, "lantern"); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*verbatim.Selector){
		"outside the source":      func(s *verbatim.Selector) { s.ByteEnd = 1 << 20 },
		"negative":                func(s *verbatim.Selector) { s.ByteStart = -1 },
		"end before start":        func(s *verbatim.Selector) { s.ByteEnd = s.ByteStart - 1 },
		"another place":           func(s *verbatim.Selector) { s.ByteStart++; s.ByteEnd++ },
		"wrong quote":             func(s *verbatim.Selector) { s.Exact = "lamp" },
		"wrong prefix":            func(s *verbatim.Selector) { s.Prefix = "She held the " },
		"wrong suffix":            func(s *verbatim.Selector) { s.Suffix = " low" },
		"wrong code points":       func(s *verbatim.Selector) { s.Start = s.ByteStart },
		"says exact but is not":   func(s *verbatim.Selector) { s.Status = verbatim.Exact },
		"unknown status":          func(s *verbatim.Selector) { s.Status = "sure" },
		"repair outside":          func(s *verbatim.Selector) { s.Repairs[0].End = 99 },
		"repair missing":          func(s *verbatim.Selector) { s.Repairs = nil },
		"repair invents a word":   func(s *verbatim.Selector) { s.Repairs[0].Text = "-house-" },
		"repairs in wrong order":  func(s *verbatim.Selector) { s.Repairs = append(s.Repairs, s.Repairs[0]) },
		"repair at the least int": func(s *verbatim.Selector) { s.Repairs[0].Start = math.MinInt },
		"repair ends too early":   func(s *verbatim.Selector) { s.Repairs[0].Start, s.Repairs[0].End = 24, 22 },
	} {
		bad := good
		bad.Repairs = append([]verbatim.Change(nil), good.Repairs...)
		change(&bad)
		if bad.Prove(doc, "lantern") == nil {
			t.Errorf("%s: a false selector was proved: %+v", name, bad)
		}
	}
	absent := verbatim.Selector{Status: verbatim.Absent}
	if err := absent.Prove(doc, "anything"); !errors.Is(err, verbatim.ErrAbsent) {
		t.Errorf("absent gave %v", err)
	}
}

// A repair adds nothing that the source does not contain.
func TestRepairsAddNoText(t *testing.T) {
	for _, c := range []struct {
		was, text string
		may       bool
	}{
		{"-\n", "", true},
		{"\r\n\r\n", "\n\n", true},
		{"\u00a0", " ", true},
		{"&quot;", "\"", true},
		{"&amp;quot;", "\"", true},
		{"&amp;", "&", true},
		{"&amp;amp;", "&", true},
		{"&nbsp;", " ", true},
		{"&#8217;", "’", true},
		{"&eacute;", "é", true},
		{"&lt;", ">", false},
		{"&notit;", "¬it;", false},
		{"&quot;", "said", false},
		{"not ", "so ", false},
		{"ſ", "s", false},
		{"", " ", false},
		{"x", " ", false},
		{"dark", "Dark", false},
	} {
		doc, _ := verbatim.NewDocument("x", "<"+c.was+">")
		text := "<" + c.text + ">"
		sel := doc.Select(verbatim.Span{Start: 0, End: len(doc.Text)}, []verbatim.Change{{Span: verbatim.Span{Start: 1, End: 1 + len(c.was)}, Text: c.text}}, text)
		if err := sel.Prove(doc, text); (err == nil) != c.may {
			t.Errorf("%q in the place of %q: %v", c.text, c.was, err)
		}
	}
	// Half of Ã and half of ¼ are ü, which is not in the source.
	doc, _ := verbatim.NewDocument("x", "Ã¼")
	sel := doc.Select(verbatim.Span{Start: 0, End: 4}, []verbatim.Change{{Span: verbatim.Span{Start: 1, End: 3}}}, "ü")
	if err := sel.Prove(doc, "ü"); err == nil || !strings.Contains(err.Error(), "cuts a letter in two") {
		t.Errorf("a letter made of two halves: %v", err)
	}
}

// Repairs remove what is in {braces}; Cuts returns what the author may have written.
func TestCuts(t *testing.T) {
	for text, want := range map[string]bool{
		"lan{-\n}tern":                     false,
		"lan{\u00ad}tern":                  false,
		"lan{¬\r\n}tern":                   false,
		"morn{\n}ing":                      false,
		"dark{ }; and":                     false,
		"“{ }Who":                          false,
		"not{ }able":                       true,
		"well{-}known":                     true,
		"He did {not }go.":                 true,
		"He had {3 }sons.":                 true,
		"Who{?}":                           true,
		"lan{-\n}{THE WEIR. 7\n}tern":      true,
		"He waited\n{THE WEIR. 7\n}there.": true,
		"not{ }{*}able":                    true,
		"the end{*}":                       true,
	} {
		var changes []verbatim.Change
		var source strings.Builder
		open := 0
		for _, r := range text {
			switch r {
			case '{':
				open = source.Len()
			case '}':
				changes = append(changes, verbatim.Change{Span: verbatim.Span{Start: open, End: source.Len()}})
			default:
				source.WriteRune(r)
			}
		}
		doc, _ := verbatim.NewDocument("x", source.String())
		sel := doc.Select(verbatim.Span{Start: 0, End: len(doc.Text)}, changes, "")
		if got := len(sel.Cuts(doc)) > 0; got != want {
			t.Errorf("%q: cuts %v, want %v", text, sel.Cuts(doc), want)
		}
	}
}

func TestASelectorSurvivesJSON(t *testing.T) {
	doc, _ := verbatim.NewDocument("tale", scan)
	sel := doc.Select(verbatim.Span{Start: 12, End: 21}, []verbatim.Change{{Span: verbatim.Span{Start: 15, End: 17}, Text: "<&>"}}, "x")
	line, err := json.Marshal(sel)
	if err != nil {
		t.Fatal(err)
	}
	var back verbatim.Selector
	if err := json.Unmarshal(line, &back); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(back) != fmt.Sprint(sel) {
		t.Errorf("%+v came back as %+v", sel, back)
	}
	for _, bad := range []string{`[1,2]`, `{"start":1}`, `["a",2,""]`} {
		if json.Unmarshal([]byte(bad), new(verbatim.Change)) == nil {
			t.Errorf("%s was read as a repair", bad)
		}
	}
}

func TestFoldSpace(t *testing.T) {
	for in, want := range map[string]string{
		"": "", " ": "", "a": "a", " a": "a", "a ": "a", "a  b": "a b", "a\nb": "a b", "a\u00a0b": "a b", "a b c": "a b c",
	} {
		if got := verbatim.FoldSpace(in); got != want {
			t.Errorf("%q folds to %q, want %q", in, got, want)
		}
	}
}

// For any text and place, Prove accepts the selector that Select returns.
func FuzzSelect(f *testing.F) {
	f.Add(scan, 12, 21)
	f.Add("“Où?” — 喂", 0, 20)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		text = strings.ToValidUTF8(text, "?")
		doc, err := verbatim.NewDocument("x", text)
		if err != nil {
			t.Fatal(err)
		}
		if start < 0 || start > end || end > len(text) {
			return
		}
		span := verbatim.Span{Start: start, End: end}
		sel := doc.Select(span, nil, text[start:end])
		if sel.Status != verbatim.Exact {
			t.Fatalf("status %s", sel.Status)
		}
		if err := sel.Prove(doc, text[start:end]); err != nil {
			t.Fatal(err)
		}
	})
}
