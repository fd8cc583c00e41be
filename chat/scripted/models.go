package scripted

import "fmt"

// A Model is a script under a template: what the server is told to make.
type Model struct {
	Name     string
	Template string
	Parser   string // harmony, for the way of gpt-oss
}

// Scripts of the models. Pieces that would go on differently are cut
// differently: a token has one successor.
func Scripts() []Script {
	loop := Script{Marker: "<|loop|>"}
	for i := range 20 {
		loop.Pieces = append(loop.Pieces, fmt.Sprintf(" w%02d", i+1))
	}
	loop.Pieces = append(loop.Pieces, " w01") // round and round
	return []Script{
		{"<|yes|>", []string{"yes"}},
		{"<|no|>", []string{"no"}},
		{"<|json|>", []string{`{"answer"`, `:`, ` "ye`, `s"`, `}`}},
		{"<|chat|>", []string{"Hello", ", ", "I ", "am ", "a ", "scripted ", "model", "."}},
		loop,
		{"<|think|>", []string{"<think>", "Let", " me", " think.", "</think>", "Answer:", " blue", " sky"}},
		{"<|oss|>", []string{"<|channel|>", "analysis", "<|message|>", "User greets me.",
			"<|en", "d|>", // a token <|end|> would end the answer: llama.cpp knows it by its name
			"<|start|>", "assistant", "<|chan", "nel|>final<|mess", "age|>", "Hi there!"}},
	}
}

// Models are those of the recorded protocol, all made of one file.
func Models() []Model {
	last := func(marker string) string { return "{{ range .Messages }}{{ .Content }}{{ end }}" + marker }
	// A template that shows thinking inside <think> tags makes the server say
	// that the model thinks.
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

// Modelfile is what `ollama create NAME -f FILE` reads. With more threads than
// one a token takes many times as long on a busy computer.
func (m Model) Modelfile(gguf string) string {
	text := fmt.Sprintf("FROM %s\nTEMPLATE \"\"\"%s\"\"\"\nPARAMETER num_thread 1\n", gguf, m.Template)
	if m.Parser != "" {
		text += "PARSER " + m.Parser + "\n"
	}
	return text
}
