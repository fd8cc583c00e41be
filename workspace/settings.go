package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/cloze"
	"verbatim/distractor"
	"verbatim/internal/durable"
	"verbatim/internal/near"
	"verbatim/internal/setting"
)

// Settings are what a user has decided for a working folder, in lines `name:
// value` of its settings.txt. Stronger counts what Override says: the flags and
// the environment of a command.
type Settings struct {
	// Override gives a setting that does not come from the file, and where it
	// comes from; both are empty if there is none. It may be nil.
	Override func(name string) (value, from string)

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
		"negation-model", "confirm-model", "no-models", "max-calls", "max-tokens", "confirm-cap", "seed", "nsp-model", "arithmetic",
		"reviewer", "catalogue", "categories", "drafts", "per-category", "min-examples", "distractors", "types", "choose"}
	aboutSettings = []string{"model", "context", "answer", "thinking", "think", "key", "tokens", "concurrency"}
)

// OldNames are the names that settings and flags had in version 0.1.0.
var OldNames = map[string]string{"candidates": "drafts", "check-model": "confirm-model", "verify-cap": "confirm-cap", "books": "texts", "refused": "rejected"}

// ReadSettings reads the settings of a working folder; a folder without a
// settings file has none.
func ReadSettings(dir string) (*Settings, error) {
	s := &Settings{file: filepath.Join(dir, "settings.txt"), lines: map[string]settingLine{}}
	text, err := durable.ReadFile(s.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, durable.CannotRead(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := s.add(line, i+1); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add takes in one line. A name may contain colons (mistral-small:24b,
// http://...), so only a colon before a space ends it.
func (s *Settings) add(line string, number int) error {
	name, value, found := strings.Cut(line, ": ")
	if !found {
		return fmt.Errorf("%s:%d: write a setting as name: value", s.file, number)
	}
	name = strings.Join(strings.Fields(name), " ")
	if now, old := OldNames[name]; old {
		name = now
	}
	first, about, of := strings.Cut(name, " ")
	if !of && !slices.Contains(plainSettings, name) || of && !slices.Contains(aboutSettings, first) {
		return fmt.Errorf("%s:%d: there is no setting %q%s; there are %s, and, followed by a model or a server, %s",
			s.file, number, name, near.Nearest(first, slices.Concat(plainSettings, aboutSettings)), strings.Join(plainSettings, ", "), strings.Join(aboutSettings, ", "))
	}
	if first == "key" && !strings.Contains(about, "://") {
		return fmt.Errorf("%s:%d: a key belongs to one address; write `key https://example.org/v1: VARIABLE`", s.file, number)
	}
	s.lines[name] = settingLine{strings.TrimSpace(value), number}
	return nil
}

// Get is the value of a setting and where it comes from; both are empty if
// nobody set it.
func (s *Settings) Get(name string) (value, from string) {
	if s.Override != nil {
		if value, from := s.Override(name); from != "" {
			return value, from
		}
	}
	if line, there := s.lines[name]; there {
		return line.value, fmt.Sprintf("%s:%d", s.file, line.number)
	}
	return "", ""
}

// Or is the value of a setting, or the standard one if nobody set it.
func (s *Settings) Or(name, standard string) string {
	if value, from := s.Get(name); from != "" {
		return value
	}
	return standard
}

// About are the settings of one kind, by what they are about, in order.
func (s *Settings) About(kind string) []string {
	var names []string
	for name := range s.lines {
		if first, about, of := strings.Cut(name, " "); of && first == kind {
			names = append(names, about)
		}
	}
	slices.Sort(names)
	return names
}

// Catalogues are the catalogue files that the settings name, relative to the
// folder of the settings file.
func (s *Settings) Catalogues() []string {
	value, from := s.Get("catalogue")
	if from == "" {
		return nil
	}
	if _, inFile := s.lines["catalogue"]; inFile && !filepath.IsAbs(value) {
		value = filepath.Join(filepath.Dir(s.file), value)
	}
	return []string{value}
}

// Options are what the settings say about drafts, over the standard ones.
func (s *Settings) Options() (Options, error) {
	o := Standard()
	err := errors.Join(
		setting.Parse(s.Get, "seed", &o.Seed, func(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }, "a whole number"),
		setting.Parse(s.Get, "drafts", &o.Drafts, atLeastOne, "a number from 1"),
		setting.Parse(s.Get, "min-examples", &o.MinExamples, atLeastOne, "a number from 1"),
		s.list("categories", &o.Categories, func(name string) (string, error) {
			category, known := cloze.CategoryOf(name)
			if !known {
				return "", fmt.Errorf("there is no category %s; there are %s", name, strings.Join(cloze.CategoryNames(), ", "))
			}
			return category.Name, nil
		}),
		s.list("types", &o.Types, func(name string) (string, error) { _, err := distractor.ParseType(name); return name, err }),
	)
	if value, from := s.Get("distractors"); from != "" {
		if o.Distractors = value; value != "all" && value != "accepted" {
			err = errors.Join(err, fmt.Errorf("%s: distractors is %q; write all, or accepted for drafts whose passage was accepted", from, value))
		}
	}
	if value, from := s.Get("choose"); from != "" {
		switch value {
		case "best":
		case verbatim.Balanced:
			o.Choose = value
		default:
			err = errors.Join(err, fmt.Errorf("%s: choose is %q; write best for the wrong answers that fit best, or balanced for those that give nothing away", from, value))
		}
	}
	o.Scorer, _ = s.Get("nsp-model")
	if value, from := s.Get("arithmetic"); from != "" {
		if o.Arithmetic = value; value != "int8" && value != "f32" {
			err = errors.Join(err, fmt.Errorf("%s: arithmetic is %q; write int8 or f32", from, value))
		}
	}
	return o, err
}

// Goal is the number of accepted questions wanted per category and book.
func (s *Settings) Goal() (int, error) {
	goal := 1
	return goal, setting.Parse(s.Get, "per-category", &goal, atLeastOne, "a number from 1")
}

// Reviewer is the name in decisions: the setting, or the user's name or login.
func (s *Settings) Reviewer() string {
	if name := s.Or("reviewer", ""); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		if name := strings.TrimSpace(u.Name); name != "" {
			return name
		}
		return u.Username
	}
	return "someone"
}

func atLeastOne(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && n < 1 {
		err = errors.New("too small")
	}
	return n, err
}

// list reads a setting that is a list with commas, each of them checked.
func (s *Settings) list(name string, into *[]string, check func(string) (string, error)) error {
	text, from := s.Get(name)
	if from == "" || text == "" {
		return nil
	}
	var values []string
	for _, value := range strings.Split(text, ",") {
		value, err := check(strings.TrimSpace(value))
		if err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		values = append(values, value)
	}
	*into = values
	return nil
}
