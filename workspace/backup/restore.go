package backup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"verbatim/internal/durable"
	"verbatim/workspace"
)

// staging is the name of the folder in which a backup is unpacked, before its
// files get to their places.
const staging = ".restore"

// Restore unpacks a backup into a folder, which is empty or does not exist. It
// verifies the whole backup twice: first without writing anything, and then as
// it lies unpacked, before the first file gets to its place. The working folder
// comes last, so a folder that has one has everything.
func Restore(file, dir string) (*Contents, error) {
	if _, err := Check(file); err != nil {
		return nil, err
	}
	if err := empty(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, durable.CannotWrite(dir, err)
	}
	stage := filepath.Join(dir, staging)
	if err := os.Mkdir(stage, 0o700); err != nil {
		return nil, durable.CannotWrite(stage, err)
	}
	root, err := os.OpenRoot(stage) // no name can leave it
	if err != nil {
		return nil, durable.CannotRead(err)
	}
	contents, err := read(file, func(name string, _ int64, private bool, body io.Reader) error {
		if err := unpack(root, filepath.FromSlash(name), private, body); err != nil {
			return &takeError{err}
		}
		return nil
	})
	err = errors.Join(err, root.Close())
	if err == nil {
		err = settle(stage, dir)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(stage)) // only what this call has unpacked
	}
	return contents, nil
}

// empty rejects a folder with something in it. What an interrupted restore left
// is named.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s is not a folder that can be read", dir)
	case len(entries) > 0 && entries[0].Name() == staging:
		return fmt.Errorf("%s holds what an interrupted restore left; choose a new folder, or delete it", dir)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty; choose a new folder, so that nothing is overwritten", dir)
	}
	return nil
}

// unpack writes one file into the staging folder, to the disk.
func unpack(root *os.Root, name string, private bool, body io.Reader) error {
	mode := fs.FileMode(0o666)
	if private {
		mode = 0o600
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return durable.CannotWrite(name, err)
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return durable.CannotWrite(name, err)
	}
	if _, err := io.Copy(file, body); err != nil {
		return errors.Join(err, file.Close())
	}
	return durable.CannotWrite(name, errors.Join(file.Sync(), file.Close()))
}

// settle moves everything to its place, the working folder last.
func settle(stage, dir string) error {
	entries, err := os.ReadDir(stage)
	if err != nil {
		return durable.CannotRead(err)
	}
	move := func(name string) error {
		return durable.CannotWrite(filepath.Join(dir, name), os.Rename(filepath.Join(stage, name), filepath.Join(dir, name)))
	}
	working := false
	for _, entry := range entries {
		if working = working || entry.Name() == workspace.Usual; entry.Name() == workspace.Usual {
			continue
		}
		if err := move(entry.Name()); err != nil {
			return err
		}
	}
	if working {
		if err := move(workspace.Usual); err != nil {
			return err
		}
	}
	return errors.Join(os.Remove(stage), durable.SyncFolder(dir))
}
