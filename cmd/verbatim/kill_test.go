package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim/chat/fake"
)

// longRun is four invented books with fifty ambiguous connectors each.
func longRun(t *testing.T, dir string) []string {
	t.Helper()
	var paths []string
	for b := range 4 {
		var text strings.Builder
		for i := range 50 {
			fmt.Fprintf(&text, "The %d men of house %d went home early, since there was no corn left to grind. Nobody spoke of it.\n\n", i+2, b+1)
		}
		path := filepath.Join(dir, fmt.Sprintf("book%d.txt", b))
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// tagProcess starts `verbatim tag` in a process: this test binary, which runs the
// command if the variable is set.
func tagProcess(t *testing.T, server, dir string, paths []string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"tag", "--server", server, "--concurrency", "8", "--confirm-cap", "-1", "--dir", dir}, paths...)...)
	cmd.Env = append(os.Environ(), "VERBATIM_TEST_RUN=1", "VERBATIM_NO_MODELS=false")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// filesOf are the files of a folder except the ledgers, which contain times.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range names {
		if strings.Contains(name, "-ledger.jsonl") || filepath.Base(name) == ".locks" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return files
}

// answeredIn are the sentences with an answer in a ledger.
func answeredIn(dir string) map[string]bool {
	answered := map[string]bool{}
	names, _ := filepath.Glob(filepath.Join(dir, "*-ledger.jsonl"))
	for _, name := range names {
		text, _ := os.ReadFile(name)
		for line := range bytes.Lines(text) {
			if bytes.HasSuffix(line, []byte("\n")) {
				answered[menOf(string(line))] = true
			}
		}
	}
	return answered
}

func menOf(prompt string) string {
	at := strings.LastIndex(prompt, "men of house ")
	return prompt[max(0, at-8):min(len(prompt), at+15)]
}

func TestTagResumesAfterKills(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes, which takes long: not with -short")
	}
	s := fake.New("mistral-small:24b")
	defer s.Close()
	s.Answer = func(r fake.Request) string {
		answer := "reason"
		if strings.Contains(r.Prompt, "7 men") {
			answer = "time"
		}
		return fmt.Sprintf(`{"reason":"so it reads","answer":%q}`, answer)
	}
	s.Delay = 15 * time.Millisecond
	paths := longRun(t, t.TempDir())
	whole := t.TempDir()
	start := time.Now()
	if err := tagProcess(t, s.URL, whole, paths).Wait(); err != nil {
		t.Fatal(err)
	}
	usual := time.Since(start)
	want := filesOf(t, whole)
	if n := len(s.Requests()); n != 200 || !strings.Contains(want["book0-refused.jsonl"], "says time") {
		t.Fatalf("an uninterrupted run made %d calls", n)
	}
	kills, worst, wanted := 0, 0, killsWanted(4)
	dir, runs := t.TempDir(), 1
	for tries := 0; kills < wanted; tries++ {
		if tries > 10*wanted {
			t.Fatalf("only %d runs were killed in time", kills)
		}
		before, stand := len(s.Requests()), answeredIn(dir)
		cmd := tagProcess(t, s.URL, dir, paths)
		timer := time.AfterFunc(rand.N(usual), func() { _ = cmd.Process.Kill() })
		finished := cmd.Wait() == nil
		timer.Stop()
		time.Sleep(5 * s.Delay)
		lost, now := 0, answeredIn(dir)
		for _, r := range s.Requests()[before:] {
			what := menOf(r.Prompt)
			if stand[what] {
				t.Errorf("%q was in the ledger and was asked again", what)
			}
			if !now[what] {
				lost++ // it will be repeated
			}
		}
		worst = max(worst, lost)
		if !finished {
			kills++
			continue
		}
		same(t, filesOf(t, dir), want)
		dir, runs = t.TempDir(), runs+1
	}
	if err := tagProcess(t, s.URL, dir, paths).Wait(); err != nil {
		t.Fatal(err)
	}
	same(t, filesOf(t, dir), want)
	if worst > 8 {
		t.Errorf("%d kills, at most %d calls repeated", kills, worst)
	}
	t.Logf("%d kills in %d runs, at most %d calls repeated after one, %d files compared", kills, runs, worst, len(want))
}

// same compares the files of two folders.
func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs after the kills", name)
		}
	}
	for name := range got {
		if _, there := want[name]; !there {
			t.Errorf("%s is left over", name)
		}
	}
}
