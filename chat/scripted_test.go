package chat

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A scriptedModel is a script with a template, as a server creates it.
type scriptedModel struct {
	Name     string
	Template string
	Parser   string // harmony, for the format of gpt-oss
}

// scripts are the scripts of scriptedModels. pieces that continue differently are split
// differently, because a token has one successor.
func scripts() []script {
	loop := script{marker: "<|loop|>"}
	for i := range 20 {
		loop.pieces = append(loop.pieces, fmt.Sprintf(" w%02d", i+1))
	}
	loop.pieces = append(loop.pieces, " w01") // an endless loop
	return []script{
		{"<|yes|>", []string{"yes"}},
		{"<|no|>", []string{"no"}},
		{"<|json|>", []string{`{"answer"`, `:`, ` "ye`, `s"`, `}`}},
		{"<|chat|>", []string{"Hello", ", ", "I ", "am ", "a ", "scripted ", "model", "."}},
		loop,
		{"<|think|>", []string{"<think>", "Let", " me", " think.", "</think>", "Answer:", " blue", " sky"}},
		{"<|oss|>", []string{"<|channel|>", "analysis", "<|message|>", "User greets me.",
			"<|en", "d|>", // llama.cpp would end the answer at a token <|end|>
			"<|start|>", "assistant", "<|chan", "nel|>final<|mess", "age|>", "Hi there!"}},
	}
}

// scriptedModels are those of the recorded protocol. They all use one file.
func scriptedModels() []scriptedModel {
	last := func(marker string) string { return "{{ range .Messages }}{{ .Content }}{{ end }}" + marker }
	// With a template that puts thinking into <think> tags, the server reports
	// that the model can think.
	thinking := `{{ range .Messages }}{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}{{ end }}<|think|>`
	return []scriptedModel{
		{Name: "tiny-yes", Template: last("<|yes|>")},
		{Name: "tiny-no", Template: last("<|no|>")},
		{Name: "tiny-json", Template: last("<|json|>")},
		{Name: "tiny-chat", Template: last("<|chat|>")},
		{Name: "tiny-loop", Template: last("<|loop|>")},
		{Name: "tiny-think", Template: thinking},
		{Name: "tiny-oss", Template: last("<|oss|>"), Parser: "harmony"},
	}
}

// modelfile is the file that `ollama create NAME -f FILE` reads. It sets one thread:
// with more, each token takes many times as long on a busy computer.
func (m scriptedModel) modelfile(gguf string) string {
	text := fmt.Sprintf("FROM %s\nTEMPLATE \"\"\"%s\"\"\"\nPARAMETER num_thread 1\n", gguf, m.Template)
	if m.Parser != "" {
		text += "PARSER " + m.Parser + "\n"
	}
	return text
}

// say follows the table from a marker, as a server does with the weights.
func (t *table) say(marker string, most int) string {
	var out strings.Builder
	for at := t.ids[marker]; most > 0; most-- {
		next, there := t.next[at]
		if !there || next == endOfText {
			break
		}
		out.WriteString(strings.ReplaceAll(t.texts[next], "▁", " "))
		at = next
	}
	return out.String()
}

func TestEachMarkerStartsItsScript(t *testing.T) {
	table, err := newTable(scripts())
	if err != nil {
		t.Fatal(err)
	}
	for marker, want := range map[string]string{
		"<|yes|>": "yes", "<|no|>": "no", "<|json|>": `{"answer": "yes"}`, "<|chat|>": "Hello, I am a scripted model.",
		"<|think|>": "<think>Let me think.</think>Answer: blue sky",
		"<|oss|>":   "<|channel|>analysis<|message|>User greets me.<|end|><|start|>assistant<|channel|>final<|message|>Hi there!",
	} {
		if got := table.say(marker, 100); got != want {
			t.Errorf("%s says %q, want %q", marker, got, want)
		}
	}
	if got := table.say("<|loop|>", 42); !strings.HasSuffix(got, " w20 w01 w02") {
		t.Errorf("the loop says %q", got)
	}
}

// The output weights must lead from each token to its successor.
func TestTheWeightsMatchTheTable(t *testing.T) {
	table, err := newTable(scripts())
	if err != nil {
		t.Fatal(err)
	}
	tensors := table.tensors()
	output := tensors[len(tensors)-1]
	best, lead := make([]int, len(table.texts)), make([]float32, len(table.texts))
	for row := range table.texts {
		for column := range table.texts {
			if w := output.at(row, column); w > lead[column] {
				best[column], lead[column] = row, w
			}
		}
	}
	for token, successor := range table.next {
		if best[token] != successor {
			t.Errorf("after %q comes %q, want %q", table.texts[token], table.texts[best[token]], table.texts[successor])
		}
	}
}

func TestTheFileIsWellFormedAndReproducible(t *testing.T) {
	var first, second bytes.Buffer
	if err := writeGGUF(&first, scripts()); err != nil {
		t.Fatal(err)
	}
	if err := writeGGUF(&second, scripts()); err != nil {
		t.Fatal(err)
	}
	if sha256.Sum256(first.Bytes()) != sha256.Sum256(second.Bytes()) {
		t.Error("two files of the same scripts differ")
	}
	head := first.Bytes()
	if string(head[:4]) != "GGUF" || binary.LittleEndian.Uint32(head[4:]) != 3 || binary.LittleEndian.Uint64(head[8:]) != 12 || first.Len()%32 != 0 || first.Len() > 8<<20 {
		t.Errorf("a file of %d bytes starts with % x", first.Len(), head[:24])
	}
}

func TestScriptsThatContinueDifferentlyCannotShareAPiece(t *testing.T) {
	err := writeGGUF(new(bytes.Buffer), []script{{"<|a|>", []string{"one", " two"}}, {"<|b|>", []string{"one", " three"}}})
	if err == nil || !strings.Contains(err.Error(), `after "one" comes " three"`) {
		t.Errorf("got %v", err)
	}
}

// SCRIPTED_MODELS=FOLDER go test ./chat -run WriteScriptedModels -v writes the model
// and a Modelfile for each template, to try them by hand.
func TestWriteScriptedModels(t *testing.T) {
	dir := os.Getenv("SCRIPTED_MODELS")
	if dir == "" {
		t.Skip("writes files for a person, and SCRIPTED_MODELS names no folder for them")
	}
	var gguf bytes.Buffer
	if err := writeGGUF(&gguf, scripts()); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"scripted.gguf": gguf.Bytes()}
	for _, m := range scriptedModels() {
		files[m.Name+".Modelfile"] = []byte(m.modelfile("./scripted.gguf"))
		t.Logf("ollama create %s -f %s", m.Name, filepath.Join(dir, m.Name+".Modelfile"))
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
