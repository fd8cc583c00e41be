package review_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"verbatim/review"
	"verbatim/review/fake"
)

// A bench is a session of Ada's on a book in memory.
type bench struct {
	*review.Session
	*fake.Book
	t *testing.T
}

// newBench starts a session on a book with these decisions on its disk.
func newBench(t *testing.T, disk ...review.Decision) *bench {
	b := fake.NewBook(slices.Clone(disk)...)
	return &bench{b.Session(), b, t}
}

// again starts another session on the same book.
func (b *bench) again() *bench { return &bench{b.Book.Session(), b.Book, b.t} }

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// press acts as the keys of a view do; a key may have a text.
func (b *bench) press(key string) error {
	key, text, _ := strings.Cut(key, " ")
	return b.Press(context.Background(), key, text)
}

func (b *bench) do(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		if err := b.press(key); err != nil {
			b.t.Fatalf("%s: %v", key, err)
		}
	}
}

func (b *bench) shows(want string) {
	b.t.Helper()
	item := b.Item()
	got := "nothing"
	if item != nil {
		got = fmt.Sprintf("%s, stage %d, %d accepted, %d rejected", item.Draft.Category, item.Stage, item.State.Count(review.Accepted), item.State.Count(review.Rejected))
	}
	if got != want {
		b.t.Errorf("the session shows %q, want %q", got, want)
	}
}
