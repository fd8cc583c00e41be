package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"verbatim/book"
	"verbatim/internal/durable"
)

// A Frame is the sentence about a book that begins each of its questions.
type Frame struct {
	Book  string `json:"book"`
	Frame string `json:"frame"`
	File  string `json:"file"`
}

// Frames are the frames of metadata files, of all rows of catalogues (.csv), or
// of the metadata files in folders. What cannot be read goes to report.
func Frames(paths []string, report func(error)) []Frame {
	var frames []Frame
	for _, path := range paths {
		files := []string{path}
		if isDir(path) {
			if files = metadataFiles(path); len(files) == 0 {
				report(fmt.Errorf("%s: no metadata files in this folder or in its metadata folder", path))
			}
		}
		for _, file := range files {
			read := metadataFrame
			if strings.EqualFold(filepath.Ext(file), ".csv") {
				read = catalogueFrames
			}
			found, err := read(file, report)
			if err != nil {
				report(err)
			}
			frames = append(frames, found...)
		}
	}
	return frames
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

func catalogueFrames(path string, report func(error)) ([]Frame, error) {
	catalogue, err := ReadCatalogues([]string{path})
	if err != nil {
		return nil, err
	}
	for _, problem := range catalogue.Problems {
		report(problem)
	}
	var frames []Frame
	for row := range catalogue.Rows() {
		frames = append(frames, Frame{row.Raw["barcode_src"], row.Metadata.Frame(), path})
	}
	return frames, nil
}

func metadataFrame(path string, _ func(error)) ([]Frame, error) {
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
	return []Frame{{name, m.Frame(), path}}, nil
}

// ReadCatalogues reads library lists into one catalogue. Bad rows are its
// Problems.
func ReadCatalogues(paths []string) (*book.Catalogue, error) {
	catalogue := &book.Catalogue{}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, durable.CannotRead(err)
		}
		err = catalogue.Add(file, path)
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
	}
	return catalogue, nil
}
