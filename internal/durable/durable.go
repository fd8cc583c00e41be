// Package durable writes files that survive crashes: a file is replaced
// completely or not at all, and a log only grows. When a call returns nil, the
// bytes are on disk.
package durable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// Replace replaces a file completely or not at all: the old file stays until
// `write` has succeeded and its bytes are on disk. Replace writes directly to a
// device or a pipe (/dev/null, /dev/stdout). It creates no folder. If the file
// cannot be written, the error is that of CannotWrite; other errors of `write` are
// returned unchanged.
func Replace(path string, write func(io.Writer) error) error { return replace(path, false, write) }

// ReplacePrivate is Replace for private data: only the owner can read the file,
// even if the old file had other permissions.
func ReplacePrivate(path string, write func(io.Writer) error) error {
	return replace(path, true, write)
}

func replace(path string, private bool, write func(io.Writer) error) (err error) {
	target := path
	if behind, err := filepath.EvalSymlinks(path); err == nil {
		target = behind // replace the target of a link, not the link
	} else if behind, err := os.Readlink(path); err == nil { // the target does not exist yet
		if target = behind; !filepath.IsAbs(behind) {
			target = filepath.Join(filepath.Dir(path), behind)
		}
	}
	mode := fs.FileMode(0o666)
	if old, err := os.Stat(target); err == nil {
		if !old.Mode().IsRegular() {
			return writeInto(path, write)
		}
		mode = old.Mode().Perm()
	}
	if private {
		mode = 0o600
	}
	temp, err := os.OpenFile(fmt.Sprintf("%s.%08x.tmp", target, rand.Uint32()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return CannotWrite(path, err)
	}
	kept := false
	defer func() {
		if !kept {
			temp.Close() // perhaps for the second time; err is already set
			err = errors.Join(err, CannotWrite(path, os.Remove(temp.Name())))
		}
	}()
	if err := write(temp); err != nil {
		return whose(err, temp, path)
	}
	if err := errors.Join(temp.Sync(), temp.Close()); err != nil {
		return CannotWrite(path, err)
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return CannotWrite(path, err)
	}
	kept = true
	return CannotWrite(path, syncFolder(filepath.Dir(target)))
}

// writeInto writes to a device or a pipe.
func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return CannotWrite(path, err)
	}
	return errors.Join(whose(write(file), file, path), CannotWrite(path, file.Close()))
}

// whose converts an error of the file being written, and returns others unchanged.
func whose(err error, file *os.File, path string) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) && at.Path == file.Name() {
		return CannotWrite(path, err)
	}
	return err
}

// A writeError names a file that cannot be written by the path that the user gave.
type writeError struct {
	Path string
	Err  error
}

func (e *writeError) Error() string {
	why := e.Err.Error()
	switch {
	case errors.Is(e.Err, fs.ErrNotExist):
		why = "there is no folder " + filepath.Dir(e.Path)
	case errors.Is(e.Err, fs.ErrPermission):
		why = "permission denied"
	}
	return e.Path + " cannot be written: " + why
}

func (e *writeError) Unwrap() error { return e.Err }

// CannotWrite returns an error that names the file or folder that cannot be
// written, not a temporary file. It returns nil if err is nil.
func CannotWrite(path string, err error) error {
	if err == nil {
		return nil
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	} else if link := (*os.LinkError)(nil); errors.As(err, &link) {
		err = link.Err
	}
	return &writeError{path, err}
}

// syncFolder makes a rename or a new file durable. Windows has no such call and
// needs none. It is a variable so that a test can see the calls.
var syncFolder = func(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// SyncFolder makes the names in a folder durable: what was created, renamed or
// removed there.
func SyncFolder(dir string) error { return syncFolder(dir) }

// A Log is a JSON Lines file that only grows.
//
// When Append returns nil, the record is on disk as one line, and the rest of the
// file is unchanged. That holds even if others append to the file (another Log,
// or >> in a shell), if each of them adds complete lines in one write, as a Log
// and a shell do for a few lines: no line is lost, but their order may vary. If
// somebody leaves a last line without a newline, Append adds the newline first.
//
// OpenLog moves a record that a crash cut short to another file. It is never read
// as a record.
type Log struct {
	mu   sync.Mutex
	file *os.File // in append mode: every record goes to the current end

	// Torn is the file to which OpenLog moved an incomplete last line, or empty.
	Torn string
}

// OpenLog opens a log for appending. It creates the file if necessary.
func OpenLog(path string) (*Log, error) {
	file, created, err := openToAppend(path, os.O_RDWR)
	if err != nil {
		return nil, CannotWrite(path, err)
	}
	if created { // or a crash could lose the file with all its records
		if err := syncFolder(filepath.Dir(path)); err != nil {
			return nil, errors.Join(CannotWrite(path, err), file.Close())
		}
	}
	log := &Log{file: file}
	if err := log.setAside(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", path, err), file.Close())
	}
	return log, nil
}

// openToAppend opens a file for appending, and creates it if there is none.
func openToAppend(path string, access int) (file *os.File, created bool, err error) {
	file, err = os.OpenFile(path, access|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		created = true
		file, err = os.OpenFile(path, access|os.O_APPEND|os.O_CREATE, 0o666)
	}
	return file, created, err
}

// setAside checks a last line without a newline. A complete record stays (an
// editor may have omitted the newline); an incomplete one is moved to another
// file.
func (l *Log) setAside() error {
	size, err := l.size()
	if err != nil {
		return err
	}
	tail, err := lastLine(l.file, size)
	if err != nil || len(tail) == 0 || json.Valid(tail) {
		return err
	}
	l.Torn = l.file.Name() + ".torn"
	if info, err := os.Lstat(l.Torn); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("the cut-off last line belongs into %s, which is a link, a pipe or a device; remove it", l.Torn)
	}
	torn, created, err := openToAppend(l.Torn, os.O_WRONLY)
	if err != nil {
		return err
	}
	_, err = torn.Write(append(tail, '\n'))
	if err := errors.Join(err, torn.Sync(), torn.Close()); err != nil {
		return err // before the cut: nothing is lost
	}
	if created {
		if err := syncFolder(filepath.Dir(l.Torn)); err != nil {
			return err
		}
	}
	return l.cut(size, size-int64(len(tail)))
}

// cut truncates the file, unless it has grown since: then another program is
// writing, and the end belongs to it.
func (l *Log) cut(seen, to int64) error {
	if now, err := l.size(); err != nil || now != seen {
		return err
	}
	return os.Truncate(l.file.Name(), to) // by name: Windows cannot truncate a file in append mode
}

func (l *Log) size() (int64, error) {
	info, err := l.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// lastLine returns what follows the last newline of a file.
func lastLine(file io.ReaderAt, size int64) ([]byte, error) {
	const step = 1 << 12
	var tail []byte
	for end := size; end > 0; {
		start := max(0, end-step)
		piece := make([]byte, end-start)
		if _, err := file.ReadAt(piece, start); err != nil && err != io.EOF {
			return nil, err
		}
		if at := bytes.LastIndexByte(piece, '\n'); at >= 0 {
			return append(piece[at+1:], tail...), nil
		}
		tail, end = append(piece, tail...), start
	}
	return tail, nil
}

// Append adds one record as one line and returns when it is on disk. It is safe
// for concurrent use.
func (l *Log) Append(record any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line) // ends the line
	enc.SetEscapeHTML(false)
	if err := enc.Encode(record); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.write(line.Bytes())
}

// write appends to the current end of the file in one write.
func (l *Log) write(line []byte) error {
	before, err := l.size()
	if err != nil {
		return err
	}
	last := []byte{'\n'}
	if before > 0 {
		if _, err := l.file.ReadAt(last, before-1); err != nil {
			return err
		}
	}
	if last[0] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	n, err := l.file.Write(line)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		// A full disk must not leave an incomplete line, as a crash does.
		return errors.Join(CannotWrite(l.file.Name(), err), l.cut(before+int64(n), before))
	}
	return nil
}

// Close closes the file. All records are already on disk.
func (l *Log) Close() error { return l.file.Close() }
