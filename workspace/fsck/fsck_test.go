package fsck

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/workspace"
)

// now is after everything in the sample folder.
var now = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)

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

func check(t testing.TB, folder *workspace.Folder, repair bool) *Report {
	t.Helper()
	r, err := Check(t.Context(), folder, Options{Repair: repair, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tree is every file of a folder with its content, without locks.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case strings.HasPrefix(rel, ".locks/"):
		case entry.Type().IsRegular():
			data, err := os.ReadFile(path)
			all[rel] = string(data)
			return err
		default:
			all[rel] = entry.Type().String()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func difference(a, b map[string]string) (names []string) {
	for name := range a {
		if b[name] != a[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func TestAWholeFolderIsSound(t *testing.T) {
	folder := sample(t)
	before := tree(t, folder.Dir())
	r := check(t, folder, false)
	if !r.Sound() || len(r.Findings) > 0 || r.Books != 1 || r.Files != 8 || r.Records != 410 {
		t.Errorf("%+v", r)
	}
	if entries, _ := os.ReadDir(filepath.Join(folder.Dir(), ".locks")); len(entries) > 0 {
		t.Error("a check has created locks")
	}
	check(t, folder, true)
	if changed := difference(before, tree(t, folder.Dir())); len(changed) > 0 {
		t.Errorf("a repair of a whole folder changed %v", changed)
	}
}

// lines changes a file by its lines.
func lines(t testing.TB, folder *workspace.Folder, name string, change func([]string) []string) {
	t.Helper()
	path := filepath.Join(folder.Dir(), name)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	all := change(slices.Collect(strings.Lines(string(data))))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(strings.Join(all, "")), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// Every damage is named with its place, a repair sets aside what it should and
// nothing else, what was set aside can be put back, and a second repair changes
// nothing.
func TestDamages(t *testing.T) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			folder := sample(t)
			lines(t, folder, d.file, d.change)
			before := tree(t, folder.Dir())
			r := check(t, folder, false)
			if !slices.ContainsFunc(r.Findings, func(f Finding) bool {
				return strings.HasSuffix(fmt.Sprintf("%s: %s, %s", f.Place(), f.Kind, f.Effect), d.want) && f.Repairs == d.repaired && f.Means != ""
			}) {
				t.Fatalf("no finding %q (repairable: %v) in\n%+v", d.want, d.repaired, r.Findings)
			}
			if changed := difference(before, tree(t, folder.Dir())); len(changed) > 0 {
				t.Errorf("a check changed %v", changed)
			}
			if r := check(t, folder, true); d.repaired && !r.Sound() {
				t.Errorf("after a repair: %+v", r.Findings)
			}
			after := tree(t, folder.Dir())
			if restored := putBack(t, after); !slices.Equal(difference(restored, before), nil) {
				t.Errorf("put back, these differ: %v", difference(restored, before))
			}
			again := check(t, folder, true)
			if changed := difference(after, tree(t, folder.Dir())); len(changed) > 0 || again.SetAside != "" {
				t.Errorf("a second repair changed %v", changed)
			}
			if d.repaired && !again.Sound() {
				t.Errorf("the second check says %+v", again.Findings)
			}
			works(t, folder, d)
		})
	}
}

// works checks that the program works after a repair, with all decisions that
// can be read.
func works(t *testing.T, folder *workspace.Folder, d damage) {
	t.Helper()
	if !d.repaired {
		return
	}
	ws, err := workspace.In(folder)
	if err != nil {
		t.Fatal(err)
	}
	all, err := ws.Status("", 1)
	if err != nil || len(all) != 1 || len(all[0].Trouble) > 0 {
		t.Fatalf("Status = %+v, %v", all, err)
	}
	if n := all[0].Counts.Sum(); n.Accepted != 1 || n.Rejected != 1 {
		t.Errorf("after a repair there are %+v", n)
	}
}

// putBack undoes repairs by their lists, the latest first.
func putBack(t testing.TB, now map[string]string) map[string]string {
	t.Helper()
	all := map[string]string{}
	var lists []string
	for name, text := range now {
		if strings.HasPrefix(name, asideFolder+"/") {
			if strings.HasSuffix(name, "/"+Manifest) {
				lists = append(lists, name)
			}
			continue
		}
		all[name] = text
	}
	slices.Sort(lists)
	for _, list := range slices.Backward(lists) {
		for aside, err := range verbatim.Read[Aside](strings.NewReader(now[list]), list) {
			if err != nil {
				t.Fatal(err)
			}
			gone, there := now[aside.To]
			if !there {
				continue // killed before it was moved
			}
			if aside.Line == 0 {
				all[aside.From] = gone
				continue
			}
			piece := gone[aside.At : aside.At+aside.Size]
			if hash([]byte(piece)) != aside.SHA256 {
				t.Fatalf("%+v has another hash", aside)
			}
			rest := all[aside.From]
			if strings.HasPrefix(rest[min(int(aside.Offset), len(rest)):], piece) {
				continue // killed before it was cut
			}
			all[aside.From] = rest[:aside.Offset] + piece + rest[aside.Offset:]
		}
	}
	return all
}

// The list of what repairs do names every kind once.
func TestRepairsAreListed(t *testing.T) {
	listed := map[Kind]bool{}
	for _, r := range Repairs {
		if r.Action == "" || listed[r.Kind] {
			t.Errorf("%s is listed twice, or without an action", r.Kind)
		}
		listed[r.Kind] = true
	}
	for _, d := range damages {
		kind, _, _ := strings.Cut(d.want[strings.LastIndex(d.want, ": ")+1:], ",")
		if kind = strings.TrimSpace(kind); !listed[Kind(kind)] {
			t.Errorf("%q is not listed", kind)
		}
	}
}

// A book that another program works on is not repaired, and its last line and
// temporary files, which may be being written, are not judged.
func TestABookInUseIsNotChanged(t *testing.T) {
	folder := sample(t)
	lines(t, folder, "lamp-decisions.jsonl", end(`{"id":"0123","dra`))
	lines(t, folder, "lamp-drafts.jsonl.0123abcd.tmp", end("half"))
	unlock, err := folder.Lock("lamp")
	if err != nil {
		t.Fatal(err)
	}
	before := tree(t, folder.Dir())
	r := check(t, folder, true)
	if len(r.Findings) != 1 || r.Findings[0].Kind != InUse || !r.Sound() {
		t.Errorf("%+v", r.Findings)
	}
	lines(t, folder, "lamp-decisions.jsonl", put(0, "nonsense\n"))
	if r := check(t, folder, true); r.Sound() || r.SetAside != "" {
		t.Errorf("%+v", r.Findings)
	}
	lines(t, folder, "lamp-decisions.jsonl", func(all []string) []string { return all[1:] })
	if changed := difference(before, tree(t, folder.Dir())); len(changed) > 0 {
		t.Errorf("changed %v", changed)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if r := check(t, folder, true); len(r.Findings) != 2 || r.SetAside == "" {
		t.Errorf("%+v", r.Findings)
	}
}

// Two repairs of one folder do not meet.
func TestOneRepairAtATime(t *testing.T) {
	folder := sample(t)
	unlock, err := folder.Lock(repairLock)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Check(t.Context(), folder, Options{Repair: true, Now: now}); err == nil || !strings.Contains(err.Error(), "another repair") {
		t.Errorf("a second repair gives %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	check(t, folder, true)
}

// A repair does not put anything outside the folder, and says what is in its way.
func TestARepairStaysInTheFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	folder, outside := sample(t), t.TempDir()
	lines(t, folder, "lamp-decisions.jsonl", put(0, "nonsense\n"))
	if err := os.Symlink(outside, filepath.Join(folder.Dir(), asideFolder)); err != nil {
		t.Fatal(err)
	}
	before := tree(t, folder.Dir())
	r, err := Check(t.Context(), folder, Options{Repair: true, Now: now})
	if err == nil || !strings.Contains(err.Error(), "is not a folder") || r == nil || r.Sound() {
		t.Errorf("%+v, %v", r, err)
	}
	if changed := difference(before, tree(t, folder.Dir())); len(changed) > 0 {
		t.Errorf("changed %v", changed)
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("outside is %v", entries)
	}
}

// Links that leave the folder, pipes and folders in place of files are named,
// and no check waits for a pipe.
func TestThingsThatAreNoFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no pipes in folders, and links need a privilege there")
	}
	folder := sample(t)
	at := func(name string) string { return filepath.Join(folder.Dir(), name) }
	secret := filepath.Join(t.TempDir(), "secret")
	err := errors.Join(os.WriteFile(secret, []byte("secret\n"), 0o600), os.Symlink(secret, at("a-decisions.jsonl")), os.Symlink("nowhere", at("b-drafts.jsonl")),
		os.Symlink("lamp-decisions.jsonl", at("c-decisions.jsonl")), pipe(at("d-ledger.jsonl")), os.Mkdir(at("e-decisions.jsonl"), 0o777),
		os.MkdirAll(at("rules"), 0o777), pipe(at("rules/f.txt")))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a-decisions.jsonl link", "b-drafts.jsonl link", "d-ledger.jsonl not a file", "e-decisions.jsonl not a file", "rules/f.txt not a file"}
	got := func(r *Report) (all []string) {
		for _, f := range r.Findings {
			if f.Wrong() && f.Kind != WrongID { // c is a copy of another book's decisions
				all = append(all, f.File+" "+string(f.Kind))
			}
		}
		return all
	}
	if found := got(check(t, folder, false)); !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	check(t, folder, true)
	want = []string{"a-decisions.jsonl link", "b-drafts.jsonl link", "e-decisions.jsonl not a file"}
	if found := got(check(t, folder, true)); !slices.Equal(found, want) {
		t.Errorf("after a repair: %q, want %q", found, want)
	}
	if data, err := os.ReadFile(secret); err != nil || string(data) != "secret\n" {
		t.Errorf("what the link leads to: %q, %v", data, err)
	}
}

func pipe(path string) error { return exec.Command("mkfifo", path).Run() }

// Damaged lines beyond the first ones are counted, and all are set aside.
func TestManyDamagedLines(t *testing.T) {
	folder := sample(t)
	before := tree(t, folder.Dir())["lamp-decisions.jsonl"]
	lines(t, folder, "lamp-decisions.jsonl", func(all []string) (out []string) {
		for _, line := range all {
			out = append(out, "x\n", line)
		}
		return out
	})
	r := check(t, folder, true)
	if len(r.Findings) != mostLines || !strings.Contains(r.Findings[mostLines-1].What, "and 7 more damaged lines") {
		t.Errorf("%+v", r.Findings)
	}
	if after := tree(t, folder.Dir())["lamp-decisions.jsonl"]; after != before {
		t.Errorf("the good lines are\n%.100q\nnot\n%.100q", after, before)
	}
}

// Whatever the logs hold, a check names it inside the file, a repair leaves only
// lines that can be read, byte for byte, and everything can be put back.
func FuzzRepair(f *testing.F) {
	f.Add([]byte("{}\nnull\n\xff\n"), []byte(`{"key":"x"}`), []byte("{\"id\":\"\"}\n"))
	f.Add([]byte(`{"id":"a","draft":"b","time":"9999-12-31T23:59:59Z","undoes":"c"}`+"\n"+`{"id":"a","draft":"d"}`), []byte("\ufeff\r\n\n"), []byte("[]"))
	f.Fuzz(func(t *testing.T, decisions, ledger, drafts []byte) {
		folder := workspace.FolderAt(filepath.Join(t.TempDir(), workspace.Usual))
		if err := errors.Join(os.MkdirAll(folder.Dir(), 0o777), os.WriteFile(folder.Path("B", workspace.Decisions), decisions, 0o666),
			os.WriteFile(folder.Path("B", workspace.Ledger), ledger, 0o666), os.WriteFile(folder.Path("B", workspace.Drafts), drafts, 0o666), os.WriteFile(folder.Path("B", workspace.Votes), ledger, 0o666)); err != nil {
			t.Fatal(err)
		}
		before := tree(t, folder.Dir())
		for _, finding := range check(t, folder, true).Findings {
			if lines := strings.Count(before[finding.File], "\n") + 1; finding.Line > lines || finding.What == "" {
				t.Errorf("%s has %d lines: %+v", finding.File, lines, finding)
			}
		}
		if restored := putBack(t, tree(t, folder.Dir())); len(difference(restored, before)) > 0 {
			t.Errorf("lost: %v", difference(restored, before))
		}
		for _, finding := range check(t, folder, false).Findings {
			if finding.Repairs {
				t.Errorf("after a repair: %+v", finding)
			}
		}
		if left := tree(t, folder.Dir())["B-ledger.jsonl"]; bytes.ContainsRune([]byte(left), 0) {
			t.Errorf("%q is left in the ledger", left)
		}
	})
}
