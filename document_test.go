package verbatim_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
)

func ExampleDocument_Quote() {
	doc, _ := verbatim.NewDocument("tale", "The lamp went out. Nobody stirred.")
	fmt.Println(doc.Quote(verbatim.Span{Start: 19, End: 34}))
	// Output: Nobody stirred.
}

func TestNewDocumentRejectsInvalidUTF8(t *testing.T) {
	_, err := verbatim.NewDocument("HWWJNQ", "The caf\xe9 was shut.")
	var encoding *verbatim.EncodingError
	if !errors.As(err, &encoding) || encoding.Offset != 7 || encoding.Byte != 0xE9 {
		t.Fatalf("got %v, want an EncodingError at byte 7", err)
	}
	for _, word := range []string{"HWWJNQ", "byte 7", "0xE9", "iconv"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not contain %q: %v", word, err)
		}
	}
}

func TestDocumentKeepsTheBytesRead(t *testing.T) {
	for _, text := range []string{"", "a", "\uFEFFWith a mark\r\nand a CRLF\x00", strings.Repeat("é\n", 10000)} {
		doc, err := verbatim.ReadDocument(strings.NewReader(text), "x")
		if err != nil || doc.Text != text {
			t.Errorf("%.20q came back as %.20q, %v", text, doc.Text, err)
		}
	}
	doc, _ := verbatim.NewDocument("x", "abc")
	if want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; doc.SHA256 != want {
		t.Errorf("sha256 of abc is %s, want %s", doc.SHA256, want)
	}
}

func TestCodePointAtEveryByte(t *testing.T) {
	text := strings.Repeat("“Où?” — 喂\n", 2000) // several blocks of the index, with multi-byte characters at their edges
	doc, _ := verbatim.NewDocument("x", text)
	noIndex := &verbatim.Document{Text: text}
	for offset := range text {
		want := utf8.RuneCountInString(text[:offset])
		if got := doc.CodePoint(offset); got != want {
			t.Fatalf("byte %d is code point %d, want %d", offset, got, want)
		}
		if offset > 20000 && noIndex.CodePoint(offset) != want {
			t.Fatalf("a Document without an index miscounts byte %d", offset)
		}
		if offset > 24000 {
			break
		}
	}
	if got, want := doc.CodePoint(len(text)), utf8.RuneCountInString(text); got != want {
		t.Errorf("the end is code point %d, want %d", got, want)
	}
}
