package workspace

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writes(text string) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{Tagged: func(w io.Writer) error { _, err := io.WriteString(w, text); return err }}
}

func open(t *testing.T) *Folder {
	t.Helper()
	f, err := OpenFolder(filepath.Join(t.TempDir(), "process_files"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A book's life: nothing, done, out of date for a reason, edited.
func TestAFileIsCurrentIfItWasMadeFromTheSame(t *testing.T) {
	f := open(t)
	expect := func(from Sources, want State, wantWhy string) {
		t.Helper()
		got, why, err := f.State("B1", Tagged, from)
		if err != nil || got != want || why != wantWhy {
			t.Errorf("State = %v, %q, %v; want %v, %q", got, why, err, want, wantWhy)
		}
	}
	from := Sources{"book": "aa", "cards": "bb", "program": "1"}
	expect(from, Absent, "")
	if err := f.write("B1", from, nil, writes("one\n")); err != nil {
		t.Fatal(err)
	}
	expect(from, Current, "")
	expect(Sources{"book": "aa", "cards": "cc", "program": "1"}, OutOfDate, "different cards")
	expect(Sources{"book": "zz", "cards": "bb", "program": "1"}, OutOfDate, "different book")

	if err := os.WriteFile(f.Path("B1", Tagged), []byte("by hand\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	expect(from, Edited, "it was edited after it was made")
	if err := os.WriteFile(f.Path("B2", Tagged), []byte("by hand\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := f.State("B2", Tagged, from); got != Edited {
		t.Errorf("a file that made.json does not mention is %v, want Edited", got)
	}
}

// A run that dies between the files leaves a note that they are unfinished.
func TestAnInterruptedFileIsOutOfDate(t *testing.T) {
	f := open(t)
	from := Sources{"book": "aa"}
	if err := f.write("B1", from, nil, writes("whole\n")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the disk is full")
	err := f.write("B1", from, nil, map[string]func(io.Writer) error{Tagged: func(w io.Writer) error {
		io.WriteString(w, "ha")
		return broken
	}})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "B1-tagged.jsonl") {
		t.Errorf("Write = %v", err)
	}
	if content, _ := os.ReadFile(f.Path("B1", Tagged)); string(content) != "whole\n" {
		t.Errorf("the old file became %q", content)
	}
	if state, why, _ := f.State("B1", Tagged, from); state != OutOfDate || why != "writing it was interrupted" {
		t.Errorf("State = %v, %q", state, why)
	}
}

func TestOneProgramPerBook(t *testing.T) {
	f := open(t)
	unlock, err := f.Lock("B1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Lock("B1"); err == nil || !strings.Contains(err.Error(), "another verbatim is working on B1") {
		t.Errorf("a second lock gave %v", err)
	}
	other, err := f.Lock("B2")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(unlock(), other()); err != nil {
		t.Fatal(err)
	}
	again, err := f.Lock("B1")
	if err != nil {
		t.Fatalf("after unlock: %v", err)
	}
	if err := again(); err != nil {
		t.Fatal(err)
	}
}

func TestKeyFoldsCaseAndAccents(t *testing.T) {
	if Key("HWWJNQ") != Key("hwwjnq") || Key("Caf\u00e9") != Key("cafe\u0301") {
		t.Error("one book under two spellings has two keys")
	}
	if Key("Cafe") == Key("Caf\u00e9") {
		t.Error("an accent was lost")
	}
}

func TestADamagedRecordIsNamed(t *testing.T) {
	f := open(t)
	os.WriteFile(f.Path("B1", made), []byte("{"), 0o666)
	os.WriteFile(f.Path("B1", Tagged), nil, 0o666)
	if _, _, err := f.State("B1", Tagged, nil); err == nil || !strings.Contains(err.Error(), "B1-made.json is damaged") {
		t.Errorf("got %v", err)
	}
}
