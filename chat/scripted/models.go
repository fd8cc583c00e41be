package scripted

import "fmt"

// A Model is a script with a template, as a server creates it.
type Model struct {
	Name     string
	Template string
	Parser   string // harmony, for the format of gpt-oss
}

// Scripts are the scripts of Models. Pieces that continue differently are split
// differently, because a token has one successor.
func Scripts() []Script {
	loop := Script{Marker: "<|loop|>"}
	for i := range 20 {
		loop.Pieces = append(loop.Pieces, fmt.Sprintf(" w%02d", i+1))
	}
	loop.Pieces = append(loop.Pieces, " w01") // an endless loop
	return []Script{
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

// Models are those of the recorded protocol. They all use one file.
func Models() []Model {
	last := func(marker string) string { return "{{ range .Messages }}{{ .Content }}{{ end }}" + marker }
	// With a template that puts thinking into <think> tags, the server reports
	// that the model can think.
	thinking := `{{ range .Messages }}{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}{{ end }}<|think|>`
	return []Model{
		{Name: "tiny-yes", Template: last("<|yes|>")},
		{Name: "tiny-no", Template: last("<|no|>")},
		{Name: "tiny-json", Template: last("<|json|>")},
		{Name: "tiny-chat", Template: last("<|chat|>")},
		{Name: "tiny-loop", Template: last("<|loop|>")},
		{Name: "tiny-think", Template: thinking},
		{Name: "tiny-oss", Template: last("<|oss|>"), Parser: "harmony"},
	}
}

// Modelfile is the file that `ollama create NAME -f FILE` reads. It sets one thread:
// with more, each token takes many times as long on a busy computer.
func (m Model) Modelfile(gguf string) string {
	text := fmt.Sprintf("FROM %s\nTEMPLATE \"\"\"%s\"\"\"\nPARAMETER num_thread 1\n", gguf, m.Template)
	if m.Parser != "" {
		text += "PARSER " + m.Parser + "\n"
	}
	return text
}
