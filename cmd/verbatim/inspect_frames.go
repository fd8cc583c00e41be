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
)

// frameLine is one frame as programs get it.
type frameLine struct {
	Book  string `json:"book"`
	Frame string `json:"frame"`
	File  string `json:"file"`
}

func inspectFramesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "frames METADATA.json|CATALOGUE.csv|FOLDER...",
		Short: "Show the sentence about its book with which each question begins",
		Long: `Show the metadata frame of many books at once, to be read by a person: those of
metadata files, of all rows of a library's list, or of a folder of such files.`,
		Example: `  verbatim inspect frames process_files
  verbatim inspect frames primary_metadata.csv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			c := consoleOf(cmd)
			frames, bad := framesOf(paths, c.messages)
			if err := writeFrames(c.out, frames, asJSON); err != nil {
				return err
			}
			switch {
			case bad > 0 && len(frames) == 0:
				return fmt.Errorf("nothing could be read")
			case bad > 0:
				return &Wanting{fmt.Sprintf("%s could not be read (named above)", count(bad, "entry"))}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, `print {"book","frame","file"} for each`)
	return cmd
}

func framesOf(paths []string, words io.Writer) (frames []frameLine, bad int) {
	complain := func(err error) {
		bad++
		fmt.Fprintln(words, "verbatim:", err)
	}
	for _, path := range paths {
		files := []string{path}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			files = metadataFiles(path)
			if len(files) == 0 {
				complain(fmt.Errorf("%s: no metadata file is in this folder or in its folder metadata", path))
			}
		}
		for _, file := range files {
			found, err := framesOfFile(file, complain)
			if err != nil {
				complain(err)
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

func framesOfFile(path string, complain func(error)) ([]frameLine, error) {
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		catalogue := &book.Catalogue{}
		file, err := os.Open(path)
		if err != nil {
			return nil, plainPathError(err)
		}
		defer file.Close()
		if err := catalogue.Add(file, path); err != nil {
			return nil, err
		}
		for _, problem := range catalogue.Problems {
			complain(problem)
		}
		var frames []frameLine
		for row := range catalogue.Rows() {
			frames = append(frames, frameLine{row.Raw["barcode_src"], row.Metadata.Frame(), path})
		}
		return frames, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, plainPathError(err)
	}
	m, err := book.Parse(data, path)
	if err != nil {
		return nil, err
	}
	if m.Title == "" {
		return nil, fmt.Errorf("%s: there is no source_title, and without a title there is no frame", path)
	}
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".json"), "_metadata")
	return []frameLine{{name, m.Frame(), path}}, nil
}

func writeFrames(out io.Writer, frames []frameLine, asJSON bool) error {
	if asJSON {
		return verbatim.Write(out, func(yield func(frameLine, error) bool) {
			for _, f := range frames {
				if !yield(f, nil) {
					return
				}
			}
		})
	}
	for _, f := range frames {
		if _, err := fmt.Fprintf(out, "%s\n  %s\n", f.Book, wrap(f.Frame, 76, "  ")); err != nil {
			return err
		}
	}
	return nil
}
