package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"verbatim/folder"
)

// A bookJob is one book and where its files go.
type bookJob struct {
	path, barcode, dir string
	tagger             *tagger
}

// checkNames refuses standard input for a book.
func checkNames(paths []string) error {
	if slices.Contains(paths, "-") {
		return errors.New("- has no name, and the files of a book are called after it; save the text in a file first")
	}
	return nil
}

// tellApart gives each book once, with the folder of its files: the same file
// named twice is one book. Books whose files would be one there are named
// instead, for one would replace the other.
func tellApart(dir string, paths []string) (books []bookJob, twins []error) {
	var jobs []bookJob
	var files []os.FileInfo
	at := map[string][]int{}
	key := func(job bookJob) string { return filepath.Clean(job.dir) + "\x00" + folder.Key(job.barcode) }
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			if slices.ContainsFunc(files, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
				continue
			}
			files = append(files, info)
		}
		job := bookJob{path: path, barcode: barcode(path), dir: folderOf(dir, path)}
		at[key(job)] = append(at[key(job)], len(jobs))
		jobs = append(jobs, job)
	}
	for i, job := range jobs {
		same := at[key(job)]
		if len(same) == 1 {
			books = append(books, job)
			continue
		}
		other := jobs[same[0]]
		if i == same[0] {
			other = jobs[same[1]]
		}
		twins = append(twins, fmt.Errorf("%s and %s have the same barcode, and their files would be one; rename one of them, or give each a --dir of its own", job.path, other.path))
	}
	return books, twins
}

// checkTexts refuses a folder of --books that is not there: its texts would be
// looked for in vain.
func checkTexts(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case dir == "" || err == nil && info.IsDir():
		return nil
	case err == nil:
		return fmt.Errorf("--books %s: this is a file; name the folder that holds the texts", dir)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--books %s: there is no such folder", dir)
	}
	return fmt.Errorf("--books %w", plainPathError(err))
}

// given is a list of what was given: nothing or one.
func given(folder string) []string {
	if folder == "" {
		return nil
	}
	return []string{folder}
}

// folderOf is the working folder of a book.
func folderOf(dir, path string) string {
	if dir != "" {
		return dir
	}
	return filepath.Join(filepath.Dir(path), folder.Usual)
}
