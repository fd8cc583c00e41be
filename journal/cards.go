package journal

import (
	"embed"
	"io/fs"
	"sync"

	"verbatim/cue"
)

//go:embed english/*.txt
var embedded embed.FS

// English is the embedded folder of cards and word lists.
func English() fs.FS {
	sub, err := fs.Sub(embedded, "english")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

// Load reads the cards for journals: the user's layers over the embedded one,
// and under them the word lists of package cue.
func Load(layers ...fs.FS) (*cue.Cards, error) {
	return cue.Load(append(layers, English(), cue.Words())...)
}

// Cards gives the embedded cards, read once.
var Cards = sync.OnceValue(func() *cue.Cards {
	cards, err := Load()
	if err != nil {
		panic(err) // a test reads them
	}
	return cards
})
