package lint

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// half a point: two programs that measure the same must agree so far.
const agreement = 0.005

// lint and leaks.py, an independent program, measure the same attacks alike.
func TestAgreesWithLeaks(t *testing.T) {
	tool, err := filepath.Abs("../../shared/tools/leaks.py")
	if _, statErr := os.Stat(tool); err != nil || statErr != nil {
		t.Skip("no leaks.py beside this checkout")
	}
	python, fast := findPython(t)
	file := filepath.Join(t.TempDir(), "questions.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(invented(160), "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	table := file + ".json"
	args := []string{tool, "--boot", "20", "--json", table, file}
	if fast {
		args = append(args, "--fast")
	}
	out, err := exec.Command(python, args...).CombinedOutput()
	data, readErr := os.ReadFile(table) // leaks.py exits with 1 where something leaks
	if readErr != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var theirs []struct {
		Attack string
		Lift   float64
	}
	if err := json.Unmarshal(data, &theirs); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	questions, wrong := (&Reader{}).Read(in, file)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	ours, err := Check(context.Background(), questions, Settings{Fast: fast})
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for _, their := range theirs {
		our := ours.named(their.Attack)
		if our == nil {
			t.Errorf("lint has no attack %q", their.Attack)
			continue
		}
		worst = max(worst, math.Abs(our.Lift-their.Lift))
		if math.Abs(our.Lift-their.Lift) > agreement {
			t.Errorf("%s: leaks.py %+.4f, lint %+.4f", their.Attack, their.Lift, our.Lift)
		}
	}
	t.Logf("%d attacks (fast: %v), the largest difference is %.4f", len(theirs), fast, worst)
}

// findPython finds a Python with numpy; fast says that scikit-learn is missing.
func findPython(t *testing.T) (python string, fast bool) {
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(name, "-c", "import sklearn").Run() == nil {
			return name, false
		}
	}
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			t.Log("no scikit-learn: learned attacks are not compared")
			return name, true
		}
	}
	t.Skip("no Python with numpy here")
	return "", false
}

// invented are questions of ten books, with every kind of sign in their options.
func invented(n int) []string {
	words := strings.Fields(`the the a of and he she his was were not never I me they had said “Well” — Mr. Tillott, however lamp; harbour:
		keeper's café naïve 1881 night don’t won't glass "old" (dark) cold, quiet long-lost letters oil tower ended walked upon with from Paris`)
	source := rand.New(rand.NewPCG(11, 4))
	text := func(opening string, count int) string {
		parts := []string{opening}
		for range count {
			parts = append(parts, words[source.IntN(len(words))])
		}
		return strings.Join(parts, " ")
	}
	var lines []string
	for i := range n {
		var options []string
		for k := range 3 + i%2 {
			opening := []string{"because", "for", "since", "as"}[source.IntN(4)]
			if k == 0 && i%3 == 0 {
				opening = "because" // a leak to find
			}
			options = append(options, text(opening, 4+source.IntN(14)))
		}
		line, _ := json.Marshal(map[string]any{"id": fmt.Sprint("q", i), "source_htid": fmt.Sprint("book", i%10), "question_category": []string{"cloze_causalclause", "cloze_effectclause"}[i%2],
			"main_question": text("The", 50) + ", [masked clause describing a cause or reason].\n\nWrite a clause:", "answer_strings": options, "answer_types": []string{"ground_truth"}})
		lines = append(lines, string(line))
	}
	return lines
}
