package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
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

// item is one entry of a hostile tar.
type item struct {
	name, body, link string
	kind             byte
	size             int64
	pax              map[string]string
}

func pack(t testing.TB, items []item, manifest string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	c := Contents{Format: format}
	for _, i := range items {
		h := &tar.Header{Name: i.name, Typeflag: i.kind, Size: int64(len(i.body)), Mode: 0o644, Linkname: i.link, PAXRecords: i.pax}
		if i.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(i.name, err)
		}
		if _, err := io.WriteString(w, i.body); err != nil {
			t.Fatal(err)
		}
		c.Files = append(c.Files, File{i.name, int64(len(i.body)), hashText(i.body)})
	}
	text, _ := json.Marshal(c)
	if manifest != "" {
		text = []byte(manifest)
	}
	if manifest != "none" {
		if err := w.WriteHeader(&tar.Header{Name: Manifest, Typeflag: tar.TypeReg, Size: int64(len(text)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipped(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

// Hostile and damaged files are rejected with the name of the entry, and nothing
// is left behind.
func TestHostileBackups(t *testing.T) {
	good := []item{{name: "process_files/a-decisions.jsonl", body: "{}\n"}}
	plain := pack(t, good, "")
	one := func(i item) []byte { return pack(t, append(slices.Clone(good), i), "") }
	flip := func(data []byte, at int) []byte { out := bytes.Clone(data); out[at] ^= 1; return out }
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"absolute":           {one(item{name: "/tmp/x", body: "x"}), `"/tmp/x": this name leaves`},
		"up":                 {one(item{name: "process_files/../../x", body: "x"}), "leaves the folder"},
		"up alone":           {one(item{name: "../x", body: "x"}), "leaves the folder"},
		"dot":                {one(item{name: "./x", body: "x"}), "leaves the folder"},
		"backslash":          {one(item{name: `process_files\..\..\x`, body: "x"}), "leaves the folder"},
		"another folder":     {one(item{name: ".ssh/authorized_keys", body: "x"}), "files in process_files"},
		"symbolic link":      {one(item{name: "process_files/l", kind: tar.TypeSymlink, link: "/etc/passwd"}), "a symbolic link"},
		"hard link":          {one(item{name: "process_files/l", kind: tar.TypeLink, link: "/etc/passwd"}), "a link"},
		"device":             {one(item{name: "process_files/d", kind: tar.TypeChar}), "a device"},
		"pipe":               {one(item{name: "process_files/d", kind: tar.TypeFifo}), "a pipe"},
		"folder":             {one(item{name: "process_files/d/", kind: tar.TypeDir}), "a folder"},
		"twice":              {one(good[0]), "twice"},
		"file and folder":    {one(item{name: "process_files/a-decisions.jsonl/x", body: "x"}), "a file and a folder"},
		"folder and file":    {pack(t, []item{{name: "process_files/m/x"}, {name: "process_files/m"}}, ""), "a file and a folder"},
		"no manifest":        {pack(t, good, "none"), "no manifest"},
		"bad manifest":       {pack(t, good, "{"), "cannot be read"},
		"another format":     {pack(t, good, `{"format":"x"}`), `of the kind "x"`},
		"empty manifest":     {pack(t, good, `{"format":"verbatim backup 1"}`), "not in its manifest"},
		"missing file":       {pack(t, good, `{"format":"verbatim backup 1","files":[{"name":"x"}]}`), `"x": it is in the manifest`},
		"wrong hash":         {flip(plain, 512), `"process_files/a-decisions.jsonl": it is damaged`},
		"wrong header":       {flip(plain, 20), "damaged"},
		"cut in the middle":  {plain[:700], "cut off"},
		"cut at a block":     {plain[:1024], "no manifest"},
		"cut before the end": {plain[:len(plain)-512], "cut off"},
		"something follows":  {append(bytes.Clone(plain), "extra"...), "follows its end"},
		"zipped and cut":     {zipped(plain)[:150], "cut off"},
		"zipped, damaged":    {flip(zipped(plain), len(zipped(plain))-6), "checksum"},
		"bomb":               {zipped(one(item{name: "process_files/zeros", body: strings.Repeat("\x00", 100<<20)})), "larger than the whole backup"},
		"many small bombs": {zipped(pack(t, []item{{name: "process_files/a", body: strings.Repeat("\x00", 40<<20)},
			{name: "process_files/b", body: strings.Repeat("\x00", 60<<20)}}, "")), "far more than a backup does"},
		"nothing":       {nil, "no manifest"},
		"not a tar":     {[]byte("A book begins here.\n"), "not a backup"},
		"a long nonono": {bytes.Repeat([]byte("no"), 1000), "not a backup"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "b.tar")
			if err := os.WriteFile(file, c.data, 0o666); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "new")
			_, err := Restore(file, dir)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), file) {
				t.Errorf("%v, want ... %s ...", err, c.want)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("something was written")
			}
		})
	}
}

// A file with holes can claim any size. archive/tar does not write one, so its
// header is written by hand.
func TestFilesWithHoles(t *testing.T) {
	r := &reader{file: "b.tar", seen: map[string]bool{}, left: 1 << 40}
	for _, h := range []*tar.Header{{Name: "x", Typeflag: tar.TypeGNUSparse}, {Name: "x", Typeflag: tar.TypeReg, PAXRecords: map[string]string{"GNU.sparse.major": "1"}}} {
		if err := r.allowed(h); err == nil || !strings.Contains(err.Error(), "holes") {
			t.Errorf("%v", err)
		}
	}
}

// Whatever a file holds, it is rejected with its name, or every file of its
// manifest is restored as the manifest says, inside the folder.
func FuzzRestore(f *testing.F) {
	f.Add(pack(f, []item{{name: "process_files/a-decisions.jsonl", body: "{}\n"}, {name: "a.txt", body: "One."}}, ""))
	f.Add(zipped(pack(f, []item{{name: "process_files/a", body: "x"}}, "")))
	f.Add(pack(f, []item{{name: "../x", body: "x"}}, ""))
	f.Add(pack(f, []item{{name: "process_files/l", kind: tar.TypeSymlink, link: "/"}, {name: "process_files/l/x", body: "x"}}, ""))
	f.Fuzz(func(t *testing.T, data []byte) {
		root := t.TempDir()
		file, dir := filepath.Join(root, "b.tar"), filepath.Join(root, "new")
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		contents, err := Restore(file, dir)
		all := files(t, root)
		delete(all, "b.tar")
		if err != nil {
			if len(all) > 0 || !strings.Contains(err.Error(), "b.tar") {
				t.Fatalf("rejected with %v, but there is %v", err, all)
			}
			return
		}
		if len(all) != len(contents.Files) {
			t.Fatalf("%d files for %d", len(all), len(contents.Files))
		}
		for _, f := range contents.Files {
			if text := all["new/"+f.Name]; hashText(text) != f.SHA256 || int64(len(text)) != f.Size {
				t.Fatalf("%+v is %q", f, text)
			}
		}
	})
}

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
