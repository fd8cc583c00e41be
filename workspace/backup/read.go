package backup

import (
	"archive/tar"
	"bufio"
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
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"verbatim/internal/durable"
	"verbatim/workspace"
)

// Check reads a whole backup and compares every file with the manifest.
func Check(file string) (*Contents, error) {
	return read(file, func(string, int64, bool, io.Reader) error { return nil })
}

// A BadError says what is wrong with a backup.
type BadError struct{ File, Entry, What string }

func (e *BadError) Error() string {
	if e.Entry == "" {
		return e.File + ": " + e.What
	}
	return fmt.Sprintf("%s: %q: %s", e.File, e.Entry, e.What)
}

// read reads a backup. Each file goes to take, which need not read all of it.
// Only when read returns without an error, what was taken is what was packed.
func read(file string, take func(name string, size int64, private bool, body io.Reader) error) (*Contents, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, durable.CannotRead(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, &BadError{file, "", "this is not a file"})
	}
	r := &reader{file: file, take: take, seen: map[string]bool{}, read: map[string]File{}}
	c, err := r.stream(in, info.Size())
	if bad := (*BadError)(nil); err != nil && !errors.As(err, &bad) && !errors.As(err, new(*takeError)) {
		what := err.Error()
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			what = "it was cut off, or is not a backup; copy the file again, or make it again"
		case errors.Is(err, tar.ErrHeader), errors.Is(err, gzip.ErrHeader):
			what = "it is damaged, or not a backup"
		case errors.Is(err, gzip.ErrChecksum):
			what = "it is damaged: its checksum is wrong"
		}
		err = &BadError{file, "", what}
	}
	return c, err
}

// takeError is an error of the one who takes the files, not of the backup.
type takeError struct{ error }

func (e *takeError) Unwrap() error { return e.error }

type reader struct {
	file string
	take func(name string, size int64, private bool, body io.Reader) error
	seen map[string]bool // names; true: of a file, false: of a folder
	read map[string]File
	left int64 // bytes that may still be unpacked
}

// A backup of text packs to a tenth or a twentieth. What claims to be much more
// than that is a bomb.
const (
	freely   = 64 << 20 // so much may be unpacked from any file
	mostPack = 200      // and so many times the size of the file
	mostList = 64 << 20 // of the manifest
)

func (r *reader) bad(name, what string) error { return &BadError{r.file, name, what} }

// stream reads a tar, compressed or not.
func (r *reader) stream(file io.Reader, size int64) (*Contents, error) {
	in := bufio.NewReaderSize(file, 1<<16)
	r.left = size
	var body io.Reader = in
	if head, _ := in.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		zip, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		body, r.left = zip, freely+mostPack*size
	}
	limited := &limit{in: body, left: r.left, err: r.bad("", "it unpacks to far more than a backup does; it may be made to fill your disk")}
	contents, err := r.entries(tar.NewReader(limited))
	if err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(limited) // a checksum may follow
	switch {
	case err != nil:
		return nil, err
	case len(bytes.Trim(rest, "\x00")) > 0:
		return nil, r.bad("", "something follows its end")
	case limited.zeros < 2*512:
		return nil, io.ErrUnexpectedEOF // two empty blocks end a tar
	}
	return contents, nil
}

// limit is a reader of at most so many bytes.
type limit struct {
	in    io.Reader
	left  int64
	err   error
	zeros int // at the end of what was read
}

func (l *limit) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, l.err
	}
	kept := len(bytes.TrimRight(p[:n], "\x00"))
	if kept > 0 {
		l.zeros = 0
	}
	l.zeros += n - kept
	return n, err
}

// entries reads all files and compares them with the manifest, which is the last.
func (r *reader) entries(in *tar.Reader) (*Contents, error) {
	for {
		header, err := in.Next()
		if err == io.EOF {
			return nil, r.bad("", "it has no manifest at its end: it was cut off, or is not a backup")
		}
		if err != nil {
			return nil, err
		}
		if err := r.allowed(header); err != nil {
			return nil, err
		}
		if header.Name == Manifest {
			contents, err := r.manifest(in)
			if err != nil {
				return nil, err
			}
			if _, err := in.Next(); err != io.EOF {
				return nil, errors.Join(err, r.bad("", "something follows the manifest"))
			}
			return contents, r.compare(contents)
		}
		sum := sha256.New()
		body := io.TeeReader(in, sum)
		if err := r.take(header.Name, header.Size, header.Mode&0o077 == 0, body); err != nil {
			return nil, err
		}
		if _, err := io.Copy(io.Discard, body); err != nil {
			return nil, err
		}
		r.read[header.Name] = File{header.Name, header.Size, hex.EncodeToString(sum.Sum(nil))}
	}
}

// allowed rejects every entry that a backup never has.
func (r *reader) allowed(h *tar.Header) error {
	kinds := map[byte]string{tar.TypeSymlink: "a symbolic link", tar.TypeLink: "a link", tar.TypeChar: "a device", tar.TypeBlock: "a device",
		tar.TypeFifo: "a pipe", tar.TypeDir: "a folder", tar.TypeGNUSparse: "a file with holes"}
	sparse := false
	for name := range h.PAXRecords {
		sparse = sparse || strings.HasPrefix(name, "GNU.sparse")
	}
	first, rest, below := strings.Cut(h.Name, "/")
	isFile, twice := r.seen[h.Name]
	switch {
	case kinds[h.Typeflag] != "":
		return r.bad(h.Name, "this is "+kinds[h.Typeflag]+"; a backup has only files")
	case sparse:
		return r.bad(h.Name, "this is a file with holes; a backup has none")
	case h.Typeflag != tar.TypeReg:
		return r.bad(h.Name, "a backup has only files")
	case strings.HasPrefix(h.Name, "/") || strings.Contains(h.Name, `\`) || strings.Contains(h.Name, ":") && runtime.GOOS == "windows":
		return r.bad(h.Name, "this name leaves the folder")
	case !fs.ValidPath(h.Name) || !filepath.IsLocal(filepath.FromSlash(h.Name)) || strings.ContainsRune(h.Name, 0):
		return r.bad(h.Name, "this name leaves the folder, or is no name")
	case below && (first != workspace.Usual || rest == ""):
		return r.bad(h.Name, "a backup has files in "+workspace.Usual+", and texts beside it")
	case h.Size < 0 || h.Size > r.left:
		return r.bad(h.Name, "it is larger than the whole backup: the file was cut off, or made to deceive")
	case twice && isFile:
		return r.bad(h.Name, "it is in the backup twice")
	case twice:
		return r.bad(h.Name, "it is a file and a folder")
	}
	r.seen[h.Name] = true
	for at := strings.LastIndex(h.Name, "/"); at > 0; at = strings.LastIndex(h.Name[:at], "/") {
		if r.seen[h.Name[:at]] {
			return r.bad(h.Name[:at], "it is a file and a folder")
		}
		r.seen[h.Name[:at]] = false
	}
	return nil
}

func (r *reader) manifest(in io.Reader) (*Contents, error) {
	text, err := io.ReadAll(io.LimitReader(in, mostList+1))
	if err != nil {
		return nil, err
	}
	c := &Contents{}
	if err := json.Unmarshal(text, c); err != nil || len(text) > mostList {
		return nil, r.bad(Manifest, "it cannot be read")
	}
	if c.Format != format {
		return nil, r.bad(Manifest, fmt.Sprintf("it is of the kind %q; this program reads %q", c.Format, format))
	}
	return c, nil
}

// compare holds the manifest against what was read.
func (r *reader) compare(c *Contents) error {
	for _, want := range c.Files {
		got, there := r.read[want.Name]
		switch {
		case !there:
			return r.bad(want.Name, "it is in the manifest, but not in the backup")
		case got != want:
			return r.bad(want.Name, fmt.Sprintf("it is damaged: its hash is %.12s, the manifest says %.12s", got.SHA256, want.SHA256))
		}
		delete(r.read, want.Name)
	}
	var extra []string
	for name := range r.read {
		extra = append(extra, name)
	}
	if slices.Sort(extra); len(extra) > 0 {
		return r.bad(extra[0], "it is in the backup, but not in its manifest")
	}
	return nil
}
