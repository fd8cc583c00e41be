package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"verbatim/bert"
	"verbatim/chat/fake"
	"verbatim/cloze"
	"verbatim/internal/durable"
	"verbatim/workspace"
)

// storyteller answers every question with text of the right length; the same
// question always gets the same answer.
func storyteller(r fake.Request) string {
	if strings.Contains(r.Prompt, "Choose one answer:") {
		for _, word := range []string{"reason", "concession", "consequence", "explains", "effect", "contrast", "condition"} {
			if strings.Contains(r.Prompt, "\n"+word+":") {
				return fmt.Sprintf(`{"reason": "the words say so", "answer": %q}`, word)
			}
		}
	}
	n := 14
	if about := aboutWords.FindStringSubmatch(r.Prompt); about != nil {
		n, _ = strconv.Atoi(about[1])
	}
	vocabulary := strings.Fields("river engine morning garden letter window market captain ribbon winter orchard bridge candle harvest station")
	sum := sha256.Sum256([]byte(r.Model + r.Prompt))
	words := []string{"because"}
	for i := range n - 1 {
		words = append(words, vocabulary[int(sum[i%len(sum)])%len(vocabulary)])
	}
	return strings.Join(words, " ")
}

var aboutWords = regexp.MustCompile(`\(about (\d+) words\)`)

func storyServer(t *testing.T, delay time.Duration) *fake.Server {
	s := fake.New("mistral-small:24b")
	s.Models["gpt-oss:20b"] = fake.Model{Digest: strings.Repeat("ab", 32), Context: 131072, Thinks: "Let me see.", Levels: true}
	s.Answer = func(r fake.Request) string {
		time.Sleep(delay)
		return storyteller(r)
	}
	t.Cleanup(s.Close)
	return s
}

// With language models a draft has all five wrong answers. A later run without
// models keeps them, and a changed frame asks again only for those that use it.
func TestBatchWithModels(t *testing.T) {
	server := storyServer(t, 0)
	dir := bookIn(t, true, false)
	out := verbatimIn(t, dir, "make", "--batch", "--server", server.URL, "--drafts", "2", "lamp.txt")
	if !regexp.MustCompile(`about \d+ calls to language models: \d+ to confirm connectors, \d+ for wrong answers`).MatchString(out) {
		t.Errorf("the batch does not print an estimate:\n%s", out)
	}
	drafts := draftsIn(t, dir)
	if len(drafts) < 14 {
		t.Fatalf("%d drafts were made", len(drafts))
	}
	complete := 0
	for _, d := range drafts {
		var types []string
		metadataless := 0
		for _, o := range d.Options {
			types = append(types, o.Type)
			if strings.HasPrefix(o.Type, "anachronistic_metadataless_") {
				metadataless++
			}
		}
		if len(d.Options) == 5 && d.Made {
			complete++
			if types[0] != "negation" || types[1] != "same_book" || types[2] != "same_book" || metadataless != 1 {
				t.Errorf("the wrong answers are %v", types)
			}
		} else if len(d.Options)+len(d.Failed) != 5 {
			t.Errorf("%d wrong answers and %d failures, want five: %v", len(d.Options), len(d.Failed), d.Failed)
		}
	}
	if complete < len(drafts)*3/4 {
		t.Errorf("only %d of %d drafts have all five wrong answers", complete, len(drafts))
	}
	before := fileIn(t, dir, "lamp-drafts.jsonl")
	verbatimIn(t, dir, "make", "--batch", "--no-models", "--drafts", "2", "lamp.txt")
	if !bytes.Equal(before, fileIn(t, dir, "lamp-drafts.jsonl")) {
		t.Error("a run without models changed what models had written")
	}
	asked := len(server.Requests())
	verbatimIn(t, dir, "make", "--batch", "--server", server.URL, "--drafts", "2", "lamp.txt")
	if n := len(server.Requests()) - asked; n != 0 {
		t.Errorf("a second run asked %d questions again", n)
	}
}

func draftsIn(t *testing.T, dir string) []*cloze.Draft {
	t.Helper()
	drafts, err := workspace.ReadDrafts(filepath.Join(dir, "process_files", "lamp-drafts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return drafts
}

func fileIn(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "process_files", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A run that is killed at random moments and started again writes the same files
// as an uninterrupted run, and repeats hardly any call.
func TestBatchResumesAfterKills(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	args := func(url string) []string {
		return []string{"make", "--batch", "--server", url, "--concurrency", "4", "--drafts", "3", "--confirm-cap", "3", "lamp.txt"}
	}
	server := storyServer(t, 20*time.Millisecond)
	whole := bookIn(t, true, false)
	start := time.Now()
	verbatimIn(t, whole, args(server.URL)...)
	usual, once := time.Since(start), len(server.Requests())
	check := func(dir string) {
		t.Helper()
		for _, name := range []string{"lamp-drafts.jsonl", "lamp-tagged.jsonl", "lamp-refused.jsonl", "lamp-made.json"} {
			if !bytes.Equal(fileIn(t, dir, name), fileIn(t, whole, name)) {
				t.Errorf("%s differs from that of an uninterrupted run", name)
			}
		}
	}
	dir, kills, books, extra, before := bookIn(t, true, false), 0, 1, 0, once
	wanted := killsWanted(4)
	for tries := 0; tries < 5*wanted && kills < wanted; tries++ {
		if killed(t, process(t, dir, args(server.URL)...), usual) {
			kills++
			continue
		}
		check(dir) // it is done: begin again
		extra += len(server.Requests()) - before - once
		dir, books, before = bookIn(t, true, false), books+1, len(server.Requests())
	}
	verbatimIn(t, dir, args(server.URL)...)
	check(dir)
	extra += len(server.Requests()) - before - once
	t.Logf("%d kills in %d books; %d calls were made twice, %d are needed for one book", kills, books, extra, once)
	if kills < wanted {
		t.Errorf("only %d runs were killed in time", kills)
	}
	if extra > kills*4 {
		t.Errorf("%d calls were made twice in %d kills", extra, kills)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "process_files", "*.tmp")); len(left) > 0 {
		t.Errorf("a killed run left %v", left)
	}
}

// The files do not depend on the order of work or the number of workers.
func TestTwoBooksInAnyOrder(t *testing.T) {
	var files [][]byte
	for _, order := range [][]string{{"lamp.txt", "two.txt"}, {"two.txt", "lamp.txt"}} {
		dir := bookIn(t, true, false)
		for name, text := range map[string]string{"two.txt": strings.Replace(lampKeeper, "Garrow", "Barrow", -1), "process_files/metadata/two.json": lampKeeperMetadata} {
			if err := durable.Replace(filepath.Join(dir, filepath.FromSlash(name)), writeText(text)); err != nil {
				t.Fatal(err)
			}
		}
		verbatimIn(t, dir, append([]string{"make", "--batch", "--no-models"}, order...)...)
		files = append(files, append(fileIn(t, dir, "lamp-drafts.jsonl"), fileIn(t, dir, "two-drafts.jsonl")...))
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the order of the books shows in their drafts")
	}
}

// bookIn is a folder with the sample book, with metadata and drafts if wanted.
func bookIn(t *testing.T, described, drafted bool) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write("lamp.txt", lampKeeper)
	if described {
		write("process_files/metadata/lamp.json", lampKeeperMetadata)
	}
	if drafted {
		verbatimIn(t, dir, "make", "--batch", "--no-models", "lamp.txt")
	}
	return dir
}

// verbatimIn runs a command in a folder and gives what it prints.
func verbatimIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "VERBATIM_TEST_RUN=1", "VERBATIM_NO_MODELS=false")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("verbatim %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// A changed prompt or frame: the answers of models are out of date and made again;
// same-book answers and every decision stay.
func TestChangedPromptAndFrame(t *testing.T) {
	server := storyServer(t, 0)
	dir := bookIn(t, true, false)
	if err := os.MkdirAll(filepath.Join(dir, "process_files", "rules", "prompts"), 0o777); err != nil {
		t.Fatal(err)
	}
	args := []string{"make", "--batch", "--server", server.URL, "--drafts", "2", "--confirm-cap", "2", "lamp.txt"}
	verbatimIn(t, dir, args...)
	first := draftsIn(t, dir)
	calls := len(server.Requests())

	prompt := "Turn this clause round.\n\noriginal clause: {ground_truth_answer}\nnegation:\n"
	if err := os.WriteFile(filepath.Join(dir, "process_files", "rules", "prompts", "negation-clause.txt"), []byte(prompt), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := verbatimIn(t, dir, "status"); !strings.Contains(out, "out of date: drafts.jsonl (different frame or prompt)") {
		t.Errorf("status does not name the drafts:\n%s", out)
	}
	verbatimIn(t, dir, args...)
	second := draftsIn(t, dir)
	clauses := 0
	for i, d := range second {
		if d.ID != first[i].ID {
			t.Fatal("another prompt draws other drafts")
		}
		if d.Kind().Clause() {
			clauses++
		}
	}
	asked := len(server.Requests()) - calls
	if asked == 0 || asked > clauses {
		t.Errorf("%d questions were asked again for %d drafts with a clause", asked, clauses)
	}
}

// A different next-sentence model ranks again; the one inside is a source, too.
func TestChangedNextSentenceModel(t *testing.T) {
	dir := bookIn(t, true, true)
	small := fstest.MapFS{"config.json": {Data: []byte("{}")}, "model.safetensors": {Data: []byte("one")}}
	other := fstest.MapFS{"config.json": {Data: []byte("{}")}, "model.safetensors": {Data: []byte("two")}}
	if bert.Hash(small) == bert.Hash(other) {
		t.Error("two models have one hash")
	}
	out := verbatimIn(t, dir, "make", "--batch", "--no-models", "--nsp-model", "none", "lamp.txt")
	if !strings.Contains(out, "the drafts were out of date (different scorer) and were rebuilt") {
		t.Errorf("without the model the drafts are not rebuilt:\n%s", out)
	}
}

// Each folder has its own prompts and model for negations, even in one batch.
func TestEachFolderHasItsOwnPrompts(t *testing.T) {
	server := storyServer(t, 0)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/lamp.txt": lampKeeper, "a/process_files/metadata/lamp.json": lampKeeperMetadata,
		"b/lamp.txt": lampKeeper, "b/process_files/metadata/lamp.json": lampKeeperMetadata,
		"b/process_files/settings.txt":                      "negation-model: gpt-oss:20b\n",
		"b/process_files/rules/prompts/negation-clause.txt": "Say the contrary, as folder b wants it.\n\noriginal clause: {ground_truth_answer}\nnegation:\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	verbatimIn(t, dir, "make", "--batch", "--server", server.URL, "--types", "negation", "--drafts", "2", "--categories", "causalclause", "--confirm-cap", "0", "a/lamp.txt", "b/lamp.txt")
	asked := map[string]int{}
	for _, r := range server.Requests() {
		if strings.Contains(r.Prompt, "original clause:") {
			asked[fmt.Sprintf("%s, prompt of b: %v", r.Model, strings.HasPrefix(r.Prompt, "Say the contrary"))]++
		}
	}
	if asked["mistral-small:24b, prompt of b: false"] != 2 || asked["gpt-oss:20b, prompt of b: true"] != 2 || len(asked) != 2 {
		t.Errorf("got questions %v", asked)
	}
}
