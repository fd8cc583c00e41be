package bert

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"
)

//go:embed small
var embedded embed.FS

// SmallFiles is the folder of the embedded model.
func SmallFiles() fs.FS {
	folder, err := fs.Sub(embedded, "small")
	if err != nil {
		panic(err) // the name is ours
	}
	return folder
}

// Small is the model inside this package: small, trained on public-domain prose
// from before 1929. It is loaded once.
func Small() (*Model, error) { return small() }

var small = sync.OnceValues(func() (*Model, error) {
	m, err := Load(SmallFiles())
	if err != nil {
		return nil, fmt.Errorf("the embedded next-sentence model: %w", err)
	}
	return m, nil
})
