// Package durable keeps files safe from crashes: a file is replaced whole or
// not at all, and a log only grows. When a call returns nil, the bytes are on
// the disk.
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

// Replace writes a file whole or not at all: until `write` has succeeded and
// its bytes are on the disk, the file that was there stays as it was. What is no
// file but a device or a pipe (/dev/null, /dev/stdout) is written into. No
// folder is made. Where the disk is at fault the error is a *WriteError; any
// other error of `write` comes back as it is.
func Replace(path string, write func(io.Writer) error) error { return replace(path, false, write) }

// ReplacePrivate is Replace for what holds a person's words: only its owner may
// read the file, also where one with other permissions was there before.
func ReplacePrivate(path string, write func(io.Writer) error) error {
	return replace(path, true, write)
}

func replace(path string, private bool, write func(io.Writer) error) (err error) {
	target := path
	if behind, err := filepath.EvalSymlinks(path); err == nil {
		target = behind // the file behind a link is replaced, not the link
	} else if behind, err := os.Readlink(path); err == nil { // it leads to a file that is still to be
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
			temp.Close() // a second time, perhaps; what went wrong is known
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

// writeInto writes to what cannot be replaced.
func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return CannotWrite(path, err)
	}
	return errors.Join(whose(write(file), file, path), CannotWrite(path, file.Close()))
}

// whose tells an error of the file that is being written from all others.
func whose(err error, file *os.File, path string) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) && at.Path == file.Name() {
		return CannotWrite(path, err)
	}
	return err
}

// A WriteError says that a file cannot be written, by the name that a person
// gave it and in words to act on.
type WriteError struct {
	Path string
	Err  error
}

func (e *WriteError) Error() string {
	why := e.Err.Error()
	switch {
	case errors.Is(e.Err, fs.ErrNotExist):
		why = "there is no folder " + filepath.Dir(e.Path)
	case errors.Is(e.Err, fs.ErrPermission):
		why = "there is no permission for it"
	}
	return e.Path + " cannot be written: " + why
}

func (e *WriteError) Unwrap() error { return e.Err }

// CannotWrite is the *WriteError of a file or folder, without the names that the
// system gave in between; nil where err is nil.
func CannotWrite(path string, err error) error {
	if err == nil {
		return nil
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	} else if link := (*os.LinkError)(nil); errors.As(err, &link) {
		err = link.Err
	}
	return &WriteError{path, err}
}

// syncFolder makes a rename last. Windows has no such call and needs none.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// A Log is a JSON Lines file that only grows. What to count on:
//
// When Append returns nil the record is on the disk, as one line, and nothing
// that stood in the file was touched. That holds while others append to the
// file as well (another Log, or a person's >>), as long as each of them adds
// whole lines in one write, as a Log and a shell do for a few lines: all lines
// are there afterwards, in some order. A last line that another hand has left
// without its newline is ended, not built upon.
//
// A record that was cut short by a crash is set aside when the log is next
// opened and never read as a record.
type Log struct {
	mu   sync.Mutex
	file *os.File // in append mode: wherever the end is when a record is written

	// Torn is the name of the file that a torn last line was moved to, or empty.
	Torn string
}

// OpenLog opens a log for appending and makes it where there is none.
func OpenLog(path string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, CannotWrite(path, err)
	}
	log := &Log{file: file}
	if err := log.setAside(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", path, err), file.Close())
	}
	return log, nil
}

// setAside looks at a last line without newline. A whole record (a person's
// editor left the newline off) stays; a torn one is moved to a file of its own.
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
	torn, err := os.OpenFile(l.Torn, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = torn.Write(append(tail, '\n'))
	if err := errors.Join(err, torn.Sync(), torn.Close()); err != nil {
		return err // not cut off: nothing is lost
	}
	return l.cut(size, size-int64(len(tail)))
}

// cut takes off the end of the file, unless it has grown past what was seen:
// then somebody else is writing, and the end is theirs.
func (l *Log) cut(seen, to int64) error {
	if now, err := l.size(); err != nil || now != seen {
		return err
	}
	return os.Truncate(l.file.Name(), to) // by name: Windows cuts no file in append mode
}

func (l *Log) size() (int64, error) {
	info, err := l.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// lastLine is what stands after the last newline of a file.
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

// Append adds one record as one line and returns when it is on the disk. It
// may be called from many goroutines.
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

// write adds to the end of the file, wherever it is by now, in one write.
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
		// A full disk must not leave half a line that looks like a crash.
		return errors.Join(CannotWrite(l.file.Name(), err), l.cut(before+int64(n), before))
	}
	return nil
}

// Close closes the file. Every record was already on the disk.
func (l *Log) Close() error { return l.file.Close() }
