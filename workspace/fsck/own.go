package fsck

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/confirm"
	"verbatim/workspace"
)

// settings checks settings.txt: what is no text at all, and else what a person
// got wrong.
func (c *checker) settings() {
	for _, f := range c.files {
		if f.class != settings || f.mode&fs.ModeSymlink != 0 && !c.link(f) {
			continue
		}
		if f.mode&(fs.ModeType&^fs.ModeSymlink) != 0 {
			c.add(Finding{File: f.rel, Kind: Special, Effect: Work, Repairs: !f.mode.IsDir(), What: "this is a " + special(f.mode) + ", not a file",
				Means: "no command works in this folder", Do: "move it away"})
			continue
		}
		if file := c.readable(f); file != nil {
			damaged := c.settingBytes(f, file)
			file.Close()
			if !damaged {
				c.settingValues(f)
			}
		}
	}
}

// settingBytes notes lines that are no text, as a crash or a bad disk leaves.
func (c *checker) settingBytes(f found, file *os.File) (damaged bool) {
	_ = each(file, func(p piece, _ bool) {
		if utf8.Valid(p.bytes) && !bytes.ContainsRune(p.bytes, 0) {
			return
		}
		damaged = true
		c.add(Finding{File: f.rel, Line: p.line, Kind: BadLine, Effect: Work, Repairs: true, cut: []int{p.line},
			What: "this line is not text", Means: "what was set here is lost, and no command works in this folder",
			Do: "after a repair, write the setting again"})
	})
	return damaged
}

func (c *checker) settingValues(f found) {
	s, err := workspace.ReadSettings(c.folder.Dir())
	if err == nil {
		_, optionsErr := s.Options()
		_, goalErr := s.Goal()
		err = errors.Join(optionsErr, goalErr)
	}
	if err == nil {
		return
	}
	for text := range strings.Lines(err.Error()) {
		what, line := strings.TrimSpace(text), 0
		if rest, is := strings.CutPrefix(what, c.path(f.rel)+":"); is {
			number, after, _ := strings.Cut(rest, ": ")
			if n, err := strconv.Atoi(number); err == nil {
				what, line = after, n
			}
		}
		c.add(Finding{File: f.rel, Line: line, Kind: BadSetting, Effect: Work, What: what,
			Means: "commands that need the settings do not work", Do: "correct the line"})
	}
}

// cards reads the user's own cards, lists, prompts and questions, as the
// commands do.
func (c *checker) cards() {
	some := false
	for _, f := range c.files {
		if f.class != card {
			continue
		}
		some = true
		if f.mode&fs.ModeSymlink != 0 {
			continue // strangers judges it
		}
		if !f.mode.IsRegular() {
			c.add(Finding{File: f.rel, Kind: Special, Effect: Work, Repairs: true, What: "this is a " + special(f.mode) + ", not a file",
				Means: "reading your cards could wait forever", Do: "move it away"})
			return // and do not read them
		}
	}
	if !some {
		return
	}
	bad := func(err error) {
		if err != nil {
			c.add(Finding{File: "rules", Kind: BadCard, Effect: Work, What: strings.TrimPrefix(err.Error(), c.path("rules")+": "),
				Means: "commands that need your own cards do not work", Do: "correct the card, or move it away"})
		}
	}
	own, err := workspace.ReadCards(c.path("rules"))
	if err == nil {
		_, err = own.Tagger()
	}
	bad(err)
	_, err = confirm.Load(os.DirFS(c.path("rules/questions")), confirm.Embedded())
	bad(err)
	if ws, err := workspace.In(c.folder); err == nil { // its settings were checked before
		_, err = ws.Generator()
		bad(err)
	}
	_, unread := workspace.CardFiles(c.path("rules"))
	for _, name := range unread {
		c.add(Finding{File: "rules/" + filepath.ToSlash(name), Kind: Unknown, Effect: Note, What: "nothing reads this card: it is in the wrong folder, or has the wrong name",
			Means: "what it says does not hold"})
	}
}
