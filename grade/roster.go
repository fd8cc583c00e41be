package grade

import (
	"fmt"
	"iter"

	"verbatim"
)

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
