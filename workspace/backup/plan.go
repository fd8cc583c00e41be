package backup

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

// asideFolder holds what repairs set aside, with the names that it had.
const asideFolder = "set-aside" + string(filepath.Separator)

var (
	temporary = regexp.MustCompile(`\.[0-9a-f]{8}\.tmp$`) // as package durable names them
	logs      = []string{workspace.Decisions, workspace.Votes, workspace.Ledger}
	bookFiles = append([]string{workspace.Tagged, workspace.Rejected, workspace.Drafts, workspace.Questions, workspace.Made}, logs...)
)

// plan lists what to pack, in the order of the tar: by name, with the files of a
// book together.
func (p *packer) plan() error {
	keys := p.keys()
	byBook := map[string]*group{}
	var others []group
	root := p.folder.Dir()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(root, path)
		switch {
		case relErr != nil || rel == ".":
			return cmp.Or(err, relErr)
		case err != nil:
			p.leave(rel, "the folder could not be read: "+cause(err), true)
			return fs.SkipDir
		case rel == ".locks":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		case temporary.MatchString(rel) && !strings.HasPrefix(rel, asideFolder):
			p.leave(rel, "a temporary file", false)
			return nil
		}
		if !p.packs(rel, path, entry.Type(), keys) {
			return nil
		}
		m := member{name: inTar(rel), path: path}
		barcode := ""
		if barcode, m.log = ofBook(rel); barcode == "" {
			others = append(others, group{files: []member{m}})
		} else if g := byBook[barcode]; g != nil {
			g.files = append(g.files, m)
		} else {
			byBook[barcode] = &group{barcode, []member{m}}
		}
		return nil
	})
	if err != nil {
		return durable.CannotRead(err)
	}
	for _, g := range byBook {
		others = append(others, *g)
	}
	p.groups = append(p.texts(), others...)
	slices.SortFunc(p.groups, func(a, b group) int { return strings.Compare(a.files[0].name, b.files[0].name) })
	return nil
}

// packs decides about one file, and notes why it is left out.
func (p *packer) packs(rel, path string, kind fs.FileMode, keys []os.FileInfo) bool {
	info, err := os.Stat(path) // behind a link
	switch {
	case err != nil:
		p.leave(rel, "a link that leads nowhere, or a file without permission", true)
	case kind&fs.ModeSymlink != 0 && !staysIn(p.folder.Dir(), path):
		p.leave(rel, "a link that leaves the folder; pack what it leads to yourself", true)
	case !info.Mode().IsRegular():
		p.leave(rel, "not a file", false)
	case slices.ContainsFunc(keys, func(key os.FileInfo) bool { return os.SameFile(key, info) }):
		p.leave(rel, "a key; keep it in a safe place of its own", false)
	default:
		p.private = p.private || info.Mode().Perm()&0o077 == 0
		return true
	}
	return false
}

func (p *packer) leave(rel, why string, work bool) {
	p.contents.LeftOut = append(p.contents.LeftOut, LeftOut{inTar(rel), why, work})
}

// ofBook is the barcode of a book's file, and whether it is a log.
func ofBook(rel string) (barcode string, log bool) {
	if strings.ContainsRune(rel, filepath.Separator) {
		return "", false
	}
	for _, file := range bookFiles {
		if barcode, is := strings.CutSuffix(rel, workspace.Name("", file)); is && barcode != "" {
			return barcode, slices.Contains(logs, file)
		}
	}
	return "", false
}

func staysIn(root, path string) bool {
	target, err := filepath.EvalSymlinks(path)
	return err == nil && inside(root, target)
}

// keys are the key files that the settings name. They are never packed.
func (p *packer) keys() (keys []os.FileInfo) {
	settings, err := workspace.ReadSettings(p.folder.Dir())
	if err != nil {
		// A settings file with a mistake is packed, and its key files must still be
		// recognized.
		return p.keysByHand()
	}
	for _, about := range settings.About("key") {
		value, _ := settings.Get("key " + about)
		keys = append(keys, keyFile(p.folder.Dir(), value)...)
	}
	return keys
}

func (p *packer) keysByHand() (keys []os.FileInfo) {
	text, _ := durable.ReadFile(filepath.Join(p.folder.Dir(), "settings.txt"))
	for line := range strings.Lines(string(text)) {
		if _, value, found := strings.Cut(line, ": "); found {
			keys = append(keys, keyFile(p.folder.Dir(), strings.TrimSpace(value))...)
		}
	}
	return keys
}

// keyFile is the file of a setting `file NAME`, as seen from here and from the
// folder.
func keyFile(dir, value string) (keys []os.FileInfo) {
	name, is := strings.CutPrefix(value, "file ")
	if !is {
		return nil
	}
	name = strings.TrimSpace(name)
	for _, path := range []string{name, filepath.Join(dir, name)} {
		if info, err := os.Stat(path); err == nil {
			keys = append(keys, info)
		}
	}
	return keys
}

// texts are the texts of the folder's books. Those beside the working folder, or
// in the folder that the caller names, are packed. made.json may say that one is
// elsewhere, but it may come from a stranger, so nothing is taken from there.
func (p *packer) texts() (groups []group) {
	if p.o.NoTexts {
		return nil
	}
	barcodes, _ := p.folder.Books() // plan reports a folder that cannot be read
	dir := p.o.Texts
	if dir == "" {
		dir = filepath.Join(p.folder.Dir(), "..")
	}
	for _, barcode := range barcodes {
		path, err := p.folder.Text(barcode, dir)
		if err != nil {
			if _, err := p.folder.Text(barcode, ""); err == nil && p.o.Texts == "" && inFolder(p.folder, barcode) {
				continue // it is in the working folder, and packed there
			}
			p.contents.LeftOut = append(p.contents.LeftOut, LeftOut{barcode + ".txt", "the text was not found beside the working folder", false})
			continue
		}
		if !staysIn(dir, path) {
			p.contents.LeftOut = append(p.contents.LeftOut, LeftOut{filepath.Base(path), "a link that leaves its folder; pack what it leads to yourself", false})
			continue
		}
		groups = append(groups, group{files: []member{{name: filepath.Base(path), path: path}}})
	}
	return groups
}

func inFolder(folder *workspace.Folder, barcode string) bool {
	_, err := folder.Text(barcode, folder.Dir())
	return err == nil
}
