package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/bert"
	"verbatim/bert/small"
	"verbatim/internal/cli"
	"verbatim/workspace"
)

// nextSentenceLine is a next-sentence model in JSON.
type nextSentenceLine struct {
	Model      string `json:"next_sentence"` // inside, none, or a folder
	Loads      bool   `json:"loads"`
	Problem    string `json:"problem,omitempty"`
	Path       string `json:"path,omitempty"` // the code path in use
	Layers     int    `json:"layers,omitempty"`
	Hidden     int    `json:"hidden,omitempty"`
	Heads      int    `json:"heads,omitempty"`
	Inner      int    `json:"inner,omitempty"`
	Wordpieces int    `json:"wordpieces,omitempty"`
	MaxTokens  int    `json:"max_tokens,omitempty"`
	Truncation string `json:"truncation,omitempty"`
	Parameters int    `json:"parameters,omitempty"`
	Bytes      int64  `json:"bytes,omitempty"`
}

// showNextSentence shows the model in use and other folders, and counts those
// that do not load.
func showNextSentence(out io.Writer, s *workspace.Settings, folders []string, asJSON bool) (broken int, err error) {
	chosen, from := s.Get("nsp-model")
	lines := []nextSentenceLine{lookAtModel(chosen)}
	for _, folder := range folders {
		lines = append(lines, lookAtModel(folder))
	}
	for i, line := range lines {
		if !line.Loads && line.Model != "none" {
			broken++
		}
		if asJSON {
			continue
		}
		use := ""
		if i == 0 {
			if use = ", in use"; from != "" {
				use += ": " + from
			}
		}
		if _, err := io.WriteString(out, line.text(use)); err != nil {
			return broken, err
		}
	}
	if !asJSON {
		return broken, nil
	}
	return broken, verbatim.Write(out, verbatim.All(lines))
}

// lookAtModel loads a model: the one inside, or a folder's.
func lookAtModel(folder string) nextSentenceLine {
	line := nextSentenceLine{Model: folder}
	var m *bert.Model
	var err error
	var files fs.FS
	switch folder {
	case "none":
		return line
	case "":
		line.Model, files = "inside", small.Files()
		m, err = small.Open()
	default:
		files = os.DirFS(folder)
		m, err = bert.Open(folder)
	}
	if info, err := fs.Stat(files, "model.safetensors"); err == nil {
		line.Bytes = info.Size()
	}
	if err != nil {
		line.Problem = err.Error()
		return line
	}
	line.Loads, line.Path = true, m.Path()
	line.Layers, line.Hidden, line.Heads, line.Inner = m.Layers, m.Hidden, m.Heads, m.Inner
	line.Wordpieces, line.MaxTokens, line.Truncation, line.Parameters = m.Vocabulary, m.MaxTokens(), m.Truncation, m.Parameters()
	return line
}

func (l nextSentenceLine) text(use string) string {
	name := l.Model
	if name == "inside" {
		name = "the small one inside"
	}
	switch {
	case l.Model == "none":
		return "next-sentence model: none" + use + "\n"
	case !l.Loads:
		return fmt.Sprintf("next-sentence model: %s does not load\n%s", name, hang("  ", l.Problem))
	}
	text := fmt.Sprintf("next-sentence model: %s%s\n  %d layers of %d, %d heads; %d wordpieces; %.2f million numbers in %.1f MB\n  pairs of up to %d wordpieces; computed with %s\n",
		name, use, l.Layers, l.Hidden, l.Heads, l.Wordpieces, float64(l.Parameters)/1e6, float64(l.Bytes)/1e6, l.MaxTokens, l.Path)
	if l.Model == "inside" {
		text += hang("  ", firstParagraph(modelCard())) + "  Its card: verbatim models --card\n"
	}
	return text
}

// modelCard describes the model inside.
func modelCard() string {
	text, err := fs.ReadFile(small.Files(), "MODEL.md")
	if err != nil {
		return "The model inside has no card."
	}
	return string(text)
}

// firstParagraph of a Markdown text, without its heading.
func firstParagraph(text string) string {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if paragraph = strings.TrimSpace(paragraph); paragraph != "" && !strings.HasPrefix(paragraph, "#") {
			return paragraph
		}
	}
	return ""
}

func addScorerFlag(cmd *cobra.Command) {
	cmd.Flags().String("nsp-model", "", "folder of a BERT next-sentence model to rank with, or none (default: the small one inside)")
}

// nextSentenceModel is the model that ranks same-book candidates, and what chose
// it; nil if the settings say none.
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

// standIn ranks instead of the embedded model; only tests set it, to be fast.
var standIn verbatim.Scorer

// scorerOf is the model that the settings choose; nil: none.
func scorerOf(s *workspace.Settings) (verbatim.Scorer, error) {
	if folder, _ := s.Get("nsp-model"); folder == "" && standIn != nil {
		return standIn, nil
	}
	model, _, err := nextSentenceModel(s)
	if model == nil {
		return nil, err
	}
	return model, err
}

// scorerHash identifies a model: a folder, none, or the one inside if empty.
func scorerHash(model string) string {
	switch {
	case model == "none":
		return "none"
	case model == "" && standIn != nil:
		return "a stand-in"
	case model == "":
		return smallHash()
	}
	return bert.Hash(os.DirFS(model))
}

// smallHash is the hash of the embedded model; status needs it for every book.
var smallHash = sync.OnceValue(func() string { return bert.Hash(small.Files()) })

// A watchedScorer shows its progress.
type watchedScorer struct {
	*bert.Model
	messages io.Writer
}

func (w watchedScorer) Score(ctx context.Context, pairs []verbatim.Pair) ([]float64, error) {
	bar := cli.NewProgress(w.messages)
	defer bar.Clear()
	return w.ScoreWith(ctx, pairs, func(done int) { bar.Show("pairs", done, len(pairs)) })
}
