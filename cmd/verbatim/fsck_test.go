package main

import (
	"strings"
	"testing"

	"verbatim/workspace/fsck"
)

// The help says about every kind of finding what a repair does.
func TestHelpListsRepairs(t *testing.T) {
	long := fsckCommand().Long
	for _, r := range fsck.Repairs {
		_, says, found := strings.Cut(long, "\n  "+string(r.Kind)+"  ")
		if isLeft := strings.HasPrefix(strings.TrimSpace(says), "left"); !found || isLeft != strings.HasPrefix(r.Action, "left") {
			t.Errorf("help/fsck.txt does not say what --repair does about %q: %s", r.Kind, r.Action)
		}
	}
}
