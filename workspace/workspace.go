package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"verbatim"
	"verbatim/book"
	"verbatim/confirm"
	"verbatim/distractor"
	"verbatim/internal/durable"
	"verbatim/tag"
)

// A Workspace is a working folder with the tools that its books share. Open
// gives one that works without any model; the exported fields add to it.
type Workspace struct {
	*Folder
	Settings  *Settings
	Catalogue *book.Catalogue // may be nil
	Program   string          // its version, for made.json
	// Scorer ranks same-book answers. It is loaded with the first book that needs
	// it; nil: they stay unranked. ScorerID identifies the model and the arithmetic
	// that options name.
	Scorer   func() (verbatim.Scorer, error)
	ScorerID func(model, arithmetic string) string
	// Models are the language models; nil: there are none.
	Models *Models
	// Corrected says that a text at another place than the one that a book's files
	// were made from is the corrected text of the same book (see OtherTextError).
	Corrected bool
	// LateModels gives them when a person asks for an answer, if Models is nil. It
	// may be nil, and give nil.
	LateModels func(context.Context) (*Models, error)
	// Notice is called with a message that a person should see now. Progress
	// says how far a longer operation is. Both may be nil.
	Notice   func(message string)
	Progress func(what string, done, total int)

	tagger    func() (*tag.Tagger, error)
	leftovers func() []string             // of programs that were killed
	enter     func(barcode, stage string) // is called when a stage begins; tests crash it
	generator func() (distractor.Generator, error)
	lures     func() (*distractor.Lures, error)
}

// Models are the language models of a working folder.
type Models struct {
	// Open gives the models as one book sees them: every call is recorded in the
	// ledger at this path. The caller calls close.
	Open       func(ledger string) (chat verbatim.ChatModel, close func(), err error)
	Confirm    string // label of the model that confirms connectors
	ConfirmCap int    // how many tags of a category it is asked about in one book; -1: all
	Negate     string // label of the model that writes negations
	Workers    int    // calls at the same time
}

// Open opens the working folder at a path and creates it if there is none.
func Open(dir string) (*Workspace, error) {
	folder, err := OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	return In(folder)
}

// In opens a working folder that exists.
func In(folder *Folder) (*Workspace, error) {
	settings, err := ReadSettings(folder.dir)
	if err != nil {
		return nil, err
	}
	ws := &Workspace{Folder: folder, Settings: settings, leftovers: sync.OnceValue(folder.findLeftovers)}
	ws.tagger = sync.OnceValues(func() (*tag.Tagger, error) {
		cards, err := ReadCards(folder.rules())
		if err != nil {
			return nil, err
		}
		return cards.Tagger()
	})
	ws.lures = sync.OnceValues(func() (*distractor.Lures, error) {
		l, err := distractor.LoadLures(durable.DirFS(folder.rules("lures")))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder.rules("lures"), err)
		}
		return l, nil
	})
	ws.generator = sync.OnceValues(func() (g distractor.Generator, err error) {
		g.Negator = distractor.DefaultNegator
		if g.Prompts, err = distractor.LoadPrompts(durable.DirFS(folder.rules("prompts"))); err != nil {
			return g, fmt.Errorf("%s: %w", folder.rules("prompts"), err)
		}
		if ws.Scorer != nil {
			g.Scorer, err = ws.Scorer()
		}
		return g, err
	})
	return ws, nil
}

// Tagger has the folder's cards and sentence lists. They are read once.
func (ws *Workspace) Tagger() (*tag.Tagger, error) { return ws.tagger() }

// Generator makes wrong answers with the folder's prompts and models.
func (ws *Workspace) Generator() (*distractor.Generator, error) {
	g, err := ws.generator()
	if ws.Models != nil {
		g.Workers, g.Negator = ws.Models.Workers, ws.Models.Negate
	}
	return &g, err
}

// scorerID identifies the model that ranks with these options.
func (ws *Workspace) scorerID(o *Options) string {
	if ws.ScorerID == nil {
		return "none"
	}
	return ws.ScorerID(o.Scorer, o.Arithmetic)
}

// questions are what a language model is asked about connectors.
func (ws *Workspace) questions() (confirm.Questions, error) {
	return confirm.Load(durable.DirFS(ws.rules("questions")), confirm.Embedded())
}

func (ws *Workspace) notice(format string, args ...any) {
	if ws.Notice != nil {
		ws.Notice(fmt.Sprintf(format, args...))
	}
}

// progress is the callback of one operation.
func (ws *Workspace) progress(what string) func(done, total int) {
	return func(done, total int) {
		if ws.Progress != nil {
			ws.Progress(what, done, total)
		}
	}
}

// A Job is one book and the path of its working folder.
type Job struct{ Path, Barcode, Dir string }

// Jobs gives each book once with its working folder: dir, or process_files
// beside it. Books whose files would be the same there are errors instead,
// because one would replace the other.
func Jobs(dir string, paths []string) (jobs []Job, twins []error) {
	var all []Job
	var files []os.FileInfo
	at := map[string][]string{} // the paths of the books with the same files
	key := func(job Job) string { return filepath.Clean(job.Dir) + "\x00" + Key(job.Barcode) }
	for _, path := range paths {
		info, _ := os.Stat(path)
		if slices.ContainsFunc(files, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			continue // the same file, named twice
		}
		job := Job{path, Barcode(path), DirOf(dir, path)}
		at[key(job)] = append(at[key(job)], path)
		all, files = append(all, job), append(files, info)
	}
	for _, job := range all {
		same := at[key(job)]
		if len(same) == 1 {
			jobs = append(jobs, job)
			continue
		}
		other := same[0]
		if other == job.Path {
			other = same[1]
		}
		twins = append(twins, fmt.Errorf("%s and %s have the same barcode, so their files would overwrite each other; rename one of them, or give each a working folder of its own", job.Path, other))
	}
	return jobs, twins
}

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
	c.Connectors = durable.DirFS(dir)
	for name, part := range map[string]*fs.FS{"connectors": &c.Connectors, "sentences": &c.Sentences, "journals": &c.Journals} {
		if sub := filepath.Join(dir, name); isDir(sub) {
			*part = durable.DirFS(sub)
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
	files := durable.DirFS(dir)
	for _, pattern := range []string{"*.txt", "*/*.txt", "*/*/*.txt"} {
		names, _ := fs.Glob(files, pattern) // the patterns are valid
		for _, name := range names {
			folder, base := path.Split(name)
			switch {
			case base == "README.txt":
			case folder == "" && !isDir(filepath.Join(dir, "connectors")),
				slices.Contains([]string{"connectors/", "journals/", "sentences/", "questions/"}, folder),
				folder == "prompts/" && slices.Contains(distractor.PromptFiles(), base),
				folder == "lures/" && slices.Contains(distractor.LureFiles(), base):
				read = append(read, name)
			default:
				unread = append(unread, name)
			}
		}
	}
	return read, unread
}
