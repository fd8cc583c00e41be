package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The copier wins by containment and loses in every other mode.
func TestDemoScore(t *testing.T) {
	var out strings.Builder
	page := filepath.Join(t.TempDir(), "demo.html")
	if err := demoScore(t.Context(), &out, page, demoGood); err != nil {
		t.Fatal(err)
	}
	good, err := demoResult(t.Context(), "good", demoGood)
	if err != nil || len(good.Pred.Problems) > 0 || good.GoldWithoutPlace > 0 {
		t.Fatalf("the samples have problems: %v, %v, %d", err, good.Pred.Problems, good.GoldWithoutPlace)
	}
	bad, err := demoResult(t.Context(), "bad", demoBad)
	if err != nil {
		t.Fatal(err)
	}
	for path, copierWins := range map[string]bool{"micro.f1": true, "exact.f1": false, "overlap.f1": false, "attributes.polarity.accuracy": false} {
		a, _ := good.Summary("").Figure(path)
		b, ok := bad.Summary("").Figure(path)
		if !ok || (b > a) != copierWins {
			t.Errorf("%s: the careful system has %.3f, the copier %.3f", path, a, b)
		}
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "kept drifting") || !strings.Contains(out.String(), page) {
		t.Errorf("the page: %v\n%s", err, out.String())
	}
}
