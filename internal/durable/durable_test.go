package durable_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/durable"
)

type entry struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Mood int    `json:"mood,omitempty"`
}

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

func TestReplaceIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "l'été à Köln.jsonl")
	if err := durable.Replace(path, write("old")); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("the model is gone")
	err := durable.Replace(path, func(w io.Writer) error {
		_ = write("half of the n")(w)
		return failed
	})
	if !errors.Is(err, failed) || read(t, path) != "old" {
		t.Errorf("after a failure (%v) the file contains %q", err, read(t, path))
	}
	if err := durable.Replace(path, write("new")); err != nil || read(t, path) != "new" {
		t.Errorf("got %v and %q", err, read(t, path))
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("temporary files remain: %v", left)
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
	if err := durable.Replace(link, write("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(target)
	if err != nil || info.Mode().Perm() != 0o600 || read(t, target) != "new" {
		t.Errorf("the file behind the link: %v, %v, %q", info.Mode(), err, read(t, target))
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link became a file")
	}
	early := filepath.Join(dir, "early.jsonl")
	if err := errors.Join(os.Symlink("later.jsonl", early), durable.Replace(early, write("made"))); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(early); info.Mode()&os.ModeSymlink == 0 || read(t, filepath.Join(dir, "later.jsonl")) != "made" {
		t.Error("a link to a missing file became a file")
	}
}

func TestReplaceWritesToAPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no named pipes in folders")
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("cannot create a named pipe: %s", out)
	}
	came := make(chan string)
	go func() { data, _ := os.ReadFile(pipe); came <- string(data) }()
	if err := durable.Replace(pipe, write("through the pipe")); err != nil {
		t.Fatal(err)
	}
	if got := <-came; got != "through the pipe" {
		t.Errorf("read %q from the pipe", got)
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode().Type() != os.ModeNamedPipe {
		t.Errorf("the pipe became %v, %v", info.Mode(), err)
	}
}

// The message has the path that the user gave.
func TestReplaceReportsWhatItCannotWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, why string }{
		"no folder":        {filepath.Join(dir, "a", "b", "x.jsonl"), "there is no folder " + filepath.Join(dir, "a", "b")},
		"a folder":         {dir, "is a directory"},
		"a file as folder": {filepath.Join(file, "x.jsonl"), "not a directory"},
	} {
		if runtime.GOOS == "windows" && name != "no folder" {
			continue // its messages differ
		}
		err := durable.Replace(c.path, write("x"))
		if err == nil || err.Error() != c.path+" cannot be written: "+c.why {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Errors of other files stay unchanged.
	_, missing := os.ReadFile(filepath.Join(dir, "input.jsonl"))
	if err := durable.Replace(file, func(io.Writer) error { return missing }); err.Error() != missing.Error() {
		t.Errorf("the input's error became %v", err)
	}
}

func TestReplacePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	for range 2 { // a new file, and one that everyone can read
		if err := durable.ReplacePrivate(path, write("private")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func openLog(t *testing.T, path string) *durable.Log {
	t.Helper()
	log, err := durable.OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

func TestLogRepairsItsEnd(t *testing.T) {
	for name, c := range map[string]struct{ before, after, torn string }{
		"no file yet":     {"", `{"id":"new","text":""}` + "\n", ""},
		"whole":           {"{}\n", "{}\n" + `{"id":"new","text":""}` + "\n", ""},
		"newline missing": {"{}\n{\"a\":1}", "{}\n{\"a\":1}\n" + `{"id":"new","text":""}` + "\n", ""},
		"torn last line":  {"{}\n{\"a\":", "{}\n" + `{"id":"new","text":""}` + "\n", "{\"a\":\n"},
		"torn only line":  {"{\"a\":", `{"id":"new","text":""}` + "\n", "{\"a\":\n"},
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
				t.Fatalf("Torn is %q", log.Torn)
			}
			if c.torn != "" && read(t, log.Torn) != c.torn {
				t.Errorf("the torn file is %.80q, want %.80q", read(t, log.Torn), c.torn)
			}
		})
	}
}

// Lines that a colleague appends while the log is open stay, complete or not.
func TestLogKeepsLinesOfOthers(t *testing.T) {
	for name, theirs := range map[string]string{
		"a line":                     `{"id":"Ben"}` + "\n",
		"a line without its newline": `{"id":"Ben"}`,
		"half a line":                `{"id":"Ben","te`,
		"a blank line":               "\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.jsonl")
			log := openLog(t, path)
			if err := log.Append(entry{ID: "first"}); err != nil {
				t.Fatal(err)
			}
			appendTo(t, path, theirs)
			for _, id := range []string{"second", "third"} {
				if err := log.Append(entry{ID: id}); err != nil {
					t.Fatal(err)
				}
			}
			want := `{"id":"first","text":""}` + "\n" + strings.TrimSuffix(theirs, "\n") + "\n" +
				`{"id":"second","text":""}` + "\n" + `{"id":"third","text":""}` + "\n"
			if got := read(t, path); got != want {
				t.Errorf("the log is\n%s, want\n%s", got, want)
			}
		})
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString(text)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// Two programs and a shell append to one file at the same time, also lines that
// are longer than a disk page.
func TestTwoProgramsAppendToOneLog(t *testing.T) {
	const each = 100
	if path := os.Getenv("VERBATIM_TEST_LOG"); path != "" { // this is one of the programs
		log := openLog(t, path)
		for i := range each {
			if err := log.Append(entry{ID: os.Getenv("VERBATIM_TEST_NAME") + fmt.Sprint(i), Text: strings.Repeat("x", i*100)}); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	path := filepath.Join(t.TempDir(), "log.jsonl")
	log := openLog(t, path)
	var all sync.WaitGroup
	for _, name := range []string{"Ada", "Ben"} {
		all.Go(func() {
			program := exec.Command(os.Args[0], "-test.run=^TestTwoProgramsAppendToOneLog$")
			program.Env = append(os.Environ(), "VERBATIM_TEST_LOG="+path, "VERBATIM_TEST_NAME="+name)
			if out, err := program.CombinedOutput(); err != nil {
				t.Errorf("%v:\n%s", err, out)
			}
		})
	}
	all.Go(func() { // and this one
		for i := range each {
			if err := log.Append(entry{ID: fmt.Sprint("Carl", i)}); err != nil {
				t.Error(err)
			}
			appendTo(t, path, fmt.Sprintf("{\"id\":\"shell%d\"}\n", i))
		}
	})
	all.Wait()
	seen := map[string]bool{}
	for e, err := range verbatim.Read[entry](strings.NewReader(read(t, path)), "log") {
		if err != nil {
			t.Fatal(err)
		}
		seen[e.ID] = true
	}
	if len(seen) != 4*each {
		t.Errorf("%d records were written, %d were read", 4*each, len(seen))
	}
}

func TestLogIsSafeForConcurrentUse(t *testing.T) {
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
		t.Errorf("80 records were written, %d were read", len(seen))
	}
}
