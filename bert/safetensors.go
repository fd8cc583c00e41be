package bert

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
)

// tensors is an open safetensors file: 8 bytes with the length of a JSON
// header, the header, and the raw numbers. Every size in the header is checked
// against the size of the file before anything is allocated.
type tensors struct {
	name   string
	data   io.ReaderAt // the bytes after the header
	size   int64       // of data
	taken  int64       // bytes of the tensors read so far
	header map[string]json.RawMessage
}

type tensor struct {
	Kind    string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

var kindSizes = map[string]int64{"F32": 4, "F16": 2, "BF16": 2}

func openTensors(file fs.File, name string) (*tensors, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	reader, ok := file.(io.ReaderAt)
	size := info.Size()
	if !ok { // an unusual file system: read the whole file
		all, err := io.ReadAll(file)
		if err != nil {
			return nil, err
		}
		reader, size = bytes.NewReader(all), int64(len(all))
	}
	var length [8]byte
	if _, err := io.ReadFull(io.NewSectionReader(reader, 0, size), length[:]); err != nil {
		return nil, fmt.Errorf("%s has only %d bytes; download it again", name, size)
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > uint64(size-8) {
		return nil, fmt.Errorf("%s: the header should have %d bytes, but the file has only %d; it is truncated or not a safetensors file: download it again", name, n, size)
	}
	const most = 100 << 20 // the format's own limit
	if n > most {
		return nil, fmt.Errorf("%s: the header has %d bytes; the format allows at most %d", name, n, most)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(io.NewSectionReader(reader, 8, int64(n)), header); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := &tensors{name: name, size: size - 8 - int64(n)}
	t.data = io.NewSectionReader(reader, 8+int64(n), t.size)
	if err := json.Unmarshal(header, &t.header); err != nil {
		return nil, fmt.Errorf("%s: the header is not a JSON object: %w", name, err)
	}
	return t, nil
}

func (t *tensors) has(name string) bool { _, ok := t.header[name]; return ok }

var errMissing = errors.New("missing")

// find checks everything that the header says about a tensor.
func (t *tensors) find(name string, shape ...int) (tensor, error) {
	fail := func(format string, args ...any) (tensor, error) {
		return tensor{}, fmt.Errorf("%s: tensor %s %w", t.name, name, fmt.Errorf(format, args...))
	}
	raw, ok := t.header[name]
	if !ok {
		return fail("is %w", errMissing)
	}
	var found tensor
	if err := json.Unmarshal(raw, &found); err != nil {
		return fail("has an invalid header: %w", err)
	}
	size := kindSizes[found.Kind]
	if size == 0 {
		return fail("has the type %q; only F32, F16 and BF16 can be read", found.Kind)
	}
	if !slices.Equal(found.Shape, shape) {
		return fail("has the shape %v, but config.json needs %v", found.Shape, shape)
	}
	for _, n := range shape {
		if size > math.MaxInt64/int64(n) {
			return fail("has a shape that is too large: %v", found.Shape)
		}
		size *= int64(n)
	}
	start, end := found.Offsets[0], found.Offsets[1]
	if start < 0 || end < start || end-start != size {
		return fail("has the shape %v and needs %d bytes, but the header gives it bytes %d to %d", found.Shape, size, start, end)
	}
	if end > t.size {
		return fail("should end at byte %d, but the file has only %d; it is truncated: download it again", end, t.size)
	}
	return found, nil
}

// A tensorReader reads a tensor's numbers in order.
type tensorReader struct {
	from   *io.SectionReader
	kind   string
	name   string
	buffer []byte
}

func (t *tensors) reader(name string, shape ...int) (*tensorReader, error) {
	found, err := t.find(name, shape...)
	if err != nil {
		return nil, err
	}
	start, end := found.Offsets[0], found.Offsets[1]
	// A file whose tensors overlap could ask for any amount of memory.
	if t.taken += end - start; t.taken > t.size {
		return nil, fmt.Errorf("%s: its tensors overlap, which the format forbids; download it again", t.name)
	}
	return &tensorReader{io.NewSectionReader(t.data, start, end-start), found.Kind, t.name + ": tensor " + name, nil}, nil
}

// read fills dst with the next numbers.
func (r *tensorReader) read(dst []float32) error {
	const most = 1 << 16
	for len(dst) > 0 {
		n := min(len(dst), most)
		size := n * int(kindSizes[r.kind])
		if cap(r.buffer) < size {
			r.buffer = make([]byte, size)
		}
		if _, err := io.ReadFull(r.from, r.buffer[:size]); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		widen(dst[:n], r.buffer[:size], r.kind)
		dst = dst[n:]
	}
	return nil
}

func widen(dst []float32, raw []byte, kind string) {
	switch kind {
	case "F32":
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	case "BF16": // the upper half of an f32
		for i := range dst {
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(raw[2*i:])) << 16)
		}
	case "F16":
		for i := range dst {
			dst[i] = half(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	}
}

// half widens an f16: 1 bit sign, 5 bits exponent, 10 bits fraction.
func half(h uint16) float32 {
	sign, rest := uint32(h&0x8000)<<16, uint32(h&0x7FFF)
	switch {
	case rest >= 0x7C00: // infinity, NaN
		return math.Float32frombits(sign | 0x7F800000 | rest<<13&0x7FFFFF)
	case rest >= 0x0400:
		return math.Float32frombits(sign | rest<<13 + 112<<23)
	default: // subnormal: a multiple of 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(rest)*0x1p-24))
	}
}
