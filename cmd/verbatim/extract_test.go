package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestDemoExtract(t *testing.T) {
	var out bytes.Buffer
	predictions, err := demoExtract(context.Background(), &out, demoJournals)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(predictions, "\n"); n != 3 {
		t.Errorf("%d lines of predictions, want one for each of three journals", n)
	}
	for _, want := range []string{"proves each one against its", "symptom  a stiff neck"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demo does not print %q:\n%s", want, out.String())
		}
	}
	t.Log(out.String())
}
