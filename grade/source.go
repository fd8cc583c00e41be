package grade

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"verbatim"

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
