package book

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// A table reads a list line by line, as spreadsheets and libraries export it: in
// UTF-8, UTF-16 or Windows-1252; with commas, semicolons, tabs or bars. It holds
// one row at a time.
type table struct {
	Listing
	rows   *csv.Reader
	text   *textReader
	before int // lines before the first one that rows sees
}

// openTable reads the first line of a file.
func openTable(r io.Reader, file string) (*table, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	head, err := in.Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if what := otherFile(head); what != "" {
		return nil, fmt.Errorf("%s is %s", file, what)
	}
	t := &table{Listing: Listing{File: file, Encoding: "UTF-8"}, text: newTextReader(in, head)}
	decoded := bufio.NewReaderSize(t.text, 1<<16)
	t.Separator = t.excelLine(decoded)
	first, _ := decoded.Peek(1 << 16) // an error comes again when it is read
	line, _, _ := bytes.Cut(first, []byte("\n"))
	if t.Separator == 0 {
		t.Separator = separatorOf(string(line))
	}
	t.rows = csv.NewReader(decoded)
	t.rows.FieldsPerRecord, t.rows.Comma, t.rows.ReuseRecord = -1, t.Separator, true
	header, err := t.rows.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s is empty; the first line must name the columns, among them %s", file, strings.Join(columns[:2], " and "))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the first line must name the columns: %w", file, err)
	}
	for _, name := range header {
		t.Columns = append(t.Columns, strings.TrimSpace(name))
	}
	t.Encoding = t.text.encoding()
	return t, t.check()
}

// next is the next row and its line. A row that cannot be read is an error with
// the line, and the table continues after it.
func (t *table) next() (record []string, line int, err error) {
	record, err = t.rows.Read()
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		return nil, parse.StartLine + t.before, errRow
	}
	if err == nil {
		line, _ = t.rows.FieldPos(0)
	}
	return record, line + t.before, err
}

var errRow = errors.New("the quotation marks in this row are not closed correctly")

// excelLine reads the line `sep=;` that some programs write for Excel.
func (t *table) excelLine(in *bufio.Reader) rune {
	start, _ := in.Peek(len("\"sep=;\"\r\n"))
	found := excelSeparator.FindSubmatch(start)
	if found == nil {
		return 0
	}
	_, _ = in.Discard(len(found[0]))
	t.before = 1
	return rune(found[1][0])
}

var excelSeparator = regexp.MustCompile(`^"?sep=([,;\t|])"?\r?\n`)

// separatorOf finds the sign between the columns of the first line: the one that
// separates a name that we know, or else the most frequent one.
func separatorOf(line string) rune {
	best, most := ',', 0
	for _, separator := range []rune{',', ';', '\t', '|'} {
		names := strings.Split(line, string(separator))
		score := len(names)
		for _, name := range names {
			if columnOf(name) != "" {
				score += 1000
			}
		}
		if score > most {
			best, most = separator, score
		}
	}
	return best
}

// otherFile names a file that is no table of text, and says what to do; it is
// empty for one that may be.
func otherFile(head []byte) string {
	export := "; open it in that program and save it as CSV UTF-8 (in Excel: File, Save As, CSV UTF-8; in LibreOffice: File, Save As, Text CSV), and give that file"
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\uFEFF")), " \t\r\n")
	lower := bytes.ToLower(start)
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")) && bytes.Contains(head, []byte("opendocument")):
		return "a LibreOffice spreadsheet, not a CSV file" + export
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "an Excel workbook (or another zipped file), not a CSV file" + export
	case bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0")):
		return "an old Excel workbook, not a CSV file" + export
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return "a PDF file; ask the library for the list as a spreadsheet or as CSV"
	case bytes.HasPrefix(head, []byte("\x1F\x8B")):
		return "a compressed file (gzip); unpack it first"
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")), bytes.HasPrefix(lower, []byte("<table")):
		return "a web page, not a CSV file; open it in a spreadsheet program and save it as CSV UTF-8"
	case bytes.HasPrefix(start, []byte("<?xml")):
		return "an XML file, not a CSV file; open it in a spreadsheet program and save it as CSV UTF-8"
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[{")):
		return "a JSON file, not a CSV file; metadata of one book belong in process_files/metadata/BARCODE.json"
	}
	return ""
}

// A textReader gives a file as UTF-8. Each line that is not UTF-8 is taken for
// Windows-1252, which includes Latin-1: old lists were often merged from
// both.
type textReader struct {
	in    *bufio.Reader
	wide  string // UTF-16, with its byte order; else empty
	order binary.ByteOrder
	macs  bool // lines end with CR alone
	rest  []byte

	line         int
	utf8         int   // lines with letters in UTF-8
	old          int   // lines in Windows-1252
	firstOld     int   // the first of them
	undefinedIn  []int // lines with bytes that Windows-1252 does not have, some of them
	undefinedAll int
}

func newTextReader(in *bufio.Reader, head []byte) *textReader {
	t := &textReader{in: in}
	even, odd := 0, 0 // zero bytes at even and odd places
	for i, b := range head {
		if b == 0 && i%2 == 0 {
			even++
		} else if b == 0 {
			odd++
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("\uFEFF")):
		_, _ = in.Discard(3)
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), odd > len(head)/4:
		t.wide, t.order = "UTF-16 (little endian)", binary.LittleEndian
	case bytes.HasPrefix(head, []byte("\xFE\xFF")), even > len(head)/4:
		t.wide, t.order = "UTF-16 (big endian)", binary.BigEndian
	}
	t.macs = t.wide == "" && bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0
	return t
}

// encoding names what was found so far.
func (t *textReader) encoding() string {
	switch {
	case t.wide != "":
		return t.wide
	case t.old == 0:
		return "UTF-8"
	case t.utf8 == 0:
		return "Windows-1252 (not UTF-8; check the accents)"
	}
	lines := fmt.Sprintf("%d lines", t.old)
	if t.old == 1 {
		lines = "1 line"
	}
	return fmt.Sprintf("UTF-8, and Windows-1252 in %s (the first is line %d; check the accents)", lines, t.firstOld)
}

func (t *textReader) Read(p []byte) (int, error) {
	for len(t.rest) == 0 {
		line, err := t.nextLine()
		if len(line) == 0 && err != nil {
			return 0, err
		}
		t.rest = line
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

func (t *textReader) nextLine() ([]byte, error) {
	if t.wide != "" {
		return t.wideLine()
	}
	end := byte('\n')
	if t.macs {
		end = '\r'
	}
	line, err := t.in.ReadBytes(end)
	t.line++
	if t.macs && bytes.HasSuffix(line, []byte("\r")) {
		line[len(line)-1] = '\n'
	}
	ascii := true
	for _, b := range line {
		ascii = ascii && b < utf8.RuneSelf
	}
	switch {
	case ascii:
	case utf8.Valid(line):
		t.utf8++
	default:
		line = t.windows1252(line)
	}
	return line, err
}

func (t *textReader) windows1252(line []byte) []byte {
	if t.old++; t.old == 1 {
		t.firstOld = t.line
	}
	var out []byte
	undefined := false
	for _, b := range line {
		r := charmap.Windows1252.DecodeByte(b)
		if r >= 0x80 && r < 0xA0 || r == utf8.RuneError { // not in this encoding
			r, undefined = utf8.RuneError, true
		}
		out = utf8.AppendRune(out, r)
	}
	if undefined {
		if t.undefinedAll++; len(t.undefinedIn) < 100 {
			t.undefinedIn = append(t.undefinedIn, t.line)
		}
	}
	return out
}

// wideLine reads a line of UTF-16, without the mark at the start of the file.
func (t *textReader) wideLine() ([]byte, error) {
	t.line++
	var units []uint16
	for {
		var pair [2]byte
		if _, err := io.ReadFull(t.in, pair[:]); err != nil { // half a letter at the end is none
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = io.EOF
			}
			return []byte(string(utf16.Decode(units))), err
		}
		unit := t.order.Uint16(pair[:])
		if unit == 0xFEFF && t.line == 1 && len(units) == 0 {
			continue
		}
		if units = append(units, unit); unit == '\n' {
			return []byte(string(utf16.Decode(units))), nil
		}
	}
}
