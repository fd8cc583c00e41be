package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/workspace"
)

// A panic at any stage of one book is an error that names the book and the stage;
// the stack is in a file, the book is not locked any more, and the next run does
// what was left.
func TestAPanicCostsOneBook(t *testing.T) {
	var stages []string
	path, ws := openSample(t)
	ws.Models = newMoody(t).models()
	ws.OnStage(func(_, stage string) {
		if !slices.Contains(stages, stage) {
			stages = append(stages, stage)
		}
	})
	if err := draftAll(t, ws, path); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"opening the book", "cleaning the text", "tagging the sentences", "confirming connectors",
		"drawing drafts", "ranking wrong answers", "writing wrong answers", "saving the files"} {
		if !slices.Contains(stages, want) {
			t.Errorf("no stage is called %q: %q", want, stages)
		}
	}
	want := read(t, ws.Path("lamp", workspace.Drafts))
	for _, at := range stages {
		path, ws := openSample(t)
		ws.Models = newMoody(t).models()
		ws.OnStage(func(_, stage string) {
			if stage == at {
				panic("a test at " + stage)
			}
		})
		err := draftAll(t, ws, path)
		var crash *workspace.CrashError
		if !errors.As(err, &crash) || crash.Barcode != "lamp" || crash.Stage != at {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if text := read(t, crash.File); !strings.Contains(text, "crashed on lamp while "+at) || !strings.Contains(text, "crash_test.go") {
			t.Errorf("%s: the file says\n%s", at, text)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("the stack is in the message: %v", err)
		}
		ws.OnStage(nil)
		if err := draftAll(t, ws, path); err != nil {
			t.Errorf("after %s: %v", at, err)
		}
		if read(t, ws.Path("lamp", workspace.Drafts)) != want {
			t.Errorf("after %s the drafts are not the same", at)
		}
	}
}

// draftAll takes a book through every stage of a batch.
func draftAll(t *testing.T, ws *workspace.Workspace, path string) error {
	t.Helper()
	o := workspace.Standard()
	o.Drafts, o.Types = 2, []string{"negation", "same_book"}
	b, err := ws.Draft(t.Context(), path, &o, false)
	if err != nil {
		return err
	}
	defer b.Close()
	failed, err := workspace.WriteAnswers(t.Context(), &o, []*workspace.Book{b})
	if err := errors.Join(err, failed[b]); err != nil {
		return err
	}
	return b.FinishBook(func() error { return b.SaveQuestions(false) })
}

// A model's client that panics, in a worker: in the same wave the other book gets
// its answers.
func TestAPanicInAWorkerCostsOneBook(t *testing.T) {
	path, ws := openSample(t)
	dir := filepath.Dir(path)
	two := filepath.Join(dir, "two.txt")
	text := strings.ReplaceAll(read(t, path), "Garrow", "Barrow")
	for name, text := range map[string]string{two: text, ws.MetadataPath("two"): lampMetadata} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	model := newMoody(t)
	ws.Models = model.models()
	answers := false
	ws.Models.Open = func(ledger string) (verbatim.ChatModel, func(), error) {
		return chatFunc(func(ctx context.Context, p verbatim.Prompt) (verbatim.Reply, error) {
			if answers && strings.Contains(ledger, "two") {
				panic("a test")
			}
			return model.Chat(ctx, p)
		}), func() {}, nil
	}
	o := workspace.Standard()
	o.Drafts, o.Types = 2, []string{"negation", "same_book"}
	var books []*workspace.Book
	for _, path := range []string{path, two} {
		b, err := ws.Draft(t.Context(), path, &o, false)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		books = append(books, b)
	}
	answers = true
	failed, err := workspace.WriteAnswers(t.Context(), &o, books)
	var crash *workspace.CrashError
	if err != nil || len(failed) != 1 || !errors.As(failed[books[1]], &crash) || crash.Stage != "writing wrong answers" {
		t.Fatalf("failed: %v, %v", failed, err)
	}
	if made := strings.Count(read(t, ws.Path("lamp", workspace.Drafts)), `"made":true`); made != len(books[0].AllDrafts()) {
		t.Errorf("%d drafts of the other book are made", made)
	}
	if made := strings.Count(read(t, ws.Path("two", workspace.Drafts)), `"made":true`); made != 0 {
		t.Errorf("%d drafts of the book that crashed count as made", made)
	}
}

type chatFunc func(context.Context, verbatim.Prompt) (verbatim.Reply, error)

func (f chatFunc) Chat(ctx context.Context, p verbatim.Prompt) (verbatim.Reply, error) {
	return f(ctx, p)
}
