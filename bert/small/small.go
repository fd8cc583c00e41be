// Package small holds a small next-sentence model, trained on public-domain
// prose from before 1929. A program that imports it grows by 15 MB; one that
// only opens folders imports package bert alone. MODEL.md describes the model.
package small

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"verbatim/bert"
)

//go:embed MODEL.md config.json model.safetensors tokenizer_config.json vocab.txt
var files embed.FS

// Files returns the model's folder: its weights, its settings and MODEL.md.
func Files() fs.FS { return files }

// Open returns the model. It is loaded only once for each arithmetic.
func Open(how bert.Arithmetic) (*bert.Model, error) {
	load, _ := opened.LoadOrStore(how, sync.OnceValues(func() (*bert.Model, error) {
		m, err := bert.Load(files, how)
		if err != nil {
			return nil, fmt.Errorf("the embedded next-sentence model: %w", err)
		}
		return m, nil
	}))
	return load.(func() (*bert.Model, error))()
}

var opened sync.Map // from bert.Arithmetic to a function
