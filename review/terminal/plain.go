package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"verbatim/review"
)

// Plain prints each question as plain text and reads one command per line. A
// command that takes a text has it on the same line: "m because the sea was
// calm".
func Plain(ctx context.Context, s *review.Session, in io.Reader, out io.Writer) error {
	s.Start()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	if err := s.Next(ctx); err != nil {
		return err
	}
	for s.Item() != nil {
		show(s, out)
		if ctx.Err() != nil {
			return nil // nobody saw it
		}
		if !lines.Scan() {
			return lines.Err()
		}
		name, text, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		switch name {
		case "q":
			return nil
		case "?":
			fmt.Fprintln(out, plainHints[s.Item().Stage])
			continue
		}
		err := command(ctx, s, name, strings.TrimSpace(text))
		switch {
		case ctx.Err() != nil:
			return nil // every decision is on the disk
		case err != nil:
			fmt.Fprintln(out, "!", err)
			if s.Item() == nil {
				return err
			}
		case s.Note() != "":
			fmt.Fprintln(out, "!", s.Note())
		}
	}
	return nil
}

// show prints the item as plain lines.
func show(s *review.Session, out io.Writer) {
	item := s.Item()
	p := item.Page(false)
	fmt.Fprintf(out, "\n%s\n%s\n\n", p.Title, s.Progress())
	for _, part := range p.Parts {
		text := part.Text
		if part.Kind == review.PartLabel {
			text += ":"
		}
		fmt.Fprintln(out, text)
	}
	fmt.Fprintf(out, "\n%s\n", plainHints[item.Stage])
}

var plainHints = []string{
	"a accept, x reject, s skip, e TEXT edit passage, T TEXT edit ground truth, [ ] { } move clause, f flag, u undo, U redo, ? help, q quit",
	"a accept, x reject, e TEXT edit, m TEXT my own instead, n TEXT one more, A all, 1-9 select, p preview, b back, u undo, U redo, q quit",
	"a save, x reject the question, b back, u undo, U redo, q quit",
}

// plainKeys are the commands whose key on the screen is no letter.
var plainKeys = map[string]string{"s": "space", "p": "enter", "b": "esc"}

func command(ctx context.Context, s *review.Session, name, text string) error {
	if text == "" && slices.Contains([]string{"e", "T", "m", "n"}, name) {
		return errors.New("write the text on the same line, after the letter")
	}
	err := s.Press(ctx, cmp.Or(plainKeys[name], name), text)
	if errors.Is(err, review.ErrNoKey) {
		return fmt.Errorf("there is no command %q; ? shows them", name)
	}
	return err
}
