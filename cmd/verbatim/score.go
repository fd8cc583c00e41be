package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/grade"
	"verbatim/internal/durable"
)

// scoreFlags are what the user typed.
type scoreFlags struct {
	gold, pred, journals, against string
	out, html, schema             string
	min, maxDrop, explain, runs   []string
	redact                        bool
	draws, workers                int
	seed                          uint64
}

func scoreCommand() *cobra.Command {
	var f scoreFlags
	cmd := &cobra.Command{
		Use:   "score --gold GOLD.jsonl --pred PRED.jsonl [--journals JOURNALS.jsonl] [--out score_summary.json]",
		Short: "Score a system's items against gold",
		Long: `Score a system's items against gold.

A prediction matches a gold item of the same domain if one evidence span is a
piece of the other, apart from case; each prediction, in file order, takes the
first gold item that is still free. Beside this stand exact spans, overlap by
place (at least half of the union), and the most pairs that any order could
find; then polarity and buckets of matched items, and evidence coverage, which
with overlap needs the texts (--journals).

--out writes the summary, and per_journal_scores.jsonl beside it. Neither holds
a word of a journal. --html and --explain do, unless --redact is given.

--min makes it a gate: it takes the path of any figure of the summary, and the
command ends with 1 where the figure is lower, or null. --against compares with
another system on the same gold: the differences with paired intervals, and the
gold items that only one of the two found, which the page of --html draws in
the journals. --max-drop fails where --pred is worse by more than so much and
chance is excluded.

With --runs it says how far several runs of one system agree; gold is optional.`,
		Example: `  verbatim score --gold gold.jsonl --pred pred.jsonl --journals journals.jsonl --out out/score_summary.json
  verbatim score --gold gold.jsonl --pred pred.jsonl --journals journals.jsonl --min exact.f1=0.5 --min coverage=1
  verbatim score --gold gold.jsonl --pred new.jsonl --against old.jsonl --max-drop micro.f1=0.02
  verbatim score --gold gold.jsonl --pred new.jsonl --against old.jsonl --journals journals.jsonl --html compared.html
  verbatim score --gold gold.jsonl --pred pred.jsonl --explain J001
  verbatim score --runs run1.jsonl run2.jsonl run3.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, c := cmd.Context(), consoleOf(cmd)
			if len(f.runs) > 0 {
				f.runs = append(f.runs, args...)
				return runStability(ctx, c, f)
			}
			if len(args) > 0 {
				return fmt.Errorf("%q is one file too many; predictions are named with --pred, several runs with --runs", args[0])
			}
			return runScore(ctx, c, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.gold, "gold", "", "gold items, one journal a line")
	flags.StringVar(&f.pred, "pred", "", "predicted items, one journal a line")
	flags.StringVar(&f.journals, "journals", "", "the journals' texts, for coverage and overlap")
	flags.StringVar(&f.against, "against", "", "another system's items, to compare with")
	flags.StringVarP(&f.out, "out", "o", "", "where the summary is written (a file, or a folder)")
	flags.StringVar(&f.html, "html", "", "where a page is written: the figures, the worst journals and, with --against, the comparison; it holds the journals' text")
	flags.StringVar(&f.schema, "schema", "", "a JSON Schema with other domains or attributes (see: verbatim schema journal-items)")
	flags.StringArrayVar(&f.min, "min", nil, "`NAME=VALUE`: fail where this figure is lower (repeatable)")
	flags.StringArrayVar(&f.maxDrop, "max-drop", nil, "`NAME=VALUE`: fail where this figure falls by more below --against (repeatable)")
	flags.StringArrayVar(&f.explain, "explain", nil, "print the pairs of this journal (repeatable); this prints its text")
	flags.StringArrayVar(&f.runs, "runs", nil, "several runs of one system: how far do they agree?")
	flags.BoolVar(&f.redact, "redact", false, "keep figures and marks, and no words, in --html and --explain")
	flags.IntVar(&f.draws, "draws", 1000, "draws of the bootstrap for 95 % intervals; 0 for none")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the bootstrap")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "how many journals are worked on at a time; changes no result")
	return cmd
}

func runScore(ctx context.Context, c *console, f scoreFlags) error {
	if f.gold == "" || f.pred == "" {
		return errors.New("score needs --gold FILE and --pred FILE")
	}
	if len(f.maxDrop) > 0 && f.against == "" {
		return errors.New("--max-drop needs --against FILE to compare with")
	}
	if f.draws < 0 {
		return errors.New("--draws must be 0 or more")
	}
	if err := onlyOneInput(f.gold, f.pred, f.journals, f.against); err != nil {
		return err
	}
	files := &scoreFiles{in: standardInput(ctx, c)}
	defer files.close()
	o := grade.Options{Draws: f.draws, Seed: f.seed, Workers: f.workers,
		Gold: files.open(f.gold), Pred: files.open(f.pred), Journals: files.open(f.journals), Against: files.open(f.against)}
	out, rows, err := f.outputs()
	if err := errors.Join(files.err, err); err != nil {
		return err
	}
	if err := files.refuse(out, rows, f.html); err != nil {
		return err
	}
	schema := files.schema(f.schema)
	if files.err != nil {
		return files.err
	}
	o.Progress = journalProgress(c.messages)
	if o.Schema = schema.Schema; f.journals == "" {
		say(ctx, c, "without --journals there are no texts: coverage and overlap are null")
	}
	var summary grade.Object
	var gates []gate
	r, err := scoreTo(ctx, o, rows, func(r *grade.Result) (err error) {
		summary = r.Summary("verbatim "+version(), grade.Object{
			{Name: "schema", Value: schema.name}, {Name: "draws", Value: f.draws}, {Name: "seed", Value: strconv.FormatUint(f.seed, 10)}})
		gates, err = readGates(f.min, f.maxDrop, r, summary)
		return err
	})
	if err != nil {
		return listFaults(ctx, c, err)
	}
	if err := writeScore(ctx, c, f, r, summary, out); err != nil {
		return err
	}
	return verdict(ctx, c, r, gates)
}

// say puts words on standard error.
func say(ctx context.Context, c *console, format string, args ...any) {
	fmt.Fprintf(c.messages, format+"\n", args...)
}

// journalProgress shows how many journals are done.
func journalProgress(words io.Writer) func(done, all int) {
	var line *progress
	return func(done, all int) {
		if line == nil {
			line = newProgress(words, "journals", all)
		}
		line.done = done - 1
		if line.step(); done == all {
			line.clear()
		}
	}
}

// listFaults names every fault of the input.
func listFaults(ctx context.Context, c *console, err error) error {
	var input *grade.InputError
	if errors.As(err, &input) && len(input.Faults) > 1 {
		for _, fault := range input.Faults {
			say(ctx, c, "%v", fault)
		}
	}
	return err
}

// scoreTo scores and writes the per-journal file, whole or not at all: also
// where `check` refuses, because a gate's wrong name is a slip of the hand.
func scoreTo(ctx context.Context, o grade.Options, rows string, check func(*grade.Result) error) (*grade.Result, error) {
	var r *grade.Result
	score := func(w io.Writer) (err error) {
		o.PerJournal = w
		if r, err = grade.Score(ctx, o); err != nil {
			return err
		}
		return check(r)
	}
	err := rowsTo(rows, score)
	return r, err
}

// rowsTo lets `write` fill a file, whole or not at all, and makes its folder.
// Without a name nothing is written, but the work is done all the same.
func rowsTo(path string, write func(io.Writer) error) error {
	if path == "" {
		return write(nil)
	}
	if err := makeFolder(path); err != nil {
		return err
	}
	return durable.Replace(path, write)
}

func writeScore(ctx context.Context, c *console, f scoreFlags, r *grade.Result, summary grade.Object, out string) error {
	if out != "" {
		if err := writeObject(out, summary); err != nil {
			return err
		}
	}
	if f.html != "" {
		if err := writeHTML(f.html, f.redact, func(w io.Writer) error { return r.WriteHTML(w, f.redact) }); err != nil {
			return err
		}
		if !f.redact {
			say(ctx, c, "%s holds the text of journals (only you may read it); --redact leaves the words out", f.html)
		}
	}
	if len(f.explain) > 0 {
		return explain(ctx, c, f, r)
	}
	return r.WriteTable(c.out)
}

func explain(ctx context.Context, c *console, f scoreFlags, r *grade.Result) error {
	if !f.redact {
		say(ctx, c, "what follows holds the text of journals; --redact leaves the words out")
	}
	for i, id := range f.explain {
		e, err := r.Explain(id)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		if err := e.Write(&readable{out: c.out}, f.redact); err != nil {
			return err
		}
	}
	return nil
}

func writeObject(path string, o grade.Object) error {
	data, err := o.JSON()
	if err != nil {
		return err
	}
	return rowsTo(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeHTML writes a page. One that holds words is for its owner's eyes.
func writeHTML(path string, redact bool, write func(io.Writer) error) error {
	if redact {
		return rowsTo(path, write)
	}
	if err := makeFolder(path); err != nil {
		return err
	}
	return durable.ReplacePrivate(path, write)
}

// verdict names what was found wanting: problems of the predictions, then
// gates.
func verdict(ctx context.Context, c *console, r *grade.Result, gates []gate) error {
	var wanting []string
	for _, s := range []*grade.System{r.Pred, r.Against} {
		if s == nil {
			continue
		}
		for _, problem := range s.Problems {
			say(ctx, c, "%v", problem)
		}
		for _, u := range s.Unknown {
			say(ctx, c, "%s:%d: journal %q is not in the gold; its items (%d) are counted apart", s.Name, u.Line, u.ID, u.Items)
		}
		if n := len(s.Problems); n > 0 {
			wanting = append(wanting, fmt.Sprintf("%s has faults (%d, named above)", s.Name, n))
		}
	}
	if r.GoldWithoutPlace > 0 {
		say(ctx, c, "gold spans that do not stand in their journal: %d; they cannot match in overlap", r.GoldWithoutPlace)
	}
	for _, g := range gates {
		if why := g.missed(); why != "" {
			say(ctx, c, "gate missed: %s", why)
			wanting = append(wanting, "gate missed: "+g.name)
		}
	}
	if len(wanting) > 0 {
		return &CheckFailed{strings.Join(wanting, "; ")}
	}
	return nil
}

// A gate is a figure with a bound.
type gate struct {
	name     string
	value    float64
	bound    float64
	drop     bool
	interval *grade.Interval
}

// missed says why the gate is missed, or nothing. A figure that is null has
// not reached any bound.
func (g gate) missed() string {
	switch {
	case math.IsNaN(g.value) && g.drop:
		return fmt.Sprintf("the difference of %s is null", g.name)
	case math.IsNaN(g.value):
		return fmt.Sprintf("%s is null, and %v was asked for", g.name, g.bound)
	case !g.drop && g.value < g.bound:
		return fmt.Sprintf("%s is %.6g, and %v was asked for", g.name, g.value, g.bound)
	case g.drop && -g.value > g.bound && (g.interval == nil || g.interval.Excludes0()):
		return fmt.Sprintf("%s fell by %.6g, and %v was allowed", g.name, -g.value, g.bound)
	}
	return ""
}

func readGates(min, maxDrop []string, r *grade.Result, summary grade.Object) ([]gate, error) {
	gates, err := minGates(min, summary)
	if err != nil {
		return nil, err
	}
	for _, text := range maxDrop {
		name, bound, err := nameAndValue("--max-drop", text)
		if err != nil {
			return nil, err
		}
		i := slices.Index(r.Names, name)
		if i < 0 {
			return nil, unknownFigure("--max-drop", name, r.Names)
		}
		g := gate{name: name, bound: bound, drop: true, value: r.Differences[i]}
		if r.DifferenceIntervals != nil {
			g.interval = &r.DifferenceIntervals[i]
		}
		gates = append(gates, g)
	}
	return gates, nil
}

func minGates(min []string, summary grade.Object) (gates []gate, err error) {
	for _, text := range min {
		name, bound, err := nameAndValue("--min", text)
		if err != nil {
			return nil, err
		}
		value, known := summary.Figure(name)
		if !known {
			return nil, unknownFigure("--min", name, summary.Paths())
		}
		gates = append(gates, gate{name: name, value: value, bound: bound})
	}
	return gates, nil
}

func nameAndValue(flag, text string) (string, float64, error) {
	name, value, ok := strings.Cut(text, "=")
	bound, err := strconv.ParseFloat(value, 64)
	if !ok || err != nil || math.IsNaN(bound) || name == "" {
		return "", 0, fmt.Errorf("%s %s: it takes a name and a number, for example %s micro.f1=0.5", flag, text, flag)
	}
	return name, bound, nil
}

// unknownFigure names figures that the user may have meant: those that end
// alike, else the first ones.
func unknownFigure(flag, name string, all []string) error {
	last := name[strings.LastIndexByte(name, '.')+1:]
	var like []string
	for _, path := range all {
		if strings.Contains(path, last) || strings.Contains(path, strings.Split(name, ".")[0]) {
			like = append(like, path)
		}
	}
	if len(like) == 0 {
		like = all
	}
	if len(like) > 8 {
		like = append(like[:8:8], "...")
	}
	return fmt.Errorf("%s: there is no figure %q; there are %s", flag, name, strings.Join(like, ", "))
}

// outputs names the summary and the per-journal file. A folder is given the
// usual name.
func (f scoreFlags) outputs() (summary, rows string, err error) {
	switch {
	case f.html == "-":
		return "", "", errors.New("--html -: the page holds the words of journals and is for its owner's eyes; name a file")
	case f.out == "-":
		return "", "", errors.New("--out -: two files are written, the summary and the scores of each journal beside it; name a file or a folder")
	case f.out == "":
		return "", "", nil
	}
	summary = f.out
	if info, err := os.Stat(summary); err == nil && info.IsDir() || strings.HasSuffix(summary, "/") || strings.HasSuffix(summary, string(filepath.Separator)) {
		summary = filepath.Join(summary, "score_summary.json")
	}
	if info, err := os.Stat(summary); err == nil && !info.Mode().IsRegular() {
		return summary, "", nil // a pipe or a device has no place beside it
	}
	rows = filepath.Join(filepath.Dir(summary), "per_journal_scores.jsonl")
	switch {
	case filepath.Clean(summary) == filepath.Clean(rows):
		err = fmt.Errorf("--out %s: the per-journal scores have this name; choose another", f.out)
	case f.html != "" && filepath.Clean(f.html) == filepath.Clean(summary):
		err = fmt.Errorf("--html %s: the summary has this name; choose another", f.html)
	case f.html != "" && filepath.Clean(f.html) == filepath.Clean(rows):
		err = fmt.Errorf("--html %s: the per-journal scores have this name; choose another", f.html)
	}
	return summary, rows, err
}

// scoreFiles opens files and remembers the first error.
type scoreFiles struct {
	in    io.Reader // what "-" means
	files []*os.File
	err   error
}

func (s *scoreFiles) open(path string) *grade.Source {
	if path == "" || s.err != nil {
		return nil
	}
	if path == "-" {
		text, err := io.ReadAll(s.in)
		s.err = err
		return grade.FromString("standard input", string(text))
	}
	file, err := os.Open(path)
	if err != nil {
		s.err = durable.CannotRead(err)
		return nil
	}
	s.files = append(s.files, file)
	info, err := file.Stat()
	switch {
	case err != nil:
		s.err = err
	case info.IsDir():
		s.err = fmt.Errorf("%s is a folder; name a file in it", path)
	case info.Mode().IsRegular():
		return &grade.Source{Name: path, ReaderAt: file, Size: info.Size()}
	default: // a pipe cannot be read at any place
		text, err := io.ReadAll(file)
		if s.err = err; err == nil {
			return grade.FromString(path, string(text))
		}
	}
	return nil
}

// refuse protects the input from being written over.
func (s *scoreFiles) refuse(paths ...string) error {
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "" || errors.Is(err, fs.ErrNotExist) || err != nil {
			continue
		}
		for _, file := range s.files {
			if in, err := file.Stat(); err == nil && os.SameFile(in, info) {
				return fmt.Errorf("%s is an input and would be written over; choose another name", path)
			}
		}
	}
	return nil
}

func (s *scoreFiles) close() {
	for _, file := range s.files {
		file.Close()
	}
}

type namedSchema struct {
	*grade.Schema
	name string
}

// schema is the user's, named by its hash, or the one inside the binary.
func (s *scoreFiles) schema(path string) namedSchema {
	if path == "" {
		return namedSchema{grade.Default(), "journal-items"}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		s.err = durable.CannotRead(err)
		return namedSchema{}
	}
	schema, err := grade.ParseSchema(data)
	if err != nil {
		s.err = fmt.Errorf("%s: %w", path, err)
	}
	sum := sha256.Sum256(data)
	return namedSchema{schema, "sha256:" + hex.EncodeToString(sum[:])}
}
