package workspace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

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
	if err != nil {
		panic(err)
	}
	text, err := os.ReadFile("../cmd/verbatim/sample/lamp-keeper.txt")
	if err != nil {
		panic(err)
	}
	path := filepath.Join(dir, "lamp.txt")
	metadata := workspace.FolderAt(workspace.DirOf("", path)).MetadataPath("lamp")
	if err := os.MkdirAll(filepath.Dir(metadata), 0o777); err != nil {
		panic(err)
	}
	for file, content := range map[string]string{path: string(text), metadata: lampMetadata} {
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			panic(err)
		}
	}
	return path
}

const lampMetadata = `{"source_htid": "demo.lamp", "source_title": "The Lamp-Keeper's Year", "source_author": "Ambrose Tillott",
"source_date": 1881, "author_nationality": "British", "source_genre": "memoir", "author_birth": 1820, "author_profession": "lighthouse keeper"}`
