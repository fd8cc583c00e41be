package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"verbatim"
)

// read returns what a Reader yields, as "line id=text" or "error".
func read(r *Reader, name, content string) (all []string) {
	r.file(strings.NewReader(content), name, func(line verbatim.Line, err error) bool {
		if err != nil {
			all = append(all, err.Error())
			return true
		}
		j, err := verbatim.Decode[verbatim.Journal](line)
		if err != nil {
			all = append(all, err.Error())
			return true
		}
		all = append(all, fmt.Sprintf("%d %s=%s", line.Number, j.ID, j.Text))
		return true
	})
	return all
}

func TestFormats(t *testing.T) {
	mapped := map[string]string{ID: "entry_id", Text: "entry"}
	for _, c := range []struct {
		what, name, content string
		fields              map[string]string
		want                string
	}{
		{"lines", "j.jsonl", "\ufeff{\"journal_id\":\"A\",\"text\":\"one\"}\r\n\n{\"journal_id\":\"B\",\"text\":\"two\"}", nil, "1 A=one|3 B=two"},
		{"mapped lines", "j.jsonl", `{"entry_id":12,"entry":"one","mood":3}`, mapped, "1 12=one"},
		{"a mapped field is missing", "j.jsonl", `{"entry":"one"}` + "\n" + `{"entry_id":"B","entry":"two"}`, mapped, `j.jsonl:1: the record has no field "entry_id"|2 B=two`},
		{"an array", "j.json", "[\n {\"journal_id\":\"A\",\n  \"text\":\"one\"},\n {\"journal_id\":\"B\",\"text\":\"two\"}]\n", nil, "2 A=one|4 B=two"},
		{"an array called lines", "j.jsonl", "[{\"journal_id\":\"A\",\"text\":\"one\"}]", nil, "1 A=one"},
		{"one bad element", "j.json", "[{\"journal_id\":\"A\",\"text\":7},\n{\"journal_id\":\"B\",\"text\":\"two\"}]", nil, `j.json:1:26: field "text" is of type number; it must be a string|2 B=two`},
		{"an array cut off", "j.json", "[{\"journal_id\":\"A\",\"text\":\"one\"},\n{\"journal", nil, "1 A=one|j.json:2: the array is not valid JSON from here on; what comes before is used"},
		{"an array without its end", "j.json", "[{\"journal_id\":\"A\",\"text\":\"one\"}", nil, "1 A=one|j.json:1: the array does not end; was the file cut off?"},
		{"commas", "j.csv", "journal_id,created,text\nA,2024,\"one, two\nthree\"\nB,2025,four\n", nil, "2 A=one, two\nthree|4 B=four"},
		{"semicolons and a byte order mark", "j.csv", "\ufeffentry_id;entry\nA;\"one; \"\"two\"\"\"\n", mapped, `2 A=one; "two"`},
		{"tabs, by content", "standard input", "id\ttext\nA\tone, two\n", nil, "2 A=one, two"},
		{"bars", "j.csv", "Text|ID\none|A\n", nil, "2 A=one"},
		{"too many columns", "j.csv", "id,text\nA,one, two\nB,three\n", nil, "j.csv:2: the row has 3 columns; the header has 2; put a text that contains the separator in quotation marks|3 B=three"},
		{"no such column", "j.csv", "nr,words\nA,one\n", nil, `j.csv:1: there is no column "journal_id"; the columns are nr, words`},
		{"a bare quotation mark", "j.csv", "id,text\nA,a 5\" cut\nB,two\n", nil, "j.csv:2: a quotation mark stands inside an unquoted text; put the whole text in quotation marks, and write two for one inside it|3 B=two"},
		{"empty", "j.csv", "", nil, ""},
		{"a text", "3 May.txt", "Woke up.\nTired.", nil, "1 3 May=Woke up.\nTired."},
		{"prose is not a table", "standard input", "Woke up tired.", nil, "standard input:1:1: this is not valid JSON; each line must hold one whole JSON value"},
	} {
		if got := strings.Join(read(&Reader{Fields: c.fields}, c.name, c.content), "|"); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.what, got, c.want)
		}
	}
}

// The other columns stay, for slices of a report.
func TestOtherColumnsStay(t *testing.T) {
	r := Reader{}
	r.file(strings.NewReader("id,lang,text\nA,en,one\n"), "j.csv", func(line verbatim.Line, err error) bool {
		if err != nil || string(line.Text) != `{"journal_id":"A","lang":"en","text":"one"}` {
			t.Errorf("%s, %v", line.Text, err)
		}
		return true
	})
}

func TestEncodings(t *testing.T) {
	const text = "id,text\nA,Café “au lait”\n"
	var wide []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	latin := strings.NewReplacer("é", "\xe9", "“", "\x93", "”", "\x94").Replace(text)
	for _, c := range []struct{ encoding, content, want string }{
		{"utf-16", string(wide), "2 A=Café “au lait”"},
		{"utf-16", string(wide[2:]), "2 A=Café “au lait”"},
		{"latin-1", latin, "2 A=Café “au lait”"},
		{"", string(wide), "j.csv is not UTF-8; it looks like UTF-16"},
		{"", string(wide[2:]), "j.csv is not UTF-8; it looks like UTF-16"},
		{"", latin, "j.csv is not UTF-8; it looks like Latin-1 (or Windows-1252)"},
		{"utf-16", "abc", "j.csv is not UTF-16: it has an odd number of bytes"},
		{"ebcdic", text, `the encoding "ebcdic" is unknown; the encodings are utf-8, utf-16, latin-1`},
	} {
		if got := strings.Join(read(&Reader{Encoding: c.encoding}, "j.csv", c.content), "|"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.encoding, got, c.want)
		}
	}
}

func TestFolderAndSeveralFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("diary/b.txt", "two")
	write("diary/a.TXT", "one")
	write("diary/notes.md", "no")
	list := write("more.csv", "id,text\nc,three\n")
	var got []string
	r := Reader{}
	for line, err := range r.Journals([]string{filepath.Join(dir, "diary"), list, "-"}, strings.NewReader(`{"journal_id":"d","text":"four"}`)) {
		j := verbatim.Journal{}
		if err := errors.Join(err, json.Unmarshal(line.Text, &j)); err != nil {
			t.Fatal(err)
		}
		got = append(got, j.ID+"="+j.Text+" in "+filepath.Base(line.File))
	}
	if want := "a=one in a.TXT|b=two in b.txt|c=three in more.csv|d=four in standard input"; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, bad := range []string{filepath.Join(dir, "none"), t.TempDir()} {
		for _, err := range r.Journals([]string{bad}, nil) {
			if err == nil {
				t.Errorf("%s is read", bad)
			}
		}
	}
}

func TestParseFields(t *testing.T) {
	if f, err := ParseFields("id=entry_id, text=my entry"); err != nil || f[ID] != "entry_id" || f[Text] != "my entry" {
		t.Errorf("%v, %v", f, err)
	}
	for _, bad := range []string{"id", "id=", "name=x", "id=a,id=b"} {
		if f, err := ParseFields(bad); err == nil {
			t.Errorf("%q: %v", bad, f)
		}
	}
}

// Whatever a file holds, each pair is a journal in valid JSON or an error with a
// place, and reading ends.
func FuzzFile(f *testing.F) {
	f.Add("j.csv", "id,text\nA,\"one\"\n", "")
	f.Add("j.json", "[{\"journal_id\":\"A\"},7]", "")
	f.Add("-", "\xff\xfe{\x00}\x00", "utf-16")
	f.Add("a.txt", "caf\xe9", "latin-1")
	f.Fuzz(func(t *testing.T, name, content, encoding string) {
		for _, fields := range []map[string]string{nil, {ID: "a", Text: "b"}} {
			r := Reader{Fields: fields, Encoding: encoding}
			last := false
			r.file(strings.NewReader(content), name, func(line verbatim.Line, err error) bool {
				if last {
					t.Fatal("an error that is not a record's is not the last pair")
				}
				bad := (*verbatim.LineError)(nil)
				switch {
				case errors.As(err, &bad):
					if bad.Line < 1 {
						t.Fatalf("%v has no line", err)
					}
				case err != nil:
					last = true
				case line.Number < 1 || strings.ContainsRune(string(line.Text), '\n'):
					t.Fatalf("%d %q", line.Number, line.Text)
				}
				return true
			})
		}
	})
}
