package workspace

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/durable"
)

// A Trust remembers the working folders whose servers and keys the user agreed
// to. It is a file outside all of them: a folder may come from somebody else, and
// its settings could send any key of the user to any server.
type Trust struct{ file string }

// A Trusted folder is one line of the file.
type Trusted struct {
	Folder string    `json:"folder"` // absolute, without symbolic links
	SHA256 string    `json:"sha256"` // of the settings that reach out
	Lines  []string  `json:"lines"`  // these settings, for people
	Time   time.Time `json:"time"`
}

// TrustIn is the trust that a file holds. The file need not exist.
func TrustIn(file string) *Trust { return &Trust{file} }

// File is the path of the file.
func (t *Trust) File() string { return t.file }

// All are the trusted folders, in the order of the file. A line that cannot be
// read trusts nothing.
func (t *Trust) All() ([]Trusted, error) {
	file, err := durable.Open(t.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, durable.CannotRead(err)
	}
	defer file.Close()
	var all []Trusted
	for one, err := range verbatim.Read[Trusted](file, t.file) {
		if bad := (*verbatim.LineError)(nil); err != nil && !errors.As(err, &bad) {
			return nil, err
		}
		if err == nil {
			all = append(all, one)
		}
	}
	return all, nil
}

// Has reports whether the user trusted these settings of a folder. Settings that
// have changed since then are not trusted.
func (t *Trust) Has(s *Settings) (bool, error) {
	all, err := t.All()
	if err != nil {
		return false, err
	}
	folder, hash := realPath(s.Dir()), reachHash(s.Reach())
	return slices.ContainsFunc(all, func(one Trusted) bool { return one.Folder == folder && one.SHA256 == hash }), nil
}

// Add trusts these settings of a folder.
func (t *Trust) Add(s *Settings) error {
	one := Trusted{Folder: realPath(s.Dir()), SHA256: reachHash(s.Reach()), Lines: s.Reach(), Time: time.Now().UTC().Truncate(time.Second)}
	_, err := t.change(one.Folder, &one)
	return err
}

// Remove forgets a folder, which need not exist any more, and reports whether it
// was trusted.
func (t *Trust) Remove(dir string) (bool, error) { return t.change(realPath(dir), nil) }

// change replaces what the file says about a folder.
func (t *Trust) change(folder string, with *Trusted) (was bool, err error) {
	if err := os.MkdirAll(filepath.Dir(t.file), 0o700); err != nil {
		return false, durable.CannotWrite(t.file, err)
	}
	all, err := t.All()
	if err != nil {
		return false, err
	}
	kept := slices.DeleteFunc(slices.Clone(all), func(one Trusted) bool { return one.Folder == folder })
	was = len(kept) < len(all)
	if with != nil {
		kept = append(kept, *with)
	} else if !was {
		return false, nil
	}
	return was, durable.ReplacePrivate(t.file, func(w io.Writer) error { return verbatim.Write(w, verbatim.All(kept)) })
}

// realPath is the one name of a folder.
func realPath(dir string) string {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir
}

func reachHash(lines []string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
}

// Reach are the lines of the settings file that decide where texts and keys are
// sent: servers, keys and models. They are in order, without comments.
func (s *Settings) Reach() []string {
	var lines []string
	for name, line := range s.lines {
		if first, _, _ := strings.Cut(name, " "); name == "server" || first == "key" || first == "model" {
			lines = append(lines, name+": "+line.value)
		}
	}
	slices.Sort(lines)
	return lines
}

// InFile reports whether a setting comes from the settings file, and not from what
// overrides it.
func (s *Settings) InFile(name string) bool {
	if s.Override != nil {
		if _, from := s.Override(name); from != "" {
			return false
		}
	}
	_, there := s.lines[name]
	return there
}

// File is the path of the settings file, and Dir that of its folder.
func (s *Settings) File() string { return s.file }

// Dir is the working folder of the settings.
func (s *Settings) Dir() string { return filepath.Dir(s.file) }
