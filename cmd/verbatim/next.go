package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/folder"
)

// drawn are the settings that decide which drafts are drawn, as flags would say
// them.
func (o *makeOptions) drawn() map[string]string {
	return map[string]string{
		"seed": strconv.FormatInt(o.seed, 10), "candidates": strconv.Itoa(o.candidates), "min-examples": strconv.Itoa(o.minExamples),
		"categories": strings.Join(o.categories, ","), "distractors": o.distractors, "types": strings.Join(o.types, ","),
	}
}

// unusual are the flags with which a book's drafts are made as they are in this
// run: those that the folder's settings do not imply. A path among them is seen
// from the folder.
func (m *maker) unusual(w *workbook) string {
	usual := &makeOptions{}
	if err := takeSettings(makeCommandOf(usual), w.files.Dir()); err != nil {
		return ""
	}
	var flags []string
	for name, value := range m.o.drawn() {
		if usual.drawn()[name] != value {
			flags = append(flags, "--"+name+"="+value)
		}
	}
	if flag := m.cmd.Flags().Lookup("nsp-model"); flag != nil && flag.Changed {
		model := flag.Value.String()
		if model != "none" {
			model = w.files.SeenFrom(model)
		}
		if model != "" {
			flags = append(flags, "--nsp-model="+model)
		}
	}
	slices.Sort(flags)
	return strings.Join(flags, "\n")
}

// A remake is how the drafts of a book would be made again: with the flags of
// the last time, and with what the settings say now.
type remake struct {
	makeOptions
	settings *settings
	cmd      *cobra.Command
}

// remakeOf reads the flags of last time, and adds some.
func remakeOf(files *folder.Folder, barcode, path string, more ...string) (*remake, error) {
	r := &remake{}
	r.cmd = makeCommandOf(&r.makeOptions)
	root := &cobra.Command{Use: "verbatim"}
	root.AddCommand(r.cmd)
	words := []string{"--batch"}
	for _, flag := range strings.Split(recorded(files, barcode, folder.Drafts, "flags"), "\n") {
		if model, is := strings.CutPrefix(flag, "--nsp-model="); is && model != "none" {
			flag = "--nsp-model=" + relative(filepath.Join(files.Dir(), filepath.FromSlash(model)))
		}
		if flag != "" {
			words = append(words, flag)
		}
	}
	words = append(append(words, dirFlag(files, path)...), more...)
	err := r.cmd.ParseFlags(append(words, "--", relative(path)))
	if err == nil {
		err = takeSettings(r.cmd, files.Dir())
	}
	if err == nil {
		r.settings, err = readSettings(consoleOf(r.cmd).flags, files.Dir())
	}
	return r, err
}

// command is what to type.
func (r *remake) command() string { return commandLine(r.cmd) }

// remakeCommand is what to type with more flags; "" where the settings are bad.
func remakeCommand(files *folder.Folder, barcode, path string, more ...string) string {
	r, err := remakeOf(files, barcode, path, more...)
	if err != nil {
		return ""
	}
	return r.command()
}

// dirFlag names the working folder to make or describe, where it is not the one
// that they would take.
func dirFlag(files *folder.Folder, path string) []string {
	usual, err := os.Stat(folderOf("", path))
	if err == nil {
		if this, err := os.Stat(files.Dir()); err == nil && os.SameFile(usual, this) {
			return nil
		}
	}
	return []string{"--dir", files.Dir()}
}

// shellLine is a command for the shell.
func shellLine(words ...string) string {
	for i, word := range words {
		words[i] = shellQuote(word)
	}
	return strings.Join(words, " ")
}

// describeIt is what to type to describe a book.
func describeIt(files *folder.Folder, path string) string {
	return shellLine(append(append([]string{"verbatim", "describe"}, dirFlag(files, path)...), relative(path))...)
}

func relative(path string) string {
	if short, err := filepath.Rel(".", path); err == nil && !strings.HasPrefix(short, "..") {
		return short
	}
	return path
}
