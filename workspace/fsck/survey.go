package fsck

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"verbatim/internal/durable"
	"verbatim/workspace"
)

// A class is what a file of the folder is for.
type class int

const (
	stranger class = iota // none of ours
	log                   // append-only, written by people's decisions or models' answers
	derived               // can be made again
	record                // made.json
	metadata              // what is known about a book
	rawRow                // what a catalogue said about a book
	typed                 // what a person typed and did not save yet
	leftover              // of an interrupted write
	settings              // settings.txt
	card                  // in rules/
	text                  // of a book
)

// found is one entry of the folder.
type found struct {
	rel     string // with slashes
	class   class
	barcode string // of the book that it belongs to; empty: of none
	file    string // which of the book's files: workspace.Drafts, ...
	mode    fs.FileMode
}

var (
	temporary = regexp.MustCompile(`\.[0-9a-f]{8}\.tmp$`) // as package durable names them
	logs      = []string{workspace.Decisions, workspace.Votes, workspace.Ledger}
	remade    = []string{workspace.Tagged, workspace.Rejected, workspace.Drafts, workspace.Questions, chosen}
)

// Files of a book that other parts of the program keep.
const (
	chosen  = "choice.jsonl" // the options that were chosen for a set of questions
	unsaved = "unsaved.json" // what a person typed and did not save yet
)

// asideFolder holds what repairs set aside.
const asideFolder = "set-aside"

// survey lists the folder, without following links.
func (c *checker) survey() error {
	root := c.folder.Dir()
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(root, path)
		if relErr != nil || rel == "." {
			return cmp.Or(err, relErr)
		}
		rel = filepath.ToSlash(rel)
		if err != nil { // a folder that cannot be listed
			c.add(Finding{File: rel, Kind: Unreadable, Effect: Work, What: durable.CannotRead(err).Error(),
				Means: "what is in this folder could not be checked", Do: "give yourself permission to read it (chmod u+rwx), and check again"})
			return fs.SkipDir
		}
		if entry.IsDir() {
			return c.surveyFolder(rel)
		}
		f := classify(rel)
		f.mode = entry.Type()
		c.files = append(c.files, f)
		return nil
	})
}

// surveyFolder decides about a folder inside the working folder.
func (c *checker) surveyFolder(rel string) error {
	first, _, _ := strings.Cut(rel, "/")
	switch {
	case rel == ".locks" || rel == asideFolder:
		return fs.SkipDir
	case first == "rules" || rel == "metadata":
		return nil
	}
	f := classify(rel)
	f.mode = fs.ModeDir
	c.files = append(c.files, f)
	return fs.SkipDir
}

// classify says what a file is for, by its name.
func classify(rel string) found {
	f := found{rel: rel}
	folder, name := "", rel
	if at := strings.LastIndex(rel, "/"); at >= 0 {
		folder, name = rel[:at], rel[at+1:]
	}
	if strings.Split(folder, "/")[0] == "rules" {
		f.class = card
		return f
	}
	whole, isTemporary := temporary.ReplaceAllString(name, ""), temporary.MatchString(name)
	if torn, is := strings.CutSuffix(whole, ".torn"); is {
		whole, isTemporary = torn, true
	}
	f.class, f.barcode, f.file = own(folder, whole)
	if isTemporary && f.class != stranger {
		f.class = leftover
	}
	return f
}

// own is the class of a name without the marks of a leftover.
func own(folder, name string) (c class, barcode, file string) {
	if folder == "metadata" {
		if barcode, is := strings.CutSuffix(name, "-catalogue.json"); is {
			return rawRow, barcode, ""
		}
		if barcode, is := strings.CutSuffix(name, ".json"); is {
			return metadata, strings.TrimSuffix(barcode, "_metadata"), ""
		}
		return stranger, "", ""
	}
	for kind, names := range map[class][]string{log: logs, derived: remade, record: {workspace.Made}, typed: {unsaved}} {
		for _, file := range names {
			if barcode, is := strings.CutSuffix(name, workspace.Name("", file)); is && barcode != "" {
				return kind, barcode, file
			}
		}
	}
	switch barcode, old := strings.CutSuffix(name, "_metadata.json"); {
	case old && barcode != "":
		return metadata, barcode, ""
	case name == "settings.txt":
		return settings, "", ""
	case strings.EqualFold(filepath.Ext(name), ".txt"):
		return text, "", ""
	}
	return stranger, "", ""
}

// barcodes are the books that have a file in the folder, in order.
func (c *checker) barcodes() []string {
	var all []string
	for _, f := range c.files {
		if f.barcode != "" {
			all = append(all, f.barcode)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// effect is whose work it is that a file holds.
func (f *found) effect() Effect {
	switch {
	case f.file == workspace.Ledger, f.class == derived, f.class == record, f.class == rawRow:
		return Remade
	case f.class == log, f.class == typed, f.class == metadata, f.class == settings, f.class == card:
		return Work
	}
	return Nothing
}

func (f *found) meansUnread() string {
	switch f.effect() {
	case Work:
		return "what people wrote in it could not be checked, and the program cannot use it"
	case Remade:
		return "the program cannot use it; it can be made again"
	}
	return "no work depends on it"
}

// strangers names what is not ours, and links that leave the folder.
func (c *checker) strangers() {
	known := map[string]bool{}
	if s, err := workspace.ReadSettings(c.folder.Dir()); err == nil {
		for _, path := range s.Catalogues() {
			if rel, err := filepath.Rel(c.folder.Dir(), path); err == nil {
				known[filepath.ToSlash(rel)] = true
			}
		}
	}
	for _, f := range c.files {
		switch {
		case f.barcode != "" && f.class != leftover:
			continue // with its book
		case f.mode&fs.ModeSymlink != 0:
			c.link(f)
		case f.class == leftover && f.barcode == "":
			c.leftover(f)
		case f.class == stranger && !known[f.rel]:
			what := "the program does not know this file"
			if f.mode.IsDir() {
				what = "the program does not know this folder, and did not look into it"
			}
			c.add(Finding{File: f.rel, Kind: Unknown, Effect: Note, What: what, Means: "it is never read or changed"})
		}
	}
}

func (c *checker) leftover(f found) {
	what, means := "a write was interrupted and left this behind", "it was never used: the file that it was meant for is whole"
	if strings.HasSuffix(f.rel, ".torn") {
		what, means = "the start of a record that a crash cut off", "it was never a record: nobody was told that it was saved"
	}
	c.add(Finding{File: f.rel, Kind: Leftover, Effect: Nothing, Repairs: true, What: what, Means: means})
}

// link judges a link. true: it stays in the folder and leads to a file, so the
// file can be read.
func (c *checker) link(f found) bool {
	path := c.path(f.rel)
	target, err := filepath.EvalSymlinks(path)
	root, rootErr := filepath.EvalSymlinks(c.folder.Dir())
	if root, rootErr = absolute(root, rootErr); err != nil || rootErr != nil {
		c.add(Finding{File: f.rel, Kind: Link, Effect: f.effect(), What: "this link leads nowhere",
			Means: "the file that should be here is missing", Do: "put the file itself here in place of the link"})
		return false
	}
	target, err = absolute(target, nil)
	inside, relErr := filepath.Rel(root, target)
	if err != nil || relErr != nil || !filepath.IsLocal(inside) {
		c.add(Finding{File: f.rel, Kind: Link, Effect: f.effect(), What: "this link leaves the working folder",
			Means: "the program does not write through it, and a copy of the folder lacks what it leads to",
			Do:    "put the file itself here in place of the link"})
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func absolute(path string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
