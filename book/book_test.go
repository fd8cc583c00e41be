package book

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestAuthors(t *testing.T) {
	for _, c := range []struct{ name, library, want string }{
		{"inverted", "Moss, Harriet", "Harriet Moss"},
		{"full stop of the library", "Moss, Harriet.", "Harriet Moss"},
		{"full stop of an initial", "Moss, H. A.", "H. A. Moss"},
		{"full stop of an initial after a hyphen", "Moss, H.-A.", "H.-A. Moss"},
		{"two authors", "Irwin, John R.; Nilson, Arthur R.", "John R. Irwin and Arthur R. Nilson"},
		{"a space before the semicolon", "Lowe, S. M. ; Trewin, Ada", "S. M. Lowe and Ada Trewin"},
		{"three", "Lowe, S.; Trewin, Ada; Moss, H.", "S. Lowe, Ada Trewin and H. Moss"},
		{"an organization", "Western Optical Society.", "Western Optical Society"},
		{"an organization with commas", "Coopers, Hoopers, and Benders Union of Kent.", "Coopers, Hoopers, and Benders Union of Kent"},
		{"a place", "Minnesota.", "Minnesota"},
		{"a place with its state", "Hartford (Conn.).", "Hartford (Conn.)"},
		{"a person in natural order", "J. Willis Lowe", "J. Willis Lowe"},
		{"full names in a parenthesis", "Lowe, R. A. (Reginald Augustus)", "R. A. Lowe"},
		{"a comma in a parenthesis", "Lowe, R. (Reginald, of Kent)", "R. Lowe"},
		{"dates in the name", "Lowe, Samuel, 1829-1900.", "Samuel Lowe"},
		{"a title", "Lowe, Samuel, Mrs.", "Mrs. Samuel Lowe"},
		{"a suffix", "Lowe, Samuel, Jr.", "Samuel Lowe, Jr."},
		{"a particle", "Aubray, Guy d'", "Guy d'Aubray"},
		{"a separate particle", "Balzac, Honoré de", "Honoré de Balzac"},
		{"a comma at the end", "Lowe, Samuel,", "Samuel Lowe"},
		{"mojibake", "Gautier, Th√©ophile", "Théophile Gautier"},
		{"none", "", ""}, {"none", "<blank>", ""}, {"none", "Anonymous", ""}, {"none", "Unknown.", ""}, {"none", "Various", ""},
	} {
		got, _, _ := parseAuthor(c.library)
		if got != c.want {
			t.Errorf("%s: %q is read as %q, want %q", c.name, c.library, got, c.want)
		}
		if again, _, _ := parseAuthor(got); again != got && !strings.Contains(got, ",") {
			t.Errorf("%s: read twice, %q becomes %q", c.name, got, again)
		}
	}
	if _, _, doubt := parseAuthor("Lowe, Trewin, Penhale"); doubt == "" {
		t.Error("an ambiguous name of three parts needs a doubt")
	}
}

func TestTitles(t *testing.T) {
	for _, c := range []struct{ library, short, long string }{
		{"The keeper's year,", "The keeper's year", "The keeper's year"},
		{"The keeper's year.", "The keeper's year", "The keeper's year"},
		{"The keeper's year ...", "The keeper's year", "The keeper's year"},
		{"Keeper's ... report, ...", "Keeper's ... report", "Keeper's ... report"},
		{"Lamps, wicks, etc.", "Lamps, wicks, etc.", "Lamps, wicks, etc."},
		{"The reign of Leo X.", "The reign of Leo X.", "The reign of Leo X."},
		{"Lamps and matter; an essay on light;", "Lamps and matter", "Lamps and matter: an essay on light"},
		{"Is it dark? : report of a debate.", "Is it dark?", "Is it dark?: report of a debate"},
		{"The keeper; or, the light on the rock.", "The keeper; or, the light on the rock", "The keeper; or, the light on the rock"},
		{`The "dark ; and light" of it`, `The "dark ; and light" of it`, `The "dark ; and light" of it`},
		{"Lamps [sic] and wicks", "Lamps and wicks", "Lamps [sic] and wicks"},
		{"[A letter]", "A letter", "[A letter]"},
		{"RÃ¶ntgen rays", "Röntgen rays", "Röntgen rays"},
		{"", "", ""},
	} {
		short, long := parseTitle(c.library)
		if short != c.short || long != c.long {
			t.Errorf("%q is read as %q and %q, not %q and %q", c.library, short, long, c.short, c.long)
		}
		if again, _ := parseTitle(short); again != short {
			t.Errorf("read twice, %q becomes %q", short, again)
		}
	}
}

func TestMojibake(t *testing.T) {
	for damaged, correct := range map[string]string{
		"RÃ¶ntgen":                  "Röntgen",   // Latin-1
		"rÃ©gime":                   "régime",    // Latin-1
		"Th√©ophile":                "Théophile", // Mac Roman
		"SƒÅdhanƒÅ":                 "Sādhanā",   // Mac Roman, without a root sign
		"TheÃÄses":                  "Thèses",    // Mac Roman, decomposed accents
		"Cyclopâ\u0088\u009aÂ¶dia":  "Cyclopædia",
		"Brulâ\u0088\u009aÂ© River": "Brulé River",
		"Übermensch":                "Übermensch",
		"Ñandú":                     "Ñandú",
		"a narrative Ñ or nearly":   "a narrative Ñ or nearly", // could be a letter
		"Café crème":                "Café crème",
		"plain":                     "plain",
		"“Curly” — and a dash":      "“Curly” — and a dash",
		"Th√©ophile wrote the sound word café": "Th√©ophile wrote the sound word café", // mixed: unchanged
	} {
		if got := repair(damaged); got != correct {
			t.Errorf("%q is repaired to %q, want %q", damaged, got, correct)
		}
	}
}

func TestYears(t *testing.T) {
	for raw, want := range map[string]int{"1918.0": 1918, "1918": 1918, " 1918 ": 1918, "900.0": 900} {
		if got, _ := parseYear(raw); got == nil || *got != want {
			t.Errorf("%q is read as %v, want %d", raw, got, want)
		}
	}
	if _, doubt := parseYear("900.0"); doubt == "" {
		t.Error("the year 900 needs a doubt")
	}
	for raw, doubtful := range map[string]bool{"": false, "unknown": false, "1918.5": true, "19uu": true, "9999": true, "||||": true, "197u": true, "c1918": true} {
		got, doubt := parseYear(raw)
		if got != nil || (doubt != "") != doubtful {
			t.Errorf("%q is read as %v with the doubt %q", raw, got, doubt)
		}
	}
}

func TestLives(t *testing.T) {
	for _, c := range []struct {
		raw     string
		authors int
		birth   int // 0 for none
		doubt   bool
	}{
		{"1829-1900", 1, 1829, false}, {"", 1, 0, false}, {"unknown", 1, 0, false}, {"?", 1, 0, false},
		{"1855-", 1, 1855, false}, {"1855- ", 1, 1855, false}, {"-1864", 1, 0, true},
		{"1842-1921; 1833-1891", 2, 0, true}, {"1881 - , 1886 -", 1, 0, true}, {"1813-1897; 1857-1931", 1, 0, true},
		{"1853-1916", 2, 0, true}, {"1900-1829", 1, 0, true}, {"about 1850", 1, 0, true},
	} {
		birth, _, doubt := parseLife(c.raw, c.authors)
		got := 0
		if birth != nil {
			got = *birth
		}
		if got != c.birth || (doubt != "") != c.doubt {
			t.Errorf("%q for %d: birth %d, doubt %q", c.raw, c.authors, got, doubt)
		}
	}
}

func TestNationalities(t *testing.T) {
	for _, c := range []struct {
		raw, want string
		doubt     bool
	}{
		{"US", "American", false}, {"UK", "British", false}, {"CA", "Canadian", false}, {"Scottish", "Scottish", false}, {"NZ", "New Zealand", false},
		{"UK (England)", "British", true}, {"UK (Irish writer, pub London)", "British", true}, {"South Africa", "South African", false},
		{"multiple", "", false}, {"unknown", "", false}, {"", "", false}, {"QX", "", true}, {"Maltese", "Maltese", false}, {"somewhere far", "", true},
	} {
		got, doubt := parseNationality(c.raw)
		if got != c.want || (doubt != "") != c.doubt {
			t.Errorf("%q is read as %q with the doubt %q", c.raw, got, doubt)
		}
		if again, _ := parseNationality(got); again != got {
			t.Errorf("read twice, %q becomes %q", got, again)
		}
	}
}

const list = "\uFEFF" + `title_src,barcode_src,author_src,firstpub,authnationality,number in genre` + "\r\n" +
	`"The keeper's year,",hvd.LK1,"Tillott, Ambrose.",1881.0,UK,fiction 3` + "\r\n" +
	`{'a': array([1]),      dtype=object)},TRUE,x,,,` + "\r\n" +
	`"A ""quoted"" row",hvd.lk2,,1890.0,US,` + "\r\n" +
	`too,short` + "\r\n" +
	`Lamps,uc2.ark:/13960/t7,"Moss, H.",,,` + "\r\n" +
	`,LK2,"Lowe, Samuel",1890,,` + "\r\n"

func TestCatalogue(t *testing.T) {
	c := &Catalogue{}
	if err := c.Add(strings.NewReader(list), "list.csv"); err != nil {
		t.Fatal(err)
	}
	if len(c.Problems) != 2 || !strings.Contains(c.Problems[0].Error(), "list.csv:3") || !strings.Contains(c.Problems[1].Error(), "list.csv:5") {
		t.Errorf("the broken rows are reported as %v", c.Problems)
	}
	for _, barcode := range []string{"LK1", "hvd.lk1", "hvd.LK1"} {
		if row := c.Find(barcode); row == nil || row.Metadata.Author != "Ambrose Tillott" {
			t.Errorf("%s is not found", barcode)
		}
	}
	if row := c.Find("uc2.ark+13960+t7"); row == nil || row.Metadata.Title != "Lamps" {
		t.Error("an ark is not found by its file name")
	}
	// The second row of a book only fills gaps in the first.
	if row := c.Find("lk2"); row.Metadata.Get("source_date") != "1890" || row.Metadata.Author != "Samuel Lowe" {
		t.Errorf("two rows make %v by %s", row.Metadata.Get("source_date"), row.Metadata.Author)
	}
	if c.Find("nobody") != nil {
		t.Error("an unknown book is found")
	}
	if row := c.Find("LK1"); row.Raw["author_src"] != "Tillott, Ambrose." || len(row.Notes) == 0 {
		t.Error("the raw value is lost")
	}
	if err := c.Add(strings.NewReader("a,b\n1,2\n"), "other.csv"); err == nil || !strings.Contains(err.Error(), "barcode_src") {
		t.Errorf("a list without the columns gives %v", err)
	}
}

// A barcode is any file name, but not part of a broken field of the row before.
func TestBarcodesAreFileNames(t *testing.T) {
	for _, c := range []struct {
		barcode string
		name    bool
	}{
		{"lamp keeper", true}, {"O'Hara's rock", true}, {"lamp (1)", true}, {"LK1", true},
		{"", false}, {"{'a': 1}", false}, {" 'volume': 2", false}, {"array([1", false}, {" dtype=object)", false},
	} {
		list := "title_src,barcode_src\nThe Lamp,\"" + c.barcode + "\"\n"
		var catalogue Catalogue
		if err := catalogue.Add(strings.NewReader(list), "list.csv"); err != nil {
			t.Fatal(err)
		}
		if row := catalogue.Find(c.barcode); (row != nil) != c.name || (len(catalogue.Problems) == 0) != c.name {
			t.Errorf("%q is found: %v; problems: %v", c.barcode, row != nil, catalogue.Problems)
		}
	}
}

func TestMetadataFiles(t *testing.T) {
	m, err := Parse([]byte(`{"source_title":"The Keeper","genre":"tale","note":[1, 2],"source_date":1881.0,"source_author":"Anonymous"}`), "k.json")
	if err != nil {
		t.Fatal(err)
	}
	if m.Genre != "tale" || m.Get("source_date") != "1881" || m.Author != "" {
		t.Errorf("read as %s", m.File())
	}
	var missing []string
	for _, f := range m.Missing() {
		missing = append(missing, f.Name)
	}
	if got := strings.Join(missing, " "); got != "source_htid author_nationality author_birth author_profession" {
		t.Errorf("missing: %s", got)
	}
	again, err := Parse(m.File(), "k.json")
	if err != nil || string(again.File()) != string(m.File()) || !strings.Contains(string(m.File()), `"note": [`) {
		t.Errorf("File and Parse give %s, %v", again.File(), err)
	}
	var names struct{}
	dec := json.NewDecoder(strings.NewReader(exampleFile))
	if err := dec.Decode(&names); err != nil {
		t.Errorf("exampleFile is not JSON: %v", err)
	}
	for bad, want := range map[string]string{
		`{"source_date":"1881?"}`:                       `source_date is "1881?"; it must be a whole number`,
		`{"author_birth":18.5}`:                         "author_birth is the number 18.5",
		`{"source_title":["The Keeper"]}`:               "source_title is a list; it must be a string",
		`{"source_author":{"first":"A"}}`:               "source_author is an object",
		`[1]`:                                           "not a JSON object",
		`{"source_title":"The Keeper" "source_date":1}`: "not valid JSON",
		`{"source_title":"The Keeper"`:                  "closing brace",
		``:                                              "not a JSON object",
	} {
		if _, err := Parse([]byte(bad), "k.json"); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "k.json: ") {
			t.Errorf("%s: error %v does not contain %q", bad, err, want)
		}
	}
}

// Real catalogue rows and the expected values.
func TestCatalogueSample(t *testing.T) {
	file, err := os.Open("../../shared/data/metadata_sample.csv")
	if err != nil {
		t.Skip("no catalogue sample in ../shared/data: ", err)
	}
	defer file.Close()
	c := &Catalogue{}
	if err := c.Add(file, "metadata_sample.csv"); err != nil || len(c.Problems) > 0 {
		t.Fatal(err, c.Problems)
	}
	expected, err := os.ReadFile("testdata/sample.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(expected)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		want := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		row := c.Find(want[0])
		if row == nil {
			t.Errorf("%s is not found", want[0])
			continue
		}
		rows++
		m := row.Metadata
		got := []string{want[0], m.Title, m.Author, m.Get("source_date"), m.Nationality, m.Get("author_birth"), doubts(row)}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("read as %s\n     want %s", strings.Join(got, "|"), strings.Join(want, "|"))
		}
	}
	if rows != 30 {
		t.Errorf("%d rows were compared, want 30", rows)
	}
}

// doubts returns the fields that a person must decide, without their prefixes.
func doubts(row *Row) string {
	var fields []string
	for _, n := range row.Notes {
		if n.Doubt {
			fields = append(fields, strings.TrimPrefix(strings.TrimPrefix(n.Field, "source_"), "author_"))
		}
	}
	return strings.Join(fields, " ")
}

// Other programs write a year as a string. A string that is not a year is an error.
func TestYearsInQuotationMarks(t *testing.T) {
	m, err := Parse([]byte(`{"source_title": "T", "source_date": " 1901", "author_birth": ""}`), "x.json")
	if err != nil || m.Get("source_date") != "1901" || m.Get("author_birth") != "" {
		t.Fatalf("Parse = %q, %q, %v", m.Get("source_date"), m.Get("author_birth"), err)
	}
	for text, want := range map[string]string{`"c. 1901"`: `source_date is "c. 1901"; it must be a whole number`, `"1901.5"`: `source_date is "1901.5"`, `[1901]`: "source_date is a list"} {
		if _, err := Parse([]byte(`{"source_date": `+text+`}`), "x.json"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, want %s", text, err, want)
		}
	}
}
