package small

import (
	"context"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/bert"
)

// The model loads, and prefers the sentence that follows.
func TestSmallModelKnowsWhatFollows(t *testing.T) {
	m, err := Open(bert.Auto)
	if err != nil {
		t.Fatal(err)
	}
	if m.Truncation != "middle" || m.Joint != 2 {
		t.Errorf("the model was trained with two joint layers, without the middle of long sentences; its config.json says %d, %q", m.Joint, m.Truncation)
	}
	info, err := fs.Stat(Files(), "model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 16<<20 {
		t.Errorf("model.safetensors has %d bytes; want at most 16 MB", info.Size())
	}
	pairs := []verbatim.Pair{
		{First: "She asked him where he had left the key.", Second: "“It is in my coat,” he said, “where it always is.”"},
		{First: "She asked him where he had left the key.", Second: "The treaty of that year gave the northern provinces to the crown."},
		{First: "The rain had fallen all night, and the roads were deep in mud.", Second: "The carriage sank to its axles before we had gone a mile."},
		{First: "The rain had fallen all night, and the roads were deep in mud.", Second: "“I never liked your cousin,” replied the old lady."},
	}
	scores, err := m.Score(context.Background(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !(scores[i] > scores[i+1]) {
			t.Errorf("after %q\n %8.3f %s\n %8.3f %s", pairs[i].First, scores[i], pairs[i].Second, scores[i+1], pairs[i+1].Second)
		}
	}
}

// The model's files have a card, and Open loads them once.
func TestSmallModelIsLoadedOnce(t *testing.T) {
	a, err := Open(bert.Auto)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := Open(bert.Auto); a != b {
		t.Error("two calls load two models")
	}
	if _, err := fs.Stat(Files(), "MODEL.md"); err != nil {
		t.Error(err)
	}
}

// A program that imports only package bert does not carry the model.
func TestBertAloneEmbedsNothing(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{len .EmbedFiles}}", "verbatim/bert").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var ours []string
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "verbatim/bert") {
			ours = append(ours, strings.TrimSpace(line))
		}
	}
	if !slices.Equal(ours, []string{"verbatim/bert 0"}) {
		t.Errorf("packages of bert with their embedded files: %q; want only bert itself, without any", ours)
	}
}
