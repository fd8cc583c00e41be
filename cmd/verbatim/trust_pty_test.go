//go:build unix

package main

import (
	"fmt"
	"testing"
)

// In a terminal the user is asked, once; a batch never asks.
func TestTrustIsAskedForInATerminal(t *testing.T) {
	server := newListener(t)
	v := visitStranger(t, fmt.Sprintf("server: %s\nkey %s: MY_KEY\n", server.URL, server.URL))
	sit := func(args ...string) *seat { t.Helper(); return sitWith(t, v.dir, 120, 60, v.env, args...) }

	batch := sit("make", "--batch", "lamp.txt")
	if code := batch.leave(); code != 2 || len(server.heard()) > 0 {
		t.Errorf("a batch: exit status %d", code)
	}
	batch.see("this folder is not trusted", "verbatim trust process_files")

	no := sit("models")
	no.see("texts go to "+server.URL, "the environment variable MY_KEY", "Use these servers and keys, now and later? [y/N]")
	no.press(enter)
	if code := no.leave(); code != 2 || len(server.heard()) > 0 {
		t.Errorf("after no: exit status %d", code)
	}

	yes := sit("models")
	yes.see("[y/N]")
	yes.press("y", enter)
	if code := yes.leave(); code != 0 || len(server.heard()) == 0 {
		t.Errorf("after yes: exit status %d", code)
	}
	again := sit("models")
	if code := again.leave(); code != 0 || len(server.heard()) == 0 {
		t.Errorf("the second time: exit status %d", code)
	}

	v.settings(fmt.Sprintf("server: %s\n", server.URL))
	trust := sit("trust")
	trust.see("Trust this folder? [y/N]")
	trust.press("n", enter)
	if code := trust.leave(); code != 2 {
		t.Errorf("trust, and then no: exit status %d", code)
	}
	trust.see("not trusted; nothing was changed")
}
