package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// settings are what a user has decided, strongest first: a flag, an environment
// variable VERBATIM_NAME, a line `name: value` of process_files/settings.txt.
type settings struct {
	flags map[string]string // set on the command line
	file  string
	lines map[string]settingLine
}

type settingLine struct {
	value  string
	number int
}

// Names that a settings file may hold. Those in the second list are followed by
// what they are about: a model's label or a server's address.
var (
	plainSettings = []string{"server", "concurrency", "patience", "timeout", "context", "answer", "thinking",
		"negation-model", "check-model", "no-models", "max-calls", "max-tokens", "verify-cap", "seed", "nsp-model",
		"reviewer", "catalogue", "categories", "candidates", "per-category", "min-examples", "distractors", "types"}
	aboutSettings = []string{"model", "context", "answer", "thinking", "think", "key", "tokens", "concurrency"}
)

// readSettings reads the settings file of the working folder, if there is one.
func readSettings(flags map[string]string, dir string) (*settings, error) {
	s := &settings{flags: flags, file: filepath.Join(dir, "settings.txt"), lines: map[string]settingLine{}}
	file, err := os.Open(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, plainPathError(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\uFEFF"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := s.add(line, number); err != nil {
			return nil, err
		}
	}
	return s, lines.Err()
}

// add takes in one line. A name may hold colons (mistral-small:24b, http://...),
// so that only a colon before a space ends it.
func (s *settings) add(line string, number int) error {
	name, value, found := strings.Cut(line, ": ")
	if !found {
		return fmt.Errorf("%s:%d: a setting is written name: value", s.file, number)
	}
	name = strings.Join(strings.Fields(name), " ")
	first, about, of := strings.Cut(name, " ")
	if !of && !slices.Contains(plainSettings, name) || of && !slices.Contains(aboutSettings, first) {
		return fmt.Errorf("%s:%d: there is no setting %q; there are %s, and, followed by a model or a server, %s",
			s.file, number, name, strings.Join(plainSettings, ", "), strings.Join(aboutSettings, ", "))
	}
	if first == "key" && !strings.Contains(about, "://") {
		return fmt.Errorf("%s:%d: a key belongs to one address; write `key https://example.org/v1: VARIABLE`", s.file, number)
	}
	s.lines[name] = settingLine{strings.TrimSpace(value), number}
	return nil
}

// get is the value of a setting and who set it; both are empty if nobody did.
func (s *settings) get(name string) (value, from string) {
	if value, set := s.flags[name]; set {
		return value, "--" + name
	}
	variable := "VERBATIM_" + strings.ToUpper(strings.NewReplacer("-", "_").Replace(name))
	if value := os.Getenv(variable); value != "" {
		return value, variable
	}
	if line, there := s.lines[name]; there {
		return line.value, fmt.Sprintf("%s:%d", s.file, line.number)
	}
	return "", ""
}

// about are the settings of one kind, by what they are about, in order.
func (s *settings) about(kind string) []string {
	var names []string
	for name := range s.lines {
		if first, about, of := strings.Cut(name, " "); of && first == kind {
			names = append(names, about)
		}
	}
	slices.Sort(names)
	return names
}

// parsed reads a setting into a value; a mistake names its place.
func parsed[T any](s *settings, name string, into *T, parse func(string) (T, error), example string) error {
	text, from := s.get(name)
	if from == "" {
		return nil
	}
	value, err := parse(text)
	if err != nil {
		return fmt.Errorf("%s: %s is %q; write it as %s", from, name, text, example)
	}
	*into = value
	return nil
}
