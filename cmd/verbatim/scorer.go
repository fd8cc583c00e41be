package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/bert"
	"verbatim/bert/small"
)

func addScorerFlag(cmd *cobra.Command) {
	cmd.Flags().String("nsp-model", "", "folder of a BERT next-sentence model to rank with, or none (default: the small one inside)")
}

// nextSentenceModel is the model that ranks same-book candidates, and who chose
// it; nil where nobody wants one.
func nextSentenceModel(s *settings) (model *bert.Model, from string, err error) {
	folder, from := s.get("nsp-model")
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

// nextSentenceScorer is the same for those who only score; nil without a model.
func nextSentenceScorer(s *settings) (verbatim.Scorer, error) {
	model, _, err := nextSentenceModel(s)
	if model == nil {
		return nil, err
	}
	return model, err
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
