package backup

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/durable"
	"verbatim/workspace"
)

// sample is a copy of a working folder with one reviewed book, and its text.
func sample(t testing.TB) *workspace.Folder {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile("../../cmd/verbatim/sample/lamp-keeper.txt")
	if err := errors.Join(err, os.CopyFS(dir, os.DirFS("../testdata/v0.1.0")), os.WriteFile(filepath.Join(dir, "lamp.txt"), text, 0o666)); err != nil {
		t.Fatal(err)
	}
	return workspace.FolderAt(filepath.Join(dir, workspace.Usual))
}

func write(t testing.TB, folder *workspace.Folder, name string, o Options) (string, *Contents) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	contents, err := Write(folder, file, o)
	if err != nil {
		t.Fatal(err)
	}
	return file, contents
}

func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func same(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if b[name] != text {
			return false
		}
	}
	return true
}

// What was packed is restored byte for byte, by this program and by any tar, and
// the same folder gives the same bytes wherever and whenever.
func TestABackupComesBack(t *testing.T) {
	folder := sample(t)
	want := files(t, filepath.Dir(folder.Dir()))
	var bytesOf = map[string][]byte{}
	for _, name := range []string{"b.tar", "b.tar.gz", "b.tgz"} {
		file, contents := write(t, folder, name, Options{})
		if len(contents.Files) != len(want) || len(contents.LeftOut) > 0 || contents.Lacks() {
			t.Errorf("%s has %+v", name, contents)
		}
		dir := filepath.Join(t.TempDir(), "new")
		if _, err := Restore(file, dir); err != nil {
			t.Fatal(err)
		}
		if got := files(t, dir); !same(got, want) {
			t.Errorf("%s: restored are %d files of %d", name, len(got), len(want))
		}
		bytesOf[name], _ = os.ReadFile(file)

		other := filepath.Join(t.TempDir(), "elsewhere")
		if err := os.CopyFS(other, os.DirFS(filepath.Dir(folder.Dir()))); err != nil {
			t.Fatal(err)
		}
		later := time.Now().Add(48 * time.Hour)
		if err := os.Chtimes(filepath.Join(other, "lamp.txt"), later, later); err != nil {
			t.Fatal(err)
		}
		again, _ := write(t, workspace.FolderAt(filepath.Join(other, workspace.Usual)), name, Options{})
		if data, _ := os.ReadFile(again); !bytes.Equal(data, bytesOf[name]) {
			t.Errorf("%s: two backups of the same files differ", name)
		}
	}
	if _, err := exec.LookPath("tar"); err != nil {
		t.Skip("there is no tar to compare with")
	}
	dir := t.TempDir()
	cmd := exec.Command("tar", "-xf", "-", "-C", dir)
	cmd.Stdin = bytes.NewReader(bytesOf["b.tar"])
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := files(t, dir)
	delete(got, Manifest)
	if !same(got, want) {
		t.Error("tar unpacks something else")
	}
}

// Names with spaces, accents and more than 100 letters come back.
func TestNamesComeBack(t *testing.T) {
	folder := sample(t)
	long := "l'été à Köln " + strings.Repeat("x", 150)
	if err := os.Rename(folder.Path("lamp", workspace.Decisions), folder.Path(long, workspace.Decisions)); err != nil {
		t.Fatal(err)
	}
	file, _ := write(t, folder, "b.tar", Options{NoTexts: true})
	dir := t.TempDir()
	if _, err := Restore(file, dir); err != nil {
		t.Fatal(err)
	}
	if !same(files(t, filepath.Join(dir, workspace.Usual)), files(t, folder.Dir())) {
		t.Error("not the same files")
	}
	if _, err := os.Stat(filepath.Join(dir, "lamp.txt")); err == nil {
		t.Error("a text was packed that should not be")
	}
}

// Keys, locks, temporary files and what is outside never get into a backup;
// what may be somebody's work is said to be missing.
func TestWhatIsLeftOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	folder := sample(t)
	at := func(name string) string { return filepath.Join(folder.Dir(), name) }
	outside := filepath.Join(t.TempDir(), "outside")
	settings := "key https://example.org/v1: file " + at("my.key") + "\nkey https://example.com/v1: file other.key\nkey https://example.net/v1: file " + outside + "\n"
	unlock, err := folder.Lock("lamp")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	err = errors.Join(os.WriteFile(outside, []byte("SECRET0"), 0o600), os.WriteFile(at("my.key"), []byte("SECRET1"), 0o600), os.WriteFile(at("other.key"), []byte("SECRET2"), 0o600),
		os.WriteFile(at("settings.txt"), []byte(settings), 0o666), os.WriteFile(at("lamp-drafts.jsonl.01234567.tmp"), []byte("SECRET3"), 0o666),
		os.Symlink("lamp-decisions.jsonl", at("copy-decisions.jsonl")), exec.Command("mkfifo", at("pipe")).Run())
	if err != nil {
		t.Fatal(err)
	}
	file, contents := write(t, folder, "b.tar", Options{})
	var left []string
	for _, l := range contents.LeftOut {
		left = append(left, l.Name)
	}
	want := []string{"copy.txt", "process_files/lamp-drafts.jsonl.01234567.tmp", "process_files/my.key", "process_files/other.key", "process_files/pipe"}
	if !slices.Equal(left, want) || contents.Lacks() {
		t.Errorf("left out are %+v, want %q", contents.LeftOut, want)
	}
	data, _ := os.ReadFile(file)
	if bytes.Contains(data, []byte("SECRET")) || bytes.Contains(data, []byte(".locks")) || !bytes.Contains(data, []byte("key https://example.org/v1: file")) {
		t.Error("the backup holds a key or a lock, or lacks the settings")
	}
	// With a mistake in the settings, keys are still recognized.
	if err := os.WriteFile(at("settings.txt"), []byte("sede: 3\n"+settings), 0o666); err != nil {
		t.Fatal(err)
	}
	file, _ = write(t, folder, "b.tar", Options{})
	if data, _ := os.ReadFile(file); bytes.Contains(data, []byte("SECRET")) {
		t.Error("the backup holds a key")
	}
	if err := errors.Join(os.Symlink(outside, at("away-decisions.jsonl")), os.Symlink(outside, at("../away.txt"))); err != nil {
		t.Fatal(err)
	}
	file, contents = write(t, folder, "b.tar", Options{})
	if data, _ := os.ReadFile(file); bytes.Contains(data, []byte("SECRET")) || !contents.Lacks() {
		t.Errorf("a link was followed, or nothing says that work is missing: %+v", contents.LeftOut)
	}
}

// A backup with a file that only its owner may read is for its owner only, and
// so is the file when it comes back.
func TestPrivateFilesStayPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	folder := sample(t)
	private := folder.Path("lamp", workspace.Ledger)
	if err := os.Chmod(private, 0o600); err != nil {
		t.Fatal(err)
	}
	file, _ := write(t, folder, "b.tar", Options{})
	dir := t.TempDir()
	if _, err := Restore(file, dir); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(dir, workspace.Usual, filepath.Base(private))} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// A backup made while others write holds whole lines of logs, and files of a book
// that belong together.
func TestABackupWhileOthersWrite(t *testing.T) {
	folder := sample(t)
	log, err := durable.OpenLog(folder.Path("lamp", workspace.Decisions))
	if err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(folder.Path("lamp", workspace.Decisions))
	stop := make(chan struct{})
	var writers sync.WaitGroup
	writers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := log.Append(map[string]string{"id": strings.Repeat("x", 9000)}); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for range 5 {
		file, _ := write(t, folder, "b.tar.gz", Options{})
		dir := t.TempDir()
		if _, err := Restore(file, dir); err != nil {
			t.Fatal(err)
		}
		got := files(t, dir)["process_files/lamp-decisions.jsonl"]
		if !strings.HasPrefix(got, string(before)) {
			t.Fatal("the first decisions are not there")
		}
		for line := range strings.Lines(got) {
			if !json.Valid([]byte(line)) || !strings.HasSuffix(line, "\n") {
				t.Fatalf("not a whole line: %.40q", line)
			}
		}
	}
	close(stop)
	writers.Wait()
	log.Close()
}

// Of a torn log only whole lines are packed; a last record that only lacks its
// newline is.
func TestTornLogs(t *testing.T) {
	for text, want := range map[string]string{
		"{}\n{\"a\":": "{}\n", "{}\n{\"a\":1}": "{}\n{\"a\":1}", "{\"a\":": "", "{\"a\":1}": "{\"a\":1}", "": "", "{}\n": "{}\n",
		"{}\n\"" + strings.Repeat("x", 1<<17): "{}\n",
	} {
		folder := sample(t)
		if err := os.WriteFile(folder.Path("lamp", workspace.Ledger), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		file, _ := write(t, folder, "b.tar", Options{})
		dir := t.TempDir()
		if _, err := Restore(file, dir); err != nil {
			t.Fatal(err)
		}
		if got := files(t, dir)["process_files/lamp-ledger.jsonl"]; got != want {
			t.Errorf("%.20q became %.20q", text, got)
		}
	}
}

func TestWhereABackupMayBe(t *testing.T) {
	folder := sample(t)
	file, _ := write(t, folder, "b.tar", Options{})
	old, _ := os.ReadFile(file)
	if _, err := Write(folder, file, Options{}); !errors.Is(err, ErrExists) {
		t.Errorf("writing over a backup gives %v", err)
	}
	if now, _ := os.ReadFile(file); !bytes.Equal(old, now) {
		t.Error("the old backup has changed")
	}
	if _, err := Write(folder, file, Options{Replace: true}); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{filepath.Join(folder.Dir(), "b.tar"): "in the folder that it would keep safe", filepath.Join(t.TempDir(), "b.zip"): ".tar"} {
		if _, err := Write(folder, name, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	killed := t.TempDir()
	if err := os.Mkdir(filepath.Join(killed, staging), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(file, killed); err == nil || !strings.Contains(err.Error(), "interrupted restore") {
		t.Errorf("after a killed restore: %v", err)
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(file, full); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("restoring over files gives %v", err)
	}
}
