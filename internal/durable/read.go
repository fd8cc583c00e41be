package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// errIrregular says why a file is not opened: the program would wait for ever, or
// read without end.
var errIrregular = errors.New("it is a pipe or a device, not a file; remove it, or put the file itself there")

// Open opens a file for reading. Unlike os.Open it does not wait for a pipe that
// nobody writes to: a named pipe or a device is an error. What a shell passes as a
// file (/dev/fd/3, /dev/stdin) has a writer and is opened.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && irregular(info) && !passed(path) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errIrregular}
	}
	return os.Open(path)
}

func irregular(info fs.FileInfo) bool { return !info.Mode().IsRegular() && !info.IsDir() }

// passed reports whether a path is a stream that this process was given.
func passed(path string) bool {
	return strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/") ||
		path == "/dev/stdin" || path == os.DevNull || runtime.GOOS == "windows"
}

// ReadFile is os.ReadFile with the care of Open.
func ReadFile(path string) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// DirFS is os.DirFS with the care of Open: for folders that others made.
func DirFS(dir string) fs.FS { return careful{os.DirFS(dir)} }

type careful struct{ fs.FS }

func (c careful) Open(name string) (fs.File, error) {
	if info, err := fs.Stat(c.FS, name); err == nil && irregular(info) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errIrregular}
	}
	return c.FS.Open(name)
}

// CannotRead says in plain words why a file could not be opened or read. Other
// errors come back as they are.
func CannotRead(err error) error {
	var path *fs.PathError
	switch {
	case !errors.As(err, &path):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file", path.Path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: no permission to read this file", path.Path)
	default:
		return fmt.Errorf("%s: %w", path.Path, path.Err)
	}
}

// An OutsideError says that a file of a folder is a link that leaves the folder.
type OutsideError struct{ Path, Target, Dir string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s is a link to %s, outside the folder %s, so nothing is written there; remove the link, or put the file itself there", e.Path, e.Target, e.Dir)
}

// Within says why a file must not be written as a part of a folder: it, or a
// folder on the way to it, is a link that leaves the folder (an *OutsideError), or
// it is a pipe or a device. The folder itself may be a link, and so may a file
// whose target is in the folder. os.Root would reject the latter where the link is
// absolute, so the links are followed here.
func Within(dir, path string) error {
	root, err := follow(dir, maxLinks)
	if err != nil {
		return CannotWrite(dir, err)
	}
	target, err := follow(path, maxLinks)
	if err != nil {
		return CannotWrite(path, err)
	}
	inside, err := filepath.Rel(root, target)
	if err != nil || !filepath.IsLocal(inside) {
		return &OutsideError{path, target, dir}
	}
	if info, err := os.Stat(target); err == nil && irregular(info) {
		return CannotWrite(path, errIrregular)
	}
	return nil
}

const maxLinks = 40

// follow is the absolute path of a file behind all links, also of a file that
// does not exist yet. Paths are not cleaned on the way: after a link, .. is not
// the folder that stands before it.
func follow(path string, links int) (string, error) {
	behind, err := filepath.EvalSymlinks(path)
	if err == nil {
		return filepath.Abs(behind)
	}
	parent, name := filepath.Split(path)
	for len(parent) > 1 && os.IsPathSeparator(parent[len(parent)-1]) {
		parent = parent[:len(parent)-1]
	}
	if !errors.Is(err, fs.ErrNotExist) || links == 0 || name == "" || name == "." || name == ".." {
		return "", err
	}
	if parent == "" {
		parent = "."
	}
	if parent, err = follow(parent, links-1); err != nil {
		return "", err
	}
	path = filepath.Join(parent, name)
	target, err := os.Readlink(path)
	if err != nil {
		return path, nil // nothing is there
	}
	if !filepath.IsAbs(target) {
		target = parent + string(filepath.Separator) + target
	}
	return follow(target, links-1)
}

// Leftover is the name of the file that a temporary file of Replace was to become,
// if name is one: a program that was killed leaves such a file behind.
func Leftover(name string) (of string, is bool) {
	base, is := strings.CutSuffix(name, ".tmp")
	dot := len(base) - 9
	if !is || dot < 1 || base[dot] != '.' || strings.Trim(base[dot+1:], "0123456789abcdef") != "" {
		return "", false
	}
	return base[:dot], true
}
