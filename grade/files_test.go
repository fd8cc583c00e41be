package grade

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestOpenSource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "items.jsonl")
	if err := os.WriteFile(file, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := OpenSource(file)
	if err != nil || s.Name != file || s.Size != 3 {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s, err := OpenSource(filepath.Dir(file)); err == nil {
		t.Errorf("a folder is opened as %+v", s)
	}
	if _, err := OpenSource(file + ".gone"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := FromString("text", "").Close(); err != nil {
		t.Error(err)
	}
}

func TestOutputs(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]Outputs{
		"":                              {},
		dir:                             {filepath.Join(dir, "score_summary.json"), filepath.Join(dir, "rows.jsonl")},
		filepath.Join(dir, "new") + "/": {filepath.Join(dir, "new", "score_summary.json"), filepath.Join(dir, "new", "rows.jsonl")},
		filepath.Join(dir, "s.json"):    {filepath.Join(dir, "s.json"), filepath.Join(dir, "rows.jsonl")},
		os.DevNull:                      {os.DevNull, ""},
	} {
		if got, err := NewOutputs(path, "rows.jsonl"); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", path, got, err, want)
		}
	}
	if _, err := NewOutputs(filepath.Join(dir, "rows.jsonl"), "rows.jsonl"); err == nil {
		t.Error("the summary may replace the per-journal file")
	}
	out, _ := NewOutputs(filepath.Join(dir, "made", "s.json"), "rows.jsonl")
	write := func(fail error) error {
		return out.Write(func(rows io.Writer) (Object, error) {
			_, err := io.WriteString(rows, "row\n")
			return Object{{"n", 1}}, errors.Join(err, fail)
		})
	}
	if err := write(errors.New("failed")); err == nil {
		t.Error("the error is lost")
	}
	if _, err := os.Stat(out.Rows); err == nil {
		t.Error("a failed score wrote a file")
	}
	if err := write(nil); err != nil {
		t.Fatal(err)
	}
	rows, _ := os.ReadFile(out.Rows)
	summary, _ := os.ReadFile(out.Summary)
	if string(rows) != "row\n" || string(summary) != "{\n  \"n\": 1\n}\n" {
		t.Errorf("rows %q, summary %q", rows, summary)
	}
	if err := (Outputs{}).Write(func(rows io.Writer) (Object, error) {
		if rows != nil {
			t.Error("rows without a file")
		}
		return nil, nil
	}); err != nil {
		t.Error(err)
	}
}
