package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"verbatim/grade"
	"verbatim/intake"
	"verbatim/internal/cli"
	"verbatim/internal/durable"
)

// takeFolders reads the form `score DATA OUT`: a folder with journals, gold and
// predictions, and a folder for the results.
func (f *scoreFlags) takeFolders(c *console, args []string) error {
	if len(args) == 0 {
		return nil
	}
	info, err := os.Stat(args[0])
	if err != nil || !info.IsDir() {
		return fmt.Errorf("%q is not expected here; name predictions with --pred, several runs with --runs, or type a folder of data and one for the results", args[0])
	}
	if len(args) > 2 || len(args) == 1 && f.out == "" {
		return fmt.Errorf("type two folders: one with journals, gold and predictions, and one for the results, such as: verbatim score %s results", cli.Quote(args[0]))
	}
	if len(args) == 2 {
		if f.out != "" {
			return errors.New("the second folder is for the results; remove --out")
		}
		f.out = args[1] + string(filepath.Separator)
	}
	list, err := os.ReadDir(args[0])
	if err != nil {
		return durable.CannotRead(err)
	}
	find := func(what string, into *string, required bool) error {
		if *into != "" {
			return nil
		}
		var found []string
		for _, e := range list {
			name := strings.ToLower(e.Name())
			kinds := []string{".jsonl", ".ndjson", ".json"}
			if what == "journal" {
				kinds = append(kinds, ".csv", ".tsv", "")
			}
			if strings.Contains(name, what) && slices.Contains(kinds, filepath.Ext(name)) && (filepath.Ext(name) == "") == e.IsDir() {
				found = append(found, filepath.Join(args[0], e.Name()))
			}
		}
		switch {
		case len(found) == 1:
			*into = found[0]
			say(c, "%s: %s", map[string]string{"journal": "journals", "gold": "gold", "pred": "predictions"}[what], found[0])
		case len(found) > 1:
			return fmt.Errorf("%s has several files for %s (%s); choose one with %s", args[0], what, strings.Join(found, ", "), flagOf[what])
		case required:
			return fmt.Errorf("%s has no file whose name contains %q; name it with %s", args[0], what, flagOf[what])
		}
		return nil
	}
	var journals string
	if len(f.journals) > 0 {
		journals = f.journals[0]
	}
	err = cmp.Or(find("journal", &journals, true), find("gold", &f.gold, false), find("pred", &f.pred, true))
	if len(f.journals) == 0 {
		f.journals = []string{journals}
	}
	return err
}

var flagOf = map[string]string{"journal": "--journals", "gold": "--gold", "pred": "--pred"}

// scoreFiles are the inputs and outputs of a score.
type scoreFiles struct {
	in       []*grade.Source // nil if no file was named
	journals *grade.Source   // nil without texts
	schema   *grade.Schema
	out      grade.Outputs
	gates    []grade.Gate
}

// openScoreFiles opens the inputs and checks that no output replaces an input or
// another output.
func openScoreFiles(ctx context.Context, c *console, f scoreFlags, rows string, inputs ...string) (s scoreFiles, err error) {
	reader, err := f.reader()
	all := slices.Concat(inputs, f.journals)
	if err := cmp.Or(err, onlyOneInput(all...), s.nameOutputs(f, rows), s.parseGates(f)); err != nil {
		return s, err
	}
	for _, path := range inputs {
		source, err := openSource(ctx, c, &intake.Reader{}, path)
		if err != nil {
			return s, durable.CannotRead(err)
		}
		s.in = append(s.in, source)
	}
	if len(f.journals) > 0 {
		if s.journals, err = openSource(ctx, c, reader, f.journals...); err != nil {
			return s, durable.CannotRead(err)
		}
	}
	for _, out := range []string{s.out.Summary, s.out.Rows, f.html, f.junit, f.summary} {
		if rejectInput(c, out, slices.Concat(all, []string{f.gates, f.schema})...) != nil {
			return s, fmt.Errorf("%s is an input and would be overwritten; choose another name", out)
		}
	}
	s.schema, err = grade.ReadSchema(f.schema)
	return s, durable.CannotRead(err)
}

// openSource opens records for scoring. A file of lines is read when it is
// needed; all others are read at once.
func openSource(ctx context.Context, c *console, reader *intake.Reader, paths ...string) (*grade.Source, error) {
	path := paths[0]
	if path == "" {
		return nil, nil
	}
	in := cli.Interruptible(ctx, c.in)
	if len(paths) == 1 {
		source, known, err := openLines(reader, path, in)
		if known || err != nil {
			return source, err
		}
		if source != nil { // a pipe, which can be read only once
			paths, in = []string{"-"}, io.NewSectionReader(source, 0, source.Size)
		}
	}
	text, bad, err := reader.Padded(paths, in)
	if err != nil {
		return nil, err
	}
	if len(bad) > 0 {
		return nil, &grade.InputError{Problems: bad}
	}
	name := strings.Join(paths, ", ")
	if name == "-" {
		name = cmp.Or(strings.TrimPrefix(path, "-"), "standard input")
	}
	return grade.FromString(name, text), nil
}

// openLines opens one file of lines. known is false if it is something else; of
// a pipe, the source is then what was read.
func openLines(reader *intake.Reader, path string, stdin io.Reader) (source *grade.Source, known bool, err error) {
	if path == "-" {
		text, err := io.ReadAll(stdin)
		return grade.FromString("standard input", string(text)), reader.IsLines("standard input", text), err
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, false, nil
	}
	source, err = grade.OpenSource(path)
	if err != nil {
		return nil, false, err
	}
	start := make([]byte, min(1<<12, source.Size))
	if _, err := source.ReadAt(start, 0); err != nil && err != io.EOF {
		return nil, false, errors.Join(err, source.Close())
	}
	if reader.IsLines(path, start) {
		return source, true, nil
	}
	if info == nil || !info.Mode().IsRegular() {
		return source, false, nil
	}
	return nil, false, source.Close()
}

func (s *scoreFiles) nameOutputs(f scoreFlags, rows string) (err error) {
	switch {
	case f.html == "-":
		return errors.New("--html -: the page contains the text of journals; name a file, which only you can read")
	case f.out == "-":
		return errors.New("--out -: score writes two files, the summary and the scores of each journal; name a file or a folder")
	}
	if s.out, err = grade.NewOutputs(f.out, rows); err != nil {
		return fmt.Errorf("--out %s: %w", f.out, err)
	}
	taken := []string{s.out.Summary, s.out.Rows}
	for _, other := range [][2]string{{"--html", f.html}, {"--junit", f.junit}, {"--markdown", f.summary}} {
		if other[1] == "" || other[1] == "-" {
			continue
		}
		if slices.ContainsFunc(taken, func(name string) bool { return name != "" && filepath.Clean(name) == filepath.Clean(other[1]) }) {
			return fmt.Errorf("%s %s: --out writes a file of this name; choose another", other[0], other[1])
		}
		taken = append(taken, other[1])
	}
	return nil
}

func (s *scoreFiles) parseGates(f scoreFlags) error {
	add := func(kind grade.GateKind, texts []string) error {
		for _, text := range texts {
			gate, err := grade.ParseGate(kind, text)
			if err != nil {
				return fmt.Errorf("--%s: %w", kind, err)
			}
			s.gates = append(s.gates, gate)
		}
		return nil
	}
	if f.gates != "" {
		data, err := os.ReadFile(f.gates)
		if err != nil {
			return durable.CannotRead(err)
		}
		if s.gates, err = grade.ReadGates(bytes.NewReader(data), f.gates); err != nil {
			return err
		}
	}
	return cmp.Or(add(grade.Min, f.min), add(grade.Max, f.max), add(grade.MaxDrop, f.maxDrop))
}

func (s scoreFiles) close() {
	for _, source := range append(s.in, s.journals) {
		if source != nil {
			source.Close()
		}
	}
}
