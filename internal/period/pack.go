package period

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// The packed list is gzip over four columns, one after the other, because equal
// things next to each other pack well: the number of words, how many bytes each
// shares with the word before it, the rest of each with a line feed, the year
// since firstYear, and the size class of its number of books with the name flag.
const (
	firstYear = 1699 // a year of 0 means none
	nameFlag  = 0x80
)

// Pack writes entries, which must be sorted by word, in the form that is embedded.
func Pack(list []Entry) ([]byte, error) {
	var shared, rest, years, sizes []byte
	previous := ""
	for _, e := range list {
		same := 0
		for same < min(len(previous), len(e.Word), 255) && previous[same] == e.Word[same] {
			same++
		}
		if e.Word <= previous || e.Year != 0 && (e.Year <= firstYear || e.Year > firstYear+255) {
			return nil, fmt.Errorf("%q after %q, first in %d: the list must be sorted, and years after %d", e.Word, previous, e.Year, firstYear)
		}
		shared, rest = append(shared, byte(same)), append(append(rest, e.Word[same:]...), '\n')
		years = append(years, byte(max(0, e.Year-firstYear)))
		size := byte(bits.Len(uint(e.Books)))
		if e.Name {
			size |= nameFlag
		}
		sizes = append(sizes, size)
		previous = e.Word
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	for _, column := range [][]byte{binary.AppendUvarint(nil, uint64(len(list))), shared, rest, years, sizes} {
		if _, err := w.Write(column); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpack reads what Pack wrote. The number of books is the least of its class.
func unpack(data []byte) ([]Entry, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	count, size := binary.Uvarint(all)
	n := int(count)
	if size <= 0 || count > uint64(len(all)) || len(all)-size < 4*n {
		return nil, fmt.Errorf("the word list is cut off")
	}
	shared, rest := all[size:size+n], all[size+n:]
	years, sizes := rest[len(rest)-2*n:len(rest)-n], rest[len(rest)-n:]
	rest = rest[:len(rest)-2*n]
	list := make([]Entry, n)
	previous := ""
	for i := range list {
		tail, after, found := bytes.Cut(rest, []byte("\n"))
		if !found || int(shared[i]) > len(previous) {
			return nil, fmt.Errorf("the word list is damaged after %q", previous)
		}
		rest, previous = after, previous[:shared[i]]+string(tail)
		list[i] = Entry{Word: previous, Books: 1 << max(0, int(sizes[i]&^nameFlag)-1), Name: sizes[i]&nameFlag != 0}
		if years[i] > 0 {
			list[i].Year = firstYear + int(years[i])
		}
	}
	return list, nil
}
