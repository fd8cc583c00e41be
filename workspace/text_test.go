package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A book whose text lies elsewhere is found again, also when its name has no
// .txt; and when the text comes to lie beside the folder, that one counts.
func TestATextThatLiesElsewhereIsFoundAgain(t *testing.T) {
	home := t.TempDir()
	f, err := Open(filepath.Join(home, "work", "process_files"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(path string) string {
		t.Helper()
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("A lamp was lit."), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	expect := func(want string) {
		t.Helper()
		got, err := f.Text("lamp", "")
		one, _ := os.Stat(got)
		if other, _ := os.Stat(want); err != nil || !os.SameFile(one, other) {
			t.Errorf("Text = %q, %v; want %q", got, err, want)
		}
	}
	shelf := write("shelf/lamp")
	if _, err := f.Text("lamp", ""); err == nil {
		t.Error("a text was found that nobody has named")
	}
	if err := f.noteText("lamp", shelf); err != nil {
		t.Fatal(err)
	}
	expect(shelf)
	if noted, _ := f.entries("lamp"); noted[textEntry].Path != "../../shelf/lamp" {
		t.Errorf("noted as %q", noted[textEntry].Path)
	}
	beside := write("work/lamp.txt")
	expect(shelf)
	if err := f.noteText("lamp", beside); err != nil {
		t.Fatal(err)
	}
	expect(beside)
}

// Who names a folder means the texts that lie there, and no others.
func TestANamedFolderIsTheOnlyPlace(t *testing.T) {
	home := t.TempDir()
	f, err := Open(filepath.Join(home, "process_files"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "lamp.txt"), []byte("A lamp was lit."), 0o666); err != nil {
		t.Fatal(err)
	}
	shelf := filepath.Join(home, "shelf")
	got, err := f.Text("lamp", shelf)
	if want := "the text lamp.txt is not in " + shelf; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("Text = %q, %v; want %s", got, err, want)
	}
}
