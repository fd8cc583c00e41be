package tag

import (
	"io/fs"

	"verbatim/cue"
	"verbatim/sentence"
)

// Load makes a tagger with a user's own connector cards and sentence lists laid
// over the embedded ones. Either may be nil.
func Load(cards, lists fs.FS) (*Tagger, error) {
	t := &Tagger{Cards: cue.Connectors()}
	var err error
	if cards != nil {
		if t.Cards, err = cue.Load(cards, cue.ConnectorCards(), cue.Words()); err != nil {
			return nil, err
		}
	}
	t.Split, err = sentence.NewRules(lists)
	return t, err
}

// Hashes tell one set of cards and one set of sentence lists from another.
func (t *Tagger) Hashes() (cards, lists string) { return t.Cards.Hash(), t.Split.Hash() }
