package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Exit status: 0 done, 1 a check failed, 2 could not run.
func TestExitStatus(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	short := write("short.txt", "The lamp was lit at dusk. But nobody on the mainland saw it.")
	empty := write("empty.txt", "")
	known, broken := write("known.txt", "The lamp was lit."), write("broken.txt", "The lamp was lit.")
	write("process_files/metadata/known.json", `{"source_htid": "hvd.lamp", "source_title": "The Lamp", "source_author": "", "source_date": null, "author_nationality": "", "source_genre": "", "author_birth": null, "author_profession": ""}`)
	write("process_files/metadata/broken.json", `{"source_title": "The Lamp", "source_date": "about 1881"}`)
	none := filepath.Join(dir, "none.txt")
	for _, c := range []struct {
		args string
		want int
		says string
	}{
		{"tag " + short, 0, ""},
		{"tag " + none, 2, "none.txt: no such file\n"},
		{"tag " + none + " " + none + "2", 2, "none of the 2 books was tagged (see above)\n"},
		{"tag " + empty, 1, "it has no sentences\n"},
		{"tag " + short + " " + none, 1, "1 of 2 books could not be tagged; the others are done"},
		{"describe " + known, 0, ""},
		{"describe " + none, 2, "verbatim: " + none + ": no such file\n"},
		{"describe " + none + " " + none + "2", 2, "none of the 2 books was described (see above)\n"},
		{"describe " + broken, 2, "source_date is \"about 1881\""},
		{"describe " + short, 1, "missing: source_title"},
		{"describe " + short + " " + empty, 1, "none of the 2 books was described (see above)\n"},
		{"describe " + known + " " + none, 1, "1 of 2 books could not be described (see above); the others are done\n"},
		{"make --batch " + none, 2, "none.txt: no such file\n"},
		{"make --batch " + none + " " + none + "2", 2, "none of the 2 books was drafted (see above)\n"},
		{"make --batch " + short, 1, "no category has the 4 examples"},
		{"make --batch " + short + " " + empty, 1, "none of the 2 books was drafted (see above)\n"},
	} {
		var out, messages bytes.Buffer
		code := run(t.Context(), strings.Fields(c.args), strings.NewReader(""), &out, &messages)
		if code != c.want || !strings.Contains(messages.String(), c.says) {
			t.Errorf("%s: exit status %d, want %d:\n%s", c.args, code, c.want, messages.String())
		}
		if c.want == 2 && out.Len() > 0 {
			t.Errorf("%s prints an empty table:\n%s", c.args, out.String())
		}
	}
}
