package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/bert"
	"verbatim/bert/small"
	"verbatim/chat"
	"verbatim/confirm"
	"verbatim/distractor"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
	"verbatim/workspace"
)

func modelsCommand() *cobra.Command {
	var dir string
	var asJSON, card bool
	cmd := newCommand("models", nil, func(ctx context.Context, c *console, folders []string) error {
		return showModels(ctx, c, folders, dir, card, asJSON)
	})
	addServerFlags(cmd)
	addScorerFlag(cmd)
	cmd.Flags().BoolVar(&card, "card", false, "print the card of the next-sentence model inside: its data, training and figures")
	cmd.Flags().StringVar(&dir, "dir", "process_files", "the working folder")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one object per model and server")
	return cmd
}

func showModels(ctx context.Context, c *console, folders []string, dir string, card, asJSON bool) error {
	if card {
		_, err := io.WriteString(c.out, modelCard())
		return err
	}
	s, err := c.settings(dir)
	if err != nil {
		return err
	}
	broken, err := showNextSentence(c.stream(asJSON), s, folders, asJSON)
	if err != nil {
		return err
	}
	l := &language{Settings: s, c: c}
	if err := l.connect(ctx); err != nil {
		return err
	}
	var all []chat.Presence
	for _, label := range l.wanted() {
		all = append(all, l.client.Look(ctx, label)...)
	}
	if !asJSON {
		printPresences(c.out, all, l.setup.Named)
	} else if err := verbatim.Write(c.data, verbatim.All(all)); err != nil {
		return err
	}
	missing := slices.DeleteFunc(all, func(p chat.Presence) bool { return p.There || !p.Answers && !l.setup.Named })
	switch {
	case broken > 0:
		return &CheckFailed{fmt.Sprintf("%s does not load", count(broken, "next-sentence model"))}
	case len(missing) > 0:
		return &CheckFailed{fmt.Sprintf("%s missing", count(len(missing), "model"))}
	}
	return nil
}

// wanted are the labels of the models that a run needs.
func (l *language) wanted() []string {
	labels := append(l.setup.Labels(), l.Or("confirm-model", confirm.DefaultModel), l.Or("negation-model", distractor.DefaultNegator))
	for _, name := range distractor.DefaultTypes {
		if t, err := distractor.ParseType(name); err == nil && t.Model != "" {
			labels = append(labels, t.Model)
		}
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

func printPresences(out io.Writer, all []chat.Presence, named bool) {
	slices.SortStableFunc(all, func(a, b chat.Presence) int { return strings.Compare(a.Server, b.Server) })
	server := ""
	for _, p := range all {
		if p.Server != server {
			server = p.Server
			fmt.Fprintln(out, serverLine(p))
		}
		if p.Answers {
			fmt.Fprintf(out, "  %-22s %s\n", p.Label, presence(p))
		}
	}
	if !named && len(all) > 0 && !all[0].Answers {
		fmt.Fprintln(out, "No server was named, so verbatim works without language models.")
	}
}

func serverLine(p chat.Presence) string {
	switch {
	case !p.Answers && p.Remedy != "":
		return fmt.Sprintf("%s does not answer (%s); %s", p.Server, p.Problem, p.Remedy)
	case !p.Answers:
		return fmt.Sprintf("%s does not answer (%s)", p.Server, p.Problem)
	case p.Style == chat.OpenAI:
		return p.Server + " answers (OpenAI style)"
	default:
		return p.Server + " answers (Ollama)"
	}
}

func presence(p chat.Presence) string {
	if !p.There {
		return "missing; " + p.Remedy
	}
	text := "available"
	if p.Model != p.Label {
		text += ", as " + p.Model
	}
	if p.Digest != "" {
		text += fmt.Sprintf(", digest %.12s", p.Digest)
	}
	if p.Context > 0 {
		text += fmt.Sprintf(", context %d", p.Context)
	}
	if p.Thinks {
		text += ", thinks"
	}
	return text
}

// nextSentenceLine is a next-sentence model in JSON.
type nextSentenceLine struct {
	Model      string `json:"next_sentence"` // inside, none, or a folder
	Loads      bool   `json:"loads"`
	Problem    string `json:"problem,omitempty"`
	Path       string `json:"path,omitempty"`       // the code path in use
	Arithmetic string `json:"arithmetic,omitempty"` // of the linear layers: int8 or f32
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
	how, err := arithmeticOf(s)
	if err != nil {
		return 0, err
	}
	use := ", in use"
	if from != "" {
		use += ": " + from
	}
	var lines []nextSentenceLine
	for _, folder := range append([]string{chosen}, folders...) {
		line := lookAtModel(folder, how)
		lines = append(lines, line)
		if !line.Loads && line.Model != "none" {
			broken++
		}
		if !asJSON {
			fmt.Fprint(out, line.text(use))
		}
		use = ""
	}
	if asJSON {
		err = verbatim.Write(out, verbatim.All(lines))
	}
	return broken, err
}

// lookAtModel loads a model: the one inside, or a folder's.
func lookAtModel(folder string, how bert.Arithmetic) nextSentenceLine {
	line := nextSentenceLine{Model: folder}
	var m *bert.Model
	var err error
	var files fs.FS
	switch folder {
	case "none":
		return line
	case "":
		line.Model, files = "inside", small.Files()
		m, err = small.Open(how)
	default:
		files = durable.DirFS(folder)
		m, err = bert.Open(folder, how)
	}
	if info, err := fs.Stat(files, "model.safetensors"); err == nil {
		line.Bytes = info.Size()
	}
	if err != nil {
		line.Problem = err.Error()
		return line
	}
	line.Loads, line.Path, line.Arithmetic = true, m.Path(), string(m.Arithmetic())
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
	text := fmt.Sprintf("next-sentence model: %s%s\n  %d layers of %d, %d heads; %d wordpieces; %.2f million numbers in %.1f MB\n  pairs of up to %d wordpieces; computed with %s in %s\n",
		name, use, l.Layers, l.Hidden, l.Heads, l.Wordpieces, float64(l.Parameters)/1e6, float64(l.Bytes)/1e6, l.MaxTokens, l.Path, l.Arithmetic)
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
	cmd.Flags().String("arithmetic", "", "of that model: int8 or f32 (default: int8 if the model was tested with it and this processor is faster)")
}

// nextSentenceModel is the model that ranks same-book candidates, and what chose
// it; nil if the settings say none.
func nextSentenceModel(s *workspace.Settings) (model *bert.Model, from string, err error) {
	how, err := arithmeticOf(s)
	if err != nil {
		return nil, "", err
	}
	folder, from := s.Get("nsp-model")
	switch folder {
	case "none":
		return nil, from, nil
	case "":
		model, err = small.Open(how)
		return model, "", err
	}
	if model, err = bert.Open(folder, how); err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return model, from, err
}

// arithmeticOf is how the settings want a next-sentence model to compute.
func arithmeticOf(s *workspace.Settings) (bert.Arithmetic, error) {
	o, err := s.Options()
	return bert.Arithmetic(o.Arithmetic), err
}

// A rankingModel is a next-sentence model and what tells it from others.
type rankingModel struct {
	open  func(bert.Arithmetic) (verbatim.Scorer, error)
	files fs.FS
	hash  func() string
}

// inside is the model in the binary. Its hash is computed once: status needs it
// for every book.
var inside = rankingModel{
	open:  func(how bert.Arithmetic) (verbatim.Scorer, error) { return small.Open(how) },
	files: small.Files(),
	hash:  sync.OnceValue(func() string { return bert.Hash(small.Files()) }),
}

// scorerOf is the model that the settings choose; nil: none.
func scorerOf(s *workspace.Settings) (verbatim.Scorer, error) {
	if folder, _ := s.Get("nsp-model"); folder == "" {
		how, err := arithmeticOf(s)
		if err != nil {
			return nil, err
		}
		return inside.open(how)
	}
	model, _, err := nextSentenceModel(s)
	if model == nil {
		return nil, err
	}
	return model, err
}

// scorerID identifies a model (a folder, none, or the one inside if empty) and its
// arithmetic.
func scorerID(model, arithmetic string) string {
	var hash string
	var files fs.FS
	switch model {
	case "none":
		return "none"
	case "":
		hash, files = inside.hash(), inside.files
	default:
		files = durable.DirFS(model)
		hash = bert.Hash(files)
	}
	if bert.Choose(files, bert.Arithmetic(arithmetic)) == bert.Int8 {
		return hash + " int8"
	}
	return hash
}

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
