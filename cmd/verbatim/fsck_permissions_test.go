//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A file without permission to read is named; a check works in a folder that
// cannot be written.
func TestFsckWithoutPermissions(t *testing.T) {
	before := ""
	if os.Getuid() == 0 { // root may read everything, unless this is taken from it
		if _, err := exec.LookPath("setpriv"); err != nil {
			t.Skip("root may read everything, and there is no setpriv to take that away: ", err)
		}
		before = `exec setpriv --bounding-set=-dac_override,-dac_read_search "$0" "$@"; `
	}
	dir := bookIn(t, true, false)
	work := filepath.Join(dir, "process_files")
	private := filepath.Join(work, "lamp-decisions.jsonl")
	if err := os.WriteFile(private, nil, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(work, 0o555); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(work, 0o777) }()
	messages, code := failingIn(t, dir, before, "fsck")
	for _, want := range []string{"lamp-decisions.jsonl: unreadable: ", "no permission to read this file", "Affected is what people wrote in lamp-decisions.jsonl (unreadable)"} {
		if code != 1 || !strings.Contains(messages, want) {
			t.Errorf("exit status %d, want %q in\n%s", code, want, messages)
		}
	}
	if messages, code := failingIn(t, dir, before, "fsck", "--repair"); code != 2 {
		t.Errorf("exit status %d:\n%s", code, messages)
	}
}
