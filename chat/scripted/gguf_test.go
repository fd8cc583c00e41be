package scripted

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"
)

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
	table, err := newTable(Scripts())
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
	table, err := newTable(Scripts())
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
	if err := Write(&first, Scripts()); err != nil {
		t.Fatal(err)
	}
	if err := Write(&second, Scripts()); err != nil {
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
	err := Write(new(bytes.Buffer), []Script{{"<|a|>", []string{"one", " two"}}, {"<|b|>", []string{"one", " three"}}})
	if err == nil || !strings.Contains(err.Error(), `after "one" comes " three"`) {
		t.Errorf("got %v", err)
	}
}
