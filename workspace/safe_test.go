//go:build unix

package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/durable"
	"verbatim/review"
)

// shelved is a folder with one short book, described.
func shelved(t *testing.T) (*Workspace, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lamp.txt")
	ws, err := Open(DirOf("", path))
	if err != nil {
		t.Fatal(err)
	}
	metadata := `{"source_title": "The Lamp"}`
	if err := errors.Join(os.Mkdir(filepath.Join(ws.dir, "metadata"), 0o777), os.WriteFile(ws.MetadataPath("lamp"), []byte(metadata), 0o666),
		os.WriteFile(path, []byte("They sang, but nobody heard them sing. He left, because it was late.\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	return ws, path
}

// Decisions, the ledger and the report of a crash are not written through a link
// that leaves the folder either.
func TestLogsDoNotLeaveTheFolder(t *testing.T) {
	ws, path := shelved(t)
	outside := filepath.Join(filepath.Dir(path), "outside")
	for _, file := range []string{Decisions, Ledger, crash} {
		if err := os.Symlink("../outside", ws.Path("lamp", file)); err != nil {
			t.Fatal(err)
		}
	}
	b, err := ws.OpenBook(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	outsider := (*durable.OutsideError)(nil)
	if err := b.Append(review.Decision{ID: "1", Draft: "d"}); !errors.As(err, &outsider) {
		t.Errorf("a decision: %v", err)
	}
	if err := os.Symlink("../outside", ws.Path("lamp", unsaved)); err != nil {
		t.Fatal(err)
	}
	if err := ws.Unsaved("lamp").Keep("note", "half a sentence"); !errors.As(err, &outsider) {
		t.Errorf("what was typed: %v", err)
	}
	ws.Models = &Models{Open: func(ledger string) (verbatim.ChatModel, func(), error) {
		t.Error("the ledger was opened")
		return nil, func() {}, nil
	}}
	if err := b.connect(); !errors.As(err, &outsider) {
		t.Errorf("the ledger: %v", err)
	}
	crashed := (*CrashError)(nil)
	if err := b.during(whileSaving, func() error { panic("a test") }); !errors.As(err, &crashed) || crashed.File != "" {
		t.Errorf("a crash: %v", err)
	}
	if _, err := os.Lstat(outside); err == nil {
		t.Error("the file outside was written")
	}
}

// What a killed program left of this book's files is removed; other files stay.
func TestLeftoversOfABookAreRemoved(t *testing.T) {
	ws, path := shelved(t)
	old := time.Now().Add(-2 * time.Hour)
	keep := map[string]bool{
		"lamp-drafts.jsonl.0123abcd.tmp": false, "lamp-made.json.00000000.tmp": false, "lamp-clozequestions.jsonl.deadbeef.tmp": false,
		"metadata/lamp.json.0123abcd.tmp": false, "metadata/lamp-catalogue.json.0123abcd.tmp": false,
		"metadata/lamp.json.ffffffff.tmp": true, // new: somebody may be describing the book now
		"two-drafts.jsonl.0123abcd.tmp":   true, // another program may be writing the other book now
		"my notes.tmp":                    true, "lamp-drafts.jsonl.mine.tmp": true, "lamp-notes.txt.0123abcd.tmp": true,
	}
	for name := range keep {
		if err := os.WriteFile(filepath.Join(ws.dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(name, "ffffffff") {
			if err := os.Chtimes(filepath.Join(ws.dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	b, err := ws.OpenBook(path)
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	for name, kept := range keep {
		if _, err := os.Lstat(filepath.Join(ws.dir, name)); (err == nil) != kept {
			t.Errorf("%s: kept %v, want %v", name, err == nil, kept)
		}
	}
}

// A disk without locks: the message says which file, what it means, what to do.
func TestADiskWithoutLocks(t *testing.T) {
	real := flock
	defer func() { flock = real }()
	for _, errno := range []syscall.Errno{syscall.ENOTSUP, syscall.ENOSYS, syscall.ENOLCK} {
		flock = func(int, int) error { return errno }
		ws, path := shelved(t)
		_, err := ws.OpenBook(path)
		if no := (*NoLockError)(nil); !errors.As(err, &no) || no.File != filepath.Join(ws.dir, ".locks", "lamp") ||
			!strings.Contains(err.Error(), "does not support locks") || !strings.Contains(err.Error(), "two programs could change one book") ||
			!strings.Contains(err.Error(), "use a working folder on another disk") {
			t.Errorf("%v: %v", errno, err)
		}
	}
}

// A pipe in the place of a file is named and not waited for.
func TestPipesInTheFolderAreNamed(t *testing.T) {
	for _, name := range []string{"lamp-decisions.jsonl", "lamp-drafts.jsonl", "lamp-made.json", "lamp-tagged.jsonl", "metadata/lamp.json", "settings.txt", "rules/mine.txt", "rules/prompts/negation-clause.txt", "rules/questions/while.txt"} {
		ws, path := shelved(t)
		pipe := filepath.Join(ws.dir, name)
		_ = os.Remove(pipe)
		if err := errors.Join(os.MkdirAll(filepath.Dir(pipe), 0o777), syscall.Mkfifo(pipe, 0o666)); err != nil {
			t.Fatal(err)
		}
		err := errors.Join(useAll(t, ws.dir, path))
		if err == nil || !strings.Contains(err.Error(), "a pipe or a device, not a file") || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	pipe := filepath.Join(t.TempDir(), "list.csv")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenText(pipe); err == nil || !strings.Contains(err.Error(), "list.csv: it is a pipe or a device") {
		t.Errorf("a text: %v", err)
	}
	if _, err := ReadCatalogues([]string{pipe}, nil); err == nil || !strings.Contains(err.Error(), "list.csv: it is a pipe or a device") {
		t.Errorf("a catalogue: %v", err)
	}
}

// useAll reads every file of a book's folder.
func useAll(t *testing.T, dir, path string) error {
	t.Helper()
	ws, err := Open(dir)
	if err != nil {
		return err
	}
	_, questions := ws.questions()
	_, prompts := ws.Generator()
	_, tag := ws.Tag(t.Context(), path, true)
	o := Standard()
	o.MinExamples = 1
	b, draft := ws.Draft(t.Context(), path, &o, true)
	if draft == nil {
		_, draft = b.Drafted(&ReviewOptions{})
		draft = errors.Join(draft, b.Close())
	}
	all, status := ws.Status("", 1)
	for _, s := range all {
		status = errors.Join(status, errors.Join(s.Trouble...))
	}
	return errors.Join(questions, prompts, tag, draft, status)
}
