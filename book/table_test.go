package book

import (
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// wide is a text in UTF-16.
func wide(text string, order binary.AppendByteOrder, mark bool) string {
	if mark {
		text = "\uFEFF" + text
	}
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

func latin(t *testing.T, text string) string {
	t.Helper()
	out, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// However a list was exported, the same rows come out, and it is said what was
// found.
func TestListsAsPeopleExportThem(t *testing.T) {
	comma := "barcode_src,title_src,author_src,firstpub\r\nhvd.LK1,\"Le Café, or “rest”\",\"Düval, Zoë\",1881\r\nhvd.LK2,Lamps,,\r\n"
	semicolon := "barcode_src;title_src;author_src;firstpub\nhvd.LK1;Le Café, or “rest”;Düval, Zoë;1881\nhvd.LK2;Lamps;;\n"
	tab := strings.ReplaceAll(semicolon, ";", "\t")
	for name, c := range map[string]struct{ text, encoding, separator string }{
		"commas":                 {comma, "UTF-8", "commas"},
		"a mark at the start":    {"\uFEFF" + comma, "UTF-8", "commas"},
		"semicolons":             {semicolon, "UTF-8", "semicolons"},
		"tabs":                   {tab, "UTF-8", "tabs"},
		"bars":                   {strings.ReplaceAll(semicolon, ";", "|"), "UTF-8", "vertical bars"},
		"for Excel":              {"sep=;\r\n" + semicolon, "UTF-8", "semicolons"},
		"old Excel":              {latin(t, semicolon), "Windows-1252 (not UTF-8; check the accents)", "semicolons"},
		"old Excel, commas":      {latin(t, comma), "Windows-1252 (not UTF-8; check the accents)", "commas"},
		"Unicode text of Excel":  {wide(tab, binary.LittleEndian, true), "UTF-16 (little endian)", "tabs"},
		"big endian":             {wide(comma, binary.BigEndian, true), "UTF-16 (big endian)", "commas"},
		"UTF-16 without a mark":  {wide(comma, binary.LittleEndian, false), "UTF-16 (little endian)", "commas"},
		"lines of an old Mac":    {strings.ReplaceAll(semicolon, "\n", "\r"), "UTF-8", "semicolons"},
		"other names of columns": {strings.Replace(comma, "barcode_src,title_src,author_src", "Barcode_SRC, Title Src ,AUTHOR-SRC", 1), "UTF-8", "commas"},
		"two encodings":          {latin(t, comma) + "hvd.LK3,Pâté,,\n", "UTF-8, and Windows-1252 in 1 line (the first is line 2; check the accents)", "commas"},
	} {
		var c2 Catalogue
		if err := c2.Add(strings.NewReader(c.text), "list.csv"); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		row := c2.Find("LK1")
		if row == nil || row.Metadata.Title != "Le Café, or “rest”" || row.Metadata.Author != "Zoë Düval" || row.Metadata.Get("source_date") != "1881" || len(c2.Problems) > 0 {
			t.Errorf("%s: %+v, %v", name, row, c2.Problems)
		}
		said := c2.Listings[0].String()
		for _, want := range []string{" rows in " + c.encoding + ",", c.separator + " between columns", "read: barcode_src, title_src, author_src, firstpub;", "there is no date1_src, authnationality"} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is missing in %s", name, want, said)
			}
		}
	}
}

// Files of another kind, and lists with other columns, get a message that says
// what to do.
func TestListsThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"xlsx":           {"PK\x03\x04\x14\x00[Content_Types].xml xl/workbook.xml", "an Excel workbook (or another zipped file), not a CSV file; open it in that program and save it as CSV UTF-8"},
		"ods":            {"PK\x03\x04\x14\x00mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "a LibreOffice spreadsheet, not a CSV file"},
		"xls":            {"\xD0\xCF\x11\xE0\xA1\xB1", "an old Excel workbook, not a CSV file"},
		"html":           {"  <!DOCTYPE HTML><table>", "a web page, not a CSV file"},
		"pdf":            {"%PDF-1.7", "a PDF file; ask the library"},
		"json":           {`{"source_title": "x"}`, "a JSON file, not a CSV file"},
		"empty":          {"", "is empty; the first line must name the columns"},
		"other names":    {"Barcode;Title;Author;Year\n1;2;3;4\n", `there is no column barcode_src and no column title_src. The first line names 4 columns (UTF-8, with semicolons between them): "Barcode", "Title", "Author", "Year". Rename there "Barcode" to barcode_src, "Title" to title_src, "Author" to author_src, "Year" to firstpub. A list needs barcode_src and title_src; it may also have author_src,`},
		"a typing error": {"barcode_src,tilte_src\n1,2\n", `Rename there "tilte_src" to title_src`},
		"one column":     {"just a text\n", `The first line names 1 column`},
		"a column twice": {"barcode_src,title_src,Title_Src\n1,2,3\n", "two columns are called title_src; rename one"},
	} {
		err := new(Catalogue).Add(strings.NewReader(c.text), "list.csv")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// A column that we would read under another name is mentioned.
func TestAColumnWithAnotherNameIsMentioned(t *testing.T) {
	var c Catalogue
	if err := c.Add(strings.NewReader("barcode_src,title_src,Author,shelf\na,A,B,C\n"), "list.csv"); err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(c.Listings[0].Notes, "\n"); !strings.Contains(notes, `rename in the first line "Author" to author_src`) {
		t.Errorf("got %q", notes)
	}
	if said := c.Listings[0].String(); !strings.Contains(said, "list.csv: 1 row in UTF-8") || !strings.Contains(said, "not read: 2 other columns") {
		t.Error(said)
	}
}

// Two rows of one book: both lines are named, and contradictions are not resolved
// in silence.
func TestTwoRowsOfOneBook(t *testing.T) {
	var c Catalogue
	err := c.Add(strings.NewReader("barcode_src,title_src,author_src,firstpub\nhvd.a,The Lamp,\"Moss, A.\",1881\nhvd.b,Wicks,,1890.0\nA,The Lamp,,1882\nB,Wicks.,\"Lowe, S.\",1890\n"), "list.csv")
	if err != nil {
		t.Fatal(err)
	}
	want := `list.csv:4: this row and the one in line 2 have the same barcode A, but source_date is "1882" here and "1881" there; neither is used; delete the wrong one`
	if len(c.Problems) != 1 || c.Problems[0].Error() != want {
		t.Errorf("got %v", c.Problems)
	}
	if c.Find("hvd.a") != nil || c.NotListed("hvd.a").Error() != want {
		t.Errorf("a row with a contradiction is used, or not explained: %v", c.NotListed("hvd.a"))
	}
	for row := range c.Rows() {
		if barcodeKey(row.Raw["barcode_src"]) == "a" {
			t.Error("a row with a contradiction is listed")
		}
	}
	if row := c.Find("b"); row == nil || row.Metadata.Author != "S. Lowe" {
		t.Errorf("two rows that complete each other: %+v", row)
	}
	if notes := strings.Join(c.Listings[0].Notes, "\n"); !strings.Contains(notes, "lines 3 and 5 have the same barcode B; they do not contradict each other") {
		t.Errorf("got %q", notes)
	}
	// Another list only completes the first.
	if err := c.Add(strings.NewReader("barcode_src,title_src,genre\nb,Other,essays\n"), "second.csv"); err != nil || len(c.Problems) != 1 {
		t.Fatal(err, c.Problems)
	}
	if row := c.Find("b"); row.Metadata.Title != "Wicks" || row.Metadata.Genre != "essays" {
		t.Errorf("two lists: %+v", row.Metadata)
	}
}

// A book that is in no list: the message says what was looked for, and where.
func TestABookThatIsNotListed(t *testing.T) {
	var c Catalogue
	if c.NotListed("lamp") != nil {
		t.Error("no list was given")
	}
	if err := c.Add(strings.NewReader("barcode_src,title_src\nhvd.lamb,A\nhvd.lampe,B\nhvd.cathedral,C\n"), "list.csv"); err != nil {
		t.Fatal(err)
	}
	want := "lamp is not in list.csv (3 rows); the nearest barcodes there: hvd.lamb, hvd.lampe. The barcode is the name of the text without .txt"
	if got := c.NotListed("lamp").Error(); !strings.HasPrefix(got, want) {
		t.Error(got)
	}
}

// endless is a list of many rows.
type endless struct {
	rows, at int
	rest     string
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" {
		if e.at > e.rows {
			return 0, io.EOF
		}
		e.rest = fmt.Sprintf("b%07d,%s,\"Author, Some\",1881\n", e.at, strings.Repeat("A title of a book ", 8))
		if e.at == 0 {
			e.rest = "barcode_src,title_src,author_src,firstpub\n"
		}
		e.at++
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// A long list takes memory for the books that are asked for only.
func TestALongListIsNotHeld(t *testing.T) {
	const rows = 250_000
	var c Catalogue
	c.Only([]string{"B0000007", "b0249000", "nobody"})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if err := c.Add(&endless{rows: rows}, "list.csv"); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 25<<20 {
		t.Errorf("%d rows hold %d MB", rows, held>>20)
	}
	if near := c.NotListed("b000000x").Near; near != nil {
		t.Errorf("the nearest of some barcodes is not the nearest: %v", near)
	}
	if c.Find("b0000007") == nil || c.Find("b0249000") == nil || c.Find("b0000008") != nil || c.Listings[0].Rows != rows {
		t.Errorf("wrong rows are kept, of %d", c.Listings[0].Rows)
	}
}
