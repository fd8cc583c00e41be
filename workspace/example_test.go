package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"verbatim/workspace"
)

// Draft the questions of a book without a terminal, and prove every quotation
// in them against the book.
func Example() {
	ctx, path := context.Background(), sampleBook() // a text, and process_files/metadata beside it
	defer os.RemoveAll(filepath.Dir(path))

	ws, err := workspace.Open(workspace.DirOf("", path))
	if err != nil {
		panic(err)
	}
	o := workspace.Standard()
	o.Drafts, o.Categories = 2, []string{"causalclause", "contrastsentence"}
	b, err := ws.Draft(ctx, path, &o, false)
	if err != nil {
		panic(err)
	}
	defer b.Close()
	proofs, err := workspace.Verify(ctx, []string{b.File(workspace.Drafts)}, "", func(workspace.Proof) {})
	fmt.Println(len(b.AllDrafts()), "drafts,", proofs.Proved, "quotations proved,", proofs.Failed, "failed,", err)
	// Output: 4 drafts, 8 quotations proved, 0 failed, <nil>
}

// sampleBook lays the sample book and its metadata into a new folder.
func sampleBook() string {
	dir, err := os.MkdirTemp("", "verbatim-example-")
	if err == nil {
		err = lay(filepath.Join(dir, "lamp.txt"))
	}
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "lamp.txt")
}

// lay writes the sample book to a path, and its metadata into the working folder.
func lay(path string) error {
	text, err := os.ReadFile("../cmd/verbatim/sample/lamp-keeper.txt")
	if err != nil {
		return err
	}
	metadata := workspace.FolderAt(workspace.DirOf("", path)).MetadataPath("lamp")
	return errors.Join(os.MkdirAll(filepath.Dir(metadata), 0o777), os.WriteFile(path, text, 0o666), os.WriteFile(metadata, []byte(lampMetadata), 0o666))
}

func laySample(t *testing.T, path string) {
	t.Helper()
	if err := lay(path); err != nil {
		t.Fatal(err)
	}
}

// openSample opens the working folder of a copy of the sample book.
func openSample(t *testing.T) (path string, ws *workspace.Workspace) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "lamp.txt")
	laySample(t, path)
	ws, err := workspace.Open(workspace.DirOf("", path))
	if err != nil {
		t.Fatal(err)
	}
	return path, ws
}

const lampMetadata = `{"source_htid": "demo.lamp", "source_title": "The Lamp-Keeper's Year", "source_author": "Ambrose Tillott",
"source_date": 1881, "author_nationality": "British", "source_genre": "memoir", "author_birth": 1820, "author_profession": "lighthouse keeper"}`
