package bert

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
)

// Hash identifies the model in a folder, so that what another model ranked can be
// recognized as out of date.
func Hash(files fs.FS) string {
	sum := sha256.New()
	for _, name := range []string{"config.json", "vocab.txt", "tokenizer.json", "model.safetensors"} {
		if file, err := files.Open(name); err == nil {
			_, _ = io.Copy(sum, file) // Open reports a file that cannot be read
			_ = file.Close()
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
