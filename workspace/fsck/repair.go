package fsck

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"verbatim/internal/durable"
	"verbatim/workspace"
)

// repair sets things aside in a folder of its own, which it creates with the
// first. The order of its steps makes a kill harmless: what is moved is first
// named in the list; a line is first on the disk in its new place, and only then
// is the file replaced by one without it.
type repair struct {
	folder *workspace.Folder
	now    time.Time
	step   func(action, path string)

	dir  string // in the working folder, with slashes; empty: nothing was set aside
	list *durable.Log
}

// An Aside is one line of the list manifest.jsonl: something that was set
// aside. To put a line back, insert Size bytes of To, from At, at Offset of the
// file as it was; lines of one file from the first to the last.
type Aside struct {
	From   string `json:"from"` // in the working folder
	Line   int    `json:"line,omitempty"`
	Offset int64  `json:"offset,omitempty"` // of the line, in the file as it was
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256,omitempty"` // of the bytes set aside
	To     string `json:"to"`               // in the working folder
	At     int64  `json:"at,omitempty"`     // of the line, in To
	Kind   Kind   `json:"kind"`
	What   string `json:"what"`
}

// Manifest is the name of the list in each folder of things set aside.
const Manifest = "manifest.jsonl"

// end closes the list; every entry is on the disk.
func (r *repair) end() {
	if r.list != nil {
		_ = r.list.Close()
	}
}

func (r *repair) at(rel string) string {
	return filepath.Join(r.folder.Dir(), filepath.FromSlash(rel))
}

// did reports a step to a test, which may end the process there.
func (r *repair) did(action, path string) {
	if r.step != nil {
		r.step(action, path)
	}
}

// apply repairs findings, file by file, and notes in them where things are.
func (r *repair) apply(findings []Finding, todo []int) error {
	var files []string
	byFile := map[string][]*Finding{}
	for _, i := range todo {
		f := &findings[i]
		if byFile[f.File] == nil {
			files = append(files, f.File)
		}
		byFile[f.File] = append(byFile[f.File], f)
	}
	// made.json goes last: as long as it is damaged, a repair that was killed
	// finds the files that must go with it.
	slices.SortStableFunc(files, func(a, b string) int { return isMade(a) - isMade(b) })
	for _, file := range files {
		if err := r.file(file, byFile[file]); err != nil {
			return fmt.Errorf("%s could not be set aside, and is as it was: %w", file, err)
		}
	}
	return nil
}

func isMade(file string) int {
	if classify(file).class == record {
		return 1
	}
	return 0
}

func (r *repair) file(file string, findings []*Finding) error {
	if err := r.begin(); err != nil {
		return err
	}
	lines := map[int]*Finding{}
	whole := false
	for _, f := range findings {
		whole = whole || f.cut == nil
		for _, line := range f.cut {
			lines[line] = f
		}
	}
	to, err := r.free(file)
	if err != nil {
		return err
	}
	if whole {
		err = r.move(file, to, findings[0])
	} else {
		err = r.cut(file, to, lines)
	}
	if err == nil {
		for _, f := range findings {
			f.SetTo, f.Do = to, remaining(f)
		}
	}
	return err
}

// remaining is what a person still has to do after a repair.
func remaining(f *Finding) string {
	if f.Effect == Work || f.Effect == Remade {
		return f.Do
	}
	return ""
}

// begin creates the folder of this repair.
func (r *repair) begin() error {
	if r.dir != "" {
		return nil
	}
	parent := r.at(asideFolder)
	if err := os.Mkdir(parent, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return durable.CannotWrite(parent, err)
	}
	if info, err := os.Lstat(parent); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is not a folder; move it away", parent)
	}
	for n := 1; ; n++ {
		name := r.now.UTC().Format("2006-01-02T150405Z")
		if n > 1 {
			name += fmt.Sprintf("-%d", n)
		}
		dir := path.Join(asideFolder, name)
		err := os.Mkdir(r.at(dir), 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return durable.CannotWrite(r.at(dir), err)
		}
		r.did("folder", dir)
		if r.list, err = durable.OpenLog(r.at(path.Join(dir, Manifest))); err != nil {
			return err
		}
		r.dir = dir
		return errors.Join(durable.SyncFolder(r.at(dir)), durable.SyncFolder(parent), durable.SyncFolder(r.folder.Dir()))
	}
}

// free is an unused name for a file in the folder of this repair.
func (r *repair) free(file string) (string, error) {
	to := path.Join(r.dir, file)
	if err := os.MkdirAll(filepath.Dir(r.at(to)), 0o777); err != nil {
		return "", durable.CannotWrite(r.at(to), err)
	}
	for n := 2; ; n++ {
		if _, err := os.Lstat(r.at(to)); errors.Is(err, fs.ErrNotExist) {
			return to, nil
		}
		to = fmt.Sprintf("%s.%d", path.Join(r.dir, file), n)
	}
}

// move moves a whole file.
func (r *repair) move(file, to string, f *Finding) error {
	aside := Aside{From: file, To: to, Kind: f.Kind, What: f.What}
	if info, err := os.Lstat(r.at(file)); err == nil && info.Mode().IsRegular() {
		data, err := os.ReadFile(r.at(file))
		if err == nil { // one without permission can be moved all the same
			aside.Size, aside.SHA256 = int64(len(data)), hash(data)
		}
	}
	r.did("list", to)
	if err := r.list.Append(aside); err != nil {
		return err
	}
	r.did("move", file)
	if err := os.Rename(r.at(file), r.at(to)); err != nil {
		return durable.CannotWrite(r.at(to), err)
	}
	r.did("moved", file)
	return errors.Join(durable.SyncFolder(filepath.Dir(r.at(to))), durable.SyncFolder(filepath.Dir(r.at(file))))
}

// cut moves lines out of a file. All other bytes stay as they are.
func (r *repair) cut(file, to string, lines map[int]*Finding) error {
	data, err := os.ReadFile(r.at(file))
	if err != nil {
		return err
	}
	var kept, gone bytes.Buffer
	var list []Aside
	_ = each(bytes.NewReader(data), func(p piece, _ bool) { // a reader of bytes does not fail
		f := lines[p.line]
		if f == nil {
			kept.Write(p.bytes)
			return
		}
		list = append(list, Aside{From: file, Line: p.line, Offset: p.offset, Size: int64(len(p.bytes)), SHA256: hash(p.bytes),
			To: to, At: int64(gone.Len()), Kind: f.Kind, What: f.What})
		gone.Write(p.bytes)
	})
	r.did("copy", to)
	if err := durable.ReplacePrivate(r.at(to), func(w io.Writer) error { _, err := w.Write(gone.Bytes()); return err }); err != nil {
		return err
	}
	for _, aside := range list {
		r.did("list", to)
		if err := r.list.Append(aside); err != nil {
			return err
		}
	}
	r.did("replace", file)
	err = durable.Replace(r.at(file), func(w io.Writer) error {
		if _, err := w.Write(kept.Bytes()); err != nil {
			return err
		}
		// Somebody may append with other tools, which know no locks.
		if info, err := os.Stat(r.at(file)); err != nil || info.Size() != int64(len(data)) {
			return errors.Join(err, errors.New("it grew meanwhile; try again"))
		}
		return nil
	})
	r.did("replaced", file)
	return err
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
