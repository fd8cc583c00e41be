package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/durable"
)

// Links that leave the folder are rejected, those that stay in it are not.
func TestWithinFollowsLinks(t *testing.T) {
	base := t.TempDir()
	for _, dir := range []string{"work/deep/er", "work/metadata", "elsewhere"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(base, "work", "real.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(base, "work")
	for name, target := range map[string]string{
		"work/in":             "real.txt",
		"work/in-absolute":    filepath.Join(work, "real.txt"),
		"work/in-new":         "deep/new.txt",
		"work/loop":           "loop",
		"work/out":            "../elsewhere/file",
		"work/out-absolute":   filepath.Join(base, "elsewhere", "file"),
		"work/out-folder":     "../elsewhere",
		"work/twice":          "out",
		"work/deep/er/up":     "../..",
		"work/deep/er/tricky": "up/../file", // up is the folder itself, so this is beside it
		"alias":               "work",
	} {
		if err := os.Symlink(target, filepath.Join(base, name)); err != nil {
			t.Skip("this system has no symbolic links: ", err)
		}
	}
	for name, inside := range map[string]bool{
		"new": true, "real.txt": true, "metadata/new.json": true, "in": true, "in-absolute": true, "in-new": true, "deep/er/up/real.txt": true,
		"out": false, "out-absolute": false, "out-folder/new": false, "twice": false, "deep/er/tricky": false, "loop": false, "../elsewhere/x": false,
	} {
		for _, dir := range []string{work, filepath.Join(base, "alias")} {
			err := durable.Within(dir, dir+"/"+name)
			if inside != (err == nil) {
				t.Errorf("%s: %v", name, err)
			}
			outside := (*durable.OutsideError)(nil)
			if name == "out" && (!errors.As(err, &outside) || outside.Target != filepath.Join(evaluated(t, base), "elsewhere", "file")) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func evaluated(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// The torn tail of a log is never written through a link.
func TestTornTailIsNotWrittenThroughALink(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log.jsonl")
	precious := filepath.Join(dir, "precious")
	for name, text := range map[string]string{path: "{\"id\":\"1\"}\n{\"id\":", precious: "mine\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("precious", path+".torn"); err != nil {
		t.Skip("this system has no symbolic links: ", err)
	}
	if _, err := durable.OpenLog(path); err == nil || !strings.Contains(err.Error(), "log.jsonl.torn, which is a link") {
		t.Errorf("got %v", err)
	}
	if read(t, precious) != "mine\n" || !strings.HasSuffix(read(t, path), `{"id":`) {
		t.Error("a file was changed")
	}
}

// A new log is in its folder before its first record counts.
func TestNewLogIsSyncedWithItsFolder(t *testing.T) {
	dir := t.TempDir()
	var synced []string
	defer durable.WatchFolders(func(dir string) { synced = append(synced, dir) })()
	path := filepath.Join(dir, "log.jsonl")
	for range 2 {
		log, err := durable.OpenLog(path)
		if err := errors.Join(err, log.Append(entry{ID: "1"}), log.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(synced, []string{dir}) {
		t.Errorf("synced %q, want the folder once", synced)
	}
	if err := os.WriteFile(path, []byte(`{"id":`), 0o666); err != nil {
		t.Fatal(err)
	}
	log, err := durable.OpenLog(path)
	if err := errors.Join(err, log.Close()); err != nil || len(synced) != 2 {
		t.Errorf("the file of the torn tail: %v, synced %q", err, synced)
	}
}

func TestLeftoversAreTheProgramsOwn(t *testing.T) {
	for name, of := range map[string]string{
		"lamp-made.json.0123abcd.tmp": "lamp-made.json", "a.00000000.tmp": "a",
		"notes.tmp": "", "lamp.0123ABCD.tmp": "", "lamp.0123abc.tmp": "", ".0123abcd.tmp": "", "lamp-made.json": "",
	} {
		if got, is := durable.Leftover(name); got != of || is != (of != "") {
			t.Errorf("%s: a leftover of %q (%v)", name, got, is)
		}
	}
}

// Reading a folder of somebody else's never waits for a pipe.
func TestPipesAreNamedAndNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "config.json")
	if err := mkfifo(pipe); err != nil {
		t.Skip("this system has no named pipes: ", err)
	}
	if _, err := durable.ReadFile(pipe); err == nil || !strings.Contains(durable.CannotRead(err).Error(), "config.json: it is a pipe or a device, not a file") {
		t.Errorf("got %v", err)
	}
	if _, err := fs.ReadFile(durable.DirFS(dir), "config.json"); err == nil || !strings.Contains(err.Error(), "a pipe or a device") {
		t.Errorf("got %v", err)
	}
	if err := durable.Within(dir, pipe); err == nil || !strings.Contains(err.Error(), "a pipe or a device") {
		t.Errorf("got %v", err)
	}
	if _, err := durable.ReadFile(os.DevNull); err != nil {
		t.Error(err)
	}
}
