package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"verbatim/distractor"
	"verbatim/internal/durable"
	"verbatim/tag"
)

// Cards are a user's own cards, lists, prompts and questions, in a folder
// `rules`. A part that the user does not have is nil.
type Cards struct {
	Connectors fs.FS // in the folder itself, or in its folder connectors
	Sentences  fs.FS
	Journals   fs.FS
}

// ReadCards looks into a user's folder; one that does not exist has nothing.
func ReadCards(dir string) (Cards, error) {
	var c Cards
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return c, durable.CannotRead(err)
	case !info.IsDir():
		return c, fmt.Errorf("%s is a file; name the folder that holds your cards", dir)
	}
	c.Connectors = os.DirFS(dir)
	for name, part := range map[string]*fs.FS{"connectors": &c.Connectors, "sentences": &c.Sentences, "journals": &c.Journals} {
		if sub := filepath.Join(dir, name); isDir(sub) {
			*part = os.DirFS(sub)
		}
	}
	return c, nil
}

// Tagger reads the cards and lists.
func (c Cards) Tagger() (*tag.Tagger, error) { return tag.Load(c.Connectors, c.Sentences) }

// rules is the folder with the user's own cards, or a part of it.
func (f *Folder) rules(part ...string) string {
	return filepath.Join(append([]string{f.dir, "rules"}, part...)...)
}

// CardFiles are the files in a user's folder of cards: those that are read, and
// those in places where nothing reads them. A folder that does not exist has none.
func CardFiles(dir string) (read, unread []string) {
	files := os.DirFS(dir)
	for _, pattern := range []string{"*.txt", "*/*.txt", "*/*/*.txt"} {
		names, _ := fs.Glob(files, pattern) // the patterns are valid
		for _, name := range names {
			folder, base := path.Split(name)
			switch {
			case base == "README.txt":
			case folder == "" && !isDir(filepath.Join(dir, "connectors")),
				slices.Contains([]string{"connectors/", "journals/", "sentences/", "questions/"}, folder),
				folder == "prompts/" && slices.Contains(distractor.PromptFiles(), base):
				read = append(read, name)
			default:
				unread = append(unread, name)
			}
		}
	}
	return read, unread
}
