package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"verbatim/chat"
	"verbatim/cloze"
	"verbatim/internal/cli"
	"verbatim/workspace"
)

// relative is a path as a person in this folder would type it.
func relative(path string) string {
	if short, err := filepath.Rel(".", path); err == nil && !strings.HasPrefix(short, "..") {
		return short
	}
	return path
}

// dirFlag names the working folder to make or describe, if it is not the one
// that they would take.
func dirFlag(dir, path string) []string {
	usual, err := os.Stat(workspace.DirOf("", path))
	if err == nil {
		if this, err := os.Stat(dir); err == nil && os.SameFile(usual, this) {
			return nil
		}
	}
	return []string{"--dir", dir}
}

// bookLine is what to type for a command about one book.
func bookLine(dir, path string, words ...string) string {
	words = append([]string{"verbatim"}, words...)
	return cli.Line(append(append(words, dirFlag(dir, path)...), relative(path))...)
}

// draftCommand is what to type to make the drafts of a book with these options.
func draftCommand(ws *workspace.Workspace, path string, o workspace.Options, flags ...string) string {
	changes, err := ws.Changes(o)
	if err != nil {
		return ""
	}
	words := append([]string{"--batch"}, flags...)
	for name, value := range changes {
		flag := "--" + strings.ReplaceAll(name, "_", "-")
		var list []string
		if json.Unmarshal(value, &list) != nil {
			list = []string{strings.Trim(string(value), `"`)}
		}
		if name == "nsp_model" && list[0] != "none" {
			list[0] = relative(filepath.Join(ws.Dir(), filepath.FromSlash(list[0])))
		}
		for _, one := range list {
			words = append(words, flag+" "+cli.Quote(one))
		}
	}
	if dir := dirFlag(ws.Dir(), path); dir != nil {
		words = append(words, dir[0]+" "+cli.Quote(dir[1]))
	}
	slices.SortStableFunc(words, func(a, b string) int {
		first, _, _ := strings.Cut(a, " ")
		second, _, _ := strings.Cut(b, " ")
		return strings.Compare(first, second)
	})
	return "verbatim make " + strings.Join(words, " ") + " " + cli.Quote(relative(path))
}

// againCommand is what to type to make the drafts of a book again; with a
// category, to make more of that one.
func againCommand(b *workspace.Book, category string) string {
	o, err := b.Workspace().Again(b.Barcode)
	if err != nil {
		return ""
	}
	if category != "" {
		o.Categories, o.Drafts = []string{category}, 7
		for _, d := range b.AllDrafts() {
			if d.Category == category {
				o.Drafts++
			}
		}
	}
	return draftCommand(b.Workspace(), b.Path, o)
}

// advice is what to do about an error of a library, in commands and flags, which
// libraries do not know. It follows the error's text.
func advice(err error) string {
	if tags, is := errors.AsType[*workspace.TagsOutOfDateError](err); is {
		return "; to rebuild it, type: " + bookLine(filepath.Dir(tags.File), tags.Text, "tag", "--force")
	}
	if outdated, is := errors.AsType[*workspace.OutdatedError](err); is {
		return "; write it again with: " + cli.Line("verbatim", "make", "--batch", outdated.Barcode+".txt")
	}
	if short, is := errors.AsType[*workspace.TooShortError](err); is && short.Best != "" {
		return ", or lower --min-examples"
	}
	switch {
	case is[*workspace.NoTextError](err):
		return "; say where it is with --texts FOLDER"
	case is[*workspace.EditedError](err):
		return "; --force rebuilds it, or move it away"
	case is[*workspace.NotWritableError](err):
		return "; choose another with --dir"
	case errors.Is(err, cloze.ErrSameAnswer):
		return "; to remove one, type: verbatim review --decided"
	case errors.Is(err, workspace.ErrNoFolder):
		return "; make drafts first with: verbatim make --batch BOOK.txt"
	}
	return ""
}

// modelAdvice says which flag or setting helps against an error of a language model.
func modelAdvice(e *chat.Error) string {
	switch e.Kind {
	case chat.OverBudget:
		if e.Tokens > 0 {
			return "allow more with --max-tokens"
		}
		return "allow more with --max-calls"
	case chat.NotInLedger:
		return "leave out --offline to ask a server"
	case chat.Deadline:
		return "allow more time with --timeout"
	case chat.Auth:
		return fmt.Sprintf("put the key into an environment variable, and its name into settings.txt: `key %s: VARIABLE`", e.Server)
	case chat.ModelNotFound:
		return fmt.Sprintf("put the server's name for it into settings.txt: `model %s: NAME at %s`", e.Model, e.Server)
	case chat.ContextExceeded:
		if e.Tokens > 0 {
			return fmt.Sprintf("allow more in settings.txt: `context %s: %d`", e.Model, e.Tokens)
		}
		return fmt.Sprintf("allow more in settings.txt: `context %s: NUMBER`", e.Model)
	case chat.ThinkingSpentBudget:
		return fmt.Sprintf("allow more in settings.txt: `thinking %s: %d`", e.Model, e.Tokens)
	}
	return ""
}

// noticeText adds the flag that helps to a notice of the client.
func noticeText(n chat.Notice) string {
	if n.Topic == chat.Changed {
		return n.Text + "; to ask again, add --no-replay"
	}
	return n.Text
}
