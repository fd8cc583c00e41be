package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"verbatim"
	"verbatim/bert"
	"verbatim/bert/small"
	"verbatim/workspace"
)

// nextSentenceLine is a next-sentence model as programs get it.
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

// showNextSentence shows the model in use and any other folder, and counts
// those that do not load.
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
	return broken, verbatim.Write(out, func(yield func(nextSentenceLine, error) bool) {
		for _, line := range lines {
			if !yield(line, nil) {
				return
			}
		}
	})
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
	switch {
	case l.Model == "none":
		return "next-sentence model: none" + use + "\n"
	case !l.Loads:
		return fmt.Sprintf("next-sentence model: %s does not load\n%s", l.name(), hang("  ", l.Problem))
	}
	text := fmt.Sprintf("next-sentence model: %s%s\n  %d layers of %d, %d heads; %d wordpieces; %.2f million numbers in %.1f MB\n  pairs of up to %d wordpieces; computed with %s\n",
		l.name(), use, l.Layers, l.Hidden, l.Heads, l.Wordpieces, float64(l.Parameters)/1e6, float64(l.Bytes)/1e6, l.MaxTokens, l.Path)
	if l.Model == "inside" {
		text += hang("  ", firstParagraph(card())) + "  Its card: verbatim models --card\n"
	}
	return text
}

func (l nextSentenceLine) name() string {
	if l.Model == "inside" {
		return "the small one inside"
	}
	return l.Model
}

// card is what is known of the model inside.
func card() string {
	text, err := fs.ReadFile(small.Files(), "MODEL.md")
	if err != nil {
		return "The model inside has no card."
	}
	return string(text)
}

func printCard(out io.Writer) error {
	_, err := io.WriteString(out, card())
	return err
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
