package intake

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// looksLike names the encoding of a file that is not UTF-8, from its start. Bad
// bytes further on are found record by record.
func looksLike(start []byte) string {
	if bytes.HasPrefix(start, []byte{0xFF, 0xFE}) || bytes.HasPrefix(start, []byte{0xFE, 0xFF}) || manyZeros(start) {
		return "utf-16"
	}
	for bad := 0; bad < len(start); {
		r, size := utf8.DecodeRune(start[bad:])
		if r == utf8.RuneError && size == 1 && utf8.FullRune(start[bad:]) {
			if start[bad] >= 0x80 && isLetterByte(start, bad) {
				return "latin-1"
			}
			return "" // some other damage; the record says which byte
		}
		bad += size
	}
	return ""
}

// manyZeros: ordinary text in UTF-16 without a mark has a zero in every second
// byte.
func manyZeros(start []byte) bool {
	return len(start) >= 4 && bytes.Count(start, []byte{0}) > len(start)/4
}

// isLetterByte reports whether a high byte stands beside a letter, as é does in
// Latin-1, and is one itself there, or a quotation mark of Windows-1252.
func isLetterByte(text []byte, at int) bool {
	c := text[at]
	ascii := func(i int) bool { return i >= 0 && i < len(text) && text[i] < 0x80 }
	return (c >= 0xC0 || c >= 0x91 && c <= 0x97) && (ascii(at-1) || ascii(at+1))
}

// fromUTF16 reads the whole file: its bytes mean nothing one by one.
func fromUTF16(in io.Reader, name string) (*bufio.Reader, error) {
	raw, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(raw)%2 != 0 {
		return nil, fmt.Errorf("%s is not UTF-16: it has an odd number of bytes", name)
	}
	big := bytes.HasPrefix(raw, []byte{0xFE, 0xFF}) || !bytes.HasPrefix(raw, []byte{0xFF, 0xFE}) && len(raw) > 1 && raw[0] == 0
	units := make([]uint16, len(raw)/2)
	for i := range units {
		low, high := raw[2*i], raw[2*i+1]
		if big {
			low, high = high, low
		}
		units[i] = uint16(high)<<8 | uint16(low)
	}
	text := strings.TrimPrefix(string(utf16.Decode(units)), "\uFEFF")
	if strings.ContainsRune(text, utf8.RuneError) {
		return nil, fmt.Errorf("%s is not UTF-16: half a character in it", name)
	}
	return bufio.NewReader(strings.NewReader(text)), nil
}

// fromLatin1 also reads Windows-1252, which has quotation marks where Latin-1 has
// control characters that nobody uses.
func fromLatin1(in io.Reader, name string) (*bufio.Reader, error) {
	raw, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	high := []rune(windows)
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/8)
	for _, c := range raw {
		if c >= 0x80 && c < 0xA0 {
			b.WriteRune(high[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return bufio.NewReader(strings.NewReader(b.String())), nil
}

// windows are the characters 80 to 9F of Windows-1252; the five that it does not
// have are those of Latin-1.
const windows = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"
