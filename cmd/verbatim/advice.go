package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim"
	"verbatim/chat"
	"verbatim/cloze"
	"verbatim/intake"
	"verbatim/internal/cli"
	"verbatim/internal/near"
	"verbatim/workspace"
	"verbatim/workspace/backup"
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
func advice(err error, has flags) string {
	if tags, is := errors.AsType[*workspace.TagsOutOfDateError](err); is {
		return "; to rebuild it, type: " + bookLine(filepath.Dir(tags.File), tags.Text, "tag", "--force")
	}
	if outdated, is := errors.AsType[*workspace.OutdatedError](err); is {
		return "; write it again with: " + cli.Line("verbatim", "make", "--batch", outdated.Barcode+".txt")
	}
	if short, is := errors.AsType[*workspace.TooShortError](err); is && short.Best != "" && short.Rejected == "" {
		return has.or("min-examples", ", or lower --min-examples", "")
	}
	if other, is := errors.AsType[*intake.EncodingError](err); is {
		return has.or("encoding", "; read it with --encoding "+other.Looks, "; save it as UTF-8")
	}
	switch {
	case is[*intake.ColumnsError](err):
		return has.or("map", "; name them with --map id=COLUMN,text=COLUMN", "")
	case is[*workspace.NoTextError](err):
		return has.or("texts", "; say where it is with --texts FOLDER", "; put it beside the working folder")
	case is[*workspace.EditedError](err):
		return has.or("force", "; --force rebuilds it, or move it away", "; to rebuild it, move it away, or type: verbatim make --batch --force BOOK.txt")
	case is[*workspace.OtherTextError](err):
		return "; if this is the corrected text of the same book, add --corrected"
	case is[*workspace.NoLockError](err):
		return ", with --dir"
	case is[*workspace.NotWritableError](err):
		return has.or("dir", "; choose another with --dir", "; change its permissions, or work on a copy of the folder")
	case errors.Is(err, cloze.ErrSameAnswer):
		return "; to remove one, type: verbatim review --decided"
	case errors.Is(err, backup.ErrExists):
		return ", or replace it with --force"
	case errors.Is(err, workspace.ErrNoFolder):
		return "; make drafts first with: verbatim make --batch BOOK.txt"
	}
	return ""
}

// flags reports whether the command that runs has a flag. Advice names no other.
type flags func(name string) bool

// flagsOf are the flags of a command.
func flagsOf(cmd *cobra.Command) flags {
	return func(name string) bool { return cmd.Flags().Lookup(name) != nil }
}

// anyFlags is for messages whose command is not known.
func anyFlags(string) bool { return true }

// or is the first advice if the command has the flag, otherwise the second.
func (has flags) or(flag, with, without string) string {
	if has(flag) {
		return with
	}
	return without
}

// setting names a flag, or the setting of the same name.
func (has flags) setting(name, example string) string {
	return has.or(name, "--"+name, fmt.Sprintf("a line in settings.txt: `%s: %s`", name, example))
}

// modelAdvice says which flag or setting helps against an error of a language model.
func (has flags) modelAdvice(e *chat.Error) string {
	switch e.Kind {
	case chat.OverBudget:
		if e.Tokens > 0 {
			return "allow more with " + has.setting("max-tokens", "NUMBER")
		}
		return "allow more with " + has.setting("max-calls", "NUMBER")
	case chat.NotInLedger:
		return has.or("offline", "leave out --offline to ask a server", "")
	case chat.Deadline:
		return "allow more time with " + has.setting("timeout", "30m")
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
func (has flags) noticeText(n chat.Notice) string {
	if n.Topic == chat.Changed && has("no-replay") {
		return n.Text + "; to ask again, add --no-replay"
	}
	return n.Text
}

// plainErrors makes all commands report mistakes in one way: what is wrong, what
// was perhaps meant, and where to find help.
func plainErrors(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(flagMistake)
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := tooSmall(cmd); err != nil {
			return err
		}
		switch {
		case cmd.HasSubCommands() && len(args) > 0:
			return unknownCommand(cmd, args[0])
		case check == nil || check(cmd, args) == nil:
			return nil
		}
		return argMistake(cmd, args)
	}
	for _, below := range cmd.Commands() {
		plainErrors(below)
	}
}

func see(cmd *cobra.Command) string { return "see: " + cmd.CommandPath() + " --help" }

func unknownCommand(cmd *cobra.Command, name string) error {
	names := []string{"--version"}
	for _, below := range cmd.Commands() {
		names = append(names, below.Name())
	}
	return fmt.Errorf("unknown command %q%s; %s", name, near.Nearest(name, names), see(cmd))
}

// argMistake says which argument is missing or too many.
func argMistake(cmd *cobra.Command, args []string) error {
	var wanted []string
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if !strings.HasPrefix(word, "[") {
			wanted = append(wanted, strings.ReplaceAll(strings.TrimSuffix(word, "..."), "|", " or "))
		}
	}
	usage := strings.TrimSuffix(cmd.CommandPath(), cmd.Name()) + cmd.Use
	if len(args) < len(wanted) {
		return fmt.Errorf("%s is missing; usage: %s; %s", strings.Join(wanted[len(args):], " and "), usage, see(cmd))
	}
	return fmt.Errorf("too many arguments: %q (a name with spaces needs quotes); usage: %s; %s", args[len(args)-1], usage, see(cmd))
}

// flagMistake rewrites errors of pflag.
func flagMistake(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return unknownCommand(cmd, args[0]) // `verbatim inpsect --json` is not about --json
	}
	if unknown, is := errors.AsType[*pflag.NotExistError](err); is {
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("unknown flag -%s; %s", unknown.GetSpecifiedName(), see(cmd))
		}
		name := "--" + unknown.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, "--"+f.Name)
			}
		})
		return fmt.Errorf("unknown flag %s%s; %s", name, near.Nearest(name, names), see(cmd))
	}
	if bare, is := errors.AsType[*pflag.ValueRequiredError](err); is {
		return fmt.Errorf("--%s needs a value; %s", bare.GetFlag().Name, see(cmd))
	}
	if wrong, is := errors.AsType[*pflag.InvalidValueError](err); is {
		f := wrong.GetFlag()
		return fmt.Errorf("--%s is %q; it must be %s, for example --%s=%s; %s", f.Name, wrong.GetValue(), cmp.Or(kinds[f.Value.Type()], "a whole number"), f.Name, f.DefValue, see(cmd))
	}
	return fmt.Errorf("%w; %s", err, see(cmd))
}

// kinds says what a flag takes; all others take whole numbers.
var kinds = map[string]string{"bool": "true or false", "duration": "a time such as 90s, 10m or 2h"}

// tooSmall rejects numbers below the least possible, which is 0 for most flags.
func tooSmall(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		least := 0
		switch f.Name {
		case "workers", "concurrency":
			least = 1
		case "confirm-cap": // -1: all
			least = -1
		case "seed":
			return
		}
		if n, isInt := strconv.Atoi(f.Value.String()); err == nil && f.Value.Type() == "int" && isInt == nil && n < least {
			err = fmt.Errorf("--%s is %d; it must be at least %d; %s", f.Name, n, least, see(cmd))
		}
	})
	return err
}

var exclusive = regexp.MustCompile(`^if any flags in the group \[(\S+) (\S+)\] are set none of the others can be;.*`)

// plainly is an error as people read it, for any command.
func plainly(err error) string { return flags(anyFlags).plainly(err) }

// plainly is an error as people read it, without the wording of libraries.
func (has flags) plainly(err error) string {
	text := strings.ReplaceAll(err.Error()+advice(err, has), context.Canceled.Error(), "stopped")
	if unknown, is := errors.AsType[*workspace.NotDescribedError](err); is {
		text = notDescribed(unknown)
	}
	if number, is := errors.AsType[*strconv.NumError](err); is {
		kind := "not a whole number"
		switch {
		case errors.Is(number.Err, strconv.ErrRange):
			kind = "too large"
		case number.Func == "ParseFloat":
			kind = "not a number"
		case number.Func == "ParseBool":
			kind = "neither true nor false"
		}
		text = strings.ReplaceAll(text, number.Error(), fmt.Sprintf("%q is %s", number.Num, kind))
	}
	return verbatim.Readable(exclusive.ReplaceAllString(text, "--$1 and --$2 cannot be used together"))
}
