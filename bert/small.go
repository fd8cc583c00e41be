package bert

import (
	"embed"
	"errors"
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

// ErrNoModel is the error of a build without a model inside.
var ErrNoModel = errors.New("this build has no next-sentence model inside; name a folder with --nsp-model")

// Small is the model inside this package: small, trained on public-domain prose
// from before 1929. It is loaded once.
func Small() (*Model, error) { return small() }

var small = sync.OnceValues(func() (*Model, error) {
	if _, err := fs.Stat(SmallFiles(), weights); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoModel
	}
	m, err := Load(SmallFiles())
	if err != nil {
		return nil, fmt.Errorf("the embedded next-sentence model: %w", err)
	}
	return m, nil
})
