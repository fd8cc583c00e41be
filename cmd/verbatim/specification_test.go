package main

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The specification lists twelve things that could go wrong, from 0 to 11. The
// tests of number N are called TestSpecN..., and each number has one.
func TestSpecificationIsTested(t *testing.T) {
	tests := map[string][]string{}
	name := regexp.MustCompile(`(?m)^func (TestSpec(\d+)[A-Z]\w*)\(t \*testing\.T\)`)
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := fs.ReadFile(root, path)
		for _, found := range name.FindAllStringSubmatch(string(source), -1) {
			tests[found[2]] = append(tests[found[2]], found[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 12 {
		if tests[fmt.Sprint(n)] == nil {
			t.Errorf("no test for number %d of the specification's list: no TestSpec%d...", n, n)
		}
		delete(tests, fmt.Sprint(n))
	}
	for n, names := range tests {
		t.Errorf("the specification has no number %s: %v", n, names)
	}
}
