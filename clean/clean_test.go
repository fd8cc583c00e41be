package clean

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

var update = flag.Bool("update", false, "write the cleaner's results for the examples into testdata, for a person to check")

// TestExamples cleans the texts in testdata. In `after`, headings are in
// [brackets]; `repairs` lists everything but line wraps, as kind: "source" ->
// "text".
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			intro, before, after, repairs := example(t, string(data))
			r := checkReading(t, strings.ReplaceAll(before, "␌", "\f"))
			gotAfter, gotRepairs := showHeadings(r), showRepairs(r)
			if *update {
				text := intro + "-- before --\n" + before + "-- after --\n" + gotAfter + "-- repairs --\n" + gotRepairs
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if gotAfter != after {
				t.Errorf("the copy is\n%s\nwant\n%s", gotAfter, after)
			}
			if gotRepairs != repairs {
				t.Errorf("the repairs are\n%s\nwant\n%s", gotRepairs, repairs)
			}
		})
	}
}

// example splits a file of testdata into its parts.
func example(t *testing.T, text string) (intro, before, after, repairs string) {
	t.Helper()
	intro, rest, ok1 := strings.Cut(text, "-- before --\n")
	before, rest, ok2 := strings.Cut(rest, "-- after --\n")
	after, repairs, ok3 := strings.Cut(rest, "-- repairs --\n")
	if !ok1 || !ok2 || !ok3 {
		t.Fatal("an example has the parts -- before --, -- after -- and -- repairs --")
	}
	return intro, before, after, repairs
}

// showHeadings returns the copy with [brackets] around its headings.
func showHeadings(r *Reading) string {
	var out strings.Builder
	done := 0
	for _, h := range r.Headings {
		out.WriteString(r.Copy.Text[done:h.Start] + "[" + r.Copy.Quote(h) + "]")
		done = h.End
	}
	return out.String() + r.Copy.Text[done:]
}

func showRepairs(r *Reading) string {
	var out strings.Builder
	for p := range r.Places(0) {
		if p.Kind != LineWrap {
			fmt.Fprintf(&out, "%s: %q -> %q\n", p.Kind, p.Source, p.Text)
		}
	}
	return out.String()
}

// A selector may remove the heads and marks that the cleaner removes, but no
// line of the author's.
func TestProve(t *testing.T) {
	doc, _ := verbatim.NewDocument("weir", "<page 1>\nTHE WEIR. 1\nShe waited till the\n<page 2>\n2 THE WEIR.\nlamps were lit, and then\n<page 3>\nTHE WEIR. 3\nshe did\nnot\ngo home.\n")
	reading := Read(doc)
	start := strings.Index(reading.Copy.Text, "lit")
	const text = "lit, and then she did not go home."
	good := reading.Source(verbatim.Span{Start: start, End: start + len(text)})
	if err := reading.Prove(&good, text); err != nil {
		t.Fatal(err)
	}
	at := strings.Index(doc.Text, "not\n")
	forged := good
	forged.Repairs = append(slices.Clone(good.Repairs), verbatim.Change{Span: verbatim.Span{Start: at, End: at + 4}})
	const without = "lit, and then she did go home."
	if err := forged.Prove(doc, without); err != nil {
		t.Errorf("the selector alone fails: %v", err)
	}
	if err := reading.Prove(&forged, without); err == nil || !strings.Contains(err.Error(), `removes "not\n"`) {
		t.Errorf("a line of the book was removed: got %v", err)
	}
}

// Heading separates sentences of the text from headings and from spans that
// cross one.
func TestHeading(t *testing.T) {
	r := checkReading(t, "It ended.\r\n\r\nCHAPTER IV\r\n\r\nTHE FERRY\r\n\r\nIt began\r\nagain.\r\n")
	at := func(first, last string) verbatim.Span {
		return verbatim.Span{Start: strings.Index(r.Copy.Text, first), End: strings.Index(r.Copy.Text, last) + len(last)}
	}
	for _, c := range []struct {
		span verbatim.Span
		want bool
	}{
		{at("It ended.", "It ended."), false},
		{at("CHAPTER IV", "CHAPTER IV"), true},
		{at("FERRY", "FERRY"), true},
		{at("ended.", "CHAPTER"), true},
		{at("It ended", "again."), true},
		{at("It began", "again."), false},
	} {
		if got := r.Heading(c.span); got != c.want {
			t.Errorf("Heading(%q) is %v", r.Copy.Quote(c.span), got)
		}
	}
}

// A text that needs no repair is not even copied.
func TestNothingToRepair(t *testing.T) {
	for _, text := range []string{
		"", "x", "\x00", "One paragraph in one line.\n\nAnother one.\n",
		"i went to the shop. it was shut :(\n\n- milk\n- eggs\n",
	} {
		doc, err := verbatim.NewDocument("short", text)
		if err != nil {
			t.Fatal(err)
		}
		if r := Read(doc); r.Copy != doc || len(r.Repairs) != 0 {
			t.Errorf("%q was repaired: %v", text, r.Repairs)
		}
	}
}

// Reading a copy again changes only white space.
func TestReadTwice(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, before, _, _ := example(t, string(data))
		once := checkReading(t, strings.ReplaceAll(before, "␌", "\f"))
		twice := Read(once.Copy)
		if a, b := verbatim.FoldSpace(once.Copy.Text), verbatim.FoldSpace(twice.Copy.Text); a != b {
			t.Errorf("%s: read twice:\n%s\nread once:\n%s", file, b, a)
		}
	}
}

func TestKindNames(t *testing.T) {
	seen := map[string]bool{}
	for k := BOM; k < kinds; k++ {
		if name := k.String(); name == "" || seen[name] {
			t.Errorf("kind %d has the name %q, which is empty or not unique", k, name)
		}
		seen[k.String()] = true
	}
}

// A mistake in a list is reported with file and line.
func TestKnowledgeMistake(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"unfinished", "headings", "gutenberg", "pagemarks", "notes", "hyphens"} {
		data, err := embedded.ReadFile("knowledge/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if name == "headings" {
			data = []byte("number: chapter\nchapters: book\n")
		}
		if err := os.WriteFile(filepath.Join(folder, name+".txt"), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := loadKnowledge(os.DirFS(folder))
	if err == nil || !strings.Contains(err.Error(), "headings.txt:2") {
		t.Errorf("got %v, want an error at headings.txt:2", err)
	}
}
