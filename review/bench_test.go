package review_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
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
	ctx, s := context.Background(), b.Session
	key, text, _ := strings.Cut(key, " ")
	switch key {
	case "a":
		return s.Accept(ctx)
	case "x":
		return s.Reject(ctx)
	case "s":
		return s.Skip(ctx)
	case "f":
		return s.Flag(ctx)
	case "u":
		return s.Undo(ctx)
	case "U":
		return s.Redo(ctx)
	case "A":
		return s.AcceptRest()
	case "e":
		return s.Edit(text)
	case "T":
		return s.EditTruth(text)
	case "m":
		return s.Replace(text)
	case "n":
		return s.Add(text)
	case "b":
		return s.Back()
	case "[":
		return s.Move(-1, 0)
	case "}":
		return s.Move(0, 1)
	}
	n, err := strconv.Atoi(key)
	b.must(err)
	return s.Choose(n - 1)
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
