package book

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf8"
)

// Any metadata file is read and written again as the same, or its error names it.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte(exampleFile))
	f.Add([]byte("\ufeff{\"genre\": \"novel\", \"source_date\": null, \"mine\": [1, {\"a\": 2}]}"))
	f.Add([]byte(`{"source_title": "a", "source_title": "b", "source_date": 1e400}`))
	f.Add([]byte("{\"source_title\": \"Caf\xe9\", \"author_birth\": -1}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data, "m.json")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "m.json: ") {
				t.Fatalf("%q: %v names no file", data, err)
			}
			return
		}
		written := m.File()
		back, err := Parse(written, "m.json")
		if err != nil {
			t.Fatalf("%q was written as %q: %v", data, written, err)
		}
		if twice := back.File(); !bytes.Equal(twice, written) {
			t.Fatalf("%q was written as\n%s and then as\n%s", data, written, twice)
		}
		if m.Frame() != back.Frame() {
			t.Fatalf("%q has the frames %q and %q", data, m.Frame(), back.Frame())
		}
	})
}

// Whatever a catalogue holds, each problem is named with its line, and each row
// is found again by its barcode and can be described.
func FuzzCatalogue(f *testing.F) {
	f.Add([]byte("barcode_src,title_src,author_src,date1_src\nhvd.a,The Title : a story / by X.,\"Smith, John, 1820-1899.\",1881\n"))
	f.Add([]byte("title_src;barcode_src\n\"x;y\"\n{},a,b\n"))
	f.Add([]byte(wide("barcode_src\ttitle_src\nx\ty\n", binary.LittleEndian, true)))
	f.Add([]byte("sep=;\nbarcode_src;title_src\nx;caf\xe9\n"))
	f.Add([]byte("barcode_src,title_src\rx,\x81\r"))
	f.Add([]byte("\xef\xbb\xbfbarcode_src,title_src\r\na,\"unclosed\nb,Caf\xe9\n a , \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &Catalogue{}
		if err := c.Add(bytes.NewReader(data), "list.csv"); err != nil && !strings.HasPrefix(err.Error(), "list.csv") {
			t.Fatalf("%q: %v names no file", data, err)
		}
		for _, problem := range c.Problems {
			if !strings.HasPrefix(problem.Error(), "list.csv:") {
				t.Fatalf("%q: %v names no line", data, problem)
			}
		}
		for row := range c.Rows() {
			if c.Find(row.Raw["barcode_src"]) != row || row.Metadata == nil || row.Line < 1 {
				t.Fatalf("%q: %+v is not found by its barcode", data, row)
			}
			for name, value := range row.Raw {
				if !utf8.ValidString(value) {
					t.Fatalf("%q: %s is not UTF-8: %q", data, name, value)
				}
			}
			written := row.Metadata.File()
			if back, err := Parse(written, "m.json"); err != nil || back.Frame() != row.Metadata.Frame() {
				t.Fatalf("%q: the metadata %s: %v", data, written, err)
			}
		}
	})
}
