package verbatim

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
// its bytes are on the disk, the file that was there stays as it was.
func Replace(path string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // the file behind a link is replaced, not the link
	}
	mode := fs.FileMode(0o666)
	if old, err := os.Stat(path); err == nil {
		mode = old.Mode().Perm()
	}
	temp, err := os.OpenFile(fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	kept := false
	defer func() {
		if !kept {
			err = errors.Join(err, ignoreClosed(temp.Close()), os.Remove(temp.Name()))
		}
	}()
	if err := write(temp); err != nil {
		return err
	}
	if err := errors.Join(temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	kept = true
	return syncFolder(filepath.Dir(path))
}

func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
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

// A Log is a JSON Lines file that only grows. When Append returns nil the
// record is on the disk; a record that was cut short by a crash is set aside
// when the log is next opened and never read as a record.
type Log struct {
	mu   sync.Mutex
	file *os.File
	size int64

	// Torn is the name of the file that a torn last line was moved to, or empty.
	Torn string
}

// OpenLog opens a log for appending and makes it where there is none.
func OpenLog(path string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	log := &Log{file: file}
	if err := log.mendEnd(path); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", path, err), file.Close())
	}
	return log, nil
}

// mendEnd looks at a last line without newline: a whole record (a person's
// editor left the newline off) gets one, a torn record is set aside.
func (l *Log) mendEnd(path string) error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	tail, err := lastLine(l.file, info.Size())
	if err != nil {
		return err
	}
	l.size = info.Size()
	if len(tail) == 0 {
		return nil
	}
	if json.Valid(tail) {
		return l.write([]byte("\n"))
	}
	l.Torn = path + ".torn"
	torn, err := os.OpenFile(l.Torn, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = torn.Write(append(tail, '\n'))
	if err := errors.Join(err, torn.Sync(), torn.Close()); err != nil {
		return err // not truncated: nothing is lost
	}
	l.size -= int64(len(tail))
	return errors.Join(l.file.Truncate(l.size), l.file.Sync())
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
	line, err := marshalPlain(record)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.write(append(line, '\n'))
}

func (l *Log) write(line []byte) error {
	_, err := l.file.WriteAt(line, l.size)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		// A full disk must not leave half a line for the next record to grow on.
		return errors.Join(err, l.file.Truncate(l.size))
	}
	l.size += int64(len(line))
	return nil
}

// Close closes the file. Every record was already on the disk.
func (l *Log) Close() error { return l.file.Close() }
