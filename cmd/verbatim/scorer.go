package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/bert"
	"verbatim/bert/small"
	"verbatim/workspace"
)

func addScorerFlag(cmd *cobra.Command) {
	cmd.Flags().String("nsp-model", "", "folder of a BERT next-sentence model to rank with, or none (default: the small one inside)")
}

// nextSentenceModel is the model that ranks same-book candidates, and who chose
// it; nil where nobody wants one.
func nextSentenceModel(s *workspace.Settings) (model *bert.Model, from string, err error) {
	folder, from := s.Get("nsp-model")
	switch folder {
	case "none":
		return nil, from, nil
	case "":
		model, err = small.Open()
		return model, "", err
	}
	if model, err = bert.Open(folder); err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return model, from, err
}

// standIn ranks instead of the embedded model, which would make tests slow; only
// tests set it.
var standIn verbatim.Scorer

const aStandIn = "a stand-in"

// scorerOf is the model that ranks by these settings; nil: there is none.
func scorerOf(s *workspace.Settings) (verbatim.Scorer, error) {
	if scorerHash(s) == aStandIn {
		return standIn, nil
	}
	model, _, err := nextSentenceModel(s)
	if model == nil {
		return nil, err
	}
	return model, err
}

// scorerHash tells which model ranks by these settings.
func scorerHash(s *workspace.Settings) string {
	folder, from := s.Get("nsp-model")
	switch {
	case folder == "none":
		return "none"
	case from == "" && standIn != nil:
		return aStandIn
	case from == "":
		return smallHash()
	}
	return modelHash(os.DirFS(folder))
}

// smallHash is the embedded model's; status asks for it with every book.
var smallHash = sync.OnceValue(func() string { return modelHash(small.Files()) })

// modelHash tells one next-sentence model from another, so that drafts ranked by
// another one are out of date.
func modelHash(files fs.FS) string {
	sum := sha256.New()
	for _, name := range []string{"config.json", "vocab.txt", "tokenizer.json", "model.safetensors"} {
		if file, err := files.Open(name); err == nil {
			_, _ = io.Copy(sum, file) // a file that cannot be read has stopped the run before
			_ = file.Close()
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// A watchedScorer shows on a terminal how far it is.
type watchedScorer struct {
	*bert.Model
	words io.Writer
}

func (w watchedScorer) Score(ctx context.Context, pairs []verbatim.Pair) ([]float64, error) {
	bar := newProgress(w.words, "pairs", len(pairs))
	defer bar.clear()
	return w.ScoreWith(ctx, pairs, func(done int) {
		bar.done = done - 1
		bar.step()
	})
}
