package journal

import (
	"embed"
	"io/fs"
	"sync"

	"verbatim/cue"
)

//go:embed english/*.txt
var embedded embed.FS

// Load reads the cards for journals: the user's layers, then the embedded folder,
// then the word lists of package cue. The first layer takes precedence.
func Load(layers ...fs.FS) (*cue.Cards, error) {
	english, err := fs.Sub(embedded, "english")
	if err != nil {
		return nil, err
	}
	return cue.Load(append(layers, english, cue.Words())...)
}

// Cards returns the embedded cards. It reads them once.
var Cards = sync.OnceValue(func() *cue.Cards {
	cards, err := Load()
	if err != nil {
		panic(err) // a test reads them
	}
	return cards
})
