// Package backup packs a working folder and the texts of its books into one tar
// file, checks such a file, and restores it.
//
// What to count on: the same files give the same bytes; the file can be read by
// any tar; its manifest has the size and hash of every file. A backup is
// consistent while somebody works: of a log it holds whole lines, and a book's
// files belong together. Keys are never packed. Nothing reaches its final place
// before every byte of a backup is verified, and a hostile file is rejected with
// the name of the entry that is wrong.
package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"verbatim/internal/durable"
	"verbatim/workspace"
)

// Manifest is the last file of a backup.
const Manifest = "MANIFEST.json"

// format names what a manifest describes, so that later versions can differ.
const format = "verbatim backup 1"

// A Contents is the manifest: all files, in the order of the tar.
type Contents struct {
	Format  string    `json:"format"`
	Program string    `json:"program"` // the version that wrote it
	Files   []File    `json:"files"`
	LeftOut []LeftOut `json:"left_out"`
}

// A File is one file of a backup.
type File struct {
	Name   string `json:"name"` // with slashes: process_files/..., or the text of a book
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// A LeftOut is something of the folder that is not in the backup, and why. Work
// says that it may be somebody's work.
type LeftOut struct {
	Name string `json:"name"`
	Why  string `json:"why"`
	Work bool   `json:"work"`
}

// Lacks reports whether somebody's work may be missing.
func (c *Contents) Lacks() bool {
	return slices.ContainsFunc(c.LeftOut, func(l LeftOut) bool { return l.Work })
}

// Size is the bytes of all files.
func (c *Contents) Size() (size int64) {
	for _, f := range c.Files {
		size += f.Size
	}
	return size
}

// Options say what to pack.
type Options struct {
	Texts   string // the folder with the texts; empty: beside the working folder
	NoTexts bool   // the texts are kept elsewhere
	Program string // the version of the program
	Replace bool   // an older file of this name may be replaced
}

// ErrExists says that a file of this name exists.
var ErrExists = errors.New("this file exists; choose another name")

// Zipped reports whether a file of this name is compressed. ok is false if the
// name says neither.
func Zipped(file string) (zipped, ok bool) {
	name := strings.ToLower(file)
	zipped = strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
	return zipped, zipped || strings.HasSuffix(name, ".tar")
}

// Write packs a working folder into a file, whole or not at all, and reads it
// back.
func Write(folder *workspace.Folder, file string, o Options) (*Contents, error) {
	zipped, ok := Zipped(file)
	switch _, err := os.Lstat(file); {
	case !ok:
		return nil, fmt.Errorf("%s: the name of a backup ends in .tar or .tar.gz", file)
	case err == nil && !o.Replace:
		return nil, fmt.Errorf("%s: %w", file, ErrExists)
	}
	if inside(folder.Dir(), file) {
		return nil, fmt.Errorf("%s is in the folder that it would keep safe; put the backup elsewhere, best on another disk", file)
	}
	p := &packer{folder: folder, o: o, contents: &Contents{Format: format, Program: o.Program, Files: []File{}, LeftOut: []LeftOut{}}}
	if err := p.plan(); err != nil {
		return nil, err
	}
	replace := durable.Replace
	if p.private {
		replace = durable.ReplacePrivate
	}
	err := replace(file, func(w io.Writer) error {
		if !zipped {
			return p.write(w)
		}
		zip := gzip.NewWriter(w) // without name and time: the same bytes every time
		return errors.Join(p.write(zip), zip.Close())
	})
	if err != nil {
		return nil, err
	}
	_, err = Check(file)
	return p.contents, err
}

func inside(dir, file string) bool {
	dir, err := filepath.Abs(dir)
	file, err2 := filepath.Abs(file)
	if behind, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(behind, filepath.Base(file))
	}
	if behind, err := filepath.EvalSymlinks(dir); err == nil {
		dir = behind
	}
	rel, err3 := filepath.Rel(dir, file)
	return errors.Join(err, err2, err3) == nil && filepath.IsLocal(rel)
}

// packer writes one backup.
type packer struct {
	folder   *workspace.Folder
	o        Options
	contents *Contents
	private  bool // a file in it is only for its owner

	groups []group
}

// group is the files that must be from one moment: those of one book, or one
// other file.
type group struct {
	barcode string
	files   []member
}

type member struct {
	name string // in the tar
	path string
	log  bool // only whole lines of it are packed
}

// write writes the tar.
func (p *packer) write(w io.Writer) error {
	out := tar.NewWriter(w)
	for _, g := range p.groups {
		if err := p.group(out, g); err != nil {
			return err
		}
	}
	slices.SortFunc(p.contents.LeftOut, func(a, b LeftOut) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(p.contents, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	return errors.Join(entry(out, Manifest, int64(len(text)), false, bytes.NewReader(text)), out.Close())
}

// group opens all files of a group and then packs them. A file that is replaced
// meanwhile stays as it was opened, so they are from one moment if made.json did
// not change between the first and the last.
func (p *packer) group(out *tar.Writer, g group) error {
	const tries = 20
	for n := 1; ; n++ {
		before := p.record(g.barcode)
		opened, left := open(g.files)
		if n == tries || bytes.Equal(before, p.record(g.barcode)) {
			defer closeAll(opened)
			p.contents.LeftOut = append(p.contents.LeftOut, left...)
			return p.pack(out, opened)
		}
		closeAll(opened)
	}
}

func (p *packer) record(barcode string) []byte {
	if barcode == "" {
		return nil
	}
	data, _ := durable.ReadFile(p.folder.Path(barcode, workspace.Made)) // a book without one has none twice
	return data
}

// snapshot is an open file and how much of it is packed.
type snapshot struct {
	member
	file    *os.File
	size    int64
	private bool
}

func open(files []member) (opened []snapshot, left []LeftOut) {
	for _, m := range files {
		s := snapshot{member: m}
		var err error
		if s.file, err = os.Open(m.path); err == nil {
			err = s.measure()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // moved away since
			continue
		case err != nil:
			left = append(left, LeftOut{m.name, "it could not be read: " + cause(err), true})
			continue
		}
		opened = append(opened, s)
	}
	return opened, left
}

func cause(err error) string {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return at.Err.Error() // without the path, which is of this computer
	}
	return err.Error()
}

func closeAll(opened []snapshot) {
	for _, s := range opened {
		s.file.Close()
	}
}

// measure finds how much of a file to pack: of a log, what ends with a whole
// line.
func (s *snapshot) measure() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	s.size, s.private = info.Size(), info.Mode().Perm()&0o077 == 0
	if !s.log {
		return nil
	}
	const step = 1 << 16
	buf := make([]byte, step)
	for end := s.size; end > 0; end -= min(end, step) {
		start := max(0, end-step)
		part := buf[:end-start]
		if _, err := s.file.ReadAt(part, start); err != nil && err != io.EOF {
			return err
		}
		if at := bytes.LastIndexByte(part, '\n'); at >= 0 {
			tail := make([]byte, s.size-(start+int64(at)+1))
			if _, err := s.file.ReadAt(tail, start+int64(at)+1); err != nil && err != io.EOF {
				return err
			}
			if !json.Valid(tail) { // a whole record without its newline counts
				s.size = start + int64(at) + 1
			}
			return nil
		}
	}
	whole := make([]byte, s.size)
	if _, err := s.file.ReadAt(whole, 0); err != nil && err != io.EOF {
		return err
	}
	if !json.Valid(whole) {
		s.size = 0
	}
	return nil
}

// pack adds open files to the tar.
func (p *packer) pack(out *tar.Writer, opened []snapshot) error {
	for _, s := range opened {
		sum := sha256.New()
		body := io.TeeReader(io.NewSectionReader(s.file, 0, s.size), sum)
		if err := entry(out, s.name, s.size, s.private, body); err != nil {
			return fmt.Errorf("packing %s: %w", s.path, err)
		}
		p.contents.Files = append(p.contents.Files, File{s.name, s.size, hex.EncodeToString(sum.Sum(nil))})
	}
	return nil
}

// entry writes one file with a header that depends on nothing else.
func entry(out *tar.Writer, name string, size int64, private bool, body io.Reader) error {
	header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: time.Unix(0, 0)}
	if private {
		header.Mode = 0o600
	}
	if err := out.WriteHeader(header); err != nil {
		return err
	}
	_, err := io.Copy(out, body)
	if err == nil {
		err = out.Flush() // says so if the file was shorter than announced
	}
	return err
}

// inTar is the name of a file of the working folder in a backup.
func inTar(rel string) string { return path.Join(workspace.Usual, filepath.ToSlash(rel)) }
