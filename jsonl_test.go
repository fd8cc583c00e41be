package verbatim_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"verbatim"
)

type entry struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Mood int    `json:"mood,omitempty"`
}

// A bad line yields an error with its place; the other lines are read.
func ExampleRead() {
	const file = `{"id":"mon","text":"Slept badly."}
{"id":"tue","text":
{"id":"wed","text":"Better.","mood":"high"}
{"id":"thu","text":"A long walk."}`
	for e, err := range verbatim.Read[entry](strings.NewReader(file), "journal.jsonl") {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(e.ID, e.Text)
	}
	// Output:
	// mon Slept badly.
	// journal.jsonl:2:19: this is not valid JSON; each line must hold one whole JSON value
	// journal.jsonl:3:42: field "mood" is of type string; it must be a whole number
	// thu A long walk.
}

func ExampleWrite() {
	records := []entry{{ID: "mon", Text: "Bread & <butter>"}, {ID: "tue"}}
	if err := verbatim.Write(os.Stdout, verbatim.All(records)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"id":"mon","text":"Bread & <butter>"}
	// {"id":"tue","text":""}
}

func ids(text string) (good []string, bad []string) {
	for e, err := range verbatim.Read[entry](strings.NewReader(text), "f") {
		if err != nil {
			bad = append(bad, err.Error())
			continue
		}
		good = append(good, e.ID)
	}
	return good, bad
}

func TestReadAcceptsRealFiles(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	for name, text := range map[string]string{
		"plain":                   "{\"id\":\"a\"}\n{\"id\":\"b\"}\n",
		"byte order mark":         "\uFEFF{\"id\":\"a\"}\n{\"id\":\"b\"}\n",
		"CRLF":                    "{\"id\":\"a\"}\r\n{\"id\":\"b\"}\r\n",
		"blank lines":             "\n  \n{\"id\":\"a\"}\n\r\n\n{\"id\":\"b\"}\n\n",
		"no newline at the end":   "{\"id\":\"a\"}\n{\"id\":\"b\"}",
		"lines of many megabytes": `{"id":"a","text":"` + long + "\"}\n" + `{"id":"b","text":"` + long + `"}`,
		"unknown fields":          `{"id":"a","mood_colour":["red"]}` + "\n" + `{"id":"b"}`,
	} {
		good, bad := ids(text)
		if !slices.Equal(good, []string{"a", "b"}) || bad != nil {
			t.Errorf("%s: read %v, errors %v", name, good, bad)
		}
	}
	if good, bad := ids(""); good != nil || bad != nil {
		t.Errorf("an empty file: read %v, errors %v", good, bad)
	}
}

func TestReadContinuesAfterABadLine(t *testing.T) {
	for name, c := range map[string]struct{ line, want string }{
		"cut short":      {`{"id":"x"`, "f:2:9: this is not valid JSON"},
		"two values":     {`{"id":"x"} {"id":"y"}`, "f:2:12: this is not valid JSON"},
		"not UTF-8":      {"{\"id\":\"caf\xe9\"}", "f:2:11: byte 0xE9 is not valid UTF-8"},
		"a list":         {`["x"]`, "f:2:1: the record is of type array; it must be an object"},
		"number as text": {`{"id":17.25}`, `f:2:11: field "id" is of type number; it must be a string`},
	} {
		good, bad := ids("{\"id\":\"a\"}\n" + c.line + "\n{\"id\":\"b\"}\n")
		if !slices.Equal(good, []string{"a", "b"}) || len(bad) != 1 || !strings.HasPrefix(bad[0], c.want) {
			t.Errorf("%s: read %v, errors %q, want %q", name, good, bad, c.want)
		}
	}
}

// Journals are private: an error names the place and the field, never the value.
func TestLineErrorDoesNotQuoteTheRecord(t *testing.T) {
	_, bad := ids("{\"id\":\"a\",\"mood\":98765.25}\n{\"id\":\"b\",\"text\":\"melancholy\nq")
	for _, err := range bad {
		if strings.Contains(err, "98765") || strings.Contains(err, "melancholy") {
			t.Errorf("the error quotes the journal: %s", err)
		}
	}
	if len(bad) != 3 {
		t.Errorf("%d errors for three bad lines: %q", len(bad), bad)
	}
}

func TestReadEndsWithAReadError(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("{\"id\":\"a\"}\n"), iotest.ErrReader(errors.New("the disk is gone")))
	var good int
	var last error
	for _, err := range verbatim.Read[entry](broken, "f") {
		if err == nil {
			good++
		}
		last = err
	}
	var line *verbatim.LineError
	if good != 1 || last == nil || errors.As(last, &line) || !strings.Contains(last.Error(), "the disk is gone") {
		t.Errorf("read %d good lines, last error %v", good, last)
	}
}

func TestWriteStopsAtTheFirstError(t *testing.T) {
	var out bytes.Buffer
	err := verbatim.Write(&out, func(yield func(entry, error) bool) {
		_ = yield(entry{ID: "a"}, nil) && yield(entry{}, errors.New("no more")) && yield(entry{ID: "b"}, nil)
	})
	if err == nil || err.Error() != "no more" || strings.Contains(out.String(), `"b"`) {
		t.Errorf("got %v and wrote %q", err, out.String())
	}
}

// Read never panics, and it reads good lines after any bad ones.
func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"id\":\"a\"}\n\n{\"id\":"))
	f.Add([]byte("\xef\xbb\xbf{}\r\nnull\n[]\n\"\\u0000\"\n\xff"))
	f.Fuzz(func(t *testing.T, junk []byte) {
		file := append(append([]byte{}, junk...), "\n{\"id\":\"the good line\"}\nnot json\n{\"id\":\"another\"}"...)
		var good []string
		for e, err := range verbatim.Read[entry](bytes.NewReader(file), "f") {
			if err == nil {
				good = append(good, e.ID)
			}
		}
		n := len(good)
		if n < 2 || good[n-2] != "the good line" || good[n-1] != "another" {
			t.Fatalf("after %q, only %q were read", junk, good)
		}
		for raw, err := range verbatim.Read[json.RawMessage](bytes.NewReader(file), "f") {
			if err == nil && !json.Valid(raw) {
				t.Fatalf("Read yields %q, which is not JSON", raw)
			}
		}
	})
}
