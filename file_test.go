package verbatim_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"verbatim"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestReplaceIsWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "l'été à Köln.jsonl")
	if err := verbatim.Replace(path, write("old")); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("the model went away")
	err := verbatim.Replace(path, func(w io.Writer) error {
		_ = write("half of the n")(w)
		return failed
	})
	if !errors.Is(err, failed) || read(t, path) != "old" {
		t.Errorf("after a failure (%v) the file says %q", err, read(t, path))
	}
	if err := verbatim.Replace(path, write("new")); err != nil || read(t, path) != "new" {
		t.Errorf("got %v and %q", err, read(t, path))
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("temporary files were left behind: %v", left)
	}
}

func TestReplaceKeepsLinksAndPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions, and links need a privilege there")
	}
	dir := t.TempDir()
	target, link := filepath.Join(dir, "private.jsonl"), filepath.Join(dir, "link.jsonl")
	if err := errors.Join(os.WriteFile(target, []byte("old"), 0o600), os.Symlink(target, link)); err != nil {
		t.Fatal(err)
	}
	if err := verbatim.Replace(link, write("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(target)
	if err != nil || info.Mode().Perm() != 0o600 || read(t, target) != "new" {
		t.Errorf("the file behind the link: %v, %v, %q", info.Mode(), err, read(t, target))
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link became a file")
	}
}

func openLog(t *testing.T, path string) *verbatim.Log {
	t.Helper()
	log, err := verbatim.OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

func TestALogGrowsAndMendsItsEnd(t *testing.T) {
	for name, c := range map[string]struct{ before, after, torn string }{
		"no file yet":      {"", `{"id":"new","text":""}` + "\n", ""},
		"whole":            {"{}\n", "{}\n" + `{"id":"new","text":""}` + "\n", ""},
		"newline left off": {"{}\n{\"a\":1}", "{}\n{\"a\":1}\n" + `{"id":"new","text":""}` + "\n", ""},
		"torn last line":   {"{}\n{\"a\":", "{}\n" + `{"id":"new","text":""}` + "\n", "{\"a\":\n"},
		"torn only line":   {"{\"a\":", `{"id":"new","text":""}` + "\n", "{\"a\":\n"},
		"torn line of 10,000 bytes": {"{}\n{\"a\":\"" + strings.Repeat("x", 10000), "{}\n" + `{"id":"new","text":""}` + "\n",
			"{\"a\":\"" + strings.Repeat("x", 10000) + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.jsonl")
			if c.before != "" {
				if err := os.WriteFile(path, []byte(c.before), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			log := openLog(t, path)
			if err := log.Append(entry{ID: "new"}); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != c.after {
				t.Errorf("the log is %.80q, want %.80q", got, c.after)
			}
			if (log.Torn != "") != (c.torn != "") {
				t.Fatalf("torn is said to be in %q", log.Torn)
			}
			if c.torn != "" && read(t, log.Torn) != c.torn {
				t.Errorf("set aside: %.80q, want %.80q", read(t, log.Torn), c.torn)
			}
		})
	}
}

func TestManyWritersOfOneLogLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	log := openLog(t, path)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 10 {
				if err := log.Append(entry{ID: fmt.Sprint(i*10 + j)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for e, err := range verbatim.Read[entry](strings.NewReader(read(t, path)), "log") {
		if err != nil {
			t.Fatal(err)
		}
		seen[e.ID] = true
	}
	if len(seen) != 80 {
		t.Errorf("80 records were written, %d are there", len(seen))
	}
}
