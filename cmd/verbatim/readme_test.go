//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// readmeCommands are the commands of a section of the README, as a reader copies
// them, by their first words.
func readmeCommands(t *testing.T, section string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text2, found := strings.Cut(string(text), "\n## "+section+"\n")
	if !found {
		t.Fatalf("the README has no section %q", section)
	}
	text2, _, _ = strings.Cut(text2, "\n## ")
	var commands []string
	for line := range strings.Lines(text2) {
		if line, is := strings.CutPrefix(line, "    verbatim "); is {
			line, _, _ = strings.Cut(line, "#")
			commands = append(commands, "verbatim "+strings.TrimSpace(line))
		}
	}
	return commands
}

// A reader is somebody who copies commands from the README into a shell, in a
// folder with BOOK.txt and LIST.csv.
type reader struct {
	t   *testing.T
	dir string
	env []string
}

const listHeader = "barcode_src,title_src,author_src,firstpub,authnationality,genre,authordates,author_profession\n"

func newReader(t *testing.T, list string) *reader {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	r := &reader{t: t, dir: t.TempDir(), env: []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "VERBATIM_TEST_RUN=1", "VERBATIM_NO_MODELS=true", "TERM=vt100", "NO_COLOR=1"}}
	for path, text := range map[string]string{
		filepath.Join(bin, "verbatim"): "#!/bin/sh\nexec '" + self + "' \"$@\"\n",
		r.file("BOOK.txt"):             lampKeeper,
		r.file("LIST.csv"):             listHeader + list,
	} {
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r *reader) file(name string) string { return filepath.Join(r.dir, name) }

// run gives a line to a shell without a terminal.
func (r *reader) run(line string) (string, int) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), r.env...)
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// sit gives a line to a shell in a terminal.
func (r *reader) sit(line string) *seat {
	r.t.Helper()
	return sitAt(r.t, exec.Command("sh", "-c", line), r.dir, 100, 50, r.env)
}

func (r *reader) has(name string) bool {
	_, err := os.Stat(r.file(name))
	return err == nil
}

// review accepts the first question in a terminal.
func (r *reader) review(line string) {
	r.t.Helper()
	s := r.sit(line)
	s.see("is this a good question?")
	s.press("a")
	s.see("are these good wrong answers?", "> 1 undecided")
	s.press("A")
	s.see("save this question?")
	s.press(enter)
	s.see("1 of 8 questions")
	s.press("q")
	if code := s.leave(); code != 0 {
		r.t.Errorf("%s: exit status %d", line, code)
	}
}

// The commands of the README make questions, with and without a terminal, whether
// the list has all about the book, only a part, or nothing.
func TestTheCommandsOfTheReadme(t *testing.T) {
	lines := readmeCommands(t, "Questions from books")
	if got := strings.Join(lines, "\n"); got != "verbatim make BOOK.txt\nverbatim describe --catalogue LIST.csv *.txt\nverbatim make --batch *.txt\nverbatim review\nverbatim verify process_files" {
		t.Fatalf("the README now says\n%s\nand this test must say what that does", got)
	}
	makeOne, describe, batch, review, verify := lines[0], lines[1], lines[2], lines[3], lines[4]
	const metadata, drafts = "process_files/metadata/BOOK.json", "process_files/BOOK-drafts.jsonl"
	for name, c := range map[string]struct {
		row   string
		saved bool // without asking
		asked []string
	}{
		"a complete row":  {`hvd.BOOK,The Lamp,"Tillott, Ambrose",1881,UK,memoir,1820-1890,lighthouse keeper`, true, nil},
		"a row with gaps": {`BOOK,The Lamp,"Tillott, Ambrose",1881,,,,`, true, []string{"Title", "Author", "Year of first publication", "The author's nationality", "Genre", "The author's year of birth", "The author's profession", "Identifier"}},
		"no row":          {`hvd.other,Wicks,,,,,,`, false, []string{"Title", "Author", "Year of first publication", "The author's nationality", "Genre", "The author's year of birth", "The author's profession", "Identifier"}},
	} {
		t.Run(name+"/without a terminal", func(t *testing.T) {
			r := newReader(t, c.row+"\n")
			if said, code := r.run(makeOne); code != 2 || !strings.Contains(said, "make drafts with --batch") {
				t.Errorf("%s: exit status %d\n%s", makeOne, code, said)
			}
			said, code := r.run(describe)
			if (code == 0) != c.saved || r.has(metadata) != c.saved {
				t.Errorf("%s: exit status %d, saved %v\n%s", describe, code, r.has(metadata), said)
			}
			said, code = r.run(batch)
			if (code == 0) != c.saved || r.has(drafts) != c.saved {
				t.Errorf("%s: exit status %d, drafts %v\n%s", batch, code, r.has(drafts), said)
			}
			if !c.saved {
				return
			}
			if said, code := r.run(review); code != 2 || !strings.Contains(said, "not running in a terminal; with --plain") {
				t.Errorf("%s: exit status %d\n%s", review, code, said)
			}
			if said, code := r.run("printf 'a\\nA\\na\\nq\\n' | " + review + " --plain --reviewer Ada"); code != 0 {
				t.Errorf("%s --plain: exit status %d\n%s", review, code, said)
			}
			if said, code := r.run(verify); code != 0 || !strings.Contains(said, "0 failed") || strings.Contains(said, "0 questions") {
				t.Errorf("%s: exit status %d\n%s", verify, code, said)
			}
		})
		t.Run(name+"/in a terminal", func(t *testing.T) {
			r := newReader(t, c.row+"\n")
			s := r.sit(describe)
			for _, field := range c.asked {
				s.see("> " + field)
				if field == "Title" && !c.saved {
					s.press("The Lamp")
					s.see("The Lamp")
				}
				s.press(enter)
			}
			if c.asked != nil {
				s.see("Is it right?")
				s.press(enter)
			}
			if code := s.leave(); code != 0 || !r.has(metadata) {
				t.Fatalf("%s: exit status %d, saved %v\n%s", describe, code, r.has(metadata), s.text())
			}
			s.see("comes from The Lamp")
			s = r.sit(batch)
			if code := s.leave(); code != 0 || !r.has(drafts) {
				t.Fatalf("%s: exit status %d\n%s", batch, code, s.text())
			}
			r.review(review)
			s = r.sit(verify)
			if code := s.leave(); code != 0 {
				t.Errorf("%s: exit status %d", verify, code)
			}
			s.see("0 failed")
		})
	}
}

// A batch in a terminal ends by itself, whatever is missing.
func TestABatchNeverAsks(t *testing.T) {
	for name, row := range map[string]string{"no row": "other,Wicks,,,,,,\n", "a row without a title": "BOOK,,\"Tillott, A.\",1881,,,,\n", "a row with gaps": "BOOK,The Lamp,,,,,,\n"} {
		r := newReader(t, row)
		for _, line := range []string{"verbatim make --batch BOOK.txt", "verbatim make --batch --catalogue LIST.csv BOOK.txt", "verbatim make --batch --plain --catalogue LIST.csv BOOK.txt"} {
			s := r.sit(line)
			code := s.leave() // no key was pressed
			complete := name == "a row with gaps" && strings.Contains(line, "LIST.csv")
			if (code == 0) != complete {
				t.Errorf("%s: %s: exit status %d\n%s", name, line, code, s.text())
			}
			if complete && !r.has("process_files/metadata/BOOK.json") {
				t.Errorf("%s: %s: the row is not saved, so review will not know the book", name, line)
			}
		}
	}
}
