package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// A program that waits for each answer before it asks again gets it.
func TestEachQuestionIsAnsweredAtOnce(t *testing.T) {
	model := filepath.Join("..", "..", "bert", "testdata", "plain")
	for _, c := range []struct{ args, ask, answer string }{
		{"inspect polarity --spans -", `{"id":"1","text":"No rain.","start":3,"end":7}`, `{"id":"1","polarity":"absent"`},
		{"inspect connectors --sentences -", `{"id":"1","sentence":"But he came."}`, `{"id":"1","connector":"but"`},
		{"inspect ranking --json --nsp-model " + model, `{"id":"1","passage":"w1 w2. [mask] w3 w4.","mask":"[mask]","candidates":["w5 w6."]}`, `{"id":"1","ranking":[{`},
	} {
		t.Run(c.args, func(t *testing.T) {
			asker := &asker{asks: []string{c.ask, c.ask}}
			var messages bytes.Buffer
			if code := run(t.Context(), strings.Fields(c.args), asker, &asker.answers, &messages); code != 0 {
				t.Fatalf("exit status %d: %s", code, messages.String())
			}
			for i, answers := range asker.seen {
				if got := strings.Count(answers, c.answer); got != i {
					t.Errorf("after %d questions there are %d answers: %s", i, got, answers)
				}
			}
		})
	}
}

// An asker gives one line per read and records the answers so far.
type asker struct {
	asks    []string
	answers bytes.Buffer
	seen    []string
}

func (a *asker) Read(p []byte) (int, error) {
	a.seen = append(a.seen, a.answers.String())
	if len(a.asks) == 0 {
		return 0, io.EOF
	}
	n := copy(p, a.asks[0]+"\n")
	a.asks = a.asks[1:]
	return n, nil
}
