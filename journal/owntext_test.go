package journal

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An ownText is a journal written for these tests, with the expected items.
// testdata/README.txt describes the files.
type ownText struct {
	ID, About, Lang, Created string
	Text                     string
	Words                    []string // names of ailments, foods and feelings within the spans
	Items                    []ownItem
	Where                    string // file:line of the block's first line
}

// An ownItem is one expected item. Text[Start:End] == Span.
type ownItem struct {
	Domain, Span, Polarity string
	Bucket                 string // arousal for an emotion, intensity for the rest
	Time                   string
	Start, End             int
}

var (
	langs      = []string{"en", "hinglish", "mixed"}
	domains    = []string{"symptom", "food", "emotion", "mind"}
	polarities = []string{"present", "absent", "uncertain"}
	degrees    = []string{"low", "medium", "high", "unknown"}
	times      = []string{"today", "last_night", "past_week", "unknown"}
)

// readOwnTexts reads every .txt file in a folder except README.txt.
func readOwnTexts(dir string) ([]ownText, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []ownText
	for _, file := range files {
		if filepath.Base(file) == "README.txt" {
			continue
		}
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		texts, err := parseOwnTexts(f, filepath.ToSlash(file))
		f.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, texts...)
	}
	return all, nil
}

// parseOwnTexts reads blocks of "name: value" lines, separated by empty lines.
func parseOwnTexts(r io.Reader, file string) ([]ownText, error) {
	var texts []ownText
	var name string
	inBlock := false
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		where := fmt.Sprintf("%s:%d", file, n)
		if strings.TrimSpace(line) == "" {
			inBlock = false
			continue
		}
		if strings.HasPrefix(line, "#") && !inBlock {
			continue
		}
		if !inBlock {
			texts = append(texts, ownText{Where: where})
			inBlock, name = true, ""
		}
		block := &texts[len(texts)-1]
		if strings.HasPrefix(line, "  ") {
			if name != "text" {
				return nil, fmt.Errorf("%s: only text: continues on indented lines; this one follows %q", where, name)
			}
			block.Text += " " + strings.TrimSpace(line)
			continue
		}
		first := name == ""
		var value string
		name, value, _ = strings.Cut(line, ":")
		if first != (name == "journal") {
			return nil, fmt.Errorf("%s: a block begins with journal: and has it once; end the previous block with an empty line", where)
		}
		if err := block.set(name, strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
	}
	return texts, lines.Err()
}

func (o *ownText) set(name, value string) error {
	switch name {
	case "journal":
		o.ID = value
	case "about":
		o.About = value
	case "lang":
		o.Lang = value
	case "created":
		o.Created = value
	case "text":
		if o.Text != "" {
			o.Text += "\n"
		}
		o.Text += value
	case "words":
		for word := range strings.SplitSeq(value, ",") {
			o.Words = append(o.Words, strings.TrimSpace(word))
		}
	case "item":
		item, err := o.item(value)
		if err != nil {
			return err
		}
		o.Items = append(o.Items, item)
	default:
		return fmt.Errorf("unknown name %q; use journal, about, lang, created, text, words or item", name)
	}
	return nil
}

// item reads "domain | span | polarity | degree | time". A span that occurs more
// than once in the text has the number of its occurrence: "tea #2".
func (o *ownText) item(value string) (ownItem, error) {
	parts := strings.Split(value, " | ")
	if len(parts) != 5 {
		return ownItem{}, fmt.Errorf("an item has five parts, domain | span | polarity | degree | time; this one has %d", len(parts))
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	span, nth := parts[1], 0
	if before, number, found := strings.Cut(span, " #"); found {
		if n, err := strconv.Atoi(number); err == nil {
			span, nth = before, n
		}
	}
	start, err := place(o.Text, span, nth)
	if err != nil {
		return ownItem{}, err
	}
	return ownItem{parts[0], span, parts[2], parts[3], parts[4], start, start + len(span)}, nil
}

// place finds the nth occurrence of span; 0 means the only one.
func place(text, span string, nth int) (int, error) {
	if span == "" {
		return 0, fmt.Errorf("the span is empty")
	}
	count := strings.Count(text, span)
	switch {
	case count == 0:
		return 0, fmt.Errorf("%q does not occur in the text", span)
	case nth == 0 && count > 1:
		return 0, fmt.Errorf("%q occurs %d times in the text; add the number of the occurrence, for example %q", span, count, span+" #2")
	case nth > count:
		return 0, fmt.Errorf("%q occurs %d times in the text, not %d", span, count, nth)
	}
	start := strings.Index(text, span)
	for range nth - 1 {
		start += len(span) + strings.Index(text[start+len(span):], span)
	}
	return start, nil
}

// faults lists how a block violates testdata/CONVENTIONS.md.
func (o *ownText) faults() []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	oneOf := func(what, value string, values []string) {
		if !slices.Contains(values, value) {
			fault("%s %q is not one of %v", what, value, values)
		}
	}
	if o.ID == "" || o.About == "" || o.Text == "" {
		fault("journal, about and text are required")
	}
	oneOf("lang", o.Lang, langs)
	if _, err := time.Parse(time.RFC3339, o.Created); err != nil {
		fault("created: %v", err)
	}
	end := 0
	for _, it := range o.Items {
		oneOf("domain", it.Domain, domains)
		oneOf("polarity", it.Polarity, polarities)
		oneOf("degree", it.Bucket, degrees)
		oneOf("time", it.Time, times)
		if it.Start < end {
			fault("%q overlaps the previous item or comes before it in the text", it.Span)
		}
		end = it.End
		if it.Bucket != "unknown" && (it.Domain == "food" || it.Polarity != "present") {
			fault("%q: a food, an absent or an uncertain item has no degree", it.Span)
		}
		if it.Polarity == "uncertain" && it.Time != "unknown" {
			fault("%q: an uncertain item has no time", it.Span)
		}
		if strings.TrimRight(it.Span, ".,;:!? ") != it.Span || strings.Contains(it.Span, "\n") {
			fault("%q ends in punctuation or contains a line break", it.Span)
		}
	}
	for _, word := range o.Words {
		whole := regexp.MustCompile(`(^|[^\pL\pM])` + regexp.QuoteMeta(word) + `($|[^\pL\pM])`)
		inSpan := func(it ownItem) bool { return word != "" && whole.MatchString(it.Span) }
		if !slices.ContainsFunc(o.Items, inSpan) {
			fault("the word %q is in no span, or only part of another word", word)
		}
	}
	return faults
}

func TestOwnTextsAreWellFormed(t *testing.T) {
	seen := map[string]string{} // ids and texts, and where they were first
	for folder, atLeast := range map[string]int{"own": 150, "apart": 50, "writer-2": 40, "writer-2-unread": 40, "writer-3": 40, "writer-3-unread": 40, "voices": 30, "voices-apart": 30} {
		texts, err := readOwnTexts(filepath.Join("testdata", folder))
		if err != nil {
			t.Fatal(err)
		}
		if len(texts) < atLeast {
			t.Errorf("%s has %d journals, want at least %d", folder, len(texts), atLeast)
		}
		tally := map[string]int{}
		for _, o := range texts {
			for _, fault := range o.faults() {
				t.Errorf("%s: %s: %s", o.Where, o.ID, fault)
			}
			for _, once := range []string{o.ID, o.Text} {
				if first, twice := seen[once]; twice {
					t.Errorf("%s: %q was already at %s", o.Where, once, first)
				}
				seen[once] = o.Where
			}
			tally["journals "+o.Lang]++
			if len(o.Items) == 0 {
				tally["journals without items"]++
			}
			for _, it := range o.Items {
				tally["items"]++
				tally[it.Domain]++
				tally[it.Polarity]++
				tally["time "+it.Time]++
				tally["degree "+it.Bucket]++
			}
		}
		for _, key := range slices.Sorted(maps.Keys(tally)) {
			t.Logf("%s: %s %d", folder, key, tally[key])
		}
	}
}

const wellFormed = `# a comment between blocks
journal: T1
about:   two lines, one of them long
lang:    en
created: 2025-01-31T08:00:00Z
text:    Tea at six,
  tea at nine.
text:    No hiccups.
item:    food | tea | present | unknown | today
item:    symptom | No hiccups | absent | unknown | today
`

func TestOwnTextReaderJoinsLinesAndFindsPlaces(t *testing.T) {
	texts, err := parseOwnTexts(strings.NewReader(wellFormed+"\n"+strings.Replace(wellFormed, "food | tea", "food | e #2", 1)), "t")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := texts[0].Text, "Tea at six, tea at nine.\nNo hiccups."; got != want {
		t.Errorf("text is %q, want %q", got, want)
	}
	if got := texts[0].Items[0].Start; got != 12 {
		t.Errorf("the only small tea begins at %d, want 12", got)
	}
	if got := texts[1].Items[0].Start; got != 13 {
		t.Errorf("the second e begins at %d, want 13", got)
	}
	if faults := texts[0].faults(); len(faults) > 0 {
		t.Errorf("a good block has faults: %q", faults)
	}
}

func TestOwnTextReaderReportsMistakes(t *testing.T) {
	for _, mistake := range []struct{ name, old, new, want string }{
		{"an unknown span", "| tea |", "| coffee |", `t:9: "coffee" does not occur in the text`},
		{"a span that occurs twice", "| tea |", "| at |", `t:9: "at" occurs 2 times in the text; add the number`},
		{"a missing part", "| unknown | today", "| today", "t:9: an item has five parts"},
		{"an unknown name", "about:", "aboot:", `t:3: unknown name "aboot"`},
		{"two journals in one block", "lang:    en", "journal: T2", "t:4: a block begins with journal:"},
		{"an indented line after another name", "lang:    en", "  en", `t:4: only text: continues`},
		{"an unknown domain", "food |", "drink |", `domain "drink" is not one of`},
		{"a degree of food", "present | unknown", "present | high", "has no degree"},
		{"an uncertain item with a time", "absent | unknown", "uncertain | unknown", "has no time"},
		{"a full stop", "No hiccups |", "No hiccups. |", "ends in punctuation"},
		{"items out of order", "food | tea", "food | hiccups", "comes before it"},
		{"a word outside the spans", "lang:    en", "lang:    en\nwords:   six", `the word "six" is in no span`},
		{"an invalid date", "01-31T", "02-31T", "created:"},
	} {
		t.Run(mistake.name, func(t *testing.T) {
			block := strings.Replace(wellFormed, mistake.old, mistake.new, 1)
			texts, err := parseOwnTexts(strings.NewReader(block), "t")
			got := fmt.Sprint(err)
			if err == nil {
				got = strings.Join(texts[0].faults(), "\n")
			}
			if !strings.Contains(got, mistake.want) {
				t.Errorf("got %q, want something with %q", got, mistake.want)
			}
		})
	}
}
