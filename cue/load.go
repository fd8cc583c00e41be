package cue

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/layout"
	"verbatim/internal/near"
)

// A loader collects the files of all layers.
type loader struct {
	lex  *lexicon
	errs []error
	off  []string // cards that the uppermost layer turns off
}

func (l *loader) fail(file string, line int, what, remedy string) {
	l.errs = append(l.errs, &verbatim.LineError{File: file, Line: line, What: what, Remedy: remedy})
}

// Load reads cards and word lists from folders, upper layers first: for example
// Load(yours, ConnectorCards(), Words()). A card replaces the card with the
// same name in lower layers, or removes it with `off: yes`. A card with a new
// name is tried before the lower cards. Two cards with the same name in one
// folder are an error. Load reports all mistakes at once, each as a
// *verbatim.LineError.
func Load(layers ...fs.FS) (*Cards, error) {
	l := &loader{lex: newLexicon()}
	var all [][]block
	for _, layer := range layers {
		blocks, err := l.readLayer(layer)
		if err != nil {
			return nil, err
		}
		all = append(all, blocks)
	}
	for i := len(all) - 1; i >= 0; i-- { // lowest layer first; upper layers replace or add
		for _, b := range all[i] {
			l.readList(b)
		}
	}
	g := &grammar{}
	for name, n := range g.needed() {
		if *n = l.lex.list(name); *n < 0 {
			return nil, errors.Join(append(l.errs, fmt.Errorf("the word list %q is missing; pass Words() as the last layer", name))...)
		}
	}
	cards := l.mergeCards(all)
	l.checkKinds(cards)
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	compiled := compile(l.lex, g, cards, all)
	compiled.off = l.off
	return compiled, nil
}

// readLayer reads the .txt files of one folder, in order of their names.
func (l *loader) readLayer(layer fs.FS) ([]block, error) {
	names, err := fs.Glob(layer, "*.txt") // sorted
	if err != nil {
		return nil, err
	}
	var all []block
	for _, name := range names {
		if name == "README.txt" {
			continue
		}
		content, err := fs.ReadFile(layer, name)
		if err != nil {
			return nil, err
		}
		blocks, errs := readBlocks(name, string(content))
		l.errs = append(l.errs, errs...)
		for _, b := range blocks {
			switch key := b.lines[0].key; key {
			case "rule", "list", "more":
				all = append(all, b)
			default:
				l.fail(name, b.line, fmt.Sprintf("a paragraph starts with %q", key+":"),
					"start a card with `rule:`, a word list with `list:`, more words for a list with `more:`, and leave no blank line inside")
			}
		}
	}
	return all, nil
}

// readList reads a `list:` or `more:` paragraph.
func (l *loader) readList(b block) {
	key, name := b.lines[0].key, b.lines[0].value
	if key == "rule" {
		return
	}
	n, known := l.lex.names[name]
	if !known {
		if key == "more" {
			l.fail(b.file, b.line, fmt.Sprintf("there is no list %q to add to", name), "start a new list with `list:`"+near.Nearest(name, l.lex.order))
			return
		}
		if n = len(l.lex.order); n >= maxLists {
			l.fail(b.file, b.line, "there are more than "+strconv.Itoa(maxLists)+" lists", "combine some of them")
			return
		}
		l.lex.names[name] = n
		l.lex.order = append(l.lex.order, name)
	} else if key == "list" {
		l.lex.empty(n)
	}
	for _, f := range b.lines[1:] {
		switch f.key {
		case "does":
		case "words", "not":
			for w := range strings.FieldsSeq(f.value) {
				lists := &l.lex.entry(strings.ToLower(w)).lists
				if lists.add(n); f.key == "not" {
					lists.remove(n)
				}
			}
		default:
			l.fail(b.file, f.line, fmt.Sprintf("a word list has no line %q", f.key+":"), "its lines are list or more, does, words, not")
		}
	}
}

// checkKinds reports kinds that only sense cards or only scope cards use.
func (l *loader) checkKinds(cards []*Card) {
	kinds, on := []string{"any joint"}, []string{}
	for _, c := range cards {
		kinds, on = append(kinds, c.Kind), append(on, c.On...)
	}
	for _, c := range cards {
		if c.Kind != "" && !slices.Contains(on, c.Kind) {
			l.fail(c.File, c.Line, fmt.Sprintf("no scope card has `on: %s`, the kind of the card %s", c.Kind, c.Name), "use the kind of a scope card"+near.Nearest(c.Kind, on))
		}
		for _, kind := range c.On {
			if !c.IsPiece() && !slices.Contains(kinds, kind) {
				l.fail(c.File, c.Line, fmt.Sprintf("no sense card has `kind: %s`, which the scope card %s needs", kind, c.Name), "use the kind of a sense card"+near.Nearest(kind, kinds))
			}
		}
	}
}

// mergeCards parses all cards and merges the layers.
func (l *loader) mergeCards(layers [][]block) []*Card {
	var cards []*Card
	for i := len(layers) - 1; i >= 0; i-- {
		seen := map[string]*Card{}
		var added []*Card
		for _, b := range layers[i] {
			if b.lines[0].key != "rule" {
				continue
			}
			c := l.parseCard(b)
			c.layer = i
			if twin := seen[c.Name]; twin != nil {
				l.fail(c.File, c.Line, fmt.Sprintf("the card %s is already in %s:%d", c.Name, twin.File, twin.Line), "give one of them another name")
				continue
			}
			seen[c.Name] = c
			if at := slices.IndexFunc(cards, func(old *Card) bool { return old.Name == c.Name }); at >= 0 {
				cards[at] = c
			} else {
				added = append(added, c)
			}
		}
		cards = append(added, cards...)
	}
	return slices.DeleteFunc(cards, func(c *Card) bool {
		if c.off && c.layer == 0 {
			l.off = append(l.off, c.Name)
		}
		return c.off
	})
}

// A block is a paragraph of a card file.
type block struct {
	file  string
	line  int
	lines []field
}

type field struct {
	key, value string
	line       int
}

// readBlocks splits a file into paragraphs of `key: value` lines. A line that
// starts with white space continues the line above; # starts a comment.
func readBlocks(file, content string) ([]block, []error) {
	var blocks []block
	var errs []error
	var b block
	flush := func() {
		if len(b.lines) > 0 {
			blocks = append(blocks, b)
		}
		b = block{}
	}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(content, "\uFEFF")) {
		number++
		if strings.HasPrefix(line, "#") { // a line that is only a comment does not end a card
			continue
		}
		line, _, _ = strings.Cut(line, " #")
		if line = strings.TrimRight(line, " \t\r\n"); strings.TrimSpace(line) == "" {
			flush()
			continue
		}
		if (line[0] == ' ' || line[0] == '\t') && len(b.lines) > 0 {
			last := &b.lines[len(b.lines)-1]
			last.value = strings.TrimSpace(last.value + " " + strings.TrimSpace(line))
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			errs = append(errs, &verbatim.LineError{File: file, Line: number, What: fmt.Sprintf("%q has no colon", layout.Clip(line, 40)),
				Remedy: "write `name: value`; start a comment with #, and a continuation line with a space"})
			continue
		}
		if len(b.lines) == 0 {
			b.file, b.line = file, number
		}
		b.lines = append(b.lines, field{strings.TrimSpace(key), strings.TrimSpace(value), number})
	}
	flush()
	return blocks, errs
}
