package grade

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/durable"
	"verbatim/internal/parallel"
)

// A Source is a JSON Lines file. Only an index of it is kept in memory, so a
// million journals in any order fit.
type Source struct {
	Name string // for messages
	io.ReaderAt
	Size int64
}

// FromString returns a Source in memory.
func FromString(name, text string) *Source {
	return &Source{Name: name, ReaderAt: strings.NewReader(text), Size: int64(len(text))}
}

// A line says where a journal's record is in a file.
type line struct {
	offset int64
	length int32
	number int32 // from 1; 0 if the file has no such journal
}

// An index lists the records of one file by journal.
type index struct {
	Input
	source   *Source
	ids      []string
	lines    []line
	count    int // number of records
	names    strings.Builder
	problems []error
}

const byteOrderMark = "\uFEFF"

// readIndex reads a file once and finds the id of each line. The rest of a line
// is read later.
func readIndex(ctx context.Context, source *Source) (*index, error) {
	ix := &index{Input: Input{Name: source.Name}, source: source}
	sum := sha256.New()
	in := bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(source, 0, source.Size), sum), 1<<18)
	var long []byte
	for number, offset := 1, int64(0); ; number++ {
		if number%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		piece, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long[:0], piece...)
			for err == bufio.ErrBufferFull {
				piece, err = in.ReadSlice('\n')
				long = append(long, piece...)
			}
			piece = long
		}
		ix.add(piece, offset, number)
		offset += int64(len(piece))
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s after line %d: %w", source.Name, number-1, err)
		}
	}
	ix.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return ix, nil
}

func (ix *index) add(raw []byte, offset int64, number int) {
	if number == 1 && bytes.HasPrefix(raw, []byte(byteOrderMark)) {
		raw = raw[len(byteOrderMark):]
		offset += int64(len(byteOrderMark))
	}
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	offset += int64(len(raw) - len(trimmed))
	trimmed = bytes.TrimRight(trimmed, " \t\r\n")
	if len(trimmed) == 0 {
		return
	}
	id, wrong := idOf(trimmed)
	if wrong == nil && len(trimmed) > math.MaxInt32 {
		wrong = &problem{what: "the line is longer than 2 GB"}
	}
	if wrong != nil {
		ix.problems = append(ix.problems, wrong.at(ix.Name, number))
		return
	}
	ix.count++
	ix.ids = append(ix.ids, ix.keep(id))
	ix.lines = append(ix.lines, line{offset, int32(len(trimmed)), int32(number)})
}

// keep copies an id into a shared block: a million small strings would slow the
// garbage collector.
func (ix *index) keep(id string) string {
	const block = 1 << 16
	if ix.names.Cap()-ix.names.Len() < len(id) {
		ix.names = strings.Builder{}
		ix.names.Grow(max(block, len(id)))
	}
	ix.names.WriteString(id) // never grows, so earlier ids stay valid
	return ix.names.String()[ix.names.Len()-len(id):]
}

// idOf finds a line's journal_id, which is usually near the start.
func idOf(raw []byte) (string, *problem) {
	const near = 128
	for _, part := range [][]byte{raw[:min(len(raw), near)], raw} {
		if id, ok := quickID(string(part)); ok {
			return id, nil
		}
	}
	object, wrong := parseObject(string(raw), func(l level, name string) bool { return l == aLine && name == "journal_id" })
	if wrong != nil {
		return "", wrong
	}
	return textOf(object, "journal_id", 0)
}

// readIndexes indexes several files in parallel.
func readIndexes(ctx context.Context, workers int, sources []*Source) (all []*index, err error) {
	for ix, err := range parallel.Map(ctx, workers, verbatim.All(sources), readIndex) {
		if err != nil {
			return nil, err
		}
		all = append(all, ix)
	}
	return all, nil
}

// fetch reads lines; a missing one is empty.
func (s *Source) fetch(lines []line) ([]string, error) {
	out := make([]string, len(lines))
	var buf []byte
	for i, l := range lines {
		buf = slices.Grow(buf[:0], int(l.length))[:l.length]
		if n, err := s.ReadAt(buf, l.offset); n < len(buf) {
			return nil, fmt.Errorf("%s changed while it was being read: %w", s.Name, err)
		}
		out[i] = string(buf)
	}
	return out, nil
}

// OpenSource opens a file. It reads a pipe into memory, because lines are read
// in any order. The caller must Close the Source.
func OpenSource(path string) (*Source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		return &Source{Name: path, ReaderAt: file, Size: info.Size()}, nil
	}
	defer file.Close()
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file", path)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return FromString(path, string(text)), nil
}

// Close closes the file, if there is one.
func (s *Source) Close() error {
	if file, ok := s.ReaderAt.(io.Closer); ok {
		return file.Close()
	}
	return nil
}

// ReadSchema reads a JSON Schema from a file. Without a name, it returns Default.
func ReadSchema(path string) (*Schema, error) {
	if path == "" {
		return Default(), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := ParseSchema(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Outputs are the files of a score: the summary, and a line for each journal.
// An empty name means that the file is not written.
type Outputs struct{ Summary, Rows string }

// NewOutputs names the files. path is the summary, or a folder for it; rows is the
// name of the per-journal file next to it.
func NewOutputs(path, rows string) (Outputs, error) {
	if path == "" {
		return Outputs{}, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() || strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		path = filepath.Join(path, "score_summary.json")
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return Outputs{path, ""}, nil // nothing can be next to a pipe or a device
	}
	o := Outputs{path, filepath.Join(filepath.Dir(path), rows)}
	if filepath.Clean(o.Summary) == filepath.Clean(o.Rows) {
		return o, errors.New("this is the name of the per-journal file; choose another")
	}
	return o, nil
}

// Write lets score write the rows and return the summary, and writes both files.
// If score fails, no file changes. Without a per-journal file, rows is nil.
func (o Outputs) Write(score func(rows io.Writer) (Object, error)) error {
	var summary Object
	do := func(rows io.Writer) (err error) {
		summary, err = score(rows)
		return err
	}
	if o.Rows == "" {
		if err := do(nil); err != nil {
			return err
		}
	} else if err := replace(o.Rows, do); err != nil {
		return err
	}
	if o.Summary == "" {
		return nil
	}
	data, err := summary.JSON()
	if err != nil {
		return err
	}
	return replace(o.Summary, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// replace writes a file completely or not at all, and creates its folder.
func replace(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return durable.CannotWrite(path, err)
	}
	return durable.Replace(path, write)
}

// A roster joins several files: it has each journal's lines in all of them.
type roster struct {
	ids     []string
	number  map[string]int32 // of each id: its index in ids
	columns []*column
}

// A column is one file of a roster.
type column struct {
	*index
	at       []line // one per journal
	extra    []line // records whose journal is not in the roster
	extraIDs []string
}

// newRoster joins the files by id. A journal that occurs twice in one file is a
// problem.
func newRoster(ids []string, files []*index) (*roster, []error) {
	r := &roster{ids: ids, number: make(map[string]int32, len(ids))}
	for i, id := range ids {
		r.number[id] = int32(i)
	}
	var problems []error
	for _, file := range files {
		problems = append(problems, r.join(file)...)
	}
	return r, problems
}

func (r *roster) join(file *index) (problems []error) {
	c := &column{index: file, at: make([]line, len(r.ids))}
	r.columns = append(r.columns, c)
	unknown := map[string]line{}
	for i, id := range file.ids {
		at := file.lines[i]
		var first line
		if n, known := r.number[id]; known {
			first, c.at[n] = c.at[n], at
		} else {
			first, unknown[id] = unknown[id], at
			c.extra, c.extraIDs = append(c.extra, at), append(c.extraIDs, id)
		}
		if first.number > 0 {
			problems = append(problems, &verbatim.LineError{File: file.Name, Line: int(at.number),
				What: fmt.Sprintf("journal %q is already on line %d", id, first.number), Remedy: "keep one of the two"})
		}
	}
	file.ids, file.lines = nil, nil // c has everything that is needed
	return problems
}

// A job is work for one worker: a range of journals or, if extra is not 0, of
// the records of that column that belong to no journal.
type job struct{ start, end, extra int }

// jobs splits the work into ranges of at most 256 journals, fewer if they are
// large. The first column has no extra records.
func (r *roster) jobs() iter.Seq2[job, error] {
	const maxJournals, maxBytes = 256, 1 << 19
	return func(yield func(job, error) bool) {
		for c, column := range r.columns {
			lines := column.extra
			if c == 0 {
				lines = column.at
			}
			for start, end := 0, 0; start < len(lines); start = end {
				bytes := 0
				for end < len(lines) && end-start < maxJournals && (end == start || bytes+int(lines[end].length) <= maxBytes) {
					bytes += int(lines[end].length)
					end++
				}
				if !yield(job{start, end, c}, nil) {
					return
				}
			}
		}
	}
}

// fetch returns, for each column, the lines of a range of journals.
func (r *roster) fetch(start, end int) (columns [][]string, err error) {
	for _, c := range r.columns {
		lines, err := c.source.fetch(c.at[start:end])
		if err != nil {
			return nil, err
		}
		columns = append(columns, lines)
	}
	return columns, nil
}

// readItems reads a line of items. A line that is missing or cannot be read has
// no items.
func (c *column) readItems(s *Schema, text string, at line, rec *record) (problems []error, readable bool) {
	rec.reset()
	if at.number == 0 || s.read(text, rec) {
		return nil, true
	}
	found, readable := s.examine(text, rec)
	if !readable {
		rec.reset()
	}
	return c.locate(found, at), readable
}

// readText reads a line of a journals file.
func (c *column) readText(text string, at line) (string, []error) {
	_, words, ok := readJournal(text)
	if ok {
		return words, nil
	}
	_, words, found := examineJournal(text)
	return words, c.locate(found, at)
}

func (c *column) locate(found []problem, at line) (problems []error) {
	for _, f := range found {
		problems = append(problems, f.at(c.Name, int(at.number)))
	}
	return problems
}
