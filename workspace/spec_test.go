package workspace_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"verbatim/workspace"
)

// Three examples of a category are too few, four give questions.
func TestSpecStep4MoreThanThreeExamples(t *testing.T) {
	text := "The keeper of the rock climbed the hundred and forty stairs of his tower without a rest on that evening, as on every evening of the nineteen winters " +
		"that he had lived in it, and lit the great lamp with a taper of his own making. "
	for n, boat := range []string{"first", "second", "third", "fourth"} {
		text += "The " + boat + " boat stayed in the harbour, because the " + boat + " pilot trusted nobody. Nobody on the mainland saw it. "
		path := t.TempDir() + "/lamp.txt"
		laySample(t, path)
		if err := os.WriteFile(path, []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		ws, err := workspace.Open(workspace.DirOf("", path))
		if err != nil {
			t.Fatal(err)
		}
		o := workspace.Standard()
		b, err := ws.Draft(t.Context(), path, &o, false)
		if n < 3 {
			var short *workspace.TooShortError
			if !errors.As(err, &short) || short.Need != 4 || short.Most != n+1 {
				t.Errorf("%d examples: %v", n+1, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%d examples: %v", n+1, err)
		}
		for _, d := range b.AllDrafts() {
			if d.Category != "causalclause" || !strings.HasPrefix(d.Truth, "because the ") {
				t.Errorf("a draft of %s: %q", d.Category, d.Truth)
			}
		}
		if len(b.AllDrafts()) == 0 {
			t.Error("4 examples give no draft")
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A very short text has too few candidates in every category, and the error
// says so.
func TestSpec1AVeryShortTextHasNoQuestions(t *testing.T) {
	path := t.TempDir() + "/lamp.txt"
	laySample(t, path)
	if err := os.WriteFile(path, []byte("The lamp was lit. But nobody on the mainland saw it that night.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.DirOf("", path))
	if err != nil {
		t.Fatal(err)
	}
	o := workspace.Standard()
	if _, err := ws.Draft(t.Context(), path, &o, false); err == nil || !strings.Contains(err.Error(), "no category has the 4 examples that it needs (the best, contrastsentence, has 1)") {
		t.Errorf("a very short text: %v", err)
	}
}
