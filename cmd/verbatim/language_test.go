package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTwoProgramsDoNotWriteOneLedger(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "distract-ledger.jsonl")
	unlock, err := lockLedger(ledger)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockLedger(ledger); err == nil || !strings.Contains(err.Error(), "another verbatim is working on distract-ledger.jsonl") {
		t.Errorf("the second got %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := lockLedger(ledger)
	if err != nil {
		t.Fatal(err)
	}
	_ = again()
}
