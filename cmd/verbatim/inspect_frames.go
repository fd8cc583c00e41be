package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/book"
	"verbatim/internal/durable"
)

// frameLine is one frame in JSON.
type frameLine struct {
	Book  string `json:"book"`
	Frame string `json:"frame"`
	File  string `json:"file"`
}

func inspectFramesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "frames METADATA.json|CATALOGUE.csv|FOLDER...",
		Short: "Show the sentence about the book that begins each question",
		Long: `Show the metadata frames of many books at once, for people to read: from metadata
files, from all rows of a library catalogue, or from a folder of metadata files.`,
		Example: `  verbatim inspect frames process_files
  verbatim inspect frames primary_metadata.csv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			c := consoleOf(cmd)
			frames, bad := framesOf(c, paths)
			if err := writeFrames(c.out, frames, asJSON); err != nil {
				return err
			}
			switch {
			case bad > 0 && len(frames) == 0:
				return fmt.Errorf("none of the metadata could be read (named above)")
			case bad > 0:
				return &CheckFailed{fmt.Sprintf("%s could not be read (named above)", count(bad, "record"))}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"book","frame","file"} for each`)
	return cmd
}

func framesOf(c *console, paths []string) (frames []frameLine, bad int) {
	warn := func(err error) {
		bad++
		c.warn(err)
	}
	for _, path := range paths {
		files := []string{path}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			files = metadataFiles(path)
			if len(files) == 0 {
				warn(fmt.Errorf("%s: there is no metadata file in this folder or in its metadata folder", path))
			}
		}
		for _, file := range files {
			found, err := framesOfFile(file, warn)
			if err != nil {
				warn(err)
			}
			frames = append(frames, found...)
		}
	}
	return frames, bad
}

func metadataFiles(dir string) []string {
	var files []string
	for _, pattern := range []string{"metadata/*.json", "process_files/metadata/*.json", "*_metadata.json", "*.json"} {
		found, _ := fs.Glob(os.DirFS(dir), pattern)
		for _, name := range found {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if !strings.HasSuffix(name, "-catalogue.json") && !strings.HasSuffix(name, "-made.json") && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func framesOfFile(path string, warn func(error)) ([]frameLine, error) {
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		catalogue := &book.Catalogue{}
		file, err := os.Open(path)
		if err != nil {
			return nil, durable.CannotRead(err)
		}
		defer file.Close()
		if err := catalogue.Add(file, path); err != nil {
			return nil, err
		}
		for _, problem := range catalogue.Problems {
			warn(problem)
		}
		var frames []frameLine
		for row := range catalogue.Rows() {
			frames = append(frames, frameLine{row.Raw["barcode_src"], row.Metadata.Frame(), path})
		}
		return frames, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, durable.CannotRead(err)
	}
	m, err := book.Parse(data, path)
	if err != nil {
		return nil, err
	}
	if m.Title == "" {
		return nil, fmt.Errorf("%s: source_title is missing; a frame needs a title", path)
	}
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), "_metadata")
	return []frameLine{{name, m.Frame(), path}}, nil
}

func writeFrames(out io.Writer, frames []frameLine, asJSON bool) error {
	if asJSON {
		return verbatim.Write(out, verbatim.All(frames))
	}
	for _, f := range frames {
		if _, err := fmt.Fprintf(out, "%s\n  %s\n", f.Book, wrap(f.Frame, 76, "  ")); err != nil {
			return err
		}
	}
	return nil
}
